"""Sentences and names: read from TOML, checked at once, filled in when something is said.

What is filled in is data. A template is filled once, so braces in a player's name stay what they
are; a value is made printable by its name and type in one place (:meth:`Voice.value`), so that no
line break, control or invisible character of a player's gets into a sentence of the bot's.
"""

from __future__ import annotations

import difflib
import re
import string
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from engine import calendar

NAME_LIMIT = 24
LINE_LIMIT = 200

# Letters and symbols that show nothing: a name made of them would be no name.
_BLANKS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINER = "\u200d"
_SEATLIKE = re.compile(r"\d\s*[号號]|^\d+$")
_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


class TextError(ValueError):
    """A text or theme is wrong: in which file, at which key, and what was expected there."""

    def __init__(self, file: str, key: str, expected: str) -> None:
        super().__init__(f"{file}: {key}: expected {expected}")
        self.file = file
        self.key = key
        self.expected = expected


class Rendered(str):
    """A piece of a sentence that is finished; any other string is data and is made printable."""

    __slots__ = ()


# --- sentences -----------------------------------------------------------------------------------


class Sentences:
    """All sentences, by key: the file's name and the path within it (``events.warned.posts``)."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        self._templates = templates

    @classmethod
    def load(cls, directory: Path, catalogue: Mapping[str, frozenset[str]]) -> Sentences:
        """Read every TOML file of ``directory`` against ``catalogue`` (key → its placeholders).

        Raises TextError for a missing or unknown key, an empty sentence, a placeholder that the
        key does not have, or anything but a bare ``{name}`` in braces.
        """
        templates: dict[str, str] = {}
        for path in sorted(directory.glob("*.toml")):
            for key, text in _flat(_read(path), path.name, ""):
                whole = f"{path.stem}.{key}"
                _check_sentence(whole, text, catalogue, path.name, key)
                templates[whole] = text
        for whole in catalogue:
            if whole not in templates:
                stem, _, key = whole.partition(".")
                raise TextError(f"{stem}.toml", key, "a sentence; the key is missing")
        return cls(templates)

    def over(self, texts: Mapping[str, str]) -> Sentences:
        """Return these sentences with some of them in other words."""
        return Sentences({**self._templates, **texts}) if texts else self

    def __contains__(self, key: object) -> bool:
        return key in self._templates

    def of(self, stem: str) -> dict[str, str]:
        """Return the sentences of one file, by their keys in it."""
        mark = f"{stem}."
        found = self._templates.items()
        return {key.removeprefix(mark): text for key, text in found if key.startswith(mark)}

    def fill(self, key: str, values: Mapping[str, str]) -> Rendered:
        """Return the sentence with its values. Raises KeyError for an unknown key or no value."""
        return Rendered(self._templates[key].format_map(values))

    def fields(self, key: str) -> frozenset[str]:
        """Return the placeholders that the sentence uses."""
        return _fields(self._templates[key])


@lru_cache(maxsize=2048)
def _fields(template: str) -> frozenset[str]:
    return frozenset(f for _, f, _, _ in string.Formatter().parse(template) if f is not None)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TextError(path.name, "file", f"TOML in UTF-8 ({error})") from None


def _flat(table: Mapping[str, Any], file: str, prefix: str) -> Iterable[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, file, f"{prefix}{key}.")
        elif isinstance(value, str) and value.strip():
            yield f"{prefix}{key}", value
        else:
            raise TextError(file, f"{prefix}{key}", "a sentence")


def _check_sentence(
    whole: str, text: str, catalogue: Mapping[str, frozenset[str]], file: str, key: str
) -> None:
    if whole not in catalogue:
        near = difflib.get_close_matches(whole, catalogue, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise TextError(file, key, f"a known key{hint}")
    _check(text, catalogue[whole], file, key)


def _check(text: str, allowed: frozenset[str], file: str, key: str) -> None:
    if allowed:
        names = ", ".join(f"{{{name}}}" for name in sorted(allowed))
        expected = f"no placeholders but {names}"
    else:
        expected = "no placeholder"
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise TextError(file, key, f"{expected} ({error})") from None
    for _, field, spec, conversion in parts:
        if field is not None and (field not in allowed or spec or conversion):
            raise TextError(file, key, f"{expected}, not {{{field}}}")


# --- themes --------------------------------------------------------------------------------------


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names that a board gives to things; key → name in each table.

    ``word``: how the board is named when a game is opened. ``words``: ability → the board's own
    names for it, as people type them. ``terms``: the sheriff's office, a lover, a charmed seat.
    ``answers``: what an inspection may answer. ``asks``: what a petition may ask for. ``texts``:
    sentences that are said in other words, by the keys of ``texts/``. ``never``: characters that
    nothing said under the theme may contain.
    """

    title: str
    word: str
    roles: dict[str, str]
    factions: dict[str, str]
    phases: dict[str, str]
    causes: dict[str, str]
    deadlines: dict[str, str]
    owed: dict[str, str]
    channels: dict[str, str] = {}
    regimes: dict[str, str] = {}
    choices: dict[str, str] = {}
    voices: dict[str, str] = {}
    decides: dict[str, str] = {}
    abilities: dict[str, str] = {}
    answers: dict[str, str] = {}
    terms: dict[str, str] = {}
    colours: dict[str, str] = {}
    asks: dict[str, str] = {}
    words: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    never: str = ""

    def called(self, title: str) -> Theme:
        """Return the theme with the title and word of a sheet that has a title of its own."""
        return msgspec.structs.replace(self, title=title, word=title) if title else self


