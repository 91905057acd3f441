"""A persona's avatar: an emoji, an image file beside its file, or both."""

import re
from pathlib import Path

from personas.findings import Findings, shown
from personas.forms import Form
from personas.reading import Unreadable, bytes_of
from personas.visible import is_emoji

MAX_IMAGE = 2 * 1024 * 1024
DEFAULT_EMOJI = "🗣️"

_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
_IMAGE_NAME = re.compile(r"[^/\\:\s][^/\\:]{0,99}")
_HEADS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8")


def avatar_of(
    value: object, form: Form, beside: tuple[Path, Path] | None, findings: Findings, line: int
) -> tuple[str, str]:
    """The emoji and the image's file name. `beside` is the persona's folder and the catalog's resolved root."""
    emoji, image = "", ""
    for part in _parts(value):
        if is_emoji(part):
            emoji = part
        elif not part.casefold().endswith(_SUFFIXES) or not _IMAGE_NAME.fullmatch(part):
            text = f"avatar '{shown(part)}' is neither an emoji nor an image file beside the persona"
            _wrong(form, findings, line, f"{text} ({', '.join(_SUFFIXES)}); write one of them")
        elif beside is None:
            text = f"the image '{shown(part)}' is left out: a persona in the store has no files beside it"
            findings.remark(line, text)
        elif problem := _image_problem(part, *beside):
            _wrong(form, findings, line, f"avatar '{shown(part)}': {problem}")
        else:
            image = part
    return emoji or DEFAULT_EMOJI, image


def _parts(value: object) -> list[str]:
    """`🦉`, `owl.png`, `🦉 owl.png`, a list of them, or a mapping with `emoji` and `image`."""
    if isinstance(value, dict):
        return [str(each).strip() for each in value.values() if each]
    if isinstance(value, list):
        return [str(each).strip() for each in value if each]
    words = str(value or "").strip()
    first, _, rest = words.partition(" ")
    return [first, rest.strip()] if rest and is_emoji(first) else [words] if words else []


def _image_problem(name: str, folder: Path, root: Path) -> str:
    try:
        head = bytes_of(folder / name, root, MAX_IMAGE)[:12]
    except Unreadable as problem:
        return str(problem)
    webp = head[:4] == b"RIFF" and head[8:] == b"WEBP"
    return "" if webp or head.startswith(_HEADS) else "no PNG, JPEG, GIF or WebP image; save it as PNG"


def _wrong(form: Form, findings: Findings, line: int, text: str) -> None:
    if form.strict:
        findings.fault(line, text)
    else:
        findings.remark(line, f"{text}; an avatar is generated")
