"""What a picture shows beside a text: plain facts and finished pieces of sentences.

A picture is described here, of views alone and for the audience of its text; it is drawn when it is
sent (:mod:`data.pictures.drawing`). What is in it says no more than the text does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import msgspec

from data.sentences import Voice
from engine.ruleset import Sheet


class Mark(msgspec.Struct, frozen=True):
    """A word on a coloured strip.

    ``kind``: ``office``, ``charmed``, ``plain``, or a card's colour; of a faction, its key.
    """

    kind: str
    text: str


class Chair(msgspec.Struct, frozen=True):
    """A seat. ``name`` is empty where it says no more than the number.

    ``role``: where it may be known, with its faction's key in ``side``. ``fate``: what became of
    it. ``posts``: counted so far, with ``enough`` of them or not.
    """

    number: int
    name: str
    out: bool = False
    role: str = ""
    side: str = ""
    fate: str = ""
    posts: str = ""
    enough: bool = True
    marks: list[Mark] = []


class Board(msgspec.Struct, frozen=True, tag="board"):
    """Everybody, and where the game stands; once it is over, who everybody was.

    ``sides``: the factions whose colours are shown. ``caption``: what is said beside the picture in
    place of the text; empty: the text itself.
    """

    title: str
    head: str
    hour: Literal["day", "night", "over"]
    lines: list[str]
    chairs: list[Chair]
    foot: list[str] = []
    sides: list[Mark] = []
    caption: str = ""


class Row(msgspec.Struct, frozen=True):
    """Who got how many ballots and from whom; ``share``: of the most that anybody got.

    Without a ``chair``: those who abstained.
    """

    chair: Chair | None
    votes: str
    share: float
    voters: list[Chair]


class Tally(msgspec.Struct, frozen=True, tag="tally"):
    """A vote, most first. ``caption`` as in :class:`Board`."""

    title: str
    head: str
    rows: list[Row]
    foot: list[str] = []
    caption: str = ""


class Card(msgspec.Struct, frozen=True, tag="card"):
    """The role of a ``seat``, for its player alone. ``side``, ``caption`` as elsewhere."""

    title: str
    seat: str
    role: str
    faction: str
    side: str
    lines: list[str]
    caption: str = ""


Picture = Board | Tally | Card


def board(
    voice: Voice, public: Mapping[str, Any], head: str, lines: Sequence[str], foot: Sequence[str]
) -> Board:
    """Return everybody as anybody may see them, from :func:`engine.view.public_view`."""
    phase = public["phase"]
    counted = phase in ("day", "night") and "attendance" in public["rules"].mechanics
    least = public["rules"].posts_min if counted else 0
    chairs = []
    for seat in public["seats"]:
        fate, posts, side = "", "", seat["faction"]
        if seat["role"] and not side:
            side = public["rules"].roles[seat["role"]].faction
        if seat["cause"]:
            fate = voice.name("causes", seat["cause"])
        elif seat["out"]:
            fate = voice("picture.out")
        elif phase == "over":
            fate = voice("picture.alive")
        elif least:
            posts = voice("picture.posts", posts=seat["posts"], posts_min=least)
        chairs.append(
            Chair(
                number=seat["number"],
                name=voice.called(seat["number"]),
                out=seat["out"],
                role=voice.name("roles", seat["role"]) if seat["role"] else "",
                side=side,
                fate=fate,
                posts=posts,
                enough=seat["posts"] >= least,
                marks=list(_marks(voice, public, seat["number"])),
            )
        )
    return Board(
        title=_title(voice, public),
        head=head,
        hour="over" if phase == "over" else "night" if phase == "night" else "day",
        lines=list(lines),
        chairs=chairs,
        foot=list(foot),
    )


def disclosure(voice: Voice, public: Mapping[str, Any]) -> Board:
    """Return who everybody was and how it ended, from the public view of a game that is over."""
    if public["winner"] == "draw":
        head = voice("picture.draw")
    elif public["winner"]:
        head = voice("picture.won", winner=public["winner"])
    else:
        head = voice("picture.stopped")
    held = {seat["faction"] for seat in public["seats"]}
    sides = [
        Mark(key, voice.name("factions", key)) for key in public["rules"].factions if key in held
    ]
    disclosed = board(voice, public, head, [living(voice, public)], [])
    return msgspec.structs.replace(disclosed, sides=sides)


def living(voice: Voice, public: Mapping[str, Any]) -> str:
    """Return how many are in the game and out of it, as everybody knows."""
    out = sum(seat["out"] for seat in public["seats"])
    return voice("picture.living", living=len(public["seats"]) - out, count=out)


def _marks(voice: Voice, public: Mapping[str, Any], number: int) -> Iterable[Mark]:
    if public["phase"] == "over":
        return
    if number == public["king"]:
        key = "president" if public["regime"] == "republic" else "king"
        yield Mark("office", voice(f"picture.{key}"))
    if public["phase"] == "day":
        # By night, who holds an office or is charmed could tell who has gone unseen.
        if number == public["sheriff"]:
            yield Mark("office", voice.name("terms", "sheriff"))
        if number in public["charmed"]:
            yield Mark("charmed", voice.name("terms", "charmed"))
        electing = public["decides"] in ("candidacy", "sheriff", "election")
        if electing and number in public["candidates"]:
            yield Mark("plain", voice("picture.candidate"))
    if number in public["idiots"]:
        yield Mark("plain", voice("picture.no_ballot"))
    for colour, count in public["cards"].get(number, {}).items():
        if count:
            yield Mark(colour, voice("format.held", colour=colour, count=count))


def tally(
    voice: Voice,
    public: Mapping[str, Any],
    head: str,
    tally: Mapping[int, str],
    ballots: Mapping[int, int | None],
    foot: Sequence[str] = (),
) -> Tally:
    """Return a vote: ``tally`` target → weight as text, ``ballots`` seat → target or None."""
    most = max(map(Fraction, tally.values()), default=Fraction(1)) or Fraction(1)

    def chair(number: int) -> Chair:
        return Chair(number, voice.called(number))

    def voters(target: int | None) -> list[Chair]:
        return [chair(voter) for voter, named in ballots.items() if named == target]

    ranked = sorted(tally.items(), key=lambda item: (-Fraction(item[1]), item[0]))
    rows = [
        Row(
            chair(target),
            voice("picture.votes", weight=weight),
            float(Fraction(weight) / most),
            voters(target),
        )
        for target, weight in ranked
    ]
    if abstained := voters(None):
        rows.append(Row(None, voice("format.abstain"), 0.0, abstained))
    return Tally(_title(voice, public), head, rows, list(foot))


def card(
    voice: Voice,
    public: Mapping[str, Any],
    own: Mapping[str, Any],
    role: str,
    text: str,
) -> Card:
    """Return a seat's role, from its own view. ``role``: its name; ``text``: what it is about."""
    rules: Sheet = public["rules"]
    lines = text.split("\n")
    told = {notice[0]: notice[1] for notice in own["told"] if len(notice) == 2}
    out = {seat["number"] for seat in public["seats"] if seat["out"]}
    # Those announced out are gone, as they are from the text.
    partners = [seat for seat in told.get("partners", ()) if seat not in out]
    if own["alive"] and partners:
        lines.append(voice("card.told.partners", seats=partners))
    if own["alive"] and "lover" in told:
        lines.append(voice("card.told.lover", target=told["lover"], bond="lover"))
    side = own["faction"] if own["faction"] in rules.factions else ""
    return Card(
        title=_title(voice, public),
        seat=voice.seat(own["number"]),
        role=role,
        faction=voice.value("faction", own["faction"]),
        side=side,
        lines=[line for line in lines if line],
    )


def _title(voice: Voice, public: Mapping[str, Any]) -> str:
    return voice("picture.title", game=public["game"], title=voice.theme.title)
