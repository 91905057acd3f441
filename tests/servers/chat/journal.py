"""What the chat platform keeps: an append-only file, one JSON object a line. It outlives everybody who posts."""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One event: `post`, `remove`, `pin`, `unpin` or `files`."""

    what: str
    id: str
    key: str = ""
    """Of the post or the files."""
    text: str = ""


class Journal:
    """The file; only the platform's own process writes to it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, line: Line) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line)) + "\n")

    def lines(self) -> list[Line]:
        """Everything that happened, in order."""
        if not self._path.exists():
            return []
        return [Line(**json.loads(line)) for line in self._path.read_text(encoding="utf-8").splitlines()]

    def standing(self, panel: str) -> list[Line]:
        """The panel's posts that stand in its thread, oldest first."""
        lines = self.lines()
        removed = {line.id for line in lines if line.what == "remove"}
        mine = (line for line in lines if line.what == "post" and line.key.startswith(f"{panel}:"))
        return [line for line in mine if line.id not in removed]

    def doubled(self) -> list[str]:
        """The keys of posts that stand more than once."""
        lines = self.lines()
        removed = {line.id for line in lines if line.what == "remove"}
        count = Counter(line.key for line in lines if line.what == "post" and line.id not in removed)
        return [key for key, times in count.items() if times > 1]
