"""Which tools go with which documents."""

from collections.abc import Mapping
from pathlib import Path

from adapters.documents.bounded import Workshop
from adapters.documents.limits import Limits
from adapters.documents.toolbox import ConfinedToolbox
from bot.core.document import Document
from bot.core.tools import Toolbox, Toolboxes


class LocalToolboxes(Toolboxes):
    """Tools over the roots it is given, the same as those of `LocalTargets`."""

    def __init__(self, roots: Mapping[str, Path], limits: Limits | None = None) -> None:
        self._roots = dict(roots)
        self._limits = limits or Limits()
        self._workshop = Workshop(self._limits)

    def of(self, documents: tuple[Document, ...]) -> Toolbox | None:
        """Over the root of the first document that lies under one: a toolbox never spans two roots."""
        for document in documents:
            folder = self._roots.get(document.root) if document.root else None
            if folder is not None:
                return ConfinedToolbox(folder, self._limits, self._workshop)
        return None
