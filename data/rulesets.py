"""The rule sheets that lie in ``data/rulesets``: one TOML file each, found by its key.

A sheet may say ``base = "KEY"``: every top-level key that it does not give is that sheet's, but
for ``key`` and ``title``, which name a sheet. What it gives replaces the base's value whole, a
table too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from data import RULESETS
from data.names import fold
from data.sentences import Rendered
from data.speech import Speech
from data.toml import read_toml
from engine import sheetcheck
from engine.mechanics import ALWAYS, MECHANICS
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
    """Return a line that says what is wrong with a sheet or a scenario, and where."""
    speech = _speech()
    expected = speech.mistake(mistake)
    return speech.say("bot.mistake", file=file, key=mistake.key, expected=expected)


def load_rulesets(directory: Path = RULESETS) -> dict[str, Sheet]:
    """Read every ``*.toml`` of a directory: key → sheet, ascending by key.

    A file's name is its sheet's key. Raises :class:`RulesetError` for the first mistake.
    """
    found: dict[str, Sheet] = {}
    for path in sorted(directory.glob("*.toml")):
        sheet = load_ruleset(path)
        if mistake := name_taken(sheet, found.values()):
            raise RulesetError(path.name, mistake)
        found[path.stem] = sheet
    return found


def name_taken(sheet: Sheet, others: Iterable[Sheet]) -> SheetError | None:
    """Return the mistake of a sheet that is called as one of ``others`` is, if it is.

    A game is opened by a sheet's key, its word or its title, so no two may share one.
    """
    own = _called(sheet)
    for other in others:
        theirs = {fold(name) for name in _called(other)}
        for name in own:
            if fold(name) in theirs:
                key = "key" if name == sheet.key else "title"
                return SheetError(key, "name_taken", name=name, file=f"{other.key}.toml")
    return None


def _called(sheet: Sheet) -> list[str]:
    speech = _speech()
    if not speech.has_theme(sheet.theme):
        # That is a mistake of its own.
        return [sheet.key]
    return [speech.title(sheet), speech.word(sheet), sheet.key]


def others(path: Path) -> Iterator[Sheet]:
    """Yield the bot's own sheets, but for a file's own and those that can't be loaded."""
    for known in sorted(RULESETS.glob("*.toml")):
        if known.stem != path.stem:
            with suppress(RulesetError):
                yield load_ruleset(known)


@dataclass(frozen=True, slots=True)
class Written:
    """What a sheet's file says itself, and what its base ``base`` and that one's bases say."""

    own: dict[str, Any]
    base: str
    under: dict[str, Any]

    @property
    def whole(self) -> dict[str, Any]:
        """The sheet: what the file gives, and what it does not give of its base."""
        return {**self.under, **self.own}


def load_ruleset(path: Path) -> Sheet:
    """Read one sheet. Raises :class:`RulesetError`, but not for what can be played all the same."""
    written = read_ruleset(path)
    for mistake in mistakes(path, written):
        if mistake.code not in UNWISE:
            raise RulesetError(path.name, mistake)
    return Sheet.load(written.whole)


HINTS = frozenset({"unused", "step_dropped", "table_replaced"})
"""Codes of what may be quite right as it is: the check tells of it, and of no mistake."""

UNWISE = sheetcheck.UNWISE | HINTS
"""Codes of what the check tells of, though a game can be played with it."""


def mistakes(path: Path, written: Written) -> list[SheetError]:
    """Return all that is wrong with what :func:`read_ruleset` found."""
    found = sheetcheck.mistakes(written.whole)
    for mistake in found:
        if mistake.key.partition(".")[0] not in written.own and mistake.code != "missing":
            mistake.base = written.base
    key = written.own.get("key")
    if isinstance(key, str) and key != path.stem:
        found.append(SheetError("key", "file_key", stem=path.stem))
    mechanics = written.whole.get("mechanics")
    if isinstance(mechanics, list):
        found += _unused(written, mechanics)
        found += list(_dropped(written, mechanics, found))
        found += list(_left(written, found))
    return found + list(_replaced(written, found))


def _unused(written: Written, mechanics: list[Any]) -> Iterator[SheetError]:
    """Parameters that the file itself sets, of mechanics that the sheet does not use."""
    defaults = {name: default for name, default in _defaults() if name in sheetcheck.OWNERS}
    for key, value in written.own.items():
        owner = sheetcheck.OWNERS.get(key)
        if owner is not None and owner not in mechanics and value != defaults[key]:
            yield SheetError(key, "unused", needed=owner)


