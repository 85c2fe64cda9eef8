"""What is said because something has happened: events in, messages by audience out.

A text goes to its event's own audience and to no other. The exceptions are few and all here: a
reminder reaches those whom it names (and, for the king's order, which is no secret, the group);
whoever is made a director or let watch is told what that means;
what directors are to judge is reported to them; a charmed seat is told what it may send, once
everybody may know that it is charmed. Other hidden events are silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from data import pictures, rooms
from data.message import Message
from data.sentences import Rendered, Voice, block
from engine import calendar, victory, view
from engine import events as ev
from engine.game import Game, Why
from engine.mechanics import abilities
from engine.ruleset import Losing, Sheet, Winning

E = TypeVar("E", bound=ev.Event)

_TELLERS: dict[type[ev.Event], Callable[[Telling, Any], None]] = {}
_NOTICES: dict[str, Teller] = {}
_PENALTIES = (ev.Warned, ev.Carded, ev.CardsMerged)

SILENT: frozenset[type[ev.Event]] = frozenset(
    {
        # Only the director's record has these.
        *(ev.Directed, ev.Bound, ev.Dealt, ev.Drawn, ev.Scheduled, ev.Departed, ev.FactionLost),
        *(ev.CrownSettled, ev.KingmakerMade, ev.KingmakerGone, ev.BallotDropped),
        *(ev.RuledLost, ev.ChannelOpened, ev.HourEnded, ev.NightSettled, ev.StreaksCounted),
        *(ev.AbilityLost, ev.AbilityGained, ev.Charmed, ev.CharmsEnded, ev.RedSettled),
        *(ev.Linked, ev.FactionChanged, ev.SheriffVacated, ev.CardsDrawn),
        *(ev.ShotGiven, ev.ShotLapsed),
        # The cards are counted with the one that is taken.
        ev.CardsSplit,
        # Told apart, since it is of two games: as it was and as it is (Speech.rewound).
        ev.Rewound,
        # A post is said by its player, a new name is seen in the group.
        *(ev.Posted, ev.Renamed),
        # Said in answer to who asked for it, or by a director.
        ev.WatchingEnded,
        # The question goes to where the order came from, as its answer.
        ev.OrderAsked,
    }
)
"""Events that cause no message of their own."""


def tells(kind: type[E]) -> Callable[[Callable[[Telling, E], None]], Callable[[Telling, E], None]]:
    """Register what is said because of an event."""

    def register(teller: Callable[[Telling, E], None]) -> Callable[[Telling, E], None]:
        _TELLERS[kind] = teller
        return teller

    return register


Teller = Callable[["Telling", ev.Told], None]


def notice(kind: str) -> Callable[[Teller], Teller]:
    """Register what is said because of a private notice of this kind."""

    def register(teller: Teller) -> Teller:
        _NOTICES[kind] = teller
        return teller

    return register


class Telling:
    """The messages that one command's events cause; one text an audience.

    ``game`` is the state after all of the events.
    """

    def __init__(self, voice: Voice, game: Game, events: Sequence[ev.Event]) -> None:
        self.voice = voice
        self.game = game
        self.events = events
        self.sheet = game.sheet
        self.due: dict[str, datetime] = {kind: due for due, kind in game.deadlines()}
        self._heads: dict[str, list[str]] = {}
        self._lines: dict[str, list[str]] = {}
        self._later: list[tuple[str, str]] = []
        self._acts: list[Message] = []
        self._pictures: dict[str, pictures.Picture] = {}
        self._public: dict[str, Any] | None = None

    def messages(self) -> list[Message]:
        """Tell everything; return one text an audience, in the order of their first lines."""
        for together, run in groupby(self.events, lambda e: isinstance(e, _PENALTIES)):
            if together:
                self._penalties(run)
                continue
            for event in run:
                if type(event) not in SILENT:
                    _TELLERS[type(event)](self, event)
        self.catch_up()
        texts = [
            Message(
                audience,
                "\n".join([*self._heads.get(audience, ()), *lines]).strip("\n"),
                picture=self._pictures.get(audience),
            )
            for audience, lines in self._lines.items()
        ]
        return texts + self._acts

    # --- saying ---------------------------------------------------------------------------------

    def say(self, audience: str, key: str, /, **values: Any) -> None:
        """Say a sentence to an audience."""
        self.add(audience, self.voice(key, **values))

    def add(self, audience: str, text: str) -> None:
        """Say a finished line to an audience."""
        self._lines.setdefault(audience, []).append(text)

    def head(self, audience: str, key: str, /, **values: Any) -> None:
        """Say a sentence before everything else to an audience."""
        self._lines.setdefault(audience, [])
        self._heads.setdefault(audience, []).append(self.voice(key, **values))

    def later(self, audience: str, key: str, /, **values: Any) -> None:
        """Say a sentence when all who go out now have been named."""
        self._later.append((audience, self.voice(key, **values)))

    def catch_up(self) -> None:
        """Say what was left for later."""
        for audience, text in self._later:
            self.add(audience, text)
        self._later = []

    def gap(self, audience: str) -> None:
        """Leave a line empty, if something was said before."""
        if self._lines.get(audience):
            self._lines[audience].append("")

    def act(self, message: Message) -> None:
        """Ask the chat for something that is no text."""
        self._acts.append(message)

    def show(self, audience: str, picture: pictures.Picture) -> None:
        """Show an audience a picture beside its text; of several, the last."""
        self._pictures[audience] = picture

    # --- looking things up ----------------------------------------------------------------------

    @property
    def public(self) -> dict[str, Any]:
        """What anybody may see now."""
        if self._public is None:
            self._public = view.public_view(self.game)
        return self._public

    def first(self, kind: type[E]) -> E | None:
        """Return the first of this command's events of a kind."""
        return next((event for event in self.events if isinstance(event, kind)), None)

    def votable(self, *but: int | None) -> dict[str, str]:
        """Return two seats for the example of a ballot, as :meth:`examples` does."""
        return votable(self.game, self.public, *but)

    def examples(self, *but: int | None) -> dict[str, str]:
        """Return two seats for an example, as people type them: named living, not one of these."""
        return examples(self.game, *but)

    def deadlines(self) -> Rendered:
        """Return what falls due when, soonest first."""
        return deadlines(self.voice, self.game.deadlines())

    def phase(self, day: int, phase: str) -> Rendered:
        """Return the name of a phase with its number."""
        return phase_name(self.voice, phase, day)

    def needed(self) -> int:
        """Return how many voices depose: strictly more than half of the living (K-19)."""
        return len(self.game.living()) // 2 + 1

    def until(self, ability: str, seat: int) -> dict[str, Any]:
        """Return until when a seat's order can be changed: ``deadline`` and ``due``."""
        late = self.game.rules.abilities[ability].late
        is_late = late is not None and late(self.game, seat)
        kind = "witch" if is_late else abilities.closes_at(self.game)
        return {"deadline": kind, "due": self.due[kind]}

    def before_opening(self) -> Rendered:
        """Return until when the next opening is; while a day lasts, nobody can say yet."""
        if "open" in self.due:
            return self.voice("format.before", due=self.due["open"])
        return self.voice("format.before_opening")

    def moved(self, hour: str) -> str:
        """Return an hour of the day as the game reckons it after its pauses (K-27)."""
        shifted = datetime.combine(self.game.now, calendar.clock_time(hour)) + self.game.shift
        return f"{shifted:%H:%M}"

    def sounds(self, **values: Any) -> dict[str, Any]:
        """Return these values with those of a sentence on what the charmed may send."""
        sheet = self.sheet
        own = {"charmed_sounds": sheet.charmed_sounds, "charmed_marks": sheet.charmed_marks}
        return {"status": "charmed", **own, **values}

    # --- warnings and cards: many at once are one line ------------------------------------------

    def _penalties(self, run: Iterable[ev.Event]) -> None:
        alike: dict[tuple[Any, ...], list[Any]] = {}
        for event in run:
            if isinstance(event, ev.Warned):
                alike.setdefault(("warned", event.why, event.count, event.reason), []).append(event)
            elif isinstance(event, ev.Carded):
                key = ("carded", event.why, event.colour, event.reason)
                alike.setdefault(key, []).append(event)
            elif isinstance(event, ev.CardsMerged):
                alike.setdefault(("merged", event.colour), []).append(event)
        # Cards are given before they merge; what a seat holds after all of it is said once, last.
        groups = sorted(alike.items(), key=lambda item: item[0][0] == "merged")
        last = {event.seat: key for key, group in groups for event in group}
        for key, group in groups:
            total = {seat for seat, at in last.items() if at == key}
            if key[0] == "warned":
                self._warned(group)
            elif key[0] == "carded":
                self._carded(group, total)
            else:
                self._merged(group, total)

    def _warned(self, group: list[ev.Warned]) -> None:
        first = group[0]
        if first.why == "no_crown":
            for event in group:
                self.say(
                    event.audience,
                    "events.warned.no_crown",
                    count=event.count,
                    total=event.total,
                    warnings_out=self.sheet.warnings_out,
                )
            return
        seats = self.voice.join(
            self.voice("events.warned.item", seat=event.seat, total=event.total) for event in group
        )
        out = self.sheet.warnings_out
        values: dict[str, Any] = {"count": first.count, "seats": seats, "warnings_out": out}
        if first.why == "posts":
            values["posts_min"] = self.sheet.posts_min
        if first.why == "director":
            values["reason"] = first.reason
        self.say(first.audience, f"events.warned.{first.why}", **values)

    def _carded(self, group: list[ev.Carded], total: set[int]) -> None:
        first = group[0]
        values: dict[str, Any] = {"colour": first.colour, "seats": self._holding(group, total)}
        if first.why == "director":
            values["reason"] = first.reason
        elif first.why == "posts":
            values["posts_min"] = self.sheet.posts_min
        elif first.why == "streak":
            values["posts_streak"] = self.sheet.posts_streak
            values["posts_streak_days"] = self.sheet.posts_streak_days
        self.say(first.audience, f"events.carded.{first.why}", **values)
        self._red(group, first.colour)

    def _merged(self, group: list[ev.CardsMerged], total: set[int]) -> None:
        self.say(
            group[0].audience,
            "events.cards_merged",
            cards_merge=self.sheet.cards_merge,
            colour=group[0].colour,
            into=group[0].into,
            seats=self._holding(group, total),
        )
        self._red(group, group[0].into)

    def _red(self, group: Sequence[ev.Carded | ev.CardsMerged], colour: str) -> None:
        """Say when a red card takes effect, by what everybody knows; at a close it does at once."""
        standing = [e.seat for e in group if not self.game.seats[e.seat].announced]
        if colour != "red" or not standing or self.first(ev.DayClosed) or self.game.phase == "over":
            return
        key = "red_now"
        if self.game.phase == "day":
            key = "red_close"
        elif self.game.phase == "night" and not self.game.abilities.settled:
            key = "red_night"
        self.say(group[0].audience, f"events.carded.{key}", colour=colour, seats=standing)

    def _holding(self, group: Sequence[ev.Carded | ev.CardsMerged], total: set[int]) -> Rendered:
        """Return the seats of a line, with what those in ``total`` hold in the end."""
        return self.voice.join(
            self.voice("events.carded.item", seat=event.seat, held=self.held(event.seat))
            if event.seat in total
            else self.voice.seat(event.seat)
            for event in group
        )

    def held(self, seat: int) -> Rendered:
        """Return the cards that a seat holds now."""
        return held_cards(self.voice, self.game.cards.held.get(seat, {}))


