"""What has happened. Events are the truth: a Game is their fold.

``at`` is when it happened (aware, UTC); ``clause`` names the clause of the rules that caused it,
empty where a person did. ``audience`` says who may know of it as it happens:

    public · seat:N · channel:KEY · directors · spectators

Directors (who hold no seat) may read every event; once the game is over, everyone may.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

PUBLIC = "public"
DIRECTORS = "directors"
SPECTATORS = "spectators"

Notice = list[str | int | list[int]]


def seat_audience(seat: int) -> str:
    """The audience that is one seat."""
    return f"seat:{seat}"


def channel_audience(channel: str) -> str:
    """The audience that is one secret channel's living members."""
    return f"channel:{channel}"


def room_audience(channel: str) -> str:
    """The audience for which a QQ group can be bound: a secret channel's or one of a name."""
    return channel if channel in (DIRECTORS, SPECTATORS) else channel_audience(channel)


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="event",
    tag=_snake,
    omit_defaults=True,
):
    """Base of all events. ``begins``: it is the first of those that one command has caused."""

    at: datetime
    clause: str = ""
    begins: bool = False

    @property
    def audience(self) -> str:
        """Who may know of it as it happens."""
        return PUBLIC


class Hidden(Event, frozen=True):
    """Base of events that only directors see while the game runs."""

    @property
    def audience(self) -> str:
        return DIRECTORS


class ToDirectors(Event, frozen=True):
    """Base of events that directors are told of at once."""

    @property
    def audience(self) -> str:
        return DIRECTORS


class ToSeat(Event, frozen=True):
    """Base of events that one seat sees."""

    seat: int

    @property
    def audience(self) -> str:
        return seat_audience(self.seat)


class ToChannel(Event, frozen=True):
    """Base of events that one secret channel sees."""

    channel: str

    @property
    def audience(self) -> str:
        return channel_audience(self.channel)


# --- sign-up and deal ----------------------------------------------------------------------------


class Created(Event, frozen=True):
    """A game was opened; ``sheet`` is the whole rule sheet that it keeps to its end."""

    game: int
    group: str
    sheet: dict[str, Any]
    account: str
    name: str


class SignedUp(Event, frozen=True):
    """A person asked for a seat; ``queued``: before this game was opened.

    ``from_card``: by the name that the group gives him.
    """

    account: str
    name: str
    games: int = 0
    from_card: bool = False
    queued: bool = False


class SignedOff(Event, frozen=True):
    """A person gave the seat back before the deal."""

    account: str
    name: str = ""


class DirectorAdded(Event, frozen=True):
    """A further director."""

    account: str
    name: str


class DirectorLeft(Event, frozen=True):
    """A director is one no more."""

    account: str
    name: str


class Bound(Hidden, frozen=True):
    """A QQ group was bound as a channel, or as the directors' or spectators' room."""

    channel: str
    group: str


class Unbound(ToDirectors, frozen=True):
    """A QQ group is a room no more: what was said there goes privately again."""

    channel: str
    group: str


class Dealt(Hidden, frozen=True):
    """Roles were dealt; ``throne`` and ``numbers`` are the secret orders of K-01."""

    roles: dict[int, str]
    seed: str
    random: list[int] = []
    throne: list[int] = []
    numbers: list[int] = []


class Begun(Event, frozen=True):
    """The game has begun: everybody has a role (public, without any secret)."""

    players: int


class Directed(Hidden, frozen=True):
    """What follows at this moment, a director has asked for: the one with this account."""

    account: str


class Rewound(Event, frozen=True):
    """The game is as it was after event ``to``; those since then are undone, and stay in the log.

    ``account``: the director's. ``paused``: a deadline had gone by since, so the game stands still
    at that moment until a director lets it go on. ``directed`` and ``watched``: the accounts that
    had, before it; ``near``: account → the seats whose player or coach it had been. What they have
    seen can't be undone.
    """

    to: int
    account: str
    paused: datetime | None = None
    directed: list[str] = []
    watched: list[str] = []
    near: dict[str, list[int]] = {}


class Drawn(Hidden, frozen=True):
    """A draw by chance and what it gave."""

    what: str
    value: int


class Told(ToSeat, frozen=True):
    """A private notice; its kinds are those of the scenarios' ``told``."""

    notice: Notice


