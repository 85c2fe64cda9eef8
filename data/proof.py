"""Proof that nobody has changed a game: its codes, and what a log says of itself.

The chain of digests (:func:`data.codec.chain`) names everything that has happened, in its order.
Two short codes of it are told to the group: at the deal that of the events up to it, which binds
roles and seed before anybody can know them; at the end that of the whole game. Who has a game's
story can make both again. How far that goes is said in ``docs/proof.md``.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from data import codec
from engine import events as ev
from engine.game import Game
from engine.proof import Chance
from engine.rewind import live

_PAGE_KEY_BITS = 120
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110", "- ")


def commitment(digest: str) -> str:
    """The code of a deal, of the digest of its event: 120 bits in six groups of four."""
    return _code(digest, 24)


def seal(digest: str) -> str:
    """The code of a whole game, of its last event's digest: 160 bits in eight groups of four."""
    return _code(digest, 32)


def page_key(seed: str) -> str:
    """The part of a page's address that nobody can guess, of the game's secret seed: 24 letters.

    A keyed hash (HMAC-SHA-256): it tells nothing of the seed, of what is drawn from it, nor of the
    commitment, in which the seed stands among much else.
    """
    digest = hmac.digest(seed.encode(), b"page", "sha256")
    return base64.b32encode(digest[: _PAGE_KEY_BITS // 8]).decode().lower()


def _code(digest: str, length: int) -> str:
    value = int(digest, 16) >> (4 * len(digest) - 5 * length)
    digits = [_DIGITS[value >> 5 * place & 31] for place in reversed(range(length))]
    return "-".join("".join(digits[start : start + 4]) for start in range(0, length, 4))


def same(typed: str, code: str) -> bool:
    """Whether a code as somebody has copied it is this one: case and dashes don't matter."""
    return typed.upper().translate(_READ_AS) == code.translate(_READ_AS)


class Written(NamedTuple):
    """An event as it is kept: see :class:`data.store.EventRow`."""

    seq: int
    version: int
    body: str
    digest: str


class Audit:
    """Goes over a log and says what is wrong with it.

    ``noted``: the facts (JSON) as they were noted when event ``noted_at`` was the last. ``chance``:
    the deal and every draw must follow from the seed, as in a game that nobody has set up by hand.

    Afterwards: ``game`` and ``events`` as far as they could be read, ``digest`` of the last,
    ``deals``: the digest of each deal, the latest last; ``deal``: which of them holds, from 1, or 0
    for none. ``broken``: it could not be read to its
    end.
    """

    def __init__(self, noted_at: int, noted: str, *, chance: bool = False) -> None:
        self.game = Game()
        self.events: list[ev.Event] = []
        self.digest = ""
        self.deals: list[str] = []
        self.broken = False
        self._noted_at = noted_at
        self._noted = noted
        self._chance = Chance() if chance else None

    @property
    def deal(self) -> int:
        held = {number for number, _ in live(self.events)}
        dealt = [n for n, event in enumerate(self.events, 1) if isinstance(event, ev.Dealt)]
        return max((place for place, n in enumerate(dealt, 1) if n in held), default=0)

    def over(self, log: Iterable[Written]) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Yield (seq, code, values) for each thing that is wrong, without what the event holds.

        ``code``: one of ``proof.wrong_at`` in the texts. Stops at an event that can't be read or
        applied.
        """
        for seq, written in enumerate(log, 1):
            for code, values in self._look(seq, written):
                yield seq, code, values
                self.broken = self.broken or code in _FATAL
            if self.broken:
                return

    def _look(self, seq: int, written: Written) -> Iterator[tuple[str, dict[str, Any]]]:
        if written.seq != seq:
            yield "missing", {}
            return
        self.digest = codec.chain(self.digest, written.version, written.body)
        if written.digest != self.digest:
            yield "changed", {}
            self.digest = written.digest
        try:
            event = codec.decode(written.version, written.body)
        except codec.UnreadableEvent as error:
            yield "unreadable", {"error": str(error)}
            return
        if written.version == codec.VERSION and codec.encode(event) != written.body:
            yield "otherwise", {}
        if isinstance(event, ev.Dealt):
            self.deals.append(self.digest)
        try:
            if self._chance is not None:
                yield from ((code, {}) for code in self._chance.check(self.game, event))
            self.events.append(event)
            if isinstance(event, ev.Rewound):
                self.game = Game.fold(self.events)
            else:
                self.game.apply(event)
            facts = msgspec.json.decode(codec.facts(self.game)) if seq == self._noted_at else None
        except Exception as error:
            yield "inapplicable", {"error": type(error).__name__}
            return
        if facts is not None:
            noted = msgspec.json.decode(self._noted)
            # Facts that this program knows and the one that wrote did not are no difference.
            for key in noted:
                if key not in facts or facts[key] != noted[key]:
                    yield "facts", {"fact": key}


_FATAL = ("missing", "unreadable", "inapplicable")
