"""An append-only record of what was posted, which outlives the bot that posted it."""

import json
from pathlib import Path
from typing import IO

from .world import Json


class Journal:
    """One JSON object a line, written out at once; without a path it keeps nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: IO[str] | None = path.open("a", encoding="utf-8") if path else None

    def write(self, entry: Json) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