@cache
def _defaults() -> tuple[tuple[str, Any], ...]:
    """Return what a sheet has for a parameter that it does not set: (name, value) each."""
    found: list[tuple[str, Any]] = []
    for field in msgspec.structs.fields(Sheet):
        made = field.default_factory
        found.append((field.name, field.default if made is msgspec.NODEFAULT else made()))
    return tuple(found)


def _dropped(
    written: Written, mechanics: list[Any], found: list[SheetError]
) -> Iterator[SheetError]:
    """Steps of the base's that are still of use, lost with a list that was replaced."""
    used = [*ALWAYS, *(MECHANICS[key] for key in mechanics if key in MECHANICS)]
    # What the check of the sheet looks at itself; "succession" is of use to all that follows.
    needed = {
        (need.key, need.step)
        for mechanic in used
        for need in mechanic.steps_needed
        if need.step != "succession" or "crown" in mechanics
    }
    orders = {rule.step for _, rule in sheetcheck.ABILITIES.values() if rule is not None}
    for key in sheetcheck.STEP_KEYS:
        steps, before = written.own.get(key), written.under.get(key)
        if not isinstance(steps, list) or not isinstance(before, list):
            continue
        for step in dict.fromkeys(before):
            owner = sheetcheck.STEPS.get(step)
            told_else = (key, step) in needed or step in orders
            if owner in used and step not in steps and not told_else:
                yield SheetError(key, "step_dropped", needed=step, base=written.base)


def _left(written: Written, found: list[SheetError]) -> Iterator[SheetError]:
    """What a list of the base's steps is without those whose mechanics the sheet leaves out."""
    for key in sheetcheck.STEP_KEYS:
        if key in written.own:
            continue
        idle = {m.values["name"] for m in found if (m.key, m.code) == (key, "step_mechanic")}
        steps: list[str] = []
        for step in written.under.get(key, []) if idle else []:
            # What is looked at after a step is not looked at twice.
            if step not in idle and steps[-1:] != [step]:
                steps.append(step)
        if idle:
            listed = Rendered(", ".join(f'"{step}"' for step in steps))
            yield SheetError(key, "steps_left", steps=listed)


def _replaced(written: Written, found: list[SheetError]) -> Iterator[SheetError]:
    """Tables that were replaced whole, where what they lost is named by a mistake."""
    named: set[str] = set()
    for mistake in found:
        for value in (*mistake.values.values(), mistake.key):
            named |= set(value.split(".")) if isinstance(value, str) else set()
    for key, table in written.own.items():
        before = written.under.get(key)
        # No mistake comes of a clause that is not named.
        if key == "clauses" or not isinstance(table, dict) or not isinstance(before, dict):
            continue
        lost = [name for name in before if name not in table and name in named]
        if key == "roles" and any(mistake.code == "counts" for mistake in found):
            lost = [name for name in before if name not in table]
        if lost:
            yield SheetError(key, "table_replaced", table=key, missing=lost, base=written.base)


def read_ruleset(path: Path) -> Written:
    """Return what a sheet's file and its bases say, unchecked, without the key ``base``.

    A base is looked for beside the file, then among the bot's own. Raises :class:`RulesetError`
    for what is no TOML, a base that is not there, and bases in a circle.
    """
    own = _parsed(path)
    base = _base(path, own)
    under: dict[str, Any] = {}
    seen = {path.resolve()}
    below = base
    while below is not None:
        if below.resolve() in seen:
            raise RulesetError(path.name, SheetError("base", "base_circle"))
        seen.add(below.resolve())
        given = {key: value for key, value in _parsed(below).items() if key not in _NAMING}
        path, below = below, _base(below, given)
        under = {**given, **under}
    return Written(own, "" if base is None else base.stem, under)


def _base(path: Path, given: dict[str, Any]) -> Path | None:
    """Take a file's base out of what it says, and return that one's file."""
    base = given.pop("base", None)
    if base is None:
        return None
    if not isinstance(base, str):
        raise RulesetError(path.name, SheetError("base", "base_text"))
    # The nearest goes last, so that it counts.
    places = dict.fromkeys((RULESETS, path.parent))
    known = {file.stem: file for place in places for file in sorted(place.glob("*.toml"))}
    if base not in known:
        raise RulesetError(path.name, sheetcheck.one_of("base", base, sorted(known)))
    return known[base]


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except SheetError as mistake:
        raise RulesetError(path.name, mistake) from None
