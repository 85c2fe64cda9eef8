"""What a person, a director or the clock may ask of a Game.

Every command carries ``at``: the moment it was received, an aware datetime in UTC. Commands hold
seats (numbers), never accounts, except where a person has no seat yet. :class:`Refused` is the one
way in which a command is turned down; a refused command has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec


class Refused(Exception):
    """A command is turned down and nothing has changed.

    ``code`` names the reason (texts: ``refused.<code>``); ``values`` fill its text and hold only
    what the asker typed or may know.
    """

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.values: Mapping[str, Any] = values


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="command"):
    """Base of all commands. ``at``: when it was received (aware, UTC)."""

    at: datetime


# --- sign-up -------------------------------------------------------------------------------------


class CreateGame(Command, frozen=True, kw_only=True):
    """Open game number ``game`` in ``group`` with the whole sheet; the asker becomes director."""

    game: int
    group: str
    sheet: dict[str, Any]
    account: str
    name: str


class SignUp(Command, frozen=True, kw_only=True):
    """A person asks for a seat. ``games``: finished games on record (M84-49).

    ``from_card``: the name is what the group calls the person, not one of his choice.
    """

    account: str
    name: str
    games: int = 0
    from_card: bool = False


class Applicant(msgspec.Struct, frozen=True):
    """A person who waits for a seat. ``games``: finished games on record (M84-49)."""

    account: str
    name: str
    games: int = 0


class Enrol(Command, frozen=True, kw_only=True):
    """Those who waited for this game get on its list, in their order, as many as fit."""

    people: list[Applicant]


class SignOff(Command, frozen=True, kw_only=True):
    """A person who signed up steps back before the deal."""

    account: str


class Preset(msgspec.Struct, frozen=True):
    """Draws fixed beforehand instead of drawn (scenarios). ``random``: others, in order."""

    throne: list[int] | None = None
    numbers: list[int] | None = None
    cards: dict[int, int] | None = None
    random: list[int] = []


class Deal(Command, frozen=True, kw_only=True):
    """Deal the roles (K-01). ``seed``: secret hex text from which every draw of the game follows.

    ``roles`` (seat → role) fixes the deal; it need not obey the sheet's counts. ``by``: the
    director's account.
    """

    seed: str
    by: str = ""
    roles: dict[int, str] | None = None
    preset: Preset = Preset()


# --- the clock -----------------------------------------------------------------------------------


class Tick(Command, frozen=True, kw_only=True):
    """The clock: do what falls due first, not after ``at``.

    ``late``: seconds between the due moment and the real one (an outage); 0 when on time.
    """

    late: int = 0


# --- seats ---------------------------------------------------------------------------------------


class SeatCommand(Command, frozen=True, kw_only=True):
    """Base of what a seated player asks. ``seat``: the asker's number."""

    seat: int


class Post(SeatCommand, frozen=True, kw_only=True):
    """A message in the public channel that is no command (M84-45).

    ``text``: its words, without QQ's own faces. ``plain``: it holds nothing but words and faces.
    """

    text: str = ""
    plain: bool = True


class Say(SeatCommand, frozen=True, kw_only=True):
    """``密``: say ``text`` to the seat's own secret channel."""

    text: str


class Act(SeatCommand, frozen=True, kw_only=True):
    """Use an ability of the night on ``target`` (K-04, M84-20); ``None``: ``空刀``, no kill.

    ``ability``: faction_kill, lovers_kill, guard, ward, save, poison, inspect or charm.
    """

    ability: str
    target: int | None


class Withdraw(SeatCommand, frozen=True, kw_only=True):
    """``放弃``: take an order of tonight back, ``None``: all of them (M84-20)."""

    ability: str | None = None


class Link(SeatCommand, frozen=True, kw_only=True):
    """``恋 A B``: cupid's choice (M84-02)."""

    first: int
    second: int


