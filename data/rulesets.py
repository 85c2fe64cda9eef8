"""The rule sheets that lie in ``data/rulesets``: one TOML file each, found by its key."""

from __future__ import annotations

import tomllib
from pathlib import Path

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
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise RulesetError(path.name, "the file", "text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(path.name, "the file", f"TOML ({error})") from None
    try:
        sheet = Sheet.load(plain)
    except SheetError as error:
        raise RulesetError(path.name, error.key, error.expected) from None
    if sheet.key != path.stem:
        raise RulesetError(path.name, "key", f'"{path.stem}", as the file is named')
    return sheet
