"""The rule sheets that lie in ``data/rulesets``: one TOML file each, found by its key.

A sheet may say ``base = "KEY"``: every top-level key that it does not give is that sheet's. What
it gives replaces the base's value whole, a table too.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from data import RULESETS
from engine.ruleset import Sheet, SheetError


class RulesetError(Exception):
    """A sheet's file is wrong: ``file`` (its name), ``key``, and what was ``expected`` there."""

    def __init__(self, file: str, key: str, expected: str) -> None:
        super().__init__(f"{file}: {key}: expected {expected}")
        self.file = file
        self.key = key
        self.expected = expected


def load_rulesets(directory: Path = RULESETS) -> dict[str, Sheet]:
    """Read every ``*.toml`` of a directory: key → sheet, ascending by key.

    A file's name is its sheet's key. Raises :class:`RulesetError` for the first mistake.
    """
    return {path.stem: load_ruleset(path) for path in sorted(directory.glob("*.toml"))}


def load_ruleset(path: Path) -> Sheet:
    """Read one sheet. Raises :class:`RulesetError`."""
    plain = read_ruleset(path)
    try:
        sheet = Sheet.load(plain)
    except SheetError as error:
        raise RulesetError(path.name, error.key, error.expected) from None
    if sheet.key != path.stem:
        raise RulesetError(path.name, "key", f'"{path.stem}", as the file is named')
    return sheet


def read_ruleset(path: Path) -> dict[str, Any]:
    """Return what a sheet's file and its bases say, unchecked, without the key ``base``.

    A base is looked for beside the file, then among the bot's own. Raises :class:`RulesetError`
    for what is no TOML, a base that is not there, and bases in a circle.
    """
    found: dict[str, Any] = {}
    seen: list[Path] = []
    while True:
        seen.append(path.resolve())
        plain = _parsed(path)
        found = {**plain, **found}
        base = found.pop("base", None)
        if base is None:
            return found
        if not isinstance(base, str):
            raise RulesetError(path.name, "base", "the key of a sheet in quotes")
        beside = path.with_name(f"{base}.toml")
        following = beside if beside.is_file() else RULESETS / f"{base}.toml"
        known = {file.stem for place in (path.parent, RULESETS) for file in place.glob("*.toml")}
        if base not in known:
            raise RulesetError(path.name, "base", f"one of {', '.join(sorted(known))}")
        if following.resolve() in seen:
            raise RulesetError(path.name, "base", "a sheet that is not based on this one")
        path = following


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise RulesetError(path.name, "the file", "text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(path.name, "the file", f"TOML ({error})") from None
