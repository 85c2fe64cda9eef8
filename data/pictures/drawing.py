"""Pictures of games: a description in, the bytes of a PNG out. No game and no text is known here.

Everything is drawn in indices of a small palette: a text is a mask whose greys are looked up in a
ramp from its ground to its ink. So a picture costs little to draw, to pack and to send.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from io import BytesIO

import msgspec
from PIL import Image, ImageChops, ImageDraw

from data.pictures import Board, Card, Chair, Mark, Picture, Row, Tally, lettering
from data.pictures.lettering import BOLD, REGULAR, Line

WIDTH = 1080
"""Pixels: a phone's."""

Colour = tuple[int, int, int]


def _rgb(code: int) -> Colour:
    return code >> 16, code >> 8 & 255, code & 255


GROUND, PAPER, GONE = _rgb(0xF3F0EA), _rgb(0xFFFFFF), _rgb(0xE7E3DB)
INK, SOFT, FAINT = _rgb(0x23262D), _rgb(0x6E7380), _rgb(0x9A9DA6)
WHITE, RULE = _rgb(0xFFFFFF), _rgb(0xDDD8CE)
GOLD, GREEN, RED, VIOLET = _rgb(0xB7791F), _rgb(0x2F7D4F), _rgb(0xB3392F), _rgb(0x6B4BA3)

_HOURS = {"day": _rgb(0xB4621F), "night": _rgb(0x27344F), "over": _rgb(0x5A3E52)}
_GLOWS = {"day": _rgb(0xF3C26B), "night": _rgb(0xE8DFC0), "over": _rgb(0xE3B7A0)}
_SIDES = {"town": _rgb(0x2B6A6C), "piper": VIOLET, "lovers": _rgb(0xB0447A), "": _rgb(0x4A5264)}
_MARKS = {
    "office": GOLD,
    "charmed": VIOLET,
    "plain": SOFT,
    "blue": _rgb(0x2F62B5),
    "yellow": _rgb(0xA67C00),
    "red": RED,
}

_EDGE, _GAP = 40, 20
_LEVELS = 7
"""Steps from a ground to an ink, both counted."""
_DECODER: msgspec.msgpack.Decoder[Picture] = msgspec.msgpack.Decoder(Picture)
_ANYTHING = [0, *[255] * 255]


def png(picture: Picture) -> bytes:
    """Draw a picture. Returns a PNG of :data:`WIDTH` pixels' width.

    The last few are kept: everybody asks how things stand when something has happened.
    """
    # What was not read from the database holds finished sentences, which are a kind of text.
    return _png(msgspec.msgpack.encode(picture, enc_hook=str))


@lru_cache(maxsize=16)
def _png(packed: bytes) -> bytes:
    picture = _DECODER.decode(packed)
    if isinstance(picture, Board):
        return _board(picture)
    if isinstance(picture, Tally):
        return _tally(picture)
    return _card(picture)


def side(key: str) -> Colour:
    """The colour of a faction: those who kill are red."""
    return _SIDES.get(key, RED)


# --- the sheet -----------------------------------------------------------------------------------


