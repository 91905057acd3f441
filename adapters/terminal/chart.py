"""Trends as a picture: a row a persona, a square a verdict, the panel's own verdict on top."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from bot.core.records.trends import Line

COLORS = {
    "pass": "#2e8b57",
    "warn": "#d9a400",
    "fail": "#c0392b",
    "concern": "#d9a400",
    "n/a": "#9aa0a6",
    "incomplete": "#9aa0a6",
}
INK, FAINT, PAPER = "#20242a", "#6b7280", "#ffffff"
SQUARE, GAP, LEFT, TOP = 34, 8, 260, 64
MOST_PANELS = 40
"""The newest ones are drawn."""
MOST_ROWS = 60
TEXT_CHARS = 30


def trends_chart(lines: tuple[Line, ...]) -> bytes:
    """A PNG of the lines of all targets, one block below the other."""
    blocks = [[line for line in lines if line.target == key] for key in dict.fromkeys(line.target for line in lines)]
    shown = [block[:MOST_ROWS] for block in blocks]
    columns = max((len(_panels(block)) for block in shown), default=1)
    height = sum(_height(block) for block in shown) + GAP
    image = Image.new("RGB", (LEFT + columns * (SQUARE + GAP) + 2 * GAP, max(height, TOP)), PAPER)
    draw = ImageDraw.Draw(image)
    top = GAP
    for block in shown:
        _block(draw, block, top)
        top += _height(block)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _height(block: list[Line]) -> int:
    return TOP + (len(block) + 1) * (SQUARE + GAP)


def _panels(block: list[Line]) -> list[tuple[str, str, str]]:
    """(at, panel, final verdict), oldest first; the newest where there are many."""
    every = sorted({(point.at, point.panel, point.final) for line in block for point in line.points})
    return every[-MOST_PANELS:]


def _block(draw: ImageDraw.ImageDraw, block: list[Line], top: int) -> None:
    panels = _panels(block)
    draw.text((GAP, top), _short(block[0].title, 60), INK, font=_font(16))
    for column, (at, _panel, _final) in enumerate(panels):
        draw.text((_x(column), top + 30), at[5:10], FAINT, font=_font(11))
    _row(draw, "the panel", {panel: (final, False) for _, panel, final in panels}, panels, top + TOP - GAP)
    for number, line in enumerate(block, 1):
        said = {point.panel: (point.verdict, point.dissents) for point in line.points}
        _row(draw, line.persona, said, panels, top + TOP - GAP + number * (SQUARE + GAP))


def _row(
    draw: ImageDraw.ImageDraw,
    name: str,
    said: dict[str, tuple[str, bool]],
    panels: list[tuple[str, str, str]],
    top: int,
) -> None:
    draw.text((GAP, top + 9), _short(name, TEXT_CHARS), INK, font=_font(14))
    for column, (_at, panel, _final) in enumerate(panels):
        if panel in said:
            _square(draw, *said[panel], _x(column), top)


def _square(draw: ImageDraw.ImageDraw, verdict: str, dissents: bool, left: int, top: int) -> None:
    """Filled with the verdict's colour, and its first letter for those who see no colours; dissent has a frame."""
    box = (left, top, left + SQUARE, top + SQUARE)
    draw.rounded_rectangle(box, 6, COLORS.get(verdict.casefold(), FAINT), INK if dissents else None, 3)
    draw.text((left + 11, top + 7), verdict[:1].upper(), PAPER, font=_font(16))


def _x(column: int) -> int:
    return LEFT + column * (SQUARE + GAP)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
