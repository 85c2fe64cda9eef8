"""Text as masks to be stamped: measured, broken into lines, never failing on any script.

Chinese, Japanese, Korean and Latin are set sign by sign from one font, and each sign is kept, since
names and roles come again and again. What that font lacks is looked for in the others: emoji and
symbols, and the scripts that must be shaped as a whole. What no font has is left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

REGULAR, BOLD = 400, 700

_ELLIPSIS = "…"
_MAIN = ("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc", 2)
_OTHERS = tuple(
    ("manimgx_fonts", f"Noto{name}[wght].ttf", 0)
    for name in (
        "Emoji",
        *(
            f"Sans{script}"
            for script in (
                *("Symbols", "Arabic", "Hebrew", "Thai", "Devanagari", "Bengali", "Tamil"),
                *("Telugu", "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Oriya", "Sinhala"),
                *("Georgian", "Armenian", "Ethiopic", "Khmer", "Lao", "Myanmar", ""),
            )
        ),
    )
)
_FACES = (_MAIN, *_OTHERS)
_NOBODY_HAS = "\U0001fffe"
"""No character, and never one: what a font shows for it, it shows for all that it lacks."""

# What only changes the emoji before it; there is one form of each.
_MODIFIERS = frozenset(["\ufe0e", "\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))])
_CLOSING = frozenset("，。、；：！？）」』】》…·,.;:!?)]}%")
_OPENING = frozenset("（「『【《([{")


class Sign(NamedTuple):
    """A sign, or a run of a script that is shaped as a whole.

    ``advance``: pixels to the next one; ``mask``: what is seen, ``left`` and ``top`` of it from
    the pen on the baseline; ``None`` for a blank.
    """

    text: str
    advance: int
    mask: Image.Image | None
    left: int
    top: int


class Line(NamedTuple):
    """Signs in a row, and how wide they are."""

    signs: tuple[Sign, ...]
    width: int


@cache
def _font(face: int, size: int, weight: int) -> ImageFont.FreeTypeFont:
    package, name, index = _FACES[face]
    engine = ImageFont.Layout.RAQM if face else ImageFont.Layout.BASIC
    font = ImageFont.truetype(str(files(package) / name), size, index=index, layout_engine=engine)
    font.set_variation_by_axes([weight])
    return font


def _seen(font: ImageFont.FreeTypeFont, text: str) -> tuple[Image.Image | None, int, int]:
    left, top, right, bottom = map(int, font.getbbox(text, anchor="ls"))
    if right <= left or bottom <= top:
        return None, 0, 0
    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, anchor="ls")
    return mask, left, top


@lru_cache(maxsize=len(_FACES))
def _lacking(face: int) -> bytes:
    mask, _, _ = _seen(_font(face, 24, REGULAR), _NOBODY_HAS)
    return mask.tobytes() if mask is not None else b""


@lru_cache(maxsize=8192)
def _face(char: str) -> int | None:
    """The first font that has a character, by its number."""
    if char.isspace() or " " < char < "\x7f" or "\u4e00" <= char < "\u9fa6":
        return 0  # without asking: nearly all that is ever written
    for face in range(len(_FACES)):
        mask, _, _ = _seen(_font(face, 24, REGULAR), char)
        if mask is not None and mask.tobytes() != _lacking(face):
            return face
    return None


@lru_cache(maxsize=8192)
def _sign(text: str, face: int, size: int, weight: int) -> Sign:
    font = _font(face, size, weight)
    mask, left, top = _seen(font, text)
    return Sign(text, round(font.getlength(text)), mask, left, top)


def _known(text: str) -> Iterator[tuple[str, int]]:
    """The characters that can be shown, and which font shows each."""
    before: int | None = None
    for char in unicodedata.normalize("NFC", text):
        if char in _MODIFIERS:
            continue
        if unicodedata.category(char).startswith("M"):
            # A mark belongs to what is before it; the font that sets sign by sign can't place it.
            if before:
                yield char, before
            continue
        face = _face(char)
        if face is None:
            # A letter in fancy dress (𝓐) is a letter.
            plain = unicodedata.normalize("NFKC", char)
            for other in plain if plain != char else "":
                if (found := _face(other)) is not None:
                    yield other, found
            continue
        before = face
        yield char, face


def _signs(text: str, size: int, weight: int) -> list[Sign]:
    signs: list[Sign] = []
    for face, run in groupby(_known(text), key=lambda known: known[1]):
        chars = "".join(char for char, _ in run)
        signs += [_sign(piece, face, size, weight) for piece in ([chars] if face else chars)]
    return signs


def line(text: str, size: int, weight: int = REGULAR, width: int | None = None) -> Line:
    """Set a text in one line; what does not fit into ``width`` pixels ends in an ellipsis."""
    signs = _signs(text, size, weight)
    total = sum(sign.advance for sign in signs)
    if width is None or total <= width:
        return Line(tuple(signs), total)
    end = _sign(_ELLIPSIS, 0, size, weight)
    while signs and total + end.advance > width:
        total -= signs.pop().advance
    return Line((*signs, end), total + end.advance)


def wrap(text: str, size: int, width: int, weight: int = REGULAR) -> list[Line]:
    """Set a text in lines of at most ``width`` pixels."""
    lines: list[list[Sign]] = [[]]
    used = 0
    for word in _words(_signs(text, size, weight)):
        wide = sum(sign.advance for sign in word)
        if lines[-1] and used + wide > width:
            lines.append([])
            used = 0
            if word[0].text.isspace():
                continue
        for sign in word:
            if lines[-1] and used + sign.advance > width:
                lines.append([])
                used = 0
            lines[-1].append(sign)
            used += sign.advance
    return [Line(tuple(signs), sum(sign.advance for sign in signs)) for signs in lines]


def _words(signs: list[Sign]) -> Iterator[list[Sign]]:
    """What stays together: a Latin word or number, and a stop with what is before it."""
    word: list[Sign] = []
    for sign in signs:
        if word:
            before, after = word[-1].text, sign.text
            latin = before.isascii() and after.isascii()
            together = latin and not before.isspace() and not after.isspace()
            if not (together or after in _CLOSING or before in _OPENING):
                yield word
                word = []
        word.append(sign)
    if word:
        yield word


def mask(line: Line, size: int) -> tuple[Image.Image, int]:
    """Return a line as one mask, and how far its baseline is below its top."""
    ascent, height = size, size + size // 2
    seen = Image.new("L", (line.width + size, height))
    x = 0
    for sign in line.signs:
        if sign.mask is not None:
            seen.paste(255, (x + max(sign.left, -x), ascent + sign.top), sign.mask)
        x += sign.advance
    return seen, ascent
