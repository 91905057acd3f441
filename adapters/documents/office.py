"""The text of Word and PowerPoint files, as Markdown."""

import io
from collections.abc import Iterable, Iterator

import mammoth  # type: ignore[import-untyped]  # it ships no types
from pptx import Presentation
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.table import Table

from adapters.documents.markup import html_text


def docx_text(data: bytes) -> str:
    """Headings, lists, tables, notes; images by their description. Nothing outside the file is opened."""
    result = mammoth.convert_to_html(
        io.BytesIO(data),
        convert_image=mammoth.images.img_element(lambda _image: {}),
        include_embedded_style_map=False,
        external_file_access=False,
    )
    return html_text(str(result.value))


def pptx_text(data: bytes) -> str:
    """Each slide under `## Slide 3: title`, with its bullets, tables and notes."""
    deck = Presentation(io.BytesIO(data))
    return "\n\n".join(_slide(number, slide) for number, slide in enumerate(deck.slides, 1)) + "\n"


def _slide(number: int, slide: Slide) -> str:
    title = slide.shapes.title
    heading = " ".join(title.text_frame.text.split()) if title is not None else ""
    parts = [f"## Slide {number}: {heading}" if heading else f"## Slide {number}"]
    for shape in slide.shapes:
        if title is None or shape.shape_id != title.shape_id:
            parts.extend(_shape(shape))
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        parts.append(f"Notes: {notes.text.strip()}")
    return "\n\n".join(parts)


def _shape(shape: BaseShape) -> Iterator[str]:
    if isinstance(shape, GroupShape):
        for inner in shape.shapes:
            yield from _shape(inner)
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        yield _table(shape.table)
    elif shape.has_text_frame:
        frame = getattr(shape, "text_frame")  # noqa: B009 (its type is only known once has_text_frame holds)
        lines = [f"{'  ' * line.level}- {line.text}" for line in frame.paragraphs if line.text.strip()]
        if lines:
            yield "\n".join(lines)


def _table(table: Table) -> str:
    rows = [[" ".join(cell.text.split()) for cell in row.cells] for row in table.rows]
    if not rows:
        return ""
    lines = [_row(rows[0]), _row("---" for _ in rows[0]), *(_row(row) for row in rows[1:])]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