class _Sheet:
    """A picture in the making: indices into a palette that grows."""

    def __init__(self, height: int) -> None:
        self._colours: dict[Colour, int] = {}
        self._ramps: dict[tuple[Colour, Colour], bytes] = {}
        self._shapes: dict[tuple[int, Colour, Colour], Image.Image] = {}
        self.image = Image.new("L", (WIDTH, height), self._index(GROUND))

    def _index(self, colour: Colour) -> int:
        return self._colours.setdefault(colour, len(self._colours))

    def _ramp(self, ink: Colour, ground: Colour) -> bytes:
        if (ink, ground) not in self._ramps:
            steps = []
            for level in range(_LEVELS):
                part = level / (_LEVELS - 1)
                mixed = [round(g + (i - g) * part) for i, g in zip(ink, ground, strict=True)]
                steps.append(self._index((mixed[0], mixed[1], mixed[2])))
            self._ramps[ink, ground] = bytes(steps[_level(grey)] for grey in range(256))
        return self._ramps[ink, ground]

    def _printed(self, mask: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
        # As bytes: Image.point makes a list of 256 numbers each time, which costs far more.
        greys = mask.tobytes().translate(self._ramp(ink, ground))
        return Image.frombytes("L", mask.size, greys)

    def stamp(self, mask: Image.Image, at: tuple[int, int], ink: Colour, ground: Colour) -> None:
        """Print one of the few shapes in ``ink`` upon ``ground``, which must be there."""
        key = (id(mask), ink, ground)  # they are all kept, so no other gets its id
        if key not in self._shapes:
            self._shapes[key] = self._printed(mask, ink, ground)
        self.image.paste(self._shapes[key], at)

    def write(
        self,
        line: Line,
        at: tuple[int, int],
        size: int,
        ink: Colour,
        ground: Colour,
        *,
        over: bool = False,
    ) -> None:
        """Write a line; ``at``: the left end of its baseline. ``over``: there is something else."""
        mask, ascent = lettering.mask(line, size)
        box = mask.getbbox()
        if box is None:
            return
        mask = mask.crop(box)
        place = (at[0] + box[0], at[1] - ascent + box[1])
        printed = self._printed(mask, ink, ground)
        self.image.paste(printed, place, mask.point(_ANYTHING) if over else None)

    def panel(
        self,
        box: tuple[int, int, int, int],
        ink: Colour,
        ground: Colour = GROUND,
        radius: int = 18,
    ) -> None:
        """Fill a box (left, top, right, bottom) with round corners."""
        left, top, right, bottom = box
        radius = min(radius, (right - left) // 2, (bottom - top) // 2)
        self.fill(box, ink)
        for number, place in enumerate(
            [
                (left, top),
                (right - radius, top),
                (right - radius, bottom - radius),
                (left, bottom - radius),
            ]
        ):
            self.stamp(_corner(radius, number), place, ink, ground)

    def fill(self, box: tuple[int, int, int, int], ink: Colour) -> None:
        """Fill a box."""
        self.image.paste(self._index(ink), box)

    def disc(self, centre: tuple[int, int], radius: int, ink: Colour, ground: Colour) -> None:
        """Fill a circle."""
        place = (centre[0] - radius, centre[1] - radius)
        self.stamp(_disc(radius), place, ink, ground)

    def png(self) -> bytes:
        """Return all that was drawn."""
        self.image.putpalette([part for colour in self._colours for part in colour])
        packed = BytesIO()
        self.image.save(packed, "PNG", compress_level=3)
        return packed.getvalue()


def _level(grey: int) -> int:
    return round(grey * (_LEVELS - 1) / 255)


@cache
def _disc(radius: int) -> Image.Image:
    large = Image.new("L", (radius * 8, radius * 8))
    ImageDraw.Draw(large).ellipse((0, 0, radius * 8 - 1, radius * 8 - 1), fill=255)
    return large.reduce(4)


@cache
def _crescent(radius: int) -> Image.Image:
    """A disc without another disc."""
    shadow = Image.new("L", (radius * 2, radius * 2))
    shadow.paste(_disc(radius * 6 // 7), (-radius * 2 // 7, -radius // 7))
    return ImageChops.subtract(_disc(radius), shadow)


@cache
def _corner(radius: int, number: int) -> Image.Image:
    """A quarter of a disc: left above, right above, right below, left below."""
    x, y = [(0, 0), (radius, 0), (radius, radius), (0, radius)][number]
    return _disc(radius).crop((x, y, x + radius, y + radius))


# --- pieces --------------------------------------------------------------------------------------


def _pill(
    sheet: _Sheet, text: Line, at: tuple[int, int], size: int, ink: Colour, ground: Colour
) -> int:
    """A word on a coloured strip; ``at``: its left top corner. Returns its width."""
    width, height = text.width + size, size + size // 2
    box = (at[0], at[1], at[0] + width, at[1] + height)
    sheet.panel(box, ink, ground, radius=height // 3)
    sheet.write(text, (at[0] + size // 2, at[1] + round(size * 1.12)), size, WHITE, ink)
    return width


def _number(
    sheet: _Sheet, number: int, centre: tuple[int, int], ink: Colour, ground: Colour
) -> None:
    """A seat's number on a disc."""
    sheet.disc(centre, 30, ink, ground)
    text = lettering.line(str(number), 32, BOLD)
    sheet.write(text, (centre[0] - text.width // 2, centre[1] + 12), 32, WHITE, ink)


def _heading(sheet: _Sheet, title: str, head: str, hour: str) -> int:
    """The band above; returns where it ends."""
    ground, glow = _HOURS[hour], _GLOWS[hour]
    sheet.fill((0, 0, WIDTH, 190), ground)
    x, y = WIDTH - 120, 95
    if hour == "night":
        sheet.stamp(_crescent(54), (x - 54, y - 54), glow, ground)
        for dx, dy, radius in ((-46, -22, 4), (-66, 22, 5), (-92, -6, 3)):
            sheet.disc((x + dx, y + dy), radius, glow, ground)
    elif hour == "day":
        sheet.disc((x, y), 36, glow, ground)
        for dx, dy in ((58, 0), (41, 41), (0, 58), (-41, 41)):
            sheet.disc((x + dx, y + dy), 7, glow, ground)
            sheet.disc((x - dx, y - dy), 7, glow, ground)
    else:
        sheet.disc((x, y), 54, glow, ground)
        sheet.disc((x, y), 44, ground, glow)
        sheet.disc((x, y), 22, glow, ground)
    room = WIDTH - 2 * _EDGE - 180
    above = lettering.line(title, 34, REGULAR, room)
    sheet.write(above, (_EDGE, 66), 34, _mix(glow, WHITE, 0.45), ground)
    sheet.write(lettering.line(head, 62, BOLD, room), (_EDGE, 146), 62, WHITE, ground)
    return 190


def _paragraphs(texts: Sequence[str], size: int, width: int) -> list[list[Line]]:
    return [lettering.wrap(text, size, width) for text in texts]


def _tall(paragraphs: Sequence[Sequence[Line]], size: int) -> int:
    lines = sum(map(len, paragraphs))
    return lines * round(size * 1.5) + max(len(paragraphs) - 1, 0) * (size // 3)


def _write_paragraphs(
    sheet: _Sheet,
    paragraphs: Sequence[Sequence[Line]],
    at: tuple[int, int],
    size: int,
    ink: Colour,
    ground: Colour,
) -> None:
    y = at[1]
    for paragraph in paragraphs:
        for line in paragraph:
            sheet.write(line, (at[0], y + round(size * 1.12)), size, ink, ground)
            y += round(size * 1.5)
        y += size // 3


# --- the board -----------------------------------------------------------------------------------

_TILE = 128


def _board(board: Board) -> bytes:
    width = (WIDTH - 2 * _EDGE - _GAP) // 2
    lines = _paragraphs(board.lines, 36, WIDTH - 2 * _EDGE)
    foot = _paragraphs(board.foot, 34, WIDTH - 2 * _EDGE)
    rows = (len(board.chairs) + 1) // 2
    sides = _strips(board.sides)
    top = 190 + 28 + (_tall(lines, 36) + 24 if lines else 0) + len(sides) * 64
    below = top + rows * (_TILE + _GAP) - _GAP
    sheet = _Sheet(below + (_tall(foot, 34) + 32 if foot else 0) + 36)
    _heading(sheet, board.title, board.head, board.hour)
    _write_paragraphs(sheet, lines, (_EDGE, 190 + 28), 36, INK, GROUND)
    for number, strips in enumerate(sides):
        x, y = _EDGE, top - (len(sides) - number) * 64
        for text, colour in strips:
            x += _pill(sheet, text, (x, y), 30, colour, GROUND) + 14
    for place, chair in enumerate(board.chairs):
        # Down the left column, then down the right one.
        column, row = divmod(place, rows)
        left, y = _EDGE + column * (width + _GAP), top + row * (_TILE + _GAP)
        _tile(sheet, chair, (left, y, left + width, y + _TILE))
    _write_paragraphs(sheet, foot, (_EDGE, below + 32), 34, SOFT, GROUND)
    return sheet.png()


def _strips(marks: Sequence[Mark]) -> list[list[tuple[Line, Colour]]]:
    """The factions and their colours, four in a row."""
    strips = [(lettering.line(mark.text, 30, BOLD, 190), side(mark.kind)) for mark in marks]
    return [strips[at : at + 4] for at in range(0, len(strips), 4)]


def _tile(sheet: _Sheet, chair: Chair, box: tuple[int, int, int, int]) -> None:
    left, top, right, _ = box
    ground = GONE if chair.out else PAPER
    sheet.panel(box, ground)
    known = side(chair.side) if chair.role else FAINT if chair.out else _SIDES[""]
    _number(sheet, chair.number, (left + 50, top + _TILE // 2), known, ground)
    x, room = left + 98, right - left - 98 - 20
    ink = SOFT if chair.out else INK
    marks = [(lettering.line(mark.text, 26), _MARKS[mark.kind]) for mark in chair.marks]
    name = chair.name or str(chair.number)
    shown = lettering.line(name, 38, BOLD if not chair.out else REGULAR, room)
    alone = not (chair.role or chair.marks or chair.fate or chair.posts)
    sheet.write(shown, (x, top + (78 if alone else 54)), 38, ink, ground)
    y = top + 72
    if chair.role:
        role = lettering.line(chair.role, 28, BOLD, room // 2)
        x += _pill(sheet, role, (x, y), 28, known, ground) + 14
    for text, colour in marks:
        if x + text.width + 26 <= right - 20:
            x += _pill(sheet, text, (x, y + 2), 26, colour, ground) + 12
    last = chair.fate or chair.posts
    fits = lettering.line(last, 30, REGULAR, max(right - 20 - x, 0))
    tint = GREEN if chair.posts and chair.enough else SOFT
    if last and right - 20 - x > 60:
        sheet.write(fits, (x, y + 32), 30, tint, ground)


# --- the tally -----------------------------------------------------------------------------------


def _tally(tally: Tally) -> bytes:
    inner = WIDTH - 2 * _EDGE - 2 * 32
    voters = [_chips(row.voters, inner) for row in tally.rows]
    foot = _paragraphs(tally.foot, 34, WIDTH - 2 * _EDGE)
    heights = [
        (104 if row.chair else 84) + 64 * len(c) + 16
        for row, c in zip(tally.rows, voters, strict=True)
    ]
    below = 190 + 32 + sum(heights) + _GAP * len(heights)
    sheet = _Sheet(below + (_tall(foot, 34) + 24 if foot else 0) + 20)
    _heading(sheet, tally.title, tally.head, "day")
    top = 190 + 32
    for row, chips, height in zip(tally.rows, voters, heights, strict=True):
        _row(sheet, row, chips, (_EDGE, top, WIDTH - _EDGE, top + height))
        top += height + _GAP
    _write_paragraphs(sheet, foot, (_EDGE, below + 4), 34, SOFT, GROUND)
    return sheet.png()


def _chips(chairs: Sequence[Chair], width: int) -> list[list[Line]]:
    """Who voted, in rows."""
    rows: list[list[Line]] = [[]]
    used = 0
    for chair in chairs:
        text = lettering.line(f"{chair.number} {chair.name}".strip(), 30, REGULAR, 300)
        wide = text.width + 30 + 14
        if rows[-1] and used + wide > width:
            rows.append([])
            used = 0
        rows[-1].append(text)
        used += wide
    return rows


def _row(
    sheet: _Sheet, row: Row, chips: Sequence[Sequence[Line]], box: tuple[int, int, int, int]
) -> None:
    left, top, right, _ = box
    sheet.panel(box, PAPER)
    most = row.share >= 1
    votes = lettering.line(row.votes, 42, BOLD)
    y = top + 84
    if row.chair is None:
        sheet.write(votes, (left + 32, top + 62), 42, SOFT, PAPER)
    else:
        colour = RED if most else _SIDES[""]
        _number(sheet, row.chair.number, (left + 62, top + 50), colour, PAPER)
        room = right - left - 110 - votes.width - 60
        name = lettering.line(row.chair.name or str(row.chair.number), 40, BOLD, room)
        sheet.write(name, (left + 110, top + 64), 40, INK, PAPER)
        sheet.write(votes, (right - 32 - votes.width, top + 65), 42, colour, PAPER)
        bar = (left + 32, top + 92, right - 32, top + 102)
        sheet.panel(bar, GONE, PAPER, 5)
        length = max(round((bar[2] - bar[0]) * row.share), 10)
        sheet.panel((bar[0], bar[1], bar[0] + length, bar[3]), colour, GONE, 5)
        if length == bar[2] - bar[0]:
            sheet.panel(bar, colour, PAPER, 5)
        y = top + 118
    for texts in chips:
        x = left + 32
        for text in texts:
            sheet.panel((x, y, x + text.width + 30, y + 50), GROUND, PAPER, 16)
            sheet.write(text, (x + 15, y + 36), 30, INK, GROUND)
            x += text.width + 30 + 14
        y += 64


# --- the role card -------------------------------------------------------------------------------


def _card(card: Card) -> bytes:
    colour = side(card.side)
    pale = _mix(colour, WHITE, 0.22)
    edge, inner = 72, WIDTH - 2 * 72
    lines = _paragraphs(card.lines, 40, inner)
    band = 430
    sheet = _Sheet(band + 40 + 56 + _tall(lines, 40) + 56 + 40)
    bottom = sheet.image.height - 36
    sheet.panel((36, 36, WIDTH - 36, bottom), PAPER, GROUND, 36)
    sheet.panel((36, 36, WIDTH - 36, band), colour, GROUND, 36)
    sheet.fill((36, band - 40, WIDTH - 36, band), colour)
    seal = lettering.line(card.role[:1], 300, BOLD)
    sheet.write(seal, (WIDTH - 84 - seal.width, 344), 300, _mix(WHITE, colour, 0.16), colour)
    sheet.write(lettering.line(card.title, 34, REGULAR, inner), (edge, 104), 34, pale, colour)
    role = lettering.line(card.role, 110, BOLD)
    size = 110 if role.width <= inner else 64
    role = lettering.line(card.role, size, BOLD, inner)
    sheet.write(role, (edge, 250), size, WHITE, colour, over=True)
    sheet.fill((edge, 300, edge + 96, 306), pale)
    sheet.write(lettering.line(card.seat, 40, BOLD, 600), (edge, 378), 40, WHITE, colour)
    faction = lettering.line(card.faction, 32, BOLD)
    _pill(sheet, faction, (edge, band + 36), 32, colour, PAPER)
    _write_paragraphs(sheet, lines, (edge, band + 36 + 48 + 36), 40, INK, PAPER)
    return sheet.png()


def _mix(ink: Colour, ground: Colour, part: float) -> Colour:
    mixed = [round(g + (i - g) * part) for i, g in zip(ink, ground, strict=True)]
    return mixed[0], mixed[1], mixed[2]