class Petition(SeatCommand, frozen=True, kw_only=True):
    """``加速`` / ``延时``; ``None`` is ``撤回申请`` (M84-12)."""

    ask: Literal["speed_up", "delay"] | None


class NameHeirs(SeatCommand, frozen=True, kw_only=True):
    """``继任 N [N…]``: a sheriff who is out names heirs, the most wanted first (M84-41).

    None (``撕警徽``): nobody shall be, where the sheet allows it.
    """

    heirs: list[int]


class LastWords(SeatCommand, frozen=True, kw_only=True):
    """``遗言``: ``plain`` is false when there was an image, a mention or markup in it (M84-40)."""

    text: str
    plain: bool = True


class NameCrown(SeatCommand, frozen=True, kw_only=True):
    """``立王 A 备 B`` (K-05, K-06)."""

    first: int
    substitute: int | None = None


class Order(SeatCommand, frozen=True, kw_only=True):
    """``处决 N``: the king's execution order (K-09)."""

    target: int


class Confirm(SeatCommand, frozen=True, kw_only=True):
    """``确认``: do what was asked back (K-09, an order on oneself)."""


class Choose(SeatCommand, frozen=True, kw_only=True):
    """The king's choice of what follows the kingmaker (K-15)."""

    choice: str


class Stand(SeatCommand, frozen=True, kw_only=True):
    """``参选``: stand for president (K-42)."""


class StandDown(SeatCommand, frozen=True, kw_only=True):
    """``退水``: stand no more."""


class Ready(SeatCommand, frozen=True, kw_only=True):
    """``过``: nothing more to do in this stage of the night; all say so, or nobody need."""


class Shoot(SeatCommand, frozen=True, kw_only=True):
    """``开枪 N``: the hunter who is out takes a seat with him."""

    target: int


class Explode(SeatCommand, frozen=True, kw_only=True):
    """``自爆``: a werewolf gives itself up, and the day is over."""


class Abdicate(SeatCommand, frozen=True, kw_only=True):
    """``退位`` (K-18)."""


class Depose(SeatCommand, frozen=True, kw_only=True):
    """``罢黜`` with a voice; ``None`` is the bare word: it opens and is a voice for (K-19)."""

    voice: Literal["for", "against", "abstain"] | None = None


class Vote(SeatCommand, frozen=True, kw_only=True):
    """A ballot for ``target``, ``None`` to abstain (M84-14).

    ``proxy``: a director casts it for the seat (M84-17), ``by`` that account. ``plain``: as of a
    post, of the reason.
    """

    target: int | None
    reason: str = ""
    plain: bool = True
    proxy: bool = False
    by: str = ""


# --- directors -----------------------------------------------------------------------------------


class DirectorCommand(Command, frozen=True, kw_only=True):
    """Base of what a director asks. ``by``: the director's account."""

    by: str = ""


class Warn(DirectorCommand, frozen=True, kw_only=True):
    """``警告 N 理由`` (K-50)."""

    target: int
    reason: str


class Unwarn(DirectorCommand, frozen=True, kw_only=True):
    """``撤牌 N 警告``: one warning is taken back (K-50)."""

    target: int


class Card(DirectorCommand, frozen=True, kw_only=True):
    """``蓝牌`` / ``黄牌`` / ``红牌 N 理由`` (M84-42)."""

    target: int
    colour: Literal["blue", "yellow", "red"]
    reason: str


class TakeCard(DirectorCommand, frozen=True, kw_only=True):
    """``撤牌 N 颜色``: one card is taken back."""

    target: int
    colour: Literal["blue", "yellow", "red"]


class RuleLost(DirectorCommand, frozen=True, kw_only=True):
    """``判负 阵营 理由`` (M84-34)."""

    faction: str
    reason: str


class RuleOut(DirectorCommand, frozen=True, kw_only=True):
    """``判出局 N 理由`` (K-50, M84-39)."""

    target: int
    reason: str


class Reinstate(DirectorCommand, frozen=True, kw_only=True):
    """``撤判 N``: a seat that a director's slip has put out is in again (K-50)."""

    target: int