def muted(account: str, seconds: int) -> Message:
    """Return what asks the chat to silence an account in the group for so long; 0 lifts it."""
    return Message(ev.PUBLIC, "", "mute", {"account": account, "seconds": seconds})


def examples(game: Game | None, *but: int | None) -> dict[str, str]:
    """Return ``someone`` and ``other``: seats for an example, none announced out or in ``but``."""
    seats = [] if game is None else [n for n, seat in game.seats.items() if not seat.announced]
    free = [number for number in seats if number not in but] + [3, 5]
    return {"someone": str(free[0]), "other": str(next(n for n in free if n != free[0]))}


def offered(sheet: Sheet) -> dict[str, Any]:
    """Return ``choices``: what a board lets a king choose (K-15, K-41); ``choice``: an example.

    Empty of a board on which nobody chooses. The example is one that is never refused as chosen
    before (K-44).
    """
    if not sheet.choices:
        return {}
    example = next((key for key in sheet.choices if key != "constitution"), sheet.choices[0])
    return {"choices": list(sheet.choices), "choice": example}


def deadlines(voice: Voice, dues: Iterable[Sequence[Any]]) -> Rendered:
    """Return deadlines, [due, kind] each, in one line."""
    return voice.join(
        voice("format.deadline", due=due, deadline=kind) for due, kind in open_deadlines(dues)
    )


def people(voice: Voice, public: Mapping[str, Any]) -> Rendered:
    """Return how many can play."""
    least, most = public["players_min"], public["players_max"]
    if least == most:
        return voice("format.people", count=most)
    return voice("format.people_between", min=least, max=most)


