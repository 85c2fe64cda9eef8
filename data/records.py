"""What somebody's games have come to (战绩): a row for each part in a game, and their sum.

Rows are derived from a game that is over, and written with its last events. They go by account.
A game that was broken off counts for nobody; who was replaced has not played to the end; a coach
shares what his player earns, so he has played (M84-49).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from engine.game import Game
from engine.mechanics.people import marks

Part = Literal["seat", "coach", "replaced"]
Result = Literal["won", "lost", "draw", "stopped"]


class RecordRow(msgspec.Struct, frozen=True, kw_only=True):
    """One part that an account had in a game that is over.

    ``part``: held the seat at the end, coached it then, or was replaced on it. ``theme``: which
    names the role and the faction go by. ``result``: of the seat's faction; ``stopped``: a director
    ended the game. ``warnings`` and the cards: that the player got himself and that stood.
    """

    game_id: int
    seat: int
    part: Part
    account: str
    theme: str
    role: str
    faction: str
    result: Result
    alive: bool
    warnings: int = 0
    blue: int = 0
    yellow: int = 0
    red: int = 0


def of(game: Game) -> list[RecordRow]:
    """The rows of a game; none of one that goes on, or that was ended before the deal."""
    if game.phase != "over":
        return []
    rows: list[RecordRow] = []
    for number, seat in game.seats.items():
        result: Result = "lost"
        if not game.winner:
            result = "stopped"
        elif game.winner == "draw":
            result = "draw"
        elif game.winner == seat.faction:
            result = "won"
        row = RecordRow(
            game_id=game.id,
            seat=number,
            part="seat",
            account=seat.account,
            theme=game.sheet.theme,
            role=seat.role,
            faction=seat.faction,
            result=result,
            alive=seat.alive,
        )
        got = {
            what: max(count - seat.left.get(what, 0), 0)
            for what, count in marks(game, number).items()
        }
        rows.append(msgspec.structs.replace(row, **got))
        if seat.coach is not None:
            account = seat.coach.account
            rows.append(msgspec.structs.replace(row, part="coach", account=account))
        for account in seat.former:
            rows.append(msgspec.structs.replace(row, part="replaced", account=account, **seat.left))
    return rows


class Tally(msgspec.Struct, frozen=True):
    """Games and how many of them were won."""

    games: int
    won: int


class Record(msgspec.Struct, kw_only=True):
    """An account's games in sum.

    ``games``: played to their end, with those coached (``coached``). ``alive``: in how many of
    those played himself he lived to the end. ``factions`` and ``roles``: (theme, key) → those
    played himself. ``marks``: warnings, blue, yellow, red. ``replaced`` and ``stopped``: games that
    don't count, since he was replaced or they were broken off.
    """

    games: Tally
    drawn: int
    alive: int
    factions: dict[tuple[str, str], Tally]
    roles: dict[tuple[str, str], Tally]
    coached: Tally
    marks: dict[str, int]
    replaced: int
    stopped: int


def add_up(rows: Iterable[RecordRow]) -> Record:
    """The sum of one account's rows. Who coached several seats of a game has played it once."""
    rows = list(rows)
    ended = [row for row in rows if row.result != "stopped"]
    played = [row for row in ended if row.part == "seat"]
    coached = [row for row in ended if row.part == "coach"]
    counted = played + coached
    marks = Counter[str]()
    for row in rows:
        if row.part != "coach":
            marks.update(warnings=row.warnings, blue=row.blue, yellow=row.yellow, red=row.red)
    return Record(
        games=_tally(counted),
        drawn=len({row.game_id for row in counted if row.result == "draw"}),
        alive=sum(row.alive for row in played),
        factions=_by(played, "faction"),
        roles=_by(played, "role"),
        coached=_tally(coached),
        marks={what: count for what, count in marks.items() if count},
        replaced=sum(row.part == "replaced" for row in rows),
        stopped=len({r.game_id for r in rows if r.result == "stopped" and r.part != "replaced"}),
    )


def _tally(rows: Iterable[RecordRow]) -> Tally:
    rows = list(rows)
    won = {row.game_id for row in rows if row.result == "won"}
    return Tally(len({row.game_id for row in rows}), len(won))


def _by(
    rows: Iterable[RecordRow], what: Literal["faction", "role"]
) -> dict[tuple[str, str], Tally]:
    found: dict[tuple[str, str], list[RecordRow]] = {}
    for row in rows:
        found.setdefault((row.theme, getattr(row, what)), []).append(row)
    ordered = sorted(found.items(), key=lambda entry: -len(entry[1]))
    return {key: _tally(entries) for key, entries in ordered}