# --- the clock -----------------------------------------------------------------------------------


class Scheduled(Hidden, frozen=True):
    """The deadline of this kind is now ``due``; ``None``: there is none any more."""

    kind: str
    due: datetime | None


class Reminded(Hidden, frozen=True):
    """Those who owe something were reminded ``minutes`` before the deadline ``kind``.

    ``owed``: who was reminded of what, as [seat number or channel, what]; a reminder that came
    too late to be of use (an outage) names none.
    """

    kind: str
    minutes: int
    owed: list[list[str | int]] = []


class SettledLate(Event, frozen=True):
    """An outage: what fell due at ``at`` is settled as of then, ``late`` seconds afterwards."""

    kind: str
    late: int


class NightFell(Event, frozen=True):
    """Night ``day`` begins; it ends at ``opens``."""

    day: int
    opens: datetime


class DayOpened(Event, frozen=True):
    """Day ``day`` begins.

    ``decides``: what is decided at its close and how: order, ballot, sheriff or nobody. ``out``:
    who went out since the last opening, in order. ``longer``: why it is a day longer (weekend or
    holiday), empty if it isn't.
    """

    day: int
    decides: str
    closes: datetime
    out: list[int] = []
    accelerated: bool = False
    longer: str = ""


class DayTurned(Event, frozen=True):
    """Midway, how this day decides has changed (K-11, K-18)."""

    decides: str


class DayClosed(Event, frozen=True):
    """The day has closed, by the clock or a director, or by the king's order."""

    day: int


class Forced(Event, frozen=True):
    """A director ended ``link``, ``candidacy``, ``close``, ``settle``, ``open`` by hand (K-27)."""

    what: str


class Extended(Event, frozen=True):
    """The deadline ``kind`` moved by ``minutes`` to ``due`` (K-27)."""

    kind: str
    minutes: int
    due: datetime


class Paused(Event, frozen=True):
    """The game stands still (K-27)."""


class Resumed(Event, frozen=True):
    """The game goes on; everything reckoned by the clock moved by ``seconds`` (K-27)."""

    seconds: float


# --- going out, losing, winning ------------------------------------------------------------------


class Departed(Hidden, frozen=True):
    """A seat is out. Public is only :class:`OutAnnounced`; ``announce``: that follows at once.

    ``words``: it is among the first to go, who may leave last words (M84-40).
    """

    seat: int
    cause: str
    announce: bool = True
    words: bool = False


class OutAnnounced(Event, frozen=True):
    """A seat is announced out, with what is shown of its role and cause (empty: not shown)."""

    seat: int
    role: str = ""
    cause: str = ""


class FactionLost(Hidden, frozen=True):
    """A faction has lost; not announced while the game runs."""

    faction: str


class GameOver(Event, frozen=True):
    """The game is over; ``winner``: a faction, ``draw``, or empty when a director ended it."""

    winner: str


class RuledLost(Hidden, frozen=True):
    """A director ruled a faction lost (M84-34)."""

    faction: str
    reason: str


# --- abilities of the night ----------------------------------------------------------------------


class ChannelOpened(Hidden, frozen=True):
    """A secret channel opens with these members."""

    channel: str
    members: list[int]


class KillNamed(ToChannel, frozen=True):
    """The channel's kill now stands on ``target`` (``None``: no kill), set by ``seat``."""

    seat: int
    target: int | None
    ability: str = "faction_kill"


class KillVoided(ToChannel, frozen=True):
    """The channel's kill that stood is void (K-20, M84-35)."""

    ability: str = "faction_kill"


class Acted(ToSeat, frozen=True):
    """A seat's order for tonight now stands."""

    ability: str
    target: int


class Withdrawn(ToSeat, frozen=True):
    """A seat's order for tonight no longer stands."""

    ability: str


class HourEnded(Hidden, frozen=True):
    """The night's first hour is over: nothing but the witch's answer can change (M84-20)."""


class NightGoesOn(Event, frozen=True):
    """The next stage of a night begins, at whose end everybody is waited for again (C-21)."""


class NightSettled(Hidden, frozen=True):
    """The night is settled by these orders: [ability, seat or channel, target or None]."""

    night: int
    actions: list[list[str | int | None]]


