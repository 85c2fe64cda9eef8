"""What is said because something has happened: events in, messages by audience out.

A text goes to its event's own audience and to no other. The exceptions are few and all here: a
reminder reaches those whom it names (and, for the king's order, which is no secret, the group), and
a seat that is out and speaks in public is reported to the directors. Other hidden events are
silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, TypeVar

from data.message import Message
from data.sentences import Rendered, Voice, block
from engine import events as ev
from engine import view
from engine.game import Game

E = TypeVar("E", bound=ev.Event)

_TELLERS: dict[type[ev.Event], Callable[[Telling, Any], None]] = {}

SILENT: frozenset[type[ev.Event]] = frozenset(
    {
        # Only the director's record has these.
        *(ev.Bound, ev.Dealt, ev.Drawn, ev.Scheduled, ev.Departed, ev.FactionLost),
        *(ev.CrownSettled, ev.KingmakerMade, ev.KingmakerGone, ev.BallotDropped),
        # A post is said by its player.
        ev.Posted,
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
        self._acts: list[Message] = []
        self._public: dict[str, Any] | None = None

    def messages(self) -> list[Message]:
        """Tell everything; return one text an audience, in the order of their first lines."""
        for kind, run in groupby(self.events, type):
            if kind is ev.Warned:
                self._warnings([e for e in run if isinstance(e, ev.Warned)])
                continue
            for event in run:
                if kind not in SILENT:
                    _TELLERS[kind](self, event)
        texts = [
            Message(audience, "\n".join([*self._heads.get(audience, ()), *lines]).strip("\n"))
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

    def gap(self, audience: str) -> None:
        """Leave a line empty, if something was said before."""
        if self._lines.get(audience):
            self._lines[audience].append("")

    def act(self, message: Message) -> None:
        """Ask the chat for something that is no text."""
        self._acts.append(message)

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

    # --- warnings: many at once are one line ----------------------------------------------------

    def _warnings(self, run: list[ev.Warned]) -> None:
        def alike(event: ev.Warned) -> tuple[str, int, str]:
            return event.why, event.count, event.reason

        for (why, count, reason), warned in groupby(run, alike):
            group = list(warned)
            if why == "no_crown":
                for event in group:
                    self.say(
                        event.audience,
                        "events.warned.no_crown",
                        count=count,
                        total=event.total,
                        warnings_out=self.sheet.warnings_out,
                    )
                continue
            seats = self.voice.join(
                self.voice("events.warned.item", seat=event.seat, total=event.total)
                for event in group
            )
            values: dict[str, Any] = {"count": count, "seats": seats}
            if why == "posts":
                values["posts_min"] = self.sheet.posts_min
            if why == "director":
                values["reason"] = reason
            self.say(group[0].audience, f"events.warned.{why}", **values)


def examples(game: Game | None, *but: int | None) -> dict[str, str]:
    """Return ``someone`` and ``other``: seats for an example, none announced out or in ``but``."""
    seats = [] if game is None else [n for n, seat in game.seats.items() if not seat.announced]
    free = [number for number in seats if number not in but] + [3, 5]
    return {"someone": str(free[0]), "other": str(next(n for n in free if n != free[0]))}


def deadlines(voice: Voice, dues: Iterable[Sequence[Any]]) -> Rendered:
    """Return deadlines, [due, kind] each, in one line."""
    return voice.join(voice("format.deadline", due=due, deadline=kind) for due, kind in dues)


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
        min=t.public["players_min"],
        max=t.public["players_max"],
    )


@tells(ev.SignedUp)
def _signed_up(t: Telling, e: ev.SignedUp) -> None:
    count = len(t.game.signups)
    missing = t.public["players_min"] - count
    if missing > 0:
        t.say(e.audience, "events.signed_up.short", name=e.name, count=count, missing=missing)
    else:
        t.say(e.audience, "events.signed_up.enough", name=e.name, count=count)


@tells(ev.SignedOff)
def _signed_off(t: Telling, e: ev.SignedOff) -> None:
    t.say(e.audience, "events.signed_off", count=len(t.game.signups))


@tells(ev.DirectorAdded)
def _director_added(t: Telling, e: ev.DirectorAdded) -> None:
    t.say(e.audience, "events.director_added", name=e.name)


@tells(ev.Begun)
def _begun(t: Telling, e: ev.Begun) -> None:
    title = t.voice.theme.title
    t.say(e.audience, "events.begun", game=t.game.id, title=title, players=e.players)


@tells(ev.Told)
def _told(t: Telling, e: ev.Told) -> None:
    kind = e.notice[0]
    if kind == "role":
        t.say(e.audience, "told.role", **role_values(t.voice, t.game, e.seat))
        t.say(
            e.audience,
            "told.now",
            phase=t.phase(t.game.day, t.game.phase),
            deadlines=t.deadlines(),
        )
    elif kind == "partners":
        if e.notice[1]:
            t.say(e.audience, "told.partners", seats=e.notice[1])
        else:
            t.say(e.audience, "told.alone")
    elif kind == "kingmaker":
        t.say(e.audience, "told.kingmaker", **t.examples(e.seat, t.game.crown.last_king))
    elif kind in ("choice_wanted", "out"):
        t.say(e.audience, f"told.{kind}")
    elif e.notice == ["void", "ballot"]:
        t.say(e.audience, "told.void.ballot", **t.examples(e.seat))
    elif kind == "faction" or e.notice == ["void", "faction_kill"]:
        pass  # the role's text names the faction; KillVoided tells the channel
    else:
        raise ValueError("a notice without a text")


def role_values(voice: Voice, game: Game, seat: int) -> dict[str, Any]:
    """Return what the role card of a seat is filled with."""
    role = game.seats[seat].role
    some = examples(game, seat)
    return {
        "game": game.id,
        "title": voice.theme.title,
        "seat": seat,
        "role": role,
        "faction": game.seats[seat].faction,
        "card": voice(f"told.card.{role}", **some),
    }


# --- the clock -----------------------------------------------------------------------------------

# Deadlines can fall on one instant (close and attendance): what is owed is named with its own.
_DEADLINE_OF = {
    "faction_kill": "open",
    "crown": "open",
    "order": "close",
    "ballot": "close",
    "choice": "choice",
}


@tells(ev.Reminded)
def _reminded(t: Telling, e: ev.Reminded) -> None:
    due = t.due[e.kind]
    for who, what in e.owed:
        if _DEADLINE_OF[str(what)] != e.kind:
            continue
        audience = ev.seat_audience(who) if isinstance(who, int) else ev.channel_audience(who)
        seat = who if isinstance(who, int) else None
        some = t.examples(seat, t.game.crown.last_king if what == "crown" else None)
        t.say(audience, f"remind.{what}", left=e.minutes, due=due, **some)
        if what == "order":
            t.say(ev.PUBLIC, "remind.order_public", left=e.minutes, due=due, seat=who)


@tells(ev.SettledLate)
def _settled_late(t: Telling, e: ev.SettledLate) -> None:
    t.head(e.audience, "events.settled_late", late=e.late, due=e.at, kind=e.kind)


@tells(ev.NightFell)
def _night_fell(t: Telling, e: ev.NightFell) -> None:
    t.gap(e.audience)
    t.say(e.audience, "events.night_fell.head", phase=t.phase(e.day, "night"))
    crowns = t.public["regime"] == "monarchy" and not _choice_ahead(t)
    if t.first(ev.ChoiceOpened) is not None:
        crowns = False
    t.say(e.audience, f"events.night_fell.{'crown' if crowns else 'kill'}", opens=e.opens)
    if e.day == 0:
        t.say(e.audience, "events.night_fell.first")
    _posts_due(t, e.audience, "events.night_fell.posts")
    _may_depose(t, e.audience)


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
    if t.first(ev.OutAnnounced) is None:
        t.head(e.audience, "events.day_opened.peace")
    king = t.public["king"]
    if e.decides == "order":
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
    elif e.decides == "ballot":
        t.say(
            e.audience,
            "events.day_opened.ballot",
            closes=e.closes,
            cutoff=e.closes - timedelta(minutes=t.sheet.change_cutoff_minutes),
            no_ballot_warnings=t.sheet.no_ballot_warnings,
            **t.examples(),
        )
    else:
        t.say(e.audience, "events.day_opened.nobody", closes=e.closes)
    _posts_due(t, e.audience, "events.day_opened.posts")


@tells(ev.DayTurned)
def _day_turned(t: Telling, e: ev.DayTurned) -> None:
    closes = t.due["close"]
    if e.decides == "ballot":
        t.say(e.audience, "events.day_turned.ballot", closes=closes, **t.examples())
    else:
        t.say(e.audience, "events.day_turned.nobody", closes=closes)


@tells(ev.DayClosed)
def _day_closed(t: Telling, e: ev.DayClosed) -> None:
    t.head(e.audience, "events.day_closed", day=e.day)


@tells(ev.Forced)
def _forced(t: Telling, e: ev.Forced) -> None:
    t.head(e.audience, f"events.forced.{e.what}")


@tells(ev.Extended)
def _extended(t: Telling, e: ev.Extended) -> None:
    t.say(e.audience, "events.extended", kind=e.kind, minutes=e.minutes, due=e.due)


@tells(ev.Paused)
def _paused(t: Telling, e: ev.Paused) -> None:
    t.say(e.audience, "events.paused")


@tells(ev.Resumed)
def _resumed(t: Telling, e: ev.Resumed) -> None:
    t.say(e.audience, "events.resumed.text", seconds=e.seconds)
    t.say(e.audience, "events.resumed.next", deadlines=t.deadlines())


# --- going out, winning --------------------------------------------------------------------------


@tells(ev.OutAnnounced)
def _out_announced(t: Telling, e: ev.OutAnnounced) -> None:
    shown = {key: value for key, value in (("role", e.role), ("cause", e.cause)) if value}
    key = "both" if len(shown) == 2 else next(iter(shown), "bare")
    t.say(e.audience, f"events.out_announced.{key}", seat=e.seat, **shown)


@tells(ev.GameOver)
def _game_over(t: Telling, e: ev.GameOver) -> None:
    t.gap(e.audience)
    if e.winner == "draw":
        t.say(e.audience, "events.game_over.draw")
    elif e.winner:
        t.say(e.audience, "events.game_over.won", winner=e.winner)
    else:
        t.say(e.audience, "events.game_over.stopped")
    if t.game.seats:
        _disclose(t, e.audience)
    t.say(e.audience, "events.game_over.thanks")


def _disclose(t: Telling, audience: str) -> None:
    """Publish everything: roles, who was kingmaker when, the secret orders (M84-37)."""
    t.say(audience, "events.game_over.roles")
    for number, seat in t.game.seats.items():
        if seat.alive:
            t.say(audience, "events.game_over.alive", seat=number, role=seat.role)
        else:
            t.say(audience, "events.game_over.out", seat=number, role=seat.role, cause=seat.cause)
    everything = view.director_view(t.game)
    if everything["throne"]:
        t.say(audience, "events.game_over.kingmakers", seats=kingmakers(t.game))
        t.say(audience, "events.game_over.throne", seats=everything["throne"])
        t.say(audience, "events.game_over.numbers", seats=everything["numbers"])


def kingmakers(game: Game) -> list[int]:
    """Return who was kingmaker, first to last: one follows only when the one before is out."""
    were = {number for number, seat in game.seats.items() if seat.role == "kingmaker"}
    were |= {number for number, seat in game.seats.items() if ["kingmaker"] in seat.told}
    return [n for n in game.out if n in were] + [n for n in sorted(were) if n not in game.out]


# --- kill ----------------------------------------------------------------------------------------


@tells(ev.KillNamed)
def _kill_named(t: Telling, e: ev.KillNamed) -> None:
    opens = t.due["open"]
    if e.target is None:
        some = t.examples(e.seat)
        t.say(e.audience, "events.kill_named.none", seat=e.seat, opens=opens, **some)
    else:
        t.say(e.audience, "events.kill_named.target", seat=e.seat, target=e.target, opens=opens)


@tells(ev.KillVoided)
def _kill_voided(t: Telling, e: ev.KillVoided) -> None:
    opened = t.first(ev.DeposeOpened)
    if opened is None:
        raise ValueError("a kill is void without a vote to depose")
    t.say(e.audience, "events.kill_voided", due=opened.due)


@tells(ev.Whispered)
def _whispered(t: Telling, e: ev.Whispered) -> None:
    t.say(e.audience, "events.whispered", seat=e.seat, text=block(e.text))


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
    if e.target is None:
        t.say(e.audience, "events.tallied.nobody")
    else:
        t.say(e.audience, "events.tallied.executed", target=e.target)


def tally_lines(
    voice: Voice, tally: dict[int, str], ballots: dict[int, int | None]
) -> Iterable[str]:
    """Yield the lines of a tally: most first, with who voted for whom."""
    yield voice("events.tallied.head")
    for target, weight in sorted(tally.items(), key=lambda item: (-float(item[1]), item[0])):
        voters = [voter for voter, named in ballots.items() if named == target]
        yield voice("events.tallied.line", target=target, weight=weight, seats=voters)
    abstained = [voter for voter, named in ballots.items() if named is None]
    if abstained:
        yield voice("events.tallied.abstained", seats=abstained)
    if not ballots:
        yield voice("events.tallied.none")


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


@tells(ev.DeadSpoke)
def _dead_spoke(t: Telling, e: ev.DeadSpoke) -> None:
    said = t.voice("format.quote", text=block(e.text))
    t.say(ev.DIRECTORS, "events.dead_spoke", seat=e.seat, text=said)


@tells(ev.Unwarned)
def _unwarned(t: Telling, e: ev.Unwarned) -> None:
    t.say(e.audience, "events.unwarned", seat=e.seat, total=e.total)


@tells(ev.RuledOut)
def _ruled_out(t: Telling, e: ev.RuledOut) -> None:
    t.say(e.audience, "events.ruled_out", seat=e.seat, reason=e.reason)


@tells(ev.Muted)
def _muted(t: Telling, e: ev.Muted) -> None:
    t.say(e.audience, "events.muted", seat=e.seat, minutes=e.minutes)
    account = t.game.seats[e.seat].account
    arguments = {"account": account, "seconds": e.minutes * 60}
    t.act(Message(e.audience, "", "mute", arguments))


@tells(ev.Announced)
def _announced(t: Telling, e: ev.Announced) -> None:
    t.say(e.audience, "events.announced", text=block(e.text))


@tells(ev.Replaced)
def _replaced(t: Telling, e: ev.Replaced) -> None:
    t.say(e.audience, "events.replaced", number=e.seat, name=e.name)


@tells(ev.Coached)
def _coached(t: Telling, e: ev.Coached) -> None:
    t.say(e.audience, "events.coached", name=e.name, seat=e.seat)