_DAY = frozenset({"day"})
_NOTHING: frozenset[str] = frozenset()


def load_themes(directory: Path, catalogue: Mapping[str, frozenset[str]]) -> dict[str, Theme]:
    """Read every theme of ``directory``, by its file's name; its texts against ``catalogue``.

    Raises TextError.
    """
    themes: dict[str, Theme] = {}
    for path in sorted(directory.glob("*.toml")):
        raw = _read(path)
        texts = dict(_flat(raw.pop("texts", {}), path.name, ""))
        for key, text in texts.items():
            _check_sentence(key, text, catalogue, path.name, f"texts.{key}")
        raw["texts"] = texts
        named = {table: names for table, names in raw.items() if table not in ("words", "texts")}
        for key, text in _flat(named, path.name, ""):
            _check(text, _DAY if key.startswith("phases.") else _NOTHING, path.name, key)
        try:
            themes[path.stem] = msgspec.convert(raw, Theme)
        except msgspec.ValidationError as error:
            expected, _, where = str(error).partition(" - at ")
            raise TextError(path.name, where.strip("`$.") or "theme", expected) from None
    return themes


# --- values --------------------------------------------------------------------------------------

# A value's name says what it is.
_SEATS = frozenset(
    {"seat", "seats", "target", "first", "second", "substitute", "king", "throne", "numbers"}
)
_SPANS = {"minutes": 60, "left": 60, "seconds": 1, "late": 1}
_TABLES = {
    "role": "roles",
    "faction": "factions",
    "winner": "factions",
    "cause": "causes",
    "regime": "regimes",
    "choice": "choices",
    "choices": "choices",
    "channel": "channels",
    "kind": "deadlines",
    "deadline": "deadlines",
    "voice": "voices",
    "decides": "decides",
    "skill": "abilities",
    "answer": "answers",
    "office": "terms",
    "bond": "terms",
    "status": "terms",
    "colour": "colours",
    "into": "colours",
    "ask": "asks",
}