class AbilityLost(Hidden, frozen=True):
    """A seat has an ability no more."""

    seat: int
    ability: str


class AbilityGained(Hidden, frozen=True):
    """A seat has an ability from now on."""

    seat: int
    ability: str


class Charmed(Hidden, frozen=True):
    """A seat is charmed (M84-28)."""

    seat: int


class CharmsEnded(Hidden, frozen=True):
    """The piper is out: nobody is charmed any more (M84-33)."""


class CharmedAnnounced(Event, frozen=True):
    """Who was newly charmed (M84-30)."""

    seats: list[int]


# --- lovers --------------------------------------------------------------------------------------


class Linked(Hidden, frozen=True):
    """Two seats are lovers; ``drawn``: cupid was silent (M84-02)."""

    first: int
    second: int
    drawn: bool = False


class FactionChanged(Hidden, frozen=True):
    """A seat is of another faction (M84-03)."""

    seat: int
    faction: str


# --- sheriff -------------------------------------------------------------------------------------


class SheriffTook(Event, frozen=True):
    """A seat is sheriff; ``how``: elected, drawn or named. ``public``: announced at once."""

    seat: int
    how: str
    public: bool = True

    @property
    def audience(self) -> str:
        return PUBLIC if self.public else DIRECTORS


class SheriffAnnounced(Event, frozen=True):
    """Who is sheriff, if it was not announced when he took office."""

    seat: int


class SheriffVacated(Hidden, frozen=True):
    """The sheriff is out; an heir takes office at ``until``, ``None``: at once."""

    seat: int
    until: datetime | None = None


class HeirsNamed(ToSeat, frozen=True):
    """The heirs that a sheriff who is out wants, the most wanted first (M84-41)."""

    heirs: list[int]


# --- last words ----------------------------------------------------------------------------------


class LastWordsLeft(ToSeat, frozen=True):
    """A seat's last words as they now stand (M84-40)."""

    text: str


class LastWordsPublished(Event, frozen=True):
    """A seat's last words (M84-30)."""

    seat: int
    text: str


# --- petitions -----------------------------------------------------------------------------------


class Petitioned(Event, frozen=True):
    """A seat asks for speed_up or delay, or (empty) no more (M84-12)."""

    seat: int
    ask: str


class PetitionChecked(Event, frozen=True):
    """The day's petitions were counted; ``result``: speed_up, delay or empty."""

    result: str
    speed_up: int
    delay: int
    living: int
    closes: datetime


# --- the secret channels' talk -------------------------------------------------------------------


class Whispered(ToChannel, frozen=True):
    """A member said something in the secret channel."""

    seat: int
    text: str


# --- crown and regime ----------------------------------------------------------------------------


class CrownNamed(ToSeat, frozen=True):
    """The kingmaker's choice of king now stands (K-05)."""

    first: int
    substitute: int | None


class CrownSettled(Hidden, frozen=True):
    """How the king was found: ``first``, ``substitute`` or ``throne`` (K-08). Never published."""

    seat: int
    how: str


class Crowned(Event, frozen=True):
    """A seat is king."""

    seat: int


class ReignEnded(Event, frozen=True):
    """The king's reign is over."""

    seat: int


class OrderAsked(ToSeat, frozen=True):
    """The king named himself and is asked to confirm it (K-09)."""


class Ordered(Event, frozen=True):
    """The king ordered the execution of ``target`` (K-09)."""

    seat: int
    target: int


class KingmakerMade(Hidden, frozen=True):
    """A seat is the kingmaker from now on (K-16)."""

    seat: int


class KingmakerFollowed(Event, frozen=True):
    """There is a new kingmaker; who it is stays hidden (K-30, K-45)."""


class CardsDrawn(Hidden, frozen=True):
    """The cards of the town: the living seat with the highest is kingmaker (K-45)."""

    cards: dict[int, int]


class Reflected(Event, frozen=True):
    """The king ordered the hero's execution and dies in his place (K-33)."""

    seat: int
    king: int


class RegimeAhead(Event, frozen=True):
    """By day the king chose what begins at that day's close (K-44)."""

    regime: str
    seat: int


class Stood(Event, frozen=True):
    """A seat stands for president (K-42)."""

    seat: int