def open_deadlines(dues: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the deadlines that are no secret.

    That of an heir tells that the sheriff is out, and that of a shot that a hunter is.
    """
    return [entry for entry in dues if entry[1] not in ("heir", "shot")]


def votable(game: Game, public: Mapping[str, Any], *but: int | None) -> dict[str, str]:
    """Return ``someone`` and ``other`` as :func:`examples`: whom a ballot may be for now."""
    only = electable(public)
    seats = [number for number in only if number not in but]
    some = examples(game, *but)
    if not seats:
        return some
    return {**some, "someone": str(seats[0]), "other": str((seats[1:] or only)[0])}


def electable(public: Mapping[str, Any]) -> list[int]:
    """Return to whom alone ballots can go now, from the public view; empty: to anybody."""
    if public["decides"] == "runoff":
        return list(public["runoff"])
    return list(public["candidates"]) if public["decides"] in ("sheriff", "election") else []


def example_of(voice: Voice, ability: str, some: Mapping[str, str]) -> Rendered:
    """Return a right form of using an ability, as a person types it."""
    key = f"example.act.{ability}"
    if key not in voice.sentences:
        key = f"example.{ability}"
    return voice.sentences.fill(key, some)


def does(voice: Voice, sheet: Sheet, key: str) -> Rendered:
    """Return what an ability does by this sheet."""
    if key == "inspect" and sheet.inspect_shows == "werewolf":
        packs = voice.join(voice.name("roles", role) for role in sheet.channels.values())
        return voice("ability.inspect.werewolf", roles=packs)
    if key == "charm":
        return _charms(voice, sheet)
    text = filled(voice, f"ability.{key}.does")
    if key in ("guard", "ward"):
        text = Rendered(text + voice(f"ability.{key}.{sheet.guard_again}"))
    elif key == "save":
        text = Rendered(text + voice(f"ability.save.{sheet.save_self}"))
    elif key == "victim_report" and sheet.witch_late == "always":
        text = Rendered(text + voice("ability.victim_report.always"))
    return text


def _charms(voice: Voice, sheet: Sheet) -> Rendered:
    """Return what a charm does, and to whom nothing, as far as the sheet has such."""
    spared = []
    if "lovers" in sheet.mechanics:
        spared.append(voice("ability.charm.lovers", bond="lover"))
    if "ward" in sheet.abilities():
        spared.append(voice("ability.charm.warded"))
    does = voice("ability.charm.does", status="charmed")
    if spared:
        does = Rendered(does + voice("ability.charm.spared", who=voice.join(spared)))
    return Rendered(does + voice("ability.charm.untold"))


def ability_lines(
    voice: Voice, sheet: Sheet, keys: Iterable[str], some: Mapping[str, str]
) -> list[Rendered]:
    """Return what each of these abilities is called, how it is used, and what it does."""
    lines = []
    for key in keys:
        if f"ability.{key}.does" not in voice.sentences:
            continue
        shown = does(voice, sheet, key)
        if f"ability.{key}.how" in voice.sentences:
            example = example_of(voice, key, some)
            lines.append(voice("format.ability_line", ability=key, does=shown, example=example))
        else:
            lines.append(voice("format.ability_bare", ability=key, does=shown))
    return lines


def filled(voice: Voice, key: str, **values: Any) -> Rendered:
    """Return a sentence that may name the board's own terms beside these values."""
    terms = {"faction": "town", "office": "sheriff", "bond": "lover", "status": "charmed"}
    every = {**terms, **values}
    return voice(key, **{name: every[name] for name in voice.sentences.fields(key)})


def held_cards(voice: Voice, held: Mapping[str, int]) -> Rendered:
    """Return cards by colour and number."""
    return voice.join(voice("format.held", colour=c, count=n) for c, n in held.items() if n)


def actions(voice: Voice, orders: Iterable[Sequence[Any]]) -> Rendered:
    """Return orders of a night, [ability, seat or channel, target or None] each, in one line."""
    return voice.join(
        voice(
            "format.action",
            skill=ability,
            who=voice.seat(who) if isinstance(who, int) else voice.name("channels", who),
            target=voice("format.empty_kill") if target is None else voice.seat(target),
        )
        for ability, who, target in orders
    )


def phase_name(voice: Voice, phase: str, day: int) -> Rendered:
    """Return the theme's name of a phase with its number: ``第2天``."""
    key = "first_night" if phase == "night" and day == 0 else phase
    return Rendered(voice.theme.phases[key].format_map({"day": str(day)}))


# --- sign-up and deal ----------------------------------------------------------------------------


@tells(ev.Created)
def _created(t: Telling, e: ev.Created) -> None:
    t.say(
        e.audience,
        "events.created",
        game=e.game,
        title=t.voice.theme.title,
        name=e.name,
        people=people(t.voice, t.public),
    )


@tells(ev.SignedUp)
def _signed_up(t: Telling, e: ev.SignedUp) -> None:
    key, values = "events.signed_up", dict[str, Any](name=e.name)
    if e.queued:
        # All those who waited are named at once.
        waited = [event for event in t.events if isinstance(event, ev.SignedUp)]
        if e is not waited[0]:
            return
        key, values = "events.enrolled", {"names": [event.name for event in waited]}
    count = len(t.game.signups)
    missing = t.public["players_min"] - count
    if missing > 0:
        t.say(e.audience, f"{key}.short", count=count, missing=missing, **values)
    else:
        t.say(e.audience, f"{key}.enough", count=count, **values)


@tells(ev.SignedOff)
def _signed_off(t: Telling, e: ev.SignedOff) -> None:
    t.say(e.audience, "events.signed_off", count=len(t.game.signups))


@tells(ev.DirectorAdded)
def _director_added(t: Telling, e: ev.DirectorAdded) -> None:
    t.say(e.audience, "events.director_added", name=e.name)
    t.say(f"person:{e.account}", "events.director_made", game=t.game.id, title=t.voice.theme.title)


@tells(ev.DirectorLeft)
def _director_left(t: Telling, e: ev.DirectorLeft) -> None:
    t.say(e.audience, "events.director_left", name=e.name)


@tells(ev.Begun)
def _begun(t: Telling, e: ev.Begun) -> None:
    title = t.voice.theme.title
    t.say(e.audience, "events.begun", game=t.game.id, title=title, players=e.players)


@tells(ev.Told)
def _told(t: Telling, e: ev.Told) -> None:
    _NOTICES[str(e.notice[0])](t, e)


@notice("role")
def _told_role(t: Telling, e: ev.Told) -> None:
    values = role_values(t.voice, t.game, e.seat)
    t.say(e.audience, "told.role", **values)
    own, role = view.seat_view(t.game, e.seat), t.voice.value("role", values["role"])
    t.show(e.audience, pictures.card(t.voice, t.public, own, role, values["card"]))
    if t.sheet.pace == "ready":
        t.say(e.audience, "told.ready")
    phase = t.phase(t.game.day, t.game.phase)
    t.say(e.audience, "told.now", phase=phase, deadlines=t.deadlines())


@notice("faction")
def _told_faction(t: Telling, e: ev.Told) -> None:
    # At the deal the role's text names it.
    if t.first(ev.Begun) is None:
        t.say(e.audience, "told.faction", faction=e.notice[1])


@notice("partners")
def _told_partners(t: Telling, e: ev.Told) -> None:
    if e.notice[1]:
        t.say(e.audience, "told.partners", seats=e.notice[1])
    else:
        t.say(e.audience, "told.alone", role=t.game.seats[e.seat].role)
    if t.first(ev.Begun) is None:
        own = [key for key in t.game.together if abilities.has(t.game, e.seat, key)]
        for text in ability_lines(t.voice, t.sheet, own, t.examples(e.seat)):
            t.add(e.audience, text)


@notice("lover")
def _told_lover(t: Telling, e: ev.Told) -> None:
    t.say(e.audience, "told.lover", target=e.notice[1], bond="lover")
    if e.seat in t.game.channels.get("lovers", ()):
        t.say(e.audience, "told.talk")


@notice("kingmaker")
def _told_kingmaker(t: Telling, e: ev.Told) -> None:
    t.say(e.audience, "told.kingmaker", **t.examples(e.seat, t.game.crown.last_king))


@notice("card")
def _told_card(t: Telling, e: ev.Told) -> None:
    t.say(e.audience, "told.own_card", count=e.notice[1])


@notice("choice_wanted")
def _told_to_choose(t: Telling, e: ev.Told) -> None:
    t.say(e.audience, "told.choice_wanted", **offered(t.sheet))


@notice("out")
@notice("hero_exists")
def _told_plainly(t: Telling, e: ev.Told) -> None:
    if e.notice[0] == "out" and t.game.phase == "over":
        return  # the disclosure says all, and everybody may speak
    t.say(e.audience, f"told.{e.notice[0]}")


@notice("void")
def _told_void(t: Telling, e: ev.Told) -> None:
    # KillVoided tells the channel.
    what = str(e.notice[1])
    if what == "ballot":
        t.say(e.audience, "told.void.ballot", **t.examples(e.seat))
    elif what not in t.game.together:
        example = example_of(t.voice, what, t.examples(e.seat))
        t.say(e.audience, "told.void.ability", ability=what, example=example)


@notice("inspected")
def _told_inspected(t: Telling, e: ev.Told) -> None:
    _, target, answer = e.notice
    t.say(e.audience, "told.inspected", ability="inspect", target=target, answer=answer)


@notice("victims")
def _told_victims(t: Telling, e: ev.Told) -> None:
    seats = e.notice[1]
    if seats:
        t.say(e.audience, "told.victims.some", skill="victim_report", seats=seats)
    else:
        t.say(e.audience, "told.victims.none", skill="victim_report")
    left = [key for key in ("save", "poison") if (key, e.seat) not in t.game.potions.used]
    if left and "witch" in t.due:
        shown = t.voice.join(t.voice.ability(key) for key in left)
        t.say(e.audience, "told.victims.answer", abilities=shown, due=t.due["witch"])
        for key in left:
            if (target := t.game.abilities.orders.get((key, e.seat))) is not None:
                t.say(e.audience, "told.victims.standing", skill=key, target=target)


@notice("lost_ability")
def _told_lost(t: Telling, e: ev.Told) -> None:
    t.say(e.audience, "told.lost_ability", ability=e.notice[1])


@notice("gained_ability")
def _told_gained(t: Telling, e: ev.Told) -> None:
    ability = str(e.notice[1])
    values = {"ability": ability, "example": example_of(t.voice, ability, t.examples(e.seat))}
    if abilities.hour_runs(t.game):
        due = t.due[abilities.closes_at(t.game)]
        t.say(e.audience, "told.gained_ability.tonight", due=due, **values)
    else:
        t.say(e.audience, "told.gained_ability.next", **values)


@notice("last_words_right")
def _told_last_words(t: Telling, e: ev.Told) -> None:
    # A game that is over, or a day opened by hand, leaves no time for it.
    if e.seat not in t.game.words.open or t.game.phase == "over":
        return
    if t.sheet.words_published == "opening":
        t.say(e.audience, "told.last_words_right", before=t.before_opening())
    elif not t.game.seats[e.seat].announced:
        t.say(e.audience, "told.last_words_dawn")
    else:
        lapses = t.game.phase == "night" and "lapse_words" in t.sheet.open_steps
        before = t.before_opening() if lapses else t.voice("format.before_close")
        t.say(e.audience, "told.last_words_now", before=before)


@notice("shot_right")
def _told_shot(t: Telling, e: ev.Told) -> None:
    if t.game.gun.holder != e.seat or t.game.phase == "over":
        return
    some = t.examples(e.seat)
    if t.game.seats[e.seat].announced and "shot" in t.due:
        t.say(e.audience, "told.shot_right", due=t.due["shot"], **some)
    else:
        minutes = t.sheet.shot_minutes
        t.say(e.audience, "told.shot_right_dawn", shot_minutes=minutes, **some)


@notice("heir_wanted")
def _told_heir(t: Telling, e: ev.Told) -> None:
    if t.game.sheriff.leaving == e.seat and "heir" in t.due:
        some = t.examples(e.seat)
        key = "told.heir_none" if t.sheet.heir_silent == "none" else "told.heir_wanted"
        t.say(e.audience, key, office="sheriff", due=t.due["heir"], **some)


def role_values(voice: Voice, game: Game, seat: int) -> dict[str, Any]:
    """Return what the role card of a seat is filled with."""
    own = view.seat_view(game, seat)
    return {
        "game": game.id,
        "title": voice.theme.title,
        "seat": seat,
        "role": own["role"],
        "faction": own["faction"],
        "card": role_text(voice, game.sheet, own, examples(game, seat)),
    }


def role_text(
    voice: Voice, sheet: Sheet, own: Mapping[str, Any], some: Mapping[str, str]
) -> Rendered:
    """Return what a role is about, and what its seat can do now, from its own view."""
    lines = ability_lines(voice, sheet, own["abilities"], some)
    # A role of a host's own has none.
    card = f"told.card.{own['role']}"
    if card in voice.sentences:
        lines.insert(0, filled(voice, card, role=own["role"], **some))
    return Rendered("\n".join(lines))


# --- the clock -----------------------------------------------------------------------------------


@tells(ev.Reminded)
def _reminded(t: Telling, e: ev.Reminded) -> None:
    due = t.due[e.kind]
    for who, what in e.owed:
        what = str(what)
        audience = ev.seat_audience(who) if isinstance(who, int) else ev.channel_audience(who)
        seat = who if isinstance(who, int) else None
        some = t.examples(seat, t.game.crown.last_king if what == "crown" else None)
        key = f"remind.{what}"
        every: dict[str, Any] = {"left": e.minutes, "due": due, "deadline": e.kind, **some}
        every |= offered(t.sheet)
        if f"ability.{what}.how" in t.voice.sentences:
            key = "remind.ability"
            every |= {"ability": what, "example": example_of(t.voice, what, some)}
        elif what == "posts" and seat is not None:
            posts = t.game.attendance.posts.get(seat, 0)
            every |= {"missing": t.sheet.posts_min - posts, "posts_min": t.sheet.posts_min}
        elif what in ("heir", "ballot"):
            every["office"] = "sheriff"
            if what == "ballot":
                every |= t.votable(seat)
                key += "_sheriff" if e.kind == "election" else ""
            elif t.sheet.heir_silent == "none":
                key += "_none"
        t.say(audience, key, **{name: every[name] for name in t.voice.sentences.fields(key)})
        if what == "order":
            t.say(ev.PUBLIC, "remind.order_public", left=e.minutes, due=due, seat=who)


@tells(ev.SettledLate)
def _settled_late(t: Telling, e: ev.SettledLate) -> None:
    # That a hunter may shoot is no one else's business.
    if e.kind != "shot":
        t.head(e.audience, "events.settled_late", late=e.late, due=e.at, kind=e.kind)


@tells(ev.NightFell)
def _night_fell(t: Telling, e: ev.NightFell) -> None:
    t.catch_up()
    t.gap(e.audience)
    t.say(e.audience, "events.night_fell.head", phase=t.phase(e.day, "night"))
    if t.sheet.night_minutes:
        hours = {"night": t.due["night"], "witch": t.due["witch"]}
        if t.sheet.clock == "span":
            orders = t.voice("events.night_fell.span", night=hours["night"])
            last = "span_witch" if t.sheet.witch_minutes else "span_opens"
            values = {"opens": e.opens} if t.sheet.witch_minutes else {}
            t.add(e.audience, orders + t.voice(f"events.night_fell.{last}", **values))
        else:
            t.say(e.audience, "events.night_fell.stages", opens=e.opens, **hours)
        _pace(t, e.audience)
        return
    crowns = t.public["regime"] == "monarchy" and not _choice_ahead(t)
    if t.first(ev.ChoiceOpened) is not None:
        crowns = False
    t.say(e.audience, f"events.night_fell.{'crown' if crowns else 'kill'}", opens=e.opens)
    if e.day == 0:
        t.say(e.audience, "events.night_fell.first")
    _pace(t, e.audience)
    _posts_due(t, e.audience, "events.night_fell.posts")
    _may_depose(t, e.audience)


def _pace(t: Telling, audience: str) -> None:
    if t.sheet.pace == "ready":
        t.say(audience, "events.night_fell.ready")


@tells(ev.NightGoesOn)
def _night_goes_on(t: Telling, e: ev.NightGoesOn) -> None:
    # By a director's hand it may have gone on to its end.
    if "witch" in t.due:
        t.say(e.audience, "events.night_goes_on.text", due=t.due["witch"])


@tells(ev.ReadySaid)
def _ready_said(t: Telling, e: ev.ReadySaid) -> None:
    gone_on = any(t.first(kind) for kind in (ev.NightGoesOn, ev.DayOpened, ev.GameOver))
    t.say(e.audience, f"events.ready.{'all' if gone_on else 'waits'}")


def _posts_due(t: Telling, audience: str, key: str) -> None:
    if "attendance" in t.due and t.sheet.posts_min:
        t.say(
            audience,
            key,
            due=t.due["attendance"],
            posts_min=t.sheet.posts_min,
            posts_warnings=t.sheet.posts_warnings,
        )


def _choice_ahead(t: Telling) -> bool:
    """Tell whether everybody knows that there is no kingmaker, and that a king will choose."""
    return t.game.regime.choice_owed and t.sheet.show_role


def _may_depose(t: Telling, audience: str) -> None:
    until = t.game.regime.depose_until
    if t.public["regime"] == "dictatorship" and t.game.phase == "night" and until is not None:
        t.say(audience, "events.regime_changed.depose", due=until)


@tells(ev.DayOpened)
def _day_opened(t: Telling, e: ev.DayOpened) -> None:
    t.head(e.audience, "events.day_opened.head", day=e.day)
    if announces_at_opening(t):
        # The same whether nobody was attacked, or somebody was guarded or saved (M84-30).
        if e.out:
            key = "out_by_seat" if t.sheet.announce_order == "seat" else "out"
            t.head(e.audience, f"events.day_opened.{key}", seats=e.out)
        elif e.day > 1:
            t.head(e.audience, "events.day_opened.nobody_out")
        elif t.sheet.first_phase == "night":
            t.head(e.audience, "events.day_opened.peace")
    elif t.first(ev.OutAnnounced) is None:
        t.head(e.audience, "events.day_opened.peace")
    if e.longer:
        t.say(e.audience, f"events.day_opened.{e.longer}")
    if e.accelerated:
        alive = t.sheet.accelerate_at_alive
        t.say(e.audience, "events.day_opened.accelerated", accelerate_at_alive=alive)
    if e.decides == "order":
        _order_due(t, e)
    elif e.decides in ("ballot", "sheriff"):
        _ballot_due(t, e)
    elif e.decides == "election":
        t.say(e.audience, "events.day_opened.election", due=t.due["election"], closes=e.closes)
    elif e.decides == "candidacy":
        due = t.due["candidacy"]
        t.say(e.audience, "events.day_opened.candidacy", due=due, office="sheriff")
    else:
        t.say(e.audience, "events.day_opened.nobody", closes=e.closes)
    _posts_due(t, e.audience, "events.day_opened.posts")
    if "cards" in t.sheet.mechanics and t.sheet.posts_min and not e.accelerated:
        values: dict[str, Any] = {"due": e.closes, "posts_min": t.sheet.posts_min}
        t.say(e.audience, "events.day_opened.posts_carded", colour="yellow", **values)
        if t.sheet.posts_streak:
            streak = {key: getattr(t.sheet, key) for key in ("posts_streak", "posts_streak_days")}
            t.say(e.audience, "events.day_opened.streak", colour="yellow", **streak)
    if "petition" in t.due:
        t.say(e.audience, "events.day_opened.petition", due=t.due["petition"])


def announces_at_opening(t: Telling) -> bool:
    """Tell whether by the sheet an opening publishes who went out since the last (M84-30)."""
    return "announce_out" in t.sheet.open_steps


def _order_due(t: Telling, e: ev.DayOpened) -> None:
    king = t.public["king"]
    if t.public["regime"] == "dictatorship":
        t.say(e.audience, "events.crowned.dictator", seat=king)
    t.say(
        e.audience,
        "events.day_opened.order",
        king=king,
        closes=e.closes,
        no_order_warnings=t.sheet.no_order_warnings,
        **t.examples(king),
    )
    if _choice_ahead(t):
        t.say(e.audience, "events.day_opened.choice", choice_minutes=t.sheet.choice_minutes)


def _ballot_due(t: Telling, e: ev.DayOpened) -> None:
    if e.decides == "sheriff":
        some = t.examples()
        t.say(e.audience, "events.day_opened.sheriff", closes=e.closes, office="sheriff", **some)
    else:
        t.say(e.audience, "events.day_opened.ballot", closes=e.closes, **t.examples())
    _ballot_terms(t, e.audience, e.closes, e.accelerated)


def _ballot_terms(t: Telling, audience: str, closes: datetime, accelerated: bool) -> None:
    """Say whether a ballot can be changed, and what none costs."""
    cutoff = closes - timedelta(minutes=t.sheet.change_cutoff_minutes)
    if accelerated:
        parts = [t.voice("events.day_opened.no_change")]
    elif not t.sheet.change_cutoff_minutes:
        parts = [t.voice("events.day_opened.change_free")]
    else:
        parts = [t.voice("events.day_opened.change", cutoff=cutoff)]
    warnings = t.sheet.no_ballot_warnings if "warnings" in t.sheet.mechanics else 0
    if "cards" in t.sheet.mechanics and not accelerated:
        parts.append(t.voice("events.day_opened.ballot_carded", colour="yellow"))
    elif warnings:
        parts.append(t.voice("events.day_opened.ballot_warned", no_ballot_warnings=warnings))
    else:
        parts.append(t.voice("events.day_opened.ballot_free"))
    if t.sheet.pace == "ready":
        parts.append(t.voice("events.day_opened.ballot_early"))
    t.add(audience, "".join(parts))


@tells(ev.DayTurned)
def _day_turned(t: Telling, e: ev.DayTurned) -> None:
    if e.decides == "runoff" or (e.decides == "sheriff" and t.first(ev.RunoffOpened)):
        return  # said by RunoffOpened
    if e.decides == "sheriff":
        t.say(
            e.audience,
            "events.day_turned.sheriff",
            seats=t.public["candidates"],
            due=t.due["election"],
            office="sheriff",
            **t.votable(),
        )
        return
    closes = t.due["close"]
    if e.decides == "ballot" and "sheriff" in t.sheet.mechanics:
        t.say(e.audience, "events.day_turned.after_election", closes=closes, **t.examples())
        _ballot_terms(t, e.audience, closes, accelerated=False)
    elif e.decides == "ballot":
        t.say(e.audience, "events.day_turned.ballot", closes=closes, **t.examples())
    elif e.decides == "order":
        king = t.public["king"]
        t.say(
            e.audience,
            "events.day_turned.order",
            king=king,
            closes=closes,
            no_order_warnings=t.sheet.no_order_warnings,
            **t.examples(king),
        )
    elif t.first(ev.PresidentElected) is not None:
        t.say(e.audience, "events.day_turned.nobody_elected", closes=closes)
    else:
        t.say(e.audience, "events.day_turned.nobody", closes=closes)


@tells(ev.DayClosed)
def _day_closed(t: Telling, e: ev.DayClosed) -> None:
    if t.first(ev.BallotCast) is None:
        t.head(e.audience, "events.day_closed", day=e.day)
    else:
        # The last ballot has closed it.
        t.gap(e.audience)
        t.say(e.audience, "events.day_closed", day=e.day)


@tells(ev.Forced)
def _forced(t: Telling, e: ev.Forced) -> None:
    values = {"kind": e.what} if e.what in ("link", "candidacy") else {}
    t.head(e.audience, f"events.forced.{e.what}", **values)


@tells(ev.Extended)
def _extended(t: Telling, e: ev.Extended) -> None:
    t.say(e.audience, "events.extended.text", kind=e.kind, minutes=e.minutes, due=e.due)
    if len(open_deadlines(t.game.deadlines())) > 1:
        t.say(e.audience, "events.extended.next", deadlines=t.deadlines())


@tells(ev.Paused)
def _paused(t: Telling, e: ev.Paused) -> None:
    t.say(e.audience, "events.paused")


@tells(ev.Resumed)
def _resumed(t: Telling, e: ev.Resumed) -> None:
    t.say(e.audience, "events.resumed.text", seconds=e.seconds)
    t.say(e.audience, "events.resumed.next", deadlines=t.deadlines())
    if t.sheet.clock == "calendar" and e.seconds >= 60:
        hours = {hour: t.moved(getattr(t.sheet, hour)) for hour in ("open", "close")}
        t.say(e.audience, "events.resumed.hours", **hours)


# --- going out, winning --------------------------------------------------------------------------


@tells(ev.OutAnnounced)
def _out_announced(t: Telling, e: ev.OutAnnounced) -> None:
    shown = {key: value for key, value in (("role", e.role), ("cause", e.cause)) if value}
    key = "both" if len(shown) == 2 else next(iter(shown), "bare")
    opening = t.first(ev.DayOpened) is not None and announces_at_opening(t)
    if shown or not opening:
        t.say(e.audience, f"events.out_announced.{key}", seat=e.seat, **shown)
    role = t.sheet.roles.get(e.role)
    if role is not None and "charm" in role.abilities and t.game.charm.freed:
        t.say(e.audience, "events.out_announced.charms_end", status="charmed")
    if t.game.sheriff.leaving == e.seat and "heir" in t.due:
        due = t.due["heir"]
        key = "heir_none" if t.sheet.heir_silent == "none" else "heir"
        t.say(e.audience, f"events.out_announced.{key}", due=due, office="sheriff")


@tells(ev.GameOver)
def _game_over(t: Telling, e: ev.GameOver) -> None:
    t.catch_up()
    t.gap(e.audience)
    if e.winner == "draw":
        t.say(e.audience, "events.game_over.draw")
    elif e.winner:
        t.say(e.audience, "events.game_over.won", winner=e.winner)
        way, clause = won_by(t.voice, t.game, e.winner), {"clause": e.clause}
        key = "why_clause" if e.clause else "why"
        t.say(e.audience, f"events.game_over.{key}", way=way, **(clause if e.clause else {}))
    else:
        t.say(e.audience, "events.game_over.stopped")
    if t.game.seats:
        _disclose(t, e.audience)
        t.show(e.audience, pictures.disclosure(t.voice, t.public))
    t.say(e.audience, "events.game_over.thanks")


# By what rule of the sheet a seat goes out for each cause.
_RULE_OF = {
    "kill": "kill",
    "poison": "poison",
    "vote": "tally",
    "lover": "chain",
    "red_card": "red_card",
    "warnings": "exits",
    "ruled": "director",
    "shot": "shot",
    "exploded": "explode",
}

# Those of the crown's own mechanics, which name them without a sheet.
_CLAUSE_OF = {"order": "K-09", "reflected": "K-33"}


def _disclose(t: Telling, audience: str) -> None:
    """Publish everything: roles, who went how and why, the nights, the secret orders (M84-37)."""
    game = t.game
    t.say(audience, "events.game_over.roles")
    for number, seat in game.seats.items():
        values: dict[str, Any] = {"seat": number, "role": seat.role, "faction": seat.faction}
        if seat.alive:
            t.say(audience, "events.game_over.alive", **values)
            continue
        clause = game.clause(_RULE_OF.get(seat.cause, "")) or _CLAUSE_OF.get(seat.cause, "")
        if clause:
            cause = {"cause": seat.cause, "clause": clause}
            t.say(audience, "events.game_over.out_clause", **values, **cause)
        else:
            t.say(audience, "events.game_over.out", **values, cause=seat.cause)
    if game.lovers.pair:
        t.say(audience, "events.game_over.pair", bond="lover", seats=game.lovers.pair)
    if game.out:
        t.say(audience, "events.game_over.order", seats=game.out)
    if game.lost:
        t.say(audience, "events.game_over.lost_head")
    for faction in game.lost:
        why, clause = game.whys[faction]
        way = lost_by(t.voice, game, why)
        if clause:
            t.say(audience, "events.game_over.lost_clause", faction=faction, way=way, clause=clause)
        else:
            t.say(audience, "events.game_over.lost", faction=faction, way=way)
    for night, orders in game.abilities.nights.items():
        phase = t.phase(night, "night")
        done = actions(t.voice, orders)
        t.say(audience, "events.game_over.night", phase=phase, actions=done)
    everything = view.director_view(game)
    if everything["throne"]:
        t.say(audience, "events.game_over.kingmakers", seats=kingmakers(game))
        t.say(audience, "events.game_over.throne", seats=everything["throne"])
        t.say(audience, "events.game_over.numbers", seats=everything["numbers"])


def lost_by(voice: Voice, game: Game, why: Why) -> Rendered:
    """Return by what a faction was lost, in words."""
    if isinstance(why, Losing):
        return losing_way(voice, why)
    if why == "red_cards":
        most = game.sheet.red_cards_lose
        return voice("events.game_over.lost_red_cards", red_cards_lose=most, colour="red")
    return voice(f"events.game_over.lost_{why}")


def won_by(voice: Voice, game: Game, winner: str) -> Rendered:
    """Return by what a faction has won, in words."""
    winning = victory.way_won(game, winner)
    if victory.in_play(game) == [winner] or winning is None:
        return voice("events.game_over.last_one")
    return winning_way(voice, game.sheet, winning)


def losing_way(voice: Voice, losing: Losing) -> Rendered:
    """Return one way to lose, in words."""
    if losing.channel:
        return voice("rule.lose_channel", channel=losing.channel)
    if losing.roles:
        return voice("rule.lose_roles", roles=_named(voice, losing.roles))
    return voice("rule.lose_all")


def winning_way(voice: Voice, sheet: Sheet, winning: Winning) -> Rendered:
    """Return one way to win, in words."""
    if winning.half:
        return voice("rule.win_half")
    lovers = "lovers" in sheet.mechanics
    if winning.everyone:
        return filled(voice, "rule.win_everyone" if lovers else "rule.win_everyone_else")
    parts = [_named(voice, winning.charmed)]
    if winning.with_faction:
        parts.append(voice.name("factions", winning.with_faction))
    who = filled(voice, "rule.win_and").join(parts)
    key = "rule.win_charmed" if lovers else "rule.win_charmed_all"
    return filled(voice, key, who=Rendered(who))


def _named(voice: Voice, roles: Sequence[str]) -> Rendered:
    return voice.join(voice.name("roles", role) for role in roles)


def kingmakers(game: Game) -> list[int]:
    """Return who was kingmaker, first to last: one follows only when the one before is out."""
    were = {number for number, seat in game.seats.items() if seat.role == "kingmaker"}
    were |= {number for number, seat in game.seats.items() if ["kingmaker"] in seat.told}
    return [n for n in game.out if n in were] + [n for n in sorted(were) if n not in game.out]


# --- abilities of the night ----------------------------------------------------------------------


@tells(ev.KillNamed)
def _kill_named(t: Telling, e: ev.KillNamed) -> None:
    until = t.until(e.ability, e.seat)
    if e.target is None:
        example = example_of(t.voice, e.ability, t.examples(e.seat))
        t.say(e.audience, "events.kill_named.none", seat=e.seat, example=example, **until)
    else:
        t.say(e.audience, "events.kill_named.target", seat=e.seat, target=e.target, **until)


@tells(ev.KillVoided)
def _kill_voided(t: Telling, e: ev.KillVoided) -> None:
    opened = t.first(ev.DeposeOpened)
    if opened is not None:
        t.say(e.audience, "events.kill_voided.depose", due=opened.due)
    elif t.first(ev.OutAnnounced) is not None:
        t.say(e.audience, "events.kill_voided.target")
    else:
        t.say(e.audience, "events.kill_voided.ruled")


@tells(ev.Acted)
def _acted(t: Telling, e: ev.Acted) -> None:
    # What is answered at once, and can't be changed, is confirmed by its answer.
    if not t.game.rules.abilities[e.ability].binding:
        until = t.until(e.ability, e.seat)
        t.say(e.audience, "events.acted", ability=e.ability, target=e.target, **until)


@tells(ev.Withdrawn)
def _withdrawn(t: Telling, e: ev.Withdrawn) -> None:
    until = t.until(e.ability, e.seat)
    example = example_of(t.voice, e.ability, t.examples(e.seat))
    t.say(e.audience, "events.withdrawn", ability=e.ability, example=example, **until)


@tells(ev.CharmedAnnounced)
def _charmed_announced(t: Telling, e: ev.CharmedAnnounced) -> None:
    if not t.sheet.charmed_sounds:
        t.say(e.audience, "events.charmed_announced.free.all", seats=e.seats, status="charmed")
        for number in e.seats:
            seat = ev.seat_audience(number)
            t.say(seat, "events.charmed_announced.free.seat", status="charmed")
        return
    t.say(e.audience, "events.charmed_announced.all", **t.sounds(seats=e.seats))
    for number in e.seats:
        t.say(ev.seat_audience(number), "events.charmed_announced.seat", **t.sounds())


@tells(ev.Whispered)
def _whispered(t: Telling, e: ev.Whispered) -> None:
    t.say(e.audience, "events.whispered", seat=e.seat, text=block(e.text))


# --- sheriff, last words, petitions --------------------------------------------------------------


@tells(ev.SheriffTook)
def _sheriff_took(t: Telling, e: ev.SheriffTook) -> None:
    if not e.public:
        return
    counted = t.first(ev.Tallied) is not None
    if e.how == "elected" or (counted and t.game.decides == "sheriff"):
        weight = t.sheet.sheriff_weight
        key = f"events.sheriff_took.{e.how if counted else 'alone'}"
        t.say(e.audience, key, seat=e.seat, office="sheriff", sheriff_weight=weight)
    elif t.game.phase != "over":
        # Whether he was named or drawn would tell whom else a name was put down for.
        t.later(e.audience, "events.sheriff_took.heir", seat=e.seat, office="sheriff")


@tells(ev.SheriffAnnounced)
def _sheriff_announced(t: Telling, e: ev.SheriffAnnounced) -> None:
    t.say(e.audience, "events.sheriff_took.heir", seat=e.seat, office="sheriff")


@tells(ev.NobodyElected)
def _nobody_elected(t: Telling, e: ev.NobodyElected) -> None:
    key = "torn" if t.first(ev.DayTurned) is None else "election"
    t.say(e.audience, f"events.nobody_elected.{key}", office="sheriff")


@tells(ev.HeirsNamed)
def _heirs_named(t: Telling, e: ev.HeirsNamed) -> None:
    values = {"deadline": "heir", "due": t.due["heir"], "office": "sheriff"}
    some = t.examples(e.seat)
    if len(e.heirs) == 1:
        torn = t.sheet.heir_silent == "none"
        key = "events.heir_or_torn" if torn else "events.heir_or_drawn"
        otherwise = filled(t.voice, key)
        t.say(
            e.audience, "events.heir_named", seat=e.heirs[0], otherwise=otherwise, **values, **some
        )
    elif e.heirs:
        t.say(e.audience, "events.heirs_named", seats=e.heirs, **values, **some)
    else:
        t.say(e.audience, "events.heirs_torn", **values, **some)


@tells(ev.LastWordsLeft)
def _last_words_left(t: Telling, e: ev.LastWordsLeft) -> None:
    # At once, they are published in the same breath.
    if t.sheet.words_published == "opening":
        before = t.before_opening()
        t.say(e.audience, "events.last_words_left", text=block(e.text), before=before)


@tells(ev.LastWordsPublished)
def _last_words_published(t: Telling, e: ev.LastWordsPublished) -> None:
    if e.text:
        t.say(e.audience, "events.last_words_published", seat=e.seat, text=block(e.text))


@tells(ev.Petitioned)
def _petitioned(t: Telling, e: ev.Petitioned) -> None:
    if not e.ask:
        t.say(e.audience, "events.petitioned.none", seat=e.seat)
        return
    t.say(
        e.audience,
        "events.petitioned.ask",
        seat=e.seat,
        ask=e.ask,
        count=t.public["petitions"][e.ask],
        needed=(len(t.game.living()) + 1) // 2,
    )


@tells(ev.PetitionChecked)
def _petition_checked(t: Telling, e: ev.PetitionChecked) -> None:
    if not (e.speed_up or e.delay):
        return
    t.say(
        e.audience,
        f"events.petition_checked.{e.result or 'neither'}",
        speed_up=e.speed_up,
        delay=e.delay,
        living=e.living,
        closes=e.closes,
    )


# --- crown and regime ----------------------------------------------------------------------------


@tells(ev.CrownNamed)
def _crown_named(t: Telling, e: ev.CrownNamed) -> None:
    opens = t.due["open"]
    if e.substitute is None:
        t.say(e.audience, "events.crown_named.alone", first=e.first, opens=opens)
    else:
        t.say(
            e.audience,
            "events.crown_named.both",
            first=e.first,
            substitute=e.substitute,
            opens=opens,
        )


@tells(ev.Crowned)
def _crowned(t: Telling, e: ev.Crowned) -> None:
    if t.first(ev.DayOpened) is not None:
        t.say(e.audience, "events.crowned.opening", seat=e.seat)
    else:
        t.say(
            e.audience,
            "events.crowned.midday",
            seat=e.seat,
            closes=t.due["close"],
            no_order_warnings=t.sheet.no_order_warnings,
            **t.examples(e.seat),
        )


@tells(ev.ReignEnded)
def _reign_ended(t: Telling, e: ev.ReignEnded) -> None:
    # After an order, or when the king is out, it goes without saying.
    if t.first(ev.Ordered) is None and not t.game.seats[e.seat].announced:
        t.say(e.audience, "events.reign_ended", seat=e.seat)


@tells(ev.Ordered)
def _ordered(t: Telling, e: ev.Ordered) -> None:
    t.say(e.audience, "events.ordered", seat=e.seat, target=e.target)


@tells(ev.ChoiceOpened)
def _choice_opened(t: Telling, e: ev.ChoiceOpened) -> None:
    t.gap(e.audience)
    t.say(e.audience, "events.choice_opened.head", seat=e.seat, due=e.due)
    for choice in t.sheet.choices:
        t.say(e.audience, f"events.choice_opened.{choice}")
    t.say(e.audience, "events.choice_opened.default", choice=t.sheet.default_regime)


@tells(ev.Chosen)
def _chosen(t: Telling, e: ev.Chosen) -> None:
    if e.by_default:
        t.say(e.audience, "events.chosen.by_default", choice=e.choice)
    elif e.seat is None:
        t.say(e.audience, "events.chosen.by_rule", choice=e.choice)
    else:
        t.say(e.audience, "events.chosen.by_seat", seat=e.seat, choice=e.choice)
    if e.choice == "grant":
        t.say(e.audience, "events.chosen.grant")


@tells(ev.RegimeChanged)
def _regime_changed(t: Telling, e: ev.RegimeChanged) -> None:
    key = f"events.regime_changed.{e.regime}"
    if e.king is None:
        t.say(e.audience, key)
    else:
        t.say(e.audience, key, king=e.king)
    if t.first(ev.NightFell) is None:
        _may_depose(t, e.audience)


@tells(ev.RegimeAhead)
def _regime_ahead(t: Telling, e: ev.RegimeAhead) -> None:
    t.say(e.audience, "events.regime_ahead", seat=e.seat, regime=e.regime)


@tells(ev.KingmakerFollowed)
def _kingmaker_followed(t: Telling, e: ev.KingmakerFollowed) -> None:
    t.say(e.audience, "events.kingmaker_followed")


@tells(ev.Reflected)
def _reflected(t: Telling, e: ev.Reflected) -> None:
    t.say(e.audience, "events.reflected", seat=e.seat, king=e.king)


@tells(ev.Stood)
def _stood(t: Telling, e: ev.Stood) -> None:
    t.say(e.audience, "events.stood", seat=e.seat)


@tells(ev.StoodDown)
def _stood_down(t: Telling, e: ev.StoodDown) -> None:
    t.say(e.audience, "events.stood_down", seat=e.seat)


@tells(ev.PresidentElected)
def _president_elected(t: Telling, e: ev.PresidentElected) -> None:
    if e.seat is None:
        t.say(e.audience, "events.president_elected.nobody")
    else:
        t.say(e.audience, "events.president_elected.seat", seat=e.seat)


@tells(ev.Abdicated)
def _abdicated(t: Telling, e: ev.Abdicated) -> None:
    t.say(e.audience, "events.abdicated", seat=e.seat)


@tells(ev.DeposeOpened)
def _depose_opened(t: Telling, e: ev.DeposeOpened) -> None:
    t.say(
        e.audience,
        "events.depose_opened",
        seat=e.seat,
        due=e.due,
        needed=t.needed(),
        opens=e.opens,
    )


@tells(ev.DeposeVoiced)
def _depose_voiced(t: Telling, e: ev.DeposeVoiced) -> None:
    if t.first(ev.DeposeOpened) is not None:
        return
    depose = t.public["depose"]
    if depose is None:
        t.say(e.audience, "events.depose_voiced.text", seat=e.seat, voice=e.voice)
    else:
        t.say(
            e.audience,
            "events.depose_voiced.running",
            seat=e.seat,
            voice=e.voice,
            votes_for=depose["for"],
            votes_against=depose["against"],
            abstain=depose["abstain"],
            needed=t.needed(),
        )


@tells(ev.DeposeClosed)
def _depose_closed(t: Telling, e: ev.DeposeClosed) -> None:
    key = f"events.depose_closed.{e.result}"
    if e.result == "dropped":
        t.say(e.audience, key)
    else:
        t.say(e.audience, key, votes_for=e.votes_for, living=e.living)
    if t.game.phase == "night" and "open" in t.due:
        t.say(e.audience, "events.depose_closed.night", opens=t.due["open"])


# --- ballots -------------------------------------------------------------------------------------


@tells(ev.BallotCast)
def _ballot_cast(t: Telling, e: ev.BallotCast) -> None:
    if e.target is None:
        key = "change_abstain" if e.change else "abstain"
        cast = t.voice(f"events.ballot_cast.{key}", seat=e.seat)
    else:
        key = "change" if e.change else "target"
        cast = t.voice(f"events.ballot_cast.{key}", seat=e.seat, target=e.target)
    parts = [cast]
    if e.proxy:
        parts.append(t.voice("events.ballot_cast.proxy"))
    if e.reason:
        parts.append(t.voice("events.ballot_cast.reason", reason=e.reason))
    t.add(e.audience, "".join(parts))


@tells(ev.Tallied)
def _tallied(t: Telling, e: ev.Tallied) -> None:
    for text in tally_lines(t.voice, e.tally, e.ballots):
        t.add(e.audience, text)
    if e.ballots:
        head = t.voice("picture.tally", phase=t.phase(t.game.day, "day"))
        t.show(e.audience, pictures.tally(t.voice, t.public, head, e.tally, e.ballots))
    if any(Fraction(w) != list(e.ballots.values()).count(to) for to, w in e.tally.items()):
        weight = t.sheet.sheriff_weight
        t.say(e.audience, "events.tallied.sheriff", office="sheriff", sheriff_weight=weight)
    # Who takes the office, or that there is a tie, is said next.
    said_next = (ev.PresidentElected, ev.NobodyElected, ev.RunoffOpened)
    took = t.first(ev.SheriffTook)
    elected = took is not None and took.how == "elected"
    if t.game.decides == "sheriff" or elected or any(t.first(kind) for kind in said_next):
        return
    if e.target is None:
        t.say(e.audience, "events.tallied.nobody")
    else:
        t.say(e.audience, "events.tallied.executed", target=e.target)


def tally_lines(
    voice: Voice, tally: Mapping[int, str], ballots: Mapping[int, int | None]
) -> Iterable[str]:
    """Yield the lines of a tally: most first, with who voted for whom."""
    yield voice("events.tallied.head")
    for target, weight in sorted(tally.items(), key=lambda item: (-Fraction(item[1]), item[0])):
        voters = [voter for voter, named in ballots.items() if named == target]
        yield voice("events.tallied.line", target=target, weight=weight, seats=voters)
    abstained = [voter for voter, named in ballots.items() if named is None]
    if abstained:
        yield voice("events.tallied.abstained", seats=abstained)
    if not ballots:
        yield voice("events.tallied.none")


@tells(ev.RunoffOpened)
def _runoff_opened(t: Telling, e: ev.RunoffOpened) -> None:
    values: dict[str, Any] = {"seats": e.seats, "closes": e.closes, **t.votable()}
    if t.game.decides == "sheriff":
        t.say(e.audience, "events.runoff_opened.sheriff", office="sheriff", **values)
    else:
        t.say(e.audience, "events.runoff_opened.ballot", **values)


@tells(ev.IdiotRevealed)
def _idiot_revealed(t: Telling, e: ev.IdiotRevealed) -> None:
    t.say(e.audience, "events.idiot_revealed", seat=e.seat, role="idiot")


# --- shots, self-destruction ---------------------------------------------------------------------


@tells(ev.Shot)
def _shot(t: Telling, e: ev.Shot) -> None:
    t.say(e.audience, "events.shot", seat=e.seat, target=e.target)


@tells(ev.Exploded)
def _exploded(t: Telling, e: ev.Exploded) -> None:
    t.say(e.audience, "events.exploded.text", seat=e.seat)
    if t.game.decides in ("candidacy", "sheriff") and t.game.phase != "over":
        t.say(e.audience, "events.exploded.nobody", office="sheriff")


# --- posts, warnings, people ---------------------------------------------------------------------


@tells(ev.PostsAdjusted)
def _posts_adjusted(t: Telling, e: ev.PostsAdjusted) -> None:
    key = "add" if e.count > 0 else "take"
    t.say(
        e.audience,
        f"events.posts_adjusted.{key}",
        seat=e.seat,
        count=abs(e.count),
        posts=e.posts,
    )


@tells(ev.Reported)
def _reported(t: Telling, e: ev.Reported) -> None:
    said = t.voice("format.quote", text=block(e.text))
    key = f"events.reported.{e.what}"
    if e.what == "dead":
        t.say(ev.DIRECTORS, key, seat=e.seat, text=said)
        return
    t.say(ev.DIRECTORS, key, seat=e.seat, text=said, status="charmed")
    own = "sounds_reason" if e.what == "charmed_reason" else "sounds"
    t.say(ev.seat_audience(e.seat), f"events.reported.{own}", **t.sounds())


@tells(ev.CardTaken)
def _card_taken(t: Telling, e: ev.CardTaken) -> None:
    t.say(e.audience, "events.card_taken", seat=e.seat, colour=e.colour, held=t.held(e.seat))


@tells(ev.Unwarned)
def _unwarned(t: Telling, e: ev.Unwarned) -> None:
    t.say(e.audience, "events.unwarned", seat=e.seat, total=e.total)


@tells(ev.RuledOut)
def _ruled_out(t: Telling, e: ev.RuledOut) -> None:
    t.say(e.audience, "events.ruled_out", seat=e.seat, reason=e.reason)


@tells(ev.Muted)
def _muted(t: Telling, e: ev.Muted) -> None:
    if e.minutes:
        t.say(e.audience, "events.muted", seat=e.seat, minutes=e.minutes)
    else:
        t.say(e.audience, "events.unmuted", seat=e.seat)
    t.act(muted(t.game.seats[e.seat].account, e.minutes * 60))


@tells(ev.Announced)
def _announced(t: Telling, e: ev.Announced) -> None:
    t.say(e.audience, "events.announced", text=block(e.text))


@tells(ev.Reinstated)
def _reinstated(t: Telling, e: ev.Reinstated) -> None:
    if e.quiet:
        t.say(e.audience, "events.reinstated.own")
        return
    t.say(e.audience, "events.reinstated.ruling", seat=e.seat)
    t.say(f"seat:{e.seat}", "events.reinstated.you", number=e.seat)


@tells(ev.Replaced)
def _replaced(t: Telling, e: ev.Replaced) -> None:
    t.say(e.audience, "events.replaced", number=e.seat, name=e.name)


@tells(ev.Coached)
def _coached(t: Telling, e: ev.Coached) -> None:
    t.say(e.audience, "events.coached", name=e.name, seat=e.seat)


@tells(ev.PlayerLost)
def _player_lost(t: Telling, e: ev.PlayerLost) -> None:
    t.say(e.audience, f"events.player_lost.{e.how}", seat=e.seat)
    seat = t.game.seats[e.seat]
    if seat.alive:
        way = "red" if "cards" in t.sheet.mechanics else "rule_out"
        example = t.voice(f"events.player_lost.{way}", number=e.seat)
        key = "replaced" if seat.replaced else "replace"
        t.say(e.audience, f"events.player_lost.{key}", number=e.seat, example=example)


@tells(ev.PlayerBack)
def _player_back(t: Telling, e: ev.PlayerBack) -> None:
    t.say(e.audience, f"events.player_back.{e.how}", seat=e.seat)


@tells(ev.Watching)
def _watching(t: Telling, e: ev.Watching) -> None:
    key = f"events.watching.{t.sheet.spectators_see}"
    t.say(f"person:{e.account}", key, game=t.game.id)


@tells(ev.Unbound)
def _unbound(t: Telling, e: ev.Unbound) -> None:
    room = rooms.room(t.voice, e.channel)
    t.say(e.audience, "events.unbound", game=t.game.id, room=room, group=e.group)


@tells(ev.RoomChecked)
def _room_checked(t: Telling, e: ev.RoomChecked) -> None:
    right = e.known and not (e.strangers or e.missing or e.others)
    if right and e.channel == ev.DIRECTORS:
        # That is said in the room itself.
        return
    room = rooms.room(t.voice, e.channel)
    t.say(e.audience, "events.room_checked.head", game=t.game.id, room=room, group=e.group)
    if right:
        t.say(e.audience, "events.room_checked.right")
        return
    if not e.known:
        t.say(e.audience, "events.room_checked.unknown")
    if e.strangers:
        names = rooms.strangers(t.voice, t.game, e.strangers)
        t.say(e.audience, "events.room_checked.strangers", names=names)
    if e.others:
        t.say(e.audience, "events.room_checked.others")
    if e.missing:
        names = rooms.missing(t.voice, t.game, e.missing)
        t.say(e.audience, "events.room_checked.missing", names=names)
    t.say(e.audience, "events.room_checked.until")


@tells(ev.RoomOpened)
def _room_opened(t: Telling, e: ev.RoomOpened) -> None:
    key = e.channel if e.channel in (ev.DIRECTORS, ev.SPECTATORS) else "channel"
    t.say(e.audience, f"events.room_opened.{key}", game=t.game.id)


@tells(ev.RoomClosed)
def _room_closed(t: Telling, e: ev.RoomClosed) -> None:
    # The directors are told of it all, and who watches has nothing to say there.
    if e.channel not in (ev.DIRECTORS, ev.SPECTATORS):
        t.say(e.audience, "events.room_closed", group=e.group)
