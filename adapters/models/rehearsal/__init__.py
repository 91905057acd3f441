"""Rehearsal: voices without a model."""

from adapters.models.rehearsal.voice import Rehearsal

__all__ = ["Rehearsal"]