class StoodDown(Event, frozen=True):
    """A seat stands no more."""

    seat: int


class NobodyElected(Event, frozen=True):
    """An election without a result: nobody is sheriff."""


class PresidentElected(Event, frozen=True):
    """A seat is president for the day (K-42); ``None``: nobody is."""

    seat: int | None


class KingmakerGone(Hidden, frozen=True):
    """The kingmaker is out and somebody will have to choose what follows (K-14)."""

    seat: int


class ChoiceOpened(Event, frozen=True):
    """The king who gave the order must choose until ``due`` (K-14)."""

    seat: int
    due: datetime


class Chosen(Event, frozen=True):
    """What follows the kingmaker; ``by_default``: nobody chose in time (K-15)."""

    choice: str
    seat: int | None = None
    by_default: bool = False


class RegimeChanged(Event, frozen=True):
    """The regime is another (K-22). ``king``: who holds the title under it, if anyone."""

    regime: str
    king: int | None = None


class Abdicated(Event, frozen=True):
    """The dictator stepped down (K-18)."""

    seat: int


class DeposeOpened(Event, frozen=True):
    """A vote to depose the dictator runs until ``due``; the opening moves to ``opens`` (K-20)."""

    seat: int
    due: datetime
    opens: datetime


class DeposeVoiced(Event, frozen=True):
    """A seat's voice in the depose vote: for, against or abstain (K-19)."""

    seat: int
    voice: str


class DeposeClosed(Event, frozen=True):
    """The depose vote is over; ``result``: passed, failed, or dropped without one."""

    result: str
    votes_for: int
    living: int


# --- ballots -------------------------------------------------------------------------------------


class BallotCast(Event, frozen=True):
    """A ballot now stands; ``target`` ``None``: abstains. ``change``: it used the one change."""

    seat: int
    target: int | None
    reason: str = ""
    change: bool = False
    proxy: bool = False


class BallotDropped(Hidden, frozen=True):
    """A ballot falls away: its voter went out (``void`` false) or its target did (K-24)."""

    seat: int
    void: bool


class Tallied(Event, frozen=True):
    """The vote is counted: weights as decimal text, every ballot, and who is out by it."""

    tally: dict[int, str]
    ballots: dict[int, int | None]
    reasons: dict[int, str]
    target: int | None


class RunoffOpened(Event, frozen=True):
    """A tie: those not in it vote again between ``seats`` until ``closes``."""

    seats: list[int]
    closes: datetime


class IdiotRevealed(Event, frozen=True):
    """The idiot was voted out, shows his card and stays, without a vote from now on."""

    seat: int


# --- shots, self-destruction, pace ---------------------------------------------------------------


class ShotGiven(Hidden, frozen=True):
    """A hunter who is out may shoot."""

    seat: int


class Shot(Event, frozen=True):
    """The hunter shoots."""

    seat: int
    target: int


class ShotLapsed(Hidden, frozen=True):
    """The hunter did not shoot in time."""

    seat: int


class Exploded(Event, frozen=True):
    """A werewolf gave itself up; the day is over."""

    seat: int


class ReadySaid(ToSeat, frozen=True):
    """A seat has nothing more to do in this stage."""


# --- attendance, warnings ------------------------------------------------------------------------


class Posted(Event, frozen=True):
    """A post in the public channel that counts; its text is kept as it arrived."""

    seat: int
    text: str = ""


class PostsAdjusted(Event, frozen=True):
    """A director added or took posts; ``posts`` is what now stands."""

    seat: int
    count: int
    posts: int


class Reported(Hidden, frozen=True):
    """Something for the directors to judge, with its text.

    ``what``: dead (an out seat spoke in public, M84-47), charmed (a charmed seat used other than
    the sounds, M84-31) or charmed_reason (in a ballot's reason).
    """

    seat: int
    what: str
    text: str


class StreaksCounted(Hidden, frozen=True):
    """For how many such days running each seat had too few posts (M84-43)."""

    streaks: dict[int, int]