class Voice:
    """Fills sentences in for one game: the board's names, its time zone, its players' names.

    ``short``: the game lasts for minutes, not for days.
    """

    def __init__(
        self,
        sentences: Sentences,
        theme: Theme,
        zone: str,
        names: Mapping[int, str],
        *,
        short: bool = False,
    ) -> None:
        self.sentences = sentences
        self.theme = theme
        self.zone = calendar.zone(zone)
        self.names = names
        self.short = short

    def __call__(self, key: str, /, **values: Any) -> Rendered:
        """Return the sentence of ``key`` with each value made printable."""
        return self.sentences.fill(key, {k: self.value(k, v) for k, v in values.items()})

    def value(self, name: str, value: Any) -> str:
        """Return a value as it is written in a sentence; ``name`` says what kind it is."""
        if isinstance(value, Rendered):
            return value
        if value is None:
            return self("format.nobody")
        if isinstance(value, str):
            if name == "faction" and not value:
                return self("format.no_faction")
            if name in _TABLES:
                return self.name(_TABLES[name], value)
            if name == "ability":
                return self.ability(value)
            if name == "what":
                return self.owed(value)
            if name == "games":
                return "\n".join(line(part) for part in value.splitlines())
            if name in ("name", "names"):
                return line(value, NAME_LIMIT) or self("format.nameless")
            return line(value, LINE_LIMIT)
        if isinstance(value, datetime):
            return self.moment(value)
        if isinstance(value, (list, tuple)):
            return self.join(self.value(name, item) for item in value)
        if name in _SEATS:
            return self.seat(value)
        if name in _SPANS or name.endswith("_minutes"):
            return self.span(value * _SPANS.get(name, 60))
        return str(value)

    def name(self, table: str, key: str) -> Rendered:
        """Return the theme's name for something. Raises KeyError when it has none."""
        names: dict[str, str] = getattr(self.theme, table)
        return Rendered(names[key])

    def ability(self, key: str) -> Rendered:
        """Return the theme's name for an ability, with the general word by which it is used."""
        how = f"ability.{key}.how"
        if how not in self.sentences:
            return self.name("abilities", key)
        return self("format.ability", skill=key, how=self(how))

    def owed(self, what: str) -> Rendered:
        """Return the name of something that is owed; an ability may go by its own."""
        return self.name("owed", what) if what in self.theme.owed else self.ability(what)

    def seat(self, number: int) -> Rendered:
        """Return ``3号``, with the player's name when that says more."""
        plain = self.sentences.fill("format.seat", {"number": str(number)})
        name = self._told_apart(number, plain)
        if not name:
            return plain
        # A name that reads like a seat ("3号") must not be taken for one.
        key = "format.seat_quoted" if _SEATLIKE.search(name) else "format.seat_named"
        return self.sentences.fill(key, {"number": str(number), "name": name})

    def called(self, number: int) -> Rendered:
        """Return the name that :meth:`seat` writes beside the number; empty if there is none."""
        plain = self.sentences.fill("format.seat", {"number": str(number)})
        name = self._told_apart(number, plain)
        quoted = _SEATLIKE.search(name)
        return self("format.quote", text=name) if quoted else Rendered(name)

    def _told_apart(self, number: int, plain: str) -> str:
        name = line(self.names.get(number, ""), NAME_LIMIT)
        return "" if name in (plain, str(number)) else name

    def join(self, items: Iterable[str]) -> Rendered:
        """Return a list; one without items is "nobody"."""
        return Rendered(self("format.between").join(items) or self("format.nobody"))

    def moment(self, at: datetime) -> Rendered:
        """Return a moment in the game's zone: date and time, true whenever it is read.

        Of a game that is ``short`` it is the time with its seconds, since they matter there.
        """
        local = at.astimezone(self.zone)
        if self.short:
            return self.sentences.fill("format.clock", {"time": f"{local:%H:%M:%S}"})
        return self.sentences.fill(
            "format.moment",
            {"month": str(local.month), "day": str(local.day), "time": f"{local:%H:%M}"},
        )

    def span(self, seconds: float) -> Rendered:
        """Return a span of time in its units, seconds only below a minute."""
        whole = round(seconds)
        if whole < 60:
            return self("format.seconds", n=whole)
        minutes = whole // 60
        days, minutes = divmod(minutes, 1440)
        hours, minutes = divmod(minutes, 60)
        units = (("format.days", days), ("format.hours", hours), ("format.minutes", minutes))
        return Rendered("".join(self(key, n=n) for key, n in units if n))


def line(text: str, limit: int = LINE_LIMIT) -> str:
    """Return somebody's words as one printable line of at most ``limit`` characters."""
    shown = "".join(
        " " if c.isspace() else c
        for place, c in enumerate(text)
        if c.isspace() or _visible(c) or _joins(text, place)
    )
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def block(text: str) -> Rendered:
    """Return somebody's words printable, line breaks kept; further lines are set in."""
    lines = [line(part, len(part)) for part in text.splitlines()]
    return Rendered("\n　".join(part for part in lines if part))


def _joins(text: str, place: int) -> bool:
    """Tell whether two signs are made one there: a family is one emoji of four."""
    around = text[place - 1 : place + 2] if place else ""
    if len(around) < 3 or around[1] != _JOINER:
        return False
    before, after = unicodedata.category(around[0]), unicodedata.category(around[2])
    # Behind an emoji may be its colour, or that it is to be shown as one.
    return (before in ("So", "Sk") or around[0] == "\ufe0f") and after in ("So", "Sm")


def _visible(c: str) -> bool:
    return unicodedata.category(c) not in _INVISIBLE and c not in _BLANKS
