"""Folders of files for tests."""

from collections.abc import Mapping
from pathlib import Path


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder, with these files in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
