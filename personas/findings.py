"""What is found wrong, or merely worth saying, while one file is read."""

from bot.core.errors import Fault

AT_MOST = 20
"""Faults kept of one file; the rest is counted."""


class Findings:
    """Collects the faults and remarks of one file, in the words of whoever named it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._faults: list[Fault] = []
        self._remarks: list[Fault] = []
        self._more = 0

    def fault(self, line: int, text: str) -> None:
        """Something that keeps the file from being used."""
        if len(self._faults) < AT_MOST:
            self._faults.append(Fault(file=self.file, line=line, text=text))
        else:
            self._more += 1

    def remark(self, line: int, text: str) -> None:
        """Something that was read liberally, kept or left out."""
        if len(self._remarks) < AT_MOST:
            self._remarks.append(Fault(file=self.file, line=line, text=text))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """In the order of their lines."""
        faults = sorted(self._faults, key=lambda fault: fault.line)
        if self._more:
            faults.append(Fault(file=self.file, line=0, text=f"and {self._more} more faults"))
        return tuple(faults)

    @property
    def remarks(self) -> tuple[Fault, ...]:
        return tuple(sorted(self._remarks, key=lambda remark: remark.line))


def shown(text: object, limit: int = 40) -> str:
    """A foreign word as a message may show it: one line, printable, cut."""
    words = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in str(text)[: limit + 1])
    return f"{words[:limit]}…" if len(str(text)) > limit else words
