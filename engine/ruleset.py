"""The rule sheet, typed and validated.

A sheet picks mechanics, counts, the order of settlement, the clock and every parameter that a
clause names. It is plain data: read from TOML, kept whole in the first event of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec


class SheetError(ValueError):
    """A sheet is wrong.

    ``key``: the path of the wrong value. ``code`` and ``values``: what belongs there; as with
    Refused, the sentence is made elsewhere. ``base``: the sheet that the value was taken from, if
    it is not the file's own.
    """

    def __init__(self, key: str, code: str, **values: Any) -> None:
        super().__init__(f"{key}: {code} {values}" if values else f"{key}: {code}")
        self.key = key
        self.code = code
        self.values = values
        self.base = ""


Choice = Literal["dictatorship", "constitution", "grant", "republic", "democracy"]
Cause = Literal[
    "kill",
    "poison",
    "vote",
    "shot",
    "lover",
    "exploded",
    "order",
    "reflected",
    "warnings",
    "red_card",
    "ruled",
]


class RoleRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a role is dealt. ``count``: a number, a table (players at least → number), or "rest"."""

    count: int | dict[str, int] | Literal["rest"]
    faction: str = ""
    abilities: list[str] = []


class Losing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to lose: all seats of the faction out, or some of its ``roles``, or a ``channel``'s.

    Only seats that are of the faction now count; a channel's members of any time do.
    """

    roles: list[str] = []
    channel: str = ""


class Winning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to win besides being the last: ``half`` of the living, or charmed seats.

    ``everyone``: every living seat but the faction's own is charmed. ``charmed``: some roles are.

    Charmed: every living seat of these roles, and of ``with_faction``, that is no lover.
    """

    half: bool = False
    everyone: bool = False
    charmed: list[str] = []
    with_faction: str = ""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rule sheet. Times of day are ``HH:MM`` in ``zone``; spans are minutes.

    ``title``: what the board is called, if not as its theme is.
    """

    key: str
    title: str = ""
    theme: str
    zone: str = "Asia/Shanghai"
    players_min: int
    players_max: int
    players: int | None = None
    roles: dict[str, RoleRule]
    factions: list[str]
    mechanics: list[str]
    night_steps: list[str]
    close_steps: list[str]
    open_steps: list[str] = []
    attendance_steps: list[str] = []
    clauses: dict[str, str] = {}

    lose: dict[str, list[Losing]]
    win: dict[str, list[Winning]] = {}
    victory_order: list[str] = []

    clock: Literal["calendar", "span"] = "calendar"
    pace: Literal["fixed", "ready"] = "fixed"
    first_phase: Literal["night", "day"] = "night"
    open: str = "08:00"
    close: str = "21:00"
    day_minutes: int = 0
    day_min_minutes: int = 240
    reminders: list[int] = msgspec.field(default_factory=lambda: [60, 10])

    # the calendar of M84: a day of so many dates, longer over weekends and holidays; 0: one close
    day_length: int = 0
    holidays: list[str] = []
    accelerate_at_alive: int = 0
    petition_lead_minutes: int = 180
    # the stages of a night: orders, then the witch; 0: the night is settled at its opening
    night_minutes: int = 0
    witch_minutes: int = 0
    # secret channels: key → the role that is in it; what they do together
    channels: dict[str, str] = {}
    channel_abilities: dict[str, str] = {}
    # lovers
    lovers_kill_after: str = ""
    setup_minutes: int = 60
    link_self: bool = True
    follower_announced: Literal["at_once", "opening"] = "at_once"
    # sheriff
    sheriff_election: Literal["ballot", "candidates"] = "ballot"
    sheriff_weight: str = "1.5"
    heir_minutes: int = 10
    heir_silent: Literal["random", "none"] = "random"
    candidacy_minutes: int = 0
    # what holds a kill, and how often
    guard_again: Literal["never", "not_next_night", "always"] = "never"
    witch_late: Literal["report", "always"] = "report"
    inspect_shows: Literal["faction", "werewolf"] = "faction"
    save_self: Literal["never", "first_night", "always"] = "never"
    save_and_guard: Literal["holds", "kills"] = "holds"
    # hunter: the causes after which he may shoot
    shot_after: list[Cause] = []
    shot_minutes: int = 10
    # crown, hero and regime
    succession: Literal["choice", "random"] = "choice"
    kingmaker_by_card: bool = False
    repeat_lifted_at: int = 0
    hero_uses: int = 1
    hero_told: bool = True
    killers_told_of_hero: bool = False
    on_kingmaker_out: Literal["king_decides", "republic", "dictatorship", "democracy"] = (
        "king_decides"
    )
    constitution_chooses_again: bool = False
    election_minutes: int = 240
    regency_minutes: int = 60
    choices: list[Choice] = []
    choice_minutes: int = 60
    default_regime: Choice = "grant"
    depose_close: str = "15:00"
    depose_open: str = "19:00"
    # ballot
    execution_needs: Literal["most", "majority"] = "most"
    change_cutoff_minutes: int = 60
    drop_ballots_of_out: bool = True
    tie: Literal["nobody", "runoff"] = "nobody"
    runoff_minutes: int = 10
    # attendance and warnings
    posts_min: int = 2
    posts_streak: int = 0
    posts_streak_days: int = 3
    posts_until: Literal["scheduled_close", "close"] = "scheduled_close"
    charmed_sounds: str = ""
    charmed_marks: str = ""
    warnings_out: int = 2
    posts_warnings: int = 1
    no_order_warnings: int = 2
    no_crown_warnings: int = 2
    no_ballot_warnings: int = 1
    # going out
    show_role: bool = True
    show_roles_of: list[str] = []
    announce_order: Literal["going", "seat"] = "going"
    cards_merge: int = 3
    red_cards_lose: int = 0
    last_words: int = 0
    words_for: list[Literal["first_night", "vote"]] = []
    words_published: Literal["opening", "at_once"] = "opening"
    # people
    coach_games_max: int = 3
    spectators_see: Literal["public", "all"] = "public"

    @classmethod
    def load(cls, mapping: Mapping[str, Any]) -> Sheet:
        """Read a sheet from plain data.

        Raises the first SheetError of :func:`engine.sheetcheck.mistakes`, but for what can be
        played all the same: hours that a host may have his reasons for.
        """
        # The check knows the mechanics, and they know sheets.
        from engine import sheetcheck

        for mistake in sheetcheck.mistakes(mapping):
            if mistake.code not in sheetcheck.UNWISE:
                raise mistake
        return msgspec.convert(sheetcheck.plain(mapping), cls)

    @classmethod
    def recall(cls, mapping: Mapping[str, Any]) -> Sheet:
        """Read the sheet that a game began with: whatever was right then is right for it now."""
        known = {key: value for key, value in mapping.items() if key in cls.__struct_fields__}
        return msgspec.convert(known, cls)

    def dump(self) -> dict[str, Any]:
        """Return the sheet as plain data; ``load`` reads it back."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    def with_parameters(self, values: Mapping[str, Any]) -> Sheet:
        """Return the sheet with parameters set otherwise; a role's key sets its count.

        Raises SheetError.
        """
        plain = self.dump()
        for key, value in values.items():
            role = key.removesuffix("_count")
            if role in self.roles:
                plain["roles"][role]["count"] = value
            else:
                plain[key] = value
        return type(self).load(plain)

    def abilities(self) -> frozenset[str]:
        """Return the keys of all abilities that the sheet gives."""
        alone = {ability for role in self.roles.values() for ability in role.abilities}
        return frozenset(alone | set(self.channel_abilities.values()))

    def counts(self, players: int) -> dict[str, int]:
        """Return how many of each role ``players`` are dealt. Raises SheetError if it can't be."""
        counts: dict[str, int] = {}
        rest: str | None = None
        for role, rule in self.roles.items():
            if role == "kingmaker" and self.kingmaker_by_card:
                counts[role] = 0
            elif rule.count == "rest":
                rest = role
            elif isinstance(rule.count, int):
                counts[role] = rule.count
            else:
                steps = [int(least) for least in rule.count if int(least) <= players]
                if not steps:
                    raise SheetError(f"roles.{role}.count", "no_row", players=players)
                counts[role] = rule.count[str(max(steps))]
        left = players - sum(counts.values())
        if rest is not None and left >= 0:
            counts[rest] = left
        elif left != 0:
            raise SheetError("roles", "counts", players=[players], dealt=sum(counts.values()))
        return {role: counts[role] for role in self.roles}
