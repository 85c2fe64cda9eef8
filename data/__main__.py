"""``python -m data``: rule sheets, and the database that the bot writes.

check FILE      all that is wrong with a rule sheet, exit 1; or the rules that it makes, in words,
                after hints at what can be played all the same
schema          the JSON Schema of rule sheets, for editors
guide           bring the schema's file and the guide's tables up to date

list            the games
facts GAME      a director's whole view, as JSON
log GAME        the events, a JSON object a line: seq, version, event
records         derive everybody's record (战绩) anew from the games' events
verify          fold every game again and compare; exit 1 on a difference
verify GAME     the same of one game
backup FILE     write the database as it is now into a new file, also while the bot runs

story GAME      a game that is over: its story and its proof, as Markdown
verify FILE [CODE …]    check such a story by itself, and against the codes that the group was
                told; exit 1 if anything was changed

The database is that of DATABASE_URL. Exit 2: it can't be read or backed up, or there is no such
game.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from data import codec, database_url, guide, proof, storyfile
from data.ledger import Ledger
from data.rulesets import (
    HINTS,
    UNWISE,
    RulesetError,
    mistakes,
    name_taken,
    others,
    read_ruleset,
    said,
)
from data.sentences import Rendered
from data.speech import Speech
from data.store import EventRow, GameRow, Store, StoreError
from engine.game import Game
from engine.ruleset import Sheet, SheetError
from engine.sheetcheck import without_clause


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m data", description="look into the games")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="what is wrong with a rule sheet")
    check.add_argument("file", type=Path, metavar="FILE")
    commands.add_parser("schema", help="the JSON Schema of rule sheets")
    commands.add_parser("guide", help="bring the guide to rule sheets up to date")
    commands.add_parser("list", help="the games")
    for name, text in (("facts", "a director's whole view, as JSON"), ("log", "events, as JSON")):
        commands.add_parser(name, help=text).add_argument("game", type=int, metavar="GAME")
    commands.add_parser("records", help="derive everybody's record anew from the events")
    story = commands.add_parser("story", help="a game that is over, as Markdown with its proof")
    story.add_argument("game", type=int, metavar="GAME")
    verify = commands.add_parser("verify", help="fold games again and compare; check a story")
    verify.add_argument("what", nargs="?", metavar="GAME|FILE")
    verify.add_argument("codes", nargs="*", metavar="CODE")
    backup = commands.add_parser("backup", help="write the database as it is now into a new file")
    backup.add_argument("file", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    if asked.command == "check":
        return _check(asked.file)
    if asked.command == "schema":
        print(guide.schema_text(Speech()), end="")
        return 0
    if asked.command == "guide":
        return _guide()
    if asked.command == "verify" and asked.what and not asked.what.isdecimal():
        return _verify_story(Path(asked.what), asked.codes)
    try:
        store = Store(database_url())
        if asked.command == "backup":
            # Also of a database that an older or newer program has made: before an upgrade.
            store.backup(asked.file)
            return 0
        store.check()
        if asked.command == "list":
            return _list(store)
        if asked.command == "verify":
            return _verify(store, asked.what)
        if asked.command == "records":
            return _records(store)
        rows = store.load_events(asked.game)
        if not rows:
            print(f"there is no game {asked.game}", file=sys.stderr)
            return 2
        if asked.command == "story":
            gone = [a for a, last in store.forgotten().items() if last >= asked.game]
            return _story(rows, gone)
        return _facts(rows) if asked.command == "facts" else _log(rows)
    except (StoreError, codec.UnreadableEvent) as error:
        print(error, file=sys.stderr)
        return 2


def _check(path: Path) -> int:
    speech = Speech()
    try:
        written = read_ruleset(path)
    except RulesetError as error:
        print(error)
        return 1
    found = mistakes(path, written)
    plain = written.whole
    if all(mistake.code in UNWISE for mistake in found):
        taken = name_taken(Sheet.load(plain), others(path))
        found += [taken] if taken is not None else []
    lines: list[str] = []
    hints: list[str] = []
    for mistake in found:
        line = said(path.name, mistake)
        if mistake.code in HINTS:
            hints.append(speech.say("mistake.hint", line=Rendered(line)))
        else:
            lines.append(line)
    if not lines:
        lacking = speech.lacks(Sheet.load(plain))
        lines = [said(file, SheetError(key, "text_missing")) for file, key in lacking]
    for line in lines + hints:
        print(line)
    if lines:
        return 1
    sheet = Sheet.load(plain)
    print(speech.say("mistake.good", file=path.name), speech.rules(sheet), sep="\n")
    if unnamed := without_clause(sheet):
        print(speech.say("mistake.no_clause", rules=unnamed))
    return 0


def _guide() -> int:
    speech = Speech()
    guide.SCHEMA.write_text(guide.schema_text(speech), encoding="utf-8")
    text = guide.README.read_text(encoding="utf-8")
    guide.README.write_text(guide.readme(speech, text), encoding="utf-8")
    return 0


def _list(store: Store) -> int:
    table = [("game", "sheet", "group", "phase", "events", "created (UTC)", "ended (UTC)")]
    for row in store.games():
        ended = f"{row.ended:%Y-%m-%d %H:%M}" if row.ended else ""
        created = f"{row.created:%Y-%m-%d %H:%M}"
        table.append((str(row.id), row.sheet, row.group, row.phase, str(row.seq), created, ended))
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )
    return 0


def _facts(rows: Sequence[EventRow]) -> int:
    game = Game.fold(codec.decode(row.version, row.body) for row in rows)
    print(msgspec.json.format(codec.facts(game), indent=2))
    return 0


def _log(rows: Sequence[EventRow]) -> int:
    for row in rows:
        line = {"seq": row.seq, "version": row.version, "event": msgspec.Raw(row.body.encode())}
        print(msgspec.json.encode(line).decode())
    return 0


def _records(store: Store) -> int:
    games = store.games()
    done = Ledger(store, Speech(), {}).record(row.id for row in games)
    print(f"{len(games)} games, {len(games) - done} that can't be read")
    return 1 if done < len(games) else 0


def _story(rows: Sequence[EventRow], gone: Collection[str]) -> int:
    lines = [proof.Written(row.seq, row.version, row.body, row.digest) for row in rows]
    try:
        print(storyfile.write(Speech(), lines, gone), end="")
    except storyfile.NotOver as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _verify_story(path: Path, codes: Sequence[str]) -> int:
    speech = Speech()
    try:
        lines, right = storyfile.check(speech, path.read_text(encoding="utf-8"), codes)
    except (OSError, UnicodeDecodeError, storyfile.NoStory):
        lines, right = [speech.say("proof.no_story", file=path.name)], False
    print("\n".join(lines))
    return 0 if right else 1


def _verify(store: Store, which: str | None) -> int:
    wrong = 0
    games = [row for row in store.games() if which in (None, str(row.id))]
    if which is not None and not games:
        print(f"there is no game {which}", file=sys.stderr)
        return 2
    for row in games:
        for seq, what in differences(*_at_rest(store, row)):
            wrong += 1
            print(f"game {row.id}, event {seq}: {what}")
    print(f"{len(games)} games, {wrong} differences")
    return 1 if wrong else 0


def _at_rest(store: Store, row: GameRow) -> tuple[GameRow, list[EventRow]]:
    """A game's row and its events of one moment, though the bot may be writing."""
    while True:
        rows = store.load_events(row.id)
        again = store.game(row.id)
        if again is None or again == row:
            return row, rows
        row = again


