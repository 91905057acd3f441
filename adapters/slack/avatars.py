"""Faces for personas without a picture: the same name always gives the same image, byte for byte."""

import colorsys
import hashlib
import io
import re
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from bot.core.persona import Persona

SIZE = 512
MOST = 200
_COLOR = re.compile(r"#?([0-9a-fA-F]{6})")


@lru_cache(maxsize=MOST)
def avatar(name: str, color: str = "") -> bytes:
    """A PNG with the initials on the persona's colour, or on one that follows from the name."""
    ground = _ground(name, color)
    image = Image.new("RGB", (SIZE, SIZE), ground)
    draw = ImageDraw.Draw(image)
    _pattern(draw, name, ground)
    text = initials(name)
    font = ImageFont.load_default(size=SIZE * (0.42 if len(text) > 1 else 0.55))
    draw.text((SIZE / 2, SIZE / 2), text, font=font, fill=_ink(ground), anchor="mm")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=False, compress_level=6)
    return out.getvalue()


def avatar_of(persona: Persona) -> bytes:
    """The persona's face."""
    return avatar(persona.name or persona.short_name, persona.color)


def initials(name: str) -> str:
    """One or two letters: of the first and the last word before a comma."""
    words = [word for word in re.split(r"[\s\-_]+", name.partition(",")[0]) if word and word[0].isalnum()]
    if not words:
        return "?"
    letters = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return letters.upper()


def _ground(name: str, color: str) -> tuple[int, int, int]:
    if found := _COLOR.fullmatch(color.strip()):
        return _rgb(found[1])
    digest = hashlib.sha256(name.casefold().encode()).digest()
    red, green, blue = colorsys.hls_to_rgb(digest[0] / 256, 0.38 + digest[1] / 2048, 0.45 + digest[2] / 1024)
    return round(red * 255), round(green * 255), round(blue * 255)


def _rgb(digits: str) -> tuple[int, int, int]:
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _pattern(draw: ImageDraw.ImageDraw, name: str, ground: tuple[int, int, int]) -> None:
    """Two quiet discs, so that two personas of one colour are told apart at a glance."""
    digest = hashlib.sha256(f"disc {name.casefold()}".encode()).digest()
    for index in range(2):
        x, y, radius = digest[index] * 2, digest[index + 2] * 2, 90 + digest[index + 4] // 2
        shade = _shaded(ground, 1.12 if index else 0.86)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shade)


def _shaded(color: tuple[int, int, int], factor: float) -> tuple[int, int, int]:
    red, green, blue = (min(255, round(channel * factor)) for channel in color)
    return red, green, blue


def _ink(ground: tuple[int, int, int]) -> tuple[int, int, int]:
    """White or near-black, whichever is read more easily."""
    red, green, blue = ground
    return (24, 24, 27) if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else (255, 255, 255)
