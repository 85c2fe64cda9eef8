"""``python -m plugins.rehearsal``: play scenarios.

FILE…                play each (a folder: all in it); exit 1 if any expectation fails
--json FILE          play one, print one JSON object, whatever it expects
--transcript FILE    print all that was typed and said, in order, with to whom
--sheet FILE         with any of these: a rule sheet from outside data/rulesets, by its key
--clauses            which scenarios prove which clause; exit 1 if a clause has none

Exit 2: a file can't be read (file, key, reason).
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from data.__main__ import run
from data.rulesets import RulesetError, load_ruleset, load_rulesets, said
from data.speech import Speech, TextError
from plugins.rehearsal.scenario import Played, Rehearsal, ScenarioError, Told, load

SCENARIOS = Path(__file__).parents[2] / "tests" / "scenarios"
CLAUSES = "clauses.toml"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m plugins.rehearsal", description="play scenarios"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print one JSON object")
    how.add_argument("--transcript", action="store_true", help="print all that was said")
    how.add_argument("--clauses", action="store_true", help="which scenarios prove which clause")
    parser.add_argument(
        "--sheet", action="append", default=[], type=Path, help="a rule sheet of one's own"
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    if asked.clauses:
        return clauses(SCENARIOS)
    if not asked.files or ((asked.json or asked.transcript) and len(asked.files) != 1):
        parser.error("one FILE is needed" if asked.json or asked.transcript else "a FILE is needed")
    try:
        stage = Stage(asked.sheet)
    except (RulesetError, TextError) as error:
        print(error, file=sys.stderr)
        return 2
    code = 0
    for path in files(asked.files):
        try:
            if asked.json:
                stage.print_json(path)
            elif asked.transcript:
                stage.print_transcript(path)
            elif not stage.print_result(path):
                code = max(code, 1)
        except ScenarioError as error:
            print(said(str(path), error), file=sys.stderr)
            code = 2
    return code


def files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files, those of folders included."""
    for path in paths:
        if path.is_dir():
            yield from (found for found in sorted(path.rglob("*.toml")) if found.name != CLAUSES)
        else:
            yield path


class Stage:
    """Plays scenarios with the sheets and texts of this program, and with ``sheets`` (files).

    Raises RulesetError and TextError.
    """

    def __init__(self, sheets: Sequence[Path] = ()) -> None:
        self.rulesets = load_rulesets()
        self.rulesets |= {path.stem: load_ruleset(path) for path in sheets}
        self.speech = Speech()
        for sheet in self.rulesets.values():
            self.speech.check(sheet)

    def play(self, path: Path) -> tuple[Rehearsal, list[Played]]:
        """Play a file to its end. Raises ScenarioError."""
        rehearsal = Rehearsal(load(path), self.rulesets, self.speech)
        try:
            return rehearsal, list(rehearsal.acts())
        finally:
            rehearsal.close()

    def failures(self, path: Path) -> list[str]:
        """What was not as the file expects; empty if all was."""
        return [failure for played in self.play(path)[1] for failure in played.failures]

    def print_result(self, path: Path) -> bool:
        """Print a line on a file, and what failed; whether all was as expected."""
        failures = self.failures(path)
        print(f"{'FAILED' if failures else 'ok    '} {path}")
        for failure in failures:
            print(f"       {failure}")
        return not failures

    def print_json(self, path: Path) -> None:
        """Print what was played as one JSON object."""
        rehearsal, acts = self.play(path)
        failures = [failure for played in acts for failure in played.failures]
        whole = {
            "acts": [
                {
                    "facts": played.facts,
                    "messages": [_message(told, rehearsal.zone) for told in played.messages],
                }
                for played in acts
            ],
            "ok": not failures,
            "failures": failures,
        }
        print(msgspec.json.encode(whole).decode())

    def print_transcript(self, path: Path) -> None:
        """Print what was typed, and what was said because of it."""
        rehearsal, acts = self.play(path)
        print(rehearsal.scenario.title)
        for told in rehearsal.before:
            _print_told(told, rehearsal.zone)
        for number, played in enumerate(acts, 1):
            print(f"\n--- act {number}")
            for line, answers in played.lines:
                print("> " + line.replace("\n", "\n  "))
                for told in answers:
                    _print_told(told, rehearsal.zone)


def _message(told: Told, zone: ZoneInfo) -> dict[str, Any]:
    return {"at": told.at.astimezone(zone).isoformat(), "to": told.to, "text": told.text}


def _print_told(told: Told, zone: ZoneInfo) -> None:
    at: datetime = told.at.astimezone(zone)
    print(f"[{at:%m-%d %H:%M} {told.to}]")
    print("    " + told.text.replace("\n", "\n    "))


def clauses(folder: Path) -> int:
    """Print each clause with the scenarios that name it; 1 if a clause has none.

    The clauses that there are stand in ``clauses.toml`` of the folder.
    """
    try:
        listed = tomllib.loads((folder / CLAUSES).read_text(encoding="utf-8"))["clauses"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        print(f"{folder / CLAUSES}: clauses: {error}", file=sys.stderr)
        return 2
    proofs: dict[str, list[str]] = {clause: [] for clause in listed}
    for path in files([folder]):
        try:
            named = load(path).clauses
        except ScenarioError as error:
            print(said(str(path), error), file=sys.stderr)
            return 2
        for clause in named:
            proofs.setdefault(clause, []).append(str(path.relative_to(folder).with_suffix("")))
    for clause, found in proofs.items():
        print(f"{clause}  {', '.join(found) or 'none'}")
    without = [clause for clause, found in proofs.items() if not found]
    if without:
        print(f"without a scenario: {', '.join(without)}", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    run(main)
