"""Players who play at random and by the rules: they type what a person in their seat might.

They decide from what their seat may see (:func:`engine.view.seat_view`) and what everybody may
(:func:`engine.view.public_view`), and say it in the words that people type. What they may not do
they learn as people do: it is refused, and they try another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from plugins.gamemaster import words

View = Mapping[str, Any]

TRIES = 4
"""So many ways of doing a thing are tried before it is let be."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to be typed. ``what``: what it is about; each is done once a stage.

    ``ways``: texts that would do it, the best first. ``where``: the public group, or private.
    ``last``: it may end the stage, so it waits until the clock is about to be moved.
    """

    what: str
    ways: Sequence[str]
    where: Literal["group", "private"] = "private"
    last: bool = True


def wishes(own: View, public: View, rng: Random, talk: Sequence[str]) -> Iterator[Wish]:
    """What a seat would type now. ``talk``: sentences that say nothing.

    A player who is out, or of whom nothing is wanted, types nothing.
    """
    player = _Player(own, public, rng, talk)
    yield from player.posts()
    yield from player.stands()
    for what, _ in own["owed"]:
        yield from player.owed(what)
    yield from player.rises()
    if any(what == "ready" for what, _ in own["owed"]):
        yield Wish("ready", [_form("ready")])


class _Player:
    def __init__(self, own: View, public: View, rng: Random, talk: Sequence[str]) -> None:
        self.own, self.public, self.rng, self.talk = own, public, rng, talk
        self.number: int = own["number"]
        self.sounds: str = public["rules"].charmed_sounds
        self.charmed = bool(self.sounds) and self.number in public["charmed"]
        self.living = [seat["number"] for seat in public["seats"] if not seat["out"]]

    def others(self, among: Sequence[int] = ()) -> list[int]:
        """Living seats but one's own, at random."""
        found = [n for n in (among or self.living) if n != self.number and n in self.living]
        return self.rng.sample(found, len(found))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def say(self) -> str:
        """Something to say; a charmed seat only makes the sounds that it may."""
        if self.charmed:
            return self.sounds[self.rng.randrange(len(self.sounds))] * self.rng.randint(2, 3)
        return self.rng.choice(self.talk)

    # --- what everybody does --------------------------------------------------------------------

    def posts(self) -> Iterator[Wish]:
        """As many words in the group as the rules want, and at least one."""
        if self.public["phase"] != "day" or not self.own["alive"]:
            return
        wanted = max(self.own["posts_min"], 1) - self.own["posts"]
        for number in range(wanted):
            yield Wish(f"post {number}", [self.say()], "group", last=False)

    def stands(self) -> Iterator[Wish]:
        """Some stand for the office that is to be filled."""
        standing = self.public["decides"] in ("candidacy", "election")
        if standing and self.own["alive"] and self.chance(0.4):
            yield Wish("stand", [_form("stand")], "group", last=False)

    def rises(self) -> Iterator[Wish]:
        """Now and then a dictator goes, or somebody wants him gone."""
        if self.public["regime"] != "dictatorship" or not self.own["alive"]:
            return
        if self.public["king"] == self.number:
            if self.chance(0.05):
                yield Wish("abdicate", [_form("abdicate")], "group")
        elif self.public["phase"] == "night" and not self.public["depose"] and self.chance(0.05):
            yield Wish("rise", [_form("depose")], "group")

    # --- what is wanted of a seat ---------------------------------------------------------------

    def owed(self, what: str) -> Iterator[Wish]:
        """What a seat owes or may give, by the key that :func:`engine.view.owed` has for it."""
        match what:
            case "ballot":
                yield self._vote(_among(self.public))
            case "election":
                if self.public["candidates"]:
                    yield self._vote(self.public["candidates"])
            case "order":
                ways = [_line("order", number) for number in self.others()]
                yield Wish(what, ways[:TRIES], "group")
            case "crown":
                pairs = zip(self.others(), self.others(), strict=True)
                ways = [f"{_line('crown', a)} 备 {b}" for a, b in pairs if a != b]
                yield Wish(what, [*ways[:TRIES], *(_line("crown", n) for n in self.others())])
            case "choice":
                choices = list(self.public["rules"].choices)
                ways = [_form(choice) for choice in self.rng.sample(choices, len(choices))]
                yield Wish(what, ways, "group")
            case "depose":
                voice = self.rng.choice(["赞成", "赞成", "反对", "弃权"])
                yield Wish(what, [f"{_form('depose')} {voice}"], "group")
            case "link":
                first, second = self.rng.sample(self.living, 2)
                yield Wish(what, [f"{_form('link')} {first} {second}"])
            case "heir":
                yield Wish(what, [_line("heirs", number) for number in self.others()[:TRIES]])
            case "shot":
                if self.chance(0.8):
                    ways = [_line("shoot", number) for number in self.others()[:TRIES]]
                    yield Wish(what, ways, "group")
            case "last_words":
                yield Wish(what, [f"{_form('last_words')} {self.rng.choice(self.talk)}"])
            case "save" | "poison":
                yield from self._potion(what)
            case _ if what in _BY_ABILITY:
                word = _BY_ABILITY[what]
                yield Wish(what, [f"{word} {number}" for number in self.others()[:TRIES]])

    def _vote(self, among: Sequence[int]) -> Wish:
        ways = [_line("vote", number) for number in self.others(among)[:TRIES]]
        if not ways or (not self.charmed and self.chance(0.1)):
            ways = [_form("abstain")]
        elif not self.charmed and self.chance(0.5):
            ways = [f"{way} {self.say()}" for way in ways]
        return Wish("ballot", ways, "group")

    def _potion(self, what: str) -> Iterator[Wish]:
        """Save whom one is told of, or poison somebody: rarely both in a game's first nights."""
        told = self.own["told"][-1] if self.own["told"] else []
        victims = [n for n in told[1] if n != self.number] if told[:1] == ["victims"] else []
        if what == "save" and victims and self.chance(0.6):
            yield Wish("potion", [f"{_BY_ABILITY['save']} {n}" for n in victims])
        elif what == "poison" and self.chance(0.25):
            poison = _BY_ABILITY["poison"]
            yield Wish("potion", [f"{poison} {n}" for n in self.others()[:TRIES]])


def _among(public: View) -> Sequence[int]:
    """Who can be voted for, if not everybody: candidates, or who is left after a tie."""
    among: Sequence[int] = public["runoff"] or (
        public["candidates"] if public["decides"] in ("sheriff", "election") else ()
    )
    return among


_BY_KEY = {word.key: word for word in words.WORDS}
_BY_ABILITY = {
    word.ability: word.forms[0]
    for word in reversed(words.WORDS)
    if word.ability and word.takes == "seat"
}


def _form(key: str) -> str:
    return _BY_KEY[key].forms[0]


def _line(key: str, seat: int) -> str:
    return f"{_form(key)} {seat}"
