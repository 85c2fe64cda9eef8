"""What is asked for the sake of bound rooms and spectators, besides what the events tell.

Who no longer belongs in a room is asked to leave it, and the chat to see to that; when those who
belong there have changed, the chat is asked who is there. Spectators who may see everything are
told what the record says, as it happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from data.message import Message
from data.sentences import Rendered, Voice
from engine import events as ev
from engine.game import Game
from engine.mechanics import rooms

_CHANGES = (
    *(ev.Bound, ev.ChannelOpened, ev.Begun, ev.OutAnnounced, ev.Replaced),
    *(ev.DirectorAdded, ev.DirectorLeft, ev.Watching, ev.WatchingEnded),
    *(ev.Reinstated, ev.Rewound),
)
"""After these others may belong in a room."""

_NOT_WATCHED = (
    *(ev.Bound, ev.Scheduled, ev.Reminded, ev.Posted, ev.Drawn, ev.StreaksCounted, ev.HourEnded),
    *(ev.RoomChecked, ev.RoomOpened, ev.RoomClosed, ev.PlayerLost, ev.PlayerBack, ev.Reported),
    ev.Unbound,
    *(ev.Renamed, ev.OrderAsked, ev.Directed),
)
"""What is of no interest to who watches, or is the directors' own business."""


def room(voice: Voice, channel: str) -> Rendered:
    """Return how the room of a channel is called."""
    if channel in (ev.DIRECTORS, ev.SPECTATORS):
        return voice(f"format.room_{channel}")
    return voice("format.room", channel=channel)


def strangers(voice: Voice, game: Game, found: Mapping[str, str]) -> Rendered:
    """Return those who don't belong where they are, account → name, as directors know them."""
    shown = []
    for account, name in found.items():
        seat = game.seat_of(account)
        if seat is not None:
            shown.append(voice.seat(seat.number))
        else:
            shown.append(voice("format.person", name=name, account=account))
    return voice.join(shown)


def missing(voice: Voice, game: Game, accounts: Iterable[str]) -> Rendered:
    """Return those who are not where they belong, as directors know them."""
    shown = []
    for account in accounts:
        seat = game.seat_of(account)
        name = game.directors.get(account) or game.spectators.get(account, "")
        shown.append(voice("format.name", name=name) if seat is None else voice.seat(seat.number))
    return voice.join(shown)


def leaving(voice: Voice, game: Game, events: Sequence[ev.Event]) -> Iterator[Message]:
    """Yield what is said to and done with those who don't belong in a room any more."""
    if not game.bound or game.phase == "over":
        return
    for event in events:
        if isinstance(event, ev.OutAnnounced):
            seat = game.seats[event.seat]
            for channel in _channels(game, event.seat):
                yield from _leave(voice, game, channel, seat.account, "out")
        elif isinstance(event, ev.Replaced):
            former = game.seats[event.seat].former[-1]
            for channel in _channels(game, event.seat):
                yield from _leave(voice, game, channel, former, "replaced")
        elif isinstance(event, ev.Begun):
            for account in game.directors:
                if game.has_sat(account):
                    yield from _directs_no_more(voice, game, account, "seated")
        elif isinstance(event, ev.DirectorLeft):
            yield from _directs_no_more(voice, game, event.account, "director")
        elif isinstance(event, ev.WatchingEnded):
            yield from _leave(voice, game, ev.SPECTATORS, event.account, "watching")


def _channels(game: Game, seat: int) -> list[str]:
    return [channel for channel, members in game.channels.items() if seat in members]


def _directs_no_more(voice: Voice, game: Game, account: str, why: str) -> Iterator[Message]:
    """A director may be in any room; who is one no more, only where he belongs."""
    yield from _leave(voice, game, ev.DIRECTORS, account, why)
    for channel, group in game.bound.items():
        if channel == ev.DIRECTORS or not rooms.is_kept(game, channel):
            continue
        if account not in rooms.belonging(game, channel):
            # Whether he is there at all is not known: he is not asked.
            yield Message(f"group:{group}", "", "remove", {"account": account})


def _leave(voice: Voice, game: Game, channel: str, account: str, why: str) -> Iterator[Message]:
    if channel not in game.bound or not rooms.is_kept(game, channel):
        return
    group = game.bound[channel]
    text = voice(f"events.leave.{why}", game=game.id, room=room(voice, channel), group=group)
    yield Message(f"person:{account}", text)
    yield Message(f"group:{group}", "", "remove", {"account": account})


def looking(game: Game, events: Sequence[ev.Event]) -> Iterator[Message]:
    """Yield the questions who is in the rooms, when those who belong there may be others."""
    if not game.bound or game.phase == "over":
        return
    if any(isinstance(event, _CHANGES) for event in events):
        for channel, group in game.bound.items():
            if rooms.is_kept(game, channel) and rooms.belonging(game, channel):
                yield Message(f"group:{group}", "", "members")


def watched(game: Game, events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return which of these events spectators are told of besides what is public."""
    if game.sheet.spectators_see != "all" or game.phase == "over" or not game.seats:
        return []
    if not game.spectators:
        return []
    return [
        event
        for event in events
        if event.audience != ev.PUBLIC and not isinstance(event, _NOT_WATCHED)
    ]