class Rewind(DirectorCommand, frozen=True, kw_only=True):
    """``回到 N``, ``撤销``: the game is as it was after event ``to``, counted from 1 (K-50)."""

    to: int


class AdjustPosts(DirectorCommand, frozen=True, kw_only=True):
    """``加水`` / ``扣水 N 数``: ``count`` is added, negative to take (M84-45)."""

    target: int
    count: int


class Mute(DirectorCommand, frozen=True, kw_only=True):
    """``禁言 N``: the group's own ban for 60 to 180 ``minutes`` (M84-46)."""

    target: int
    minutes: int


class Unmute(DirectorCommand, frozen=True, kw_only=True):
    """``解禁 N``: the group's own ban is lifted."""

    target: int


class CloseDay(DirectorCommand, frozen=True, kw_only=True):
    """``截票``: close the day now (K-27)."""


class SettleNight(DirectorCommand, frozen=True, kw_only=True):
    """``结算``: settle the night now."""


class OpenDay(DirectorCommand, frozen=True, kw_only=True):
    """``开楼``: open the day now (K-27)."""


class Extend(DirectorCommand, frozen=True, kw_only=True):
    """``延长``: move the deadline that ends the present phase by ``minutes`` (K-27)."""

    minutes: int


class Pause(DirectorCommand, frozen=True, kw_only=True):
    """``暂停`` (K-27)."""


class Resume(DirectorCommand, frozen=True, kw_only=True):
    """``继续`` (K-27)."""


class Announce(DirectorCommand, frozen=True, kw_only=True):
    """``公告``: a director's words to everyone."""

    text: str


class EndGame(DirectorCommand, frozen=True, kw_only=True):
    """``终局``: the game ends without a winner."""


class AddDirector(DirectorCommand, frozen=True, kw_only=True):
    """A further director (M84-50: nobody who is seated)."""

    account: str
    name: str


class Resign(DirectorCommand, frozen=True, kw_only=True):
    """``卸任``: a director is one no more."""

    account: str


class Bind(DirectorCommand, frozen=True, kw_only=True):
    """``绑定``: a QQ group becomes the room of a channel, of the directors or the spectators."""

    channel: str
    group: str


class Unbind(DirectorCommand, frozen=True, kw_only=True):
    """``解绑``: a channel has no room any more."""

    channel: str


class CheckRoom(Command, frozen=True, kw_only=True):
    """The client has said who is in a bound group, the bot itself left out.

    ``people``: account → name there; ``None``: it could not say. ``unnamed``: of these, who plays
    in another game: that they are in this group may be that game's secret.
    """

    channel: str
    group: str
    people: dict[str, str] | None
    unnamed: list[str] = []


class Watch(Command, frozen=True, kw_only=True):
    """``观战``: a person asks to watch. ``admitted``: a director lets him, the one ``by`` name."""

    account: str
    name: str
    admitted: bool = False
    by: str = ""


class StopWatching(Command, frozen=True, kw_only=True):
    """``退出观战``."""

    account: str


class Rename(Command, frozen=True, kw_only=True):
    """The group calls somebody so now."""

    account: str
    name: str


class Lose(Command, frozen=True, kw_only=True):
    """An account was seen to have ``left`` the public group, or is ``unreachable`` privately."""

    account: str
    how: Literal["left", "unreachable"]


class Regain(Command, frozen=True, kw_only=True):
    """An account is in the public group, or can be reached privately, again."""

    account: str
    how: Literal["left", "unreachable"]


class Replace(DirectorCommand, frozen=True, kw_only=True):
    """``替补 N @人``: another person takes the seat as it stands (M84-48)."""

    target: int
    account: str
    name: str
    games: int = 0
    from_card: bool = False


class Coach(DirectorCommand, frozen=True, kw_only=True):
    """``场助 N @人``: a coach for the seat's player (M84-49)."""

    target: int
    account: str
    name: str
