"""Faults inside this package; `reading` and `toolbox` turn them into errors of the one tree."""


class Unreadable(Exception):
    """The content can not be read. The text continues a sentence that starts with the file's name."""


class OutOfBounds(Unreadable):
    """The work took more time or memory than it may."""


class Refused(Exception):
    """A path that may not be read, as a whole sentence."""
