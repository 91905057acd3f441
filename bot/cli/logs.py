"""Logs of a server: one event a line with its fields; never what was said, never a token."""

import logging
import sys

FIELDS = ("panel", "turn", "channel", "persona", "platform", "workspace")


class Lines(logging.Formatter):
    """Time, level, place, event, then the fields that the event has."""

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        fields = " ".join(f"{name}={getattr(record, name)}" for name in FIELDS if hasattr(record, name))
        return f"{line} {fields}" if fields else line


def logs_to_stderr() -> None:
    """Log our own events from INFO on, the libraries' from WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("panelist").setLevel(logging.INFO)
