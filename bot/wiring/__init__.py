"""The one place that names concrete classes: from settings to a house that can run panels."""

from bot.wiring.house import House, house
from bot.wiring.library import Library, library
from bot.wiring.models import model_settings, patient, providers
from bot.wiring.parts import archive, book, command_reach, folders, formats, templates, timing
from bot.wiring.process import SystemClock, bury_the_dead
from bot.wiring.surfaces import configured, surfaces

__all__ = [
    "House",
    "Library",
    "SystemClock",
    "archive",
    "book",
    "bury_the_dead",
    "command_reach",
    "configured",
    "folders",
    "formats",
    "house",
    "library",
    "model_settings",
    "patient",
    "providers",
    "surfaces",
    "templates",
    "timing",
]
