"""Personas, notes, presets and settings of a workspace, kept and changed in chat."""