class Warned(Event, frozen=True):
    """A seat has ``count`` more warnings.

    ``why``: posts, no_order, no_ballot, no_crown or director (then with ``reason``). A crown that
    was not named is told to its kingmaker alone.
    """

    seat: int
    count: int
    total: int
    why: Literal["posts", "no_order", "no_ballot", "no_crown", "director"]
    reason: str = ""

    @property
    def audience(self) -> str:
        return seat_audience(self.seat) if self.why == "no_crown" else PUBLIC


class Unwarned(Event, frozen=True):
    """One warning was taken back; ``total`` stands."""

    seat: int
    total: int


# --- cards ---------------------------------------------------------------------------------------


class Carded(Event, frozen=True):
    """A seat got a card. ``why``: director (with ``reason``), posts, streak or no_ballot."""

    seat: int
    colour: str
    why: str
    reason: str = ""


class CardsMerged(Event, frozen=True):
    """Three cards of one colour have become one of the next (M84-42)."""

    seat: int
    colour: str
    into: str


class CardsSplit(Event, frozen=True):
    """A card that three of a colour had become is those three again, so that one can be taken."""

    seat: int
    colour: str
    into: str


class CardTaken(Event, frozen=True):
    """A director took a card back."""

    seat: int
    colour: str


class RedSettled(Hidden, frozen=True):
    """A red card has had its step (M84-44, M84-52)."""

    seat: int


# --- people --------------------------------------------------------------------------------------


class RuledOut(Event, frozen=True):
    """A director ruled a seat out."""

    seat: int
    reason: str


class Reinstated(Event, frozen=True):
    """A director took back what had put a seat out, by ``cause``: it is in again, as it was.

    ``quiet``: nobody else has heard that it was out, so nobody hears that it is not; its red card
    waits again, as that of any seat would of which it is not known whether it is out.
    """

    seat: int
    cause: str
    quiet: bool = False

    @property
    def audience(self) -> str:
        return seat_audience(self.seat) if self.quiet else PUBLIC


class Muted(Event, frozen=True):
    """A director silenced a seat in the group for ``minutes``; 0: may speak again."""

    seat: int
    minutes: int


class Announced(Event, frozen=True):
    """A director's words to everyone."""

    text: str


class Replaced(Event, frozen=True):
    """Another person sits on the seat from now on."""

    seat: int
    account: str
    name: str
    games: int = 0
    from_card: bool = False


class Coached(Event, frozen=True):
    """The seat's player has a coach."""

    seat: int
    account: str
    name: str


class Renamed(Event, frozen=True):
    """The group calls a player by another name; the seat follows the account."""

    account: str
    name: str


class PlayerLost(ToDirectors, frozen=True):
    """A seat's player can't be had: ``left`` the public group, or ``unreachable`` privately."""

    seat: int
    how: str


class PlayerBack(ToDirectors, frozen=True):
    """A player who could not be had can be again."""

    seat: int
    how: str


class Watching(Event, frozen=True):
    """A person watches the game as a spectator."""

    account: str
    name: str


class WatchingEnded(Event, frozen=True):
    """A spectator watches no more."""

    account: str
    name: str


# --- rooms: QQ groups that are bound -------------------------------------------------------------


class RoomChecked(ToDirectors, frozen=True):
    """Who was found in a bound group is not as it was when this was last looked at.

    ``strangers``: account → name of those who don't belong; ``missing``: the accounts of those who
    do and are not there. ``known``: whether the client could say who is there at all. ``others``:
    there are also players of another game, who are not named.
    """

    channel: str
    group: str
    strangers: dict[str, str] = {}
    missing: list[str] = []
    known: bool = True
    others: bool = False


class RoomOpened(Event, frozen=True):
    """Exactly those who belong are in the group: what is theirs is said there from now on."""

    channel: str
    group: str

    @property
    def audience(self) -> str:
        return room_audience(self.channel)


class RoomClosed(Event, frozen=True):
    """The group is not theirs alone any more: what is theirs is said to each privately."""

    channel: str
    group: str

    @property
    def audience(self) -> str:
        return room_audience(self.channel)


def _leaves(base: type[Event]) -> list[type[Event]]:
    subclasses = base.__subclasses__()
    if not subclasses:
        return [base]
    return [leaf for subclass in subclasses for leaf in _leaves(subclass)]


EVENTS: tuple[type[Event], ...] = tuple(_leaves(Event))
"""Every concrete event type."""