_WRONG = {
    "missing": "is missing",
    "changed": "its body or one before it was changed after it was written",
    "unreadable": "can't be read: {error}",
    "otherwise": "is not written as this program writes it",
    "inapplicable": "can't be applied: {error}",
    "facts": "folds to other facts than were noted then: {fact}",
}


def differences(row: GameRow, rows: Sequence[EventRow]) -> Iterator[tuple[int, str]]:
    """Compare a game's row with its log and with what the log folds to.

    Gives (seq, what differs), without any value. Stops at an event that can't be read or applied.
    """
    audit = proof.Audit(row.facts_seq, row.facts)
    log = (proof.Written(stored.seq, stored.version, stored.body, stored.digest) for stored in rows)
    for seq, code, values in audit.over(log):
        yield seq, _WRONG[code].format_map(values)
    for stored, event in zip(rows, audit.events, strict=False):
        if stored.type != codec.kind(event) or stored.at != event.at:
            yield stored.seq, "its row has another type or moment than its body"
    if audit.broken:
        return
    game = audit.game
    if row.seq != len(rows):
        yield len(rows), f"is the last, but the game's row counts {row.seq}"
    elif row.digest != audit.digest:
        yield len(rows), "is not the one that the game's row was written with"
    ended = game.now if game.phase == "over" else None
    recorded = (row.id, row.group, row.sheet, row.phase, row.ended)
    if rows and recorded != (game.id, game.group, game.sheet.key, game.phase, ended):
        yield len(rows), "folds to another number, group, sheet, phase or end than the game's row"


def run(program: Callable[[], int]) -> NoReturn:
    """Run a program that prints, and exit with its code; quietly with 1 if nobody reads on."""
    try:
        code = program()
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


if __name__ == "__main__":
    run(main)
