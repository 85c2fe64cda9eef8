"""The log's lines of history: what ``回到`` and ``撤销`` leave standing (K-27, K-50).

Events are never taken out of a log. A :class:`~engine.events.Rewound` continues from an earlier
event, so that a log is a tree, and what is so now is the way from its first event to its last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused, Rewind

if TYPE_CHECKING:
    from engine.game import Game


def live(events: Iterable[ev.Event]) -> list[tuple[int, ev.Event]]:
    """Return the events of a whole log that still hold, each with its number (from 1)."""
    log = list(events)
    found = []
    number = len(log)
    while number:
        event = log[number - 1]
        found.append((number, event))
        number = event.to if isinstance(event, ev.Rewound) else number - 1
    return found[::-1]


_SEEN = (
    *(ev.Posted, ev.Renamed, ev.PlayerLost, ev.PlayerBack, ev.Reminded),
    *(ev.RoomChecked, ev.RoomOpened, ev.RoomClosed),
)
"""What is talk, or was seen of people."""

_ASIDE = (
    *(ev.Directed, ev.Bound, ev.Announced, ev.DirectorAdded, ev.DirectorLeft),
    *(ev.Watching, ev.WatchingEnded),
)
"""What directors do beside the game itself."""


def is_stirring(event: ev.Event) -> bool:
    """Tell whether an event is more than talk, or what was seen of people."""
    return not isinstance(event, _SEEN)


def last_directed(events: Iterable[ev.Event]) -> int:
    """Return the number of the event before the last thing that a director did and that holds.

    What changes nothing of the game itself (绑定, 公告, 副导演, 观战) is passed over. Refused:
    there is none.
    """
    changed = False
    for number, event in reversed(live(events)):
        if isinstance(event, ev.Directed) and changed:
            return number - 1
        changed = not event.begins and (changed or not isinstance(event, (*_SEEN, *_ASIDE)))
    raise Refused("nothing_directed")


def at_rest(events: Sequence[ev.Event], to: int) -> int:
    """Return the number of the last event of the command that has caused event ``to``.

    Between the events of one command a game is not at rest. Refused: there is no such event, or
    nothing has happened since.
    """
    number = to
    while 1 <= number < len(events) and not events[number].begins:
        number += 1
    if not 1 <= number < len(events):
        last = max((n for n, event in enumerate(events) if event.begins), default=0)
        raise Refused("no_such_event", entry=to, count=last)
    return number


def overdue(past: Game, at: datetime) -> bool:
    """Tell whether a deadline of the game as it was has gone by at a moment (aware, UTC)."""
    return past.paused_at is None and any(due <= at for due in past.due.values())


def rewind(
    past: Game,
    command: Rewind,
    *,
    taken: int | None,
    directed: Iterable[str] = (),
    watched: Iterable[str] = (),
    near: Mapping[str, Iterable[int]] | None = None,
) -> ev.Rewound:
    """Return the event that leads back; ``past``: the game as it was after event ``command.to``.

    ``command.to`` is one that :func:`at_rest` gives. If a deadline has gone by since, the game
    stands still at that moment, so that everybody has the time again that there was. Whoever has
    ``directed`` or ``watched`` this deal, or was ``near`` a seat (account → seats), has seen what
    is hidden, whatever is undone. Refused: another game, ``taken``, has begun in the group of one
    that was over.
    """
    if taken is not None:
        raise Refused("group_taken", game=taken)
    return ev.Rewound(
        to=command.to,
        account=command.by,
        paused=past.now if overdue(past, command.at) else None,
        directed=sorted(directed),
        watched=sorted(watched),
        near={who: sorted(seats) for who, seats in (near or {}).items()},
        at=command.at,
        clause=past.clause("hand"),
        begins=True,
    )
