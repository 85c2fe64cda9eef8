"""The rule sheets that lie in ``data/rulesets``: one TOML file each, found by its key.

A sheet may say ``base = "KEY"``: every top-level key that it does not give is that sheet's, but
for ``key`` and ``title``, which name a sheet. What it gives replaces the base's value whole, a
table too.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from data import RULESETS
from data.speech import Speech
from engine import sheetcheck
from engine.ruleset import Sheet, SheetError

_NAMING = ("key", "title")


class RulesetError(Exception):
    """A sheet's file is wrong: ``file`` (its name), and at which key what was expected."""

    def __init__(self, file: str, mistake: SheetError) -> None:
        super().__init__(said(file, mistake))
        self.file = file
        self.key = mistake.key
        self.code = mistake.code


@cache
def _speech() -> Speech:
    return Speech()


def said(file: str, mistake: SheetError) -> str:
    """Return a line that says what is wrong with a sheet, and where."""
    speech = _speech()
    expected = speech.say(f"mistake.{mistake.code}", **mistake.values)
    return speech.say("bot.mistake", file=file, key=mistake.key, expected=expected)


def load_rulesets(directory: Path = RULESETS) -> dict[str, Sheet]:
    """Read every ``*.toml`` of a directory: key → sheet, ascending by key.

    A file's name is its sheet's key. Raises :class:`RulesetError` for the first mistake.
    """
    return {path.stem: load_ruleset(path) for path in sorted(directory.glob("*.toml"))}


def load_ruleset(path: Path) -> Sheet:
    """Read one sheet. Raises :class:`RulesetError`."""
    plain = read_ruleset(path)
    for mistake in mistakes(path, plain):
        raise RulesetError(path.name, mistake)
    return Sheet.load(plain)


def mistakes(path: Path, plain: dict[str, Any]) -> list[SheetError]:
    """Return all that is wrong with what :func:`read_ruleset` found."""
    found = sheetcheck.mistakes(plain)
    if isinstance(plain.get("key"), str) and plain["key"] != path.stem:
        found.append(SheetError("key", "file_key", stem=path.stem))
    return found


def read_ruleset(path: Path) -> dict[str, Any]:
    """Return what a sheet's file and its bases say, unchecked, without the key ``base``.

    A base is looked for beside the file, then among the bot's own. Raises :class:`RulesetError`
    for what is no TOML, a base that is not there, and bases in a circle.
    """
    found: dict[str, Any] = {}
    seen: list[Path] = []
    while True:
        seen.append(path.resolve())
        given = _parsed(path)
        if len(seen) > 1:
            given = {key: value for key, value in given.items() if key not in _NAMING}
        found = {**given, **found}
        base = found.pop("base", None)
        if base is None:
            return found
        if not isinstance(base, str):
            raise RulesetError(path.name, SheetError("base", "base_text"))
        # The nearest goes last, so that it counts.
        places = dict.fromkeys((RULESETS, path.parent))
        known = {file.stem: file for place in places for file in sorted(place.glob("*.toml"))}
        if base not in known:
            mistake = SheetError("base", "unknown_base", options=sorted(known))
            raise RulesetError(path.name, mistake)
        if known[base].resolve() in seen:
            raise RulesetError(path.name, SheetError("base", "base_circle"))
        path = known[base]


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RulesetError(path.name, SheetError("file", "no_file")) from None
    except UnicodeDecodeError:
        raise RulesetError(path.name, SheetError("file", "utf8")) from None
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(path.name, SheetError("file", "toml", error=str(error))) from None
