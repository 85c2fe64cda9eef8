"""Events as JSON, with a version, so that an engine years on reads today's games.

A row's ``body`` is the event as msgspec writes it. When the shape of an event changes, raise
:data:`VERSION` and put into :data:`UPCASTS` how a body of the version before becomes one of the
next; rows already written are never touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from typing import Any, Union

import msgspec

from engine import view
from engine.events import EVENTS, Event, RoomChecked
from engine.game import Game

VERSION = 1
"""The version in which events are written."""

UPCASTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Version → what turns the plain body of that version into one of the next."""

_ANY_EVENT: Any = Union[EVENTS]  # noqa: UP007 - a runtime tuple
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_ANY_EVENT)


class UnreadableEvent(Exception):
    """A stored event can't be read; says where it stands and never what it holds."""


def encode(event: Event) -> str:
    """The body of an event in :data:`VERSION`: JSON text."""
    return _encoder.encode(event).decode()


def decode(version: int, body: str) -> Event:
    """The event of a stored body; ``UnreadableEvent`` if it can't be read."""
    if version > VERSION:
        raise UnreadableEvent(f"version {version} is newer than this program's {VERSION}")
    try:
        if version == VERSION:
            event = _decoder.decode(body)
        else:
            plain = msgspec.json.decode(body)
            for old in range(version, VERSION):
                plain = UPCASTS[old](plain)
            event = msgspec.convert(plain, _ANY_EVENT, strict=False, str_keys=True)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise UnreadableEvent(f"version {version}: {type(error).__name__}") from None
    assert isinstance(event, Event)
    return event


def unnamed(event: Event, gone: Collection[str]) -> Event:
    """The event as it is told once the accounts in ``gone`` asked to be forgotten: without names.

    Only the names that the bot kept: what players typed is theirs.
    """
    if isinstance(event, RoomChecked) and not set(gone).isdisjoint(event.strangers):
        names = {a: "" if a in gone else name for a, name in event.strangers.items()}
        return msgspec.structs.replace(event, strangers=names)
    if getattr(event, "account", "") in gone and hasattr(event, "name"):
        return msgspec.structs.replace(event, name="")
    return event


def kind(event: Event) -> str:
    """The name of an event's type in its JSON, such as ``ballot_cast``."""
    return str(type(event).__struct_config__.tag)


def chain(previous: str, version: int, body: str) -> str:
    """The digest of a stored event that follows the one with digest ``previous`` (empty: none).

    SHA-256 in hexadecimal, of what the event says, in which version, and of all before it: that is
    of its place as well, and of the game, whose number is in the first body.
    """
    return hashlib.sha256(f"{previous} {version} {body}".encode()).hexdigest()


def facts(game: Game) -> str:
    """The facts of a game as of its last event, as they are noted in its row: JSON."""
    return _encoder.encode(view.facts(game, game.now)).decode()
