"""What is wrong with a rule sheet: all of it at once, in an order that is always the same.

First what the sheet is made of (keys, types), then what its values say together. A rule that looks
at a value which is itself wrong is left out, so that no mistake is told twice.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfoNotFoundError

import msgspec

from engine import calendar
from engine.mechanics import ALWAYS, MECHANICS, lovers
from engine.mechanics.base import Ability, Mechanic
from engine.ruleset import Losing, Sheet, SheetError, Winning

STEP_KEYS = ("night_steps", "close_steps", "open_steps", "attendance_steps")

ABILITIES: dict[str, tuple[Mechanic, Ability | None]] = {
    **{key: (m, rule) for m in MECHANICS.values() for key, rule in m.abilities.items()},
    **{key: (m, None) for m in MECHANICS.values() for key in m.powers},
}
"""Every ability that a sheet may give: its mechanic, and how it works if it is an order."""

STEPS: dict[str, Mechanic] = {step: m for m in (*ALWAYS, *MECHANICS.values()) for step in m.steps}
"""Every step that a settlement may list, with its mechanic."""

OWNERS: dict[str, str] = {name: m.key for m in MECHANICS.values() for name in m.parameters}
"""Every parameter that means nothing without a mechanic → that mechanic."""

CLAUSES: frozenset[str] = frozenset(
    [clause for m in (*ALWAYS, *MECHANICS.values()) for clause in m.clauses]
    + [key for key, (_, rule) in ABILITIES.items() if rule is not None]
)
"""Every rule for which a sheet may name the clause."""


def plain(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet's data with TOML's own times and dates as the text that a sheet holds."""
    return {key: _plain(value) for key, value in mapping.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def mistakes(mapping: Mapping[str, Any]) -> list[SheetError]:
    """Return all that is wrong with a sheet, as plain data; empty if nothing is."""
    given = plain(mapping)
    found = list(shape(given, Sheet))
    wrong = {mistake.key.partition(".")[0] for mistake in found}
    fields = {field.name: field for field in msgspec.structs.fields(Sheet)}
    right = {key: value for key, value in given.items() if key in fields and key not in wrong}
    for name, field in fields.items():
        if field.required and name not in right:
            right[name] = _EMPTY[get_origin(field.type) or field.type]
    sheet = cast(Sheet, _Partial(msgspec.convert(right, Sheet), frozenset(wrong)))
    for rule in _RULES:
        try:
            found += rule(sheet)
        except _Wrong:
            continue
    return found


def without_clause(sheet: Sheet) -> list[str]:
    """Return the rules that games by this sheet may name and for which it gives no clause."""
    named = {clause for m in _used(sheet) for clause in m.clauses}
    named |= {key for key in _given(sheet) if ABILITIES[key][1] is not None}
    if sheet.first_phase == "day":
        named.discard("first_night")
    if not sheet.night_minutes:
        named.discard("night")
    if sheet.pace == "fixed":
        named.discard("pace")
    if sheet.tie != "runoff":
        named.discard("runoff")
    if "warnings" not in sheet.mechanics:
        named.discard("no_ballot")
    if not sheet.charmed_sounds:
        named.discard("silence")
    return sorted(named - sheet.clauses.keys())


# --- what it is made of --------------------------------------------------------------------------

_EMPTY: dict[Any, Any] = {str: "", int: 1, list: [], dict: {}}


class _Wrong(Exception):
    """A rule has looked at a value that is wrong."""


class _Partial:
    """A sheet, of which some values are wrong and can't be looked at."""

    def __init__(self, sheet: Sheet, wrong: frozenset[str]) -> None:
        self._sheet = sheet
        self._wrong = wrong

    def __getattr__(self, name: str) -> Any:
        if name in self._wrong:
            raise _Wrong
        return getattr(self._sheet, name)


_hints = cache(get_type_hints)


def shape(value: Any, kind: Any, key: str = "") -> Iterator[SheetError]:
    """Compare plain data with a type of a sheet's or a scenario's; ``key``: where it stands."""
    origin = get_origin(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _table(value, kind, key)
    elif origin in (Union, UnionType):
        kinds = [one for one in get_args(kind) if one is not NoneType]
        if len(kinds) == 1:
            if value is None:
                return
            yield from shape(value, kinds[0], key)
        elif isinstance(value, dict):
            if not all(least.isdecimal() and _is_whole(n) for least, n in value.items()):
                yield SheetError(key, "count")
        elif not _is_whole(value) and value != "rest":
            yield SheetError(key, "count")
    elif origin is dict:
        if not isinstance(value, dict):
            yield SheetError(key, "table")
            return
        numbered, of = get_args(kind)
        for name, item in value.items():
            if numbered is int and not name.isdecimal():
                yield SheetError(f"{key}.{name}", "seat_key")
            yield from shape(item, of, f"{key}.{name}")
    elif origin is list:
        if not isinstance(value, list):
            yield SheetError(key, "list")
            return
        of = get_args(kind)[0]
        tables = isinstance(of, type) and issubclass(of, msgspec.Struct)
        for number, item in enumerate(value):
            yield from shape(item, of, f"{key}[{number}]" if tables else key)
    elif origin is Literal:
        if value not in get_args(kind):
            yield one_of(key, value, get_args(kind))
    elif kind is int and not _is_whole(value):
        yield SheetError(key, "whole")
    elif kind is bool and not isinstance(value, bool):
        yield SheetError(key, "flag")
    elif kind is str and not isinstance(value, str):
        yield SheetError(key, "text")
    elif kind is datetime and not (isinstance(value, datetime) and value.tzinfo is not None):
        yield SheetError(key, "moment")


def _table(value: Any, kind: type[msgspec.Struct], key: str) -> Iterator[SheetError]:
    if not isinstance(value, dict):
        yield SheetError(key, "table")
        return
    prefix = f"{key}." if key else ""
    hints = _hints(kind)
    for name in value:
        if name not in hints:
            near = difflib.get_close_matches(name, hints, 1)
            yield SheetError(f"{prefix}{name}", "unknown_near" if near else "unknown", near=near)
    for field in msgspec.structs.fields(kind):
        if field.name in value:
            yield from shape(value[field.name], hints[field.name], f"{prefix}{field.name}")
        elif field.required:
            yield SheetError(f"{prefix}{field.name}", "missing")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def one_of(key: str, value: Any, options: Iterable[str]) -> SheetError:
    """Return the mistake that a value is none of these, with the one that is likely meant."""
    options = list(options)
    near = difflib.get_close_matches(value, options, 1) if isinstance(value, str) else []
    values = {"value": str(value), "options": options, "near": near}
    return SheetError(key, "one_of_near" if near else "one_of", **values)


# --- what its values say -------------------------------------------------------------------------


def _used(sheet: Sheet) -> list[Mechanic]:
    return [*ALWAYS, *(MECHANICS[key] for key in sheet.mechanics if key in MECHANICS)]


def _given(sheet: Sheet) -> dict[str, str]:
    """Return every known ability that the sheet gives → the key under which it does."""
    found = {a: f"roles.{role}.abilities" for role, r in sheet.roles.items() for a in r.abilities}
    found |= {a: f"channel_abilities.{c}" for c, a in sheet.channel_abilities.items()}
    return {ability: key for ability, key in found.items() if ability in ABILITIES}


def _channels(sheet: Sheet) -> list[str]:
    own = [lovers.CHANNEL] if "lovers" in sheet.mechanics else []
    return [*sheet.channels, *own]


def _sizes(sheet: Sheet) -> range:
    if sheet.players is not None:
        return range(sheet.players, sheet.players + 1)
    return range(sheet.players_min, sheet.players_max + 1)


def _known(sheet: Sheet) -> Iterator[SheetError]:
    """Names that the sheet uses are names that there are."""
    for key in sheet.mechanics:
        if key not in MECHANICS:
            yield one_of("mechanics", key, MECHANICS)
    for rule in sheet.clauses:
        if rule not in CLAUSES:
            yield one_of(f"clauses.{rule}", rule, sorted(CLAUSES))


def _roles_known(sheet: Sheet) -> Iterator[SheetError]:
    for channel, role in sheet.channels.items():
        if role not in sheet.roles:
            yield one_of(f"channels.{channel}", role, sheet.roles)
    for role in sheet.show_roles_of:
        if role not in sheet.roles:
            yield one_of("show_roles_of", role, sheet.roles)
    for faction, losings in sheet.lose.items():
        for losing in losings:
            for role in losing.roles:
                if role not in sheet.roles:
                    yield one_of(f"lose.{faction}", role, sheet.roles)
    for faction, winnings in sheet.win.items():
        for winning in winnings:
            for role in winning.charmed:
                if role not in sheet.roles:
                    yield one_of(f"win.{faction}", role, sheet.roles)


def _channels_known(sheet: Sheet) -> Iterator[SheetError]:
    channels = _channels(sheet)
    for channel in sheet.channel_abilities:
        if channel not in channels:
            yield one_of(f"channel_abilities.{channel}", channel, channels)
    for faction, losings in sheet.lose.items():
        for losing in losings:
            if losing.channel and losing.channel not in channels:
                yield one_of(f"lose.{faction}", losing.channel, channels)


def _factions_known(sheet: Sheet) -> Iterator[SheetError]:
    named = [("victory_order", faction) for faction in sheet.victory_order]
    named += [(f"lose.{faction}", faction) for faction in sheet.lose]
    for faction, winnings in sheet.win.items():
        named.append((f"win.{faction}", faction))
        named += [(f"win.{faction}", w.with_faction) for w in winnings if w.with_faction]
    if sheet.lovers_kill_after:
        named.append(("lovers_kill_after", sheet.lovers_kill_after))
    for key, faction in named:
        if faction not in sheet.factions:
            yield one_of(key, faction, sheet.factions)
    # Only factions of this order are in play.
    left = [faction for faction in sheet.factions if faction not in sheet.victory_order]
    if sheet.victory_order and left:
        yield SheetError("victory_order", "all_factions", missing=left)


def _sided(sheet: Sheet) -> Iterator[SheetError]:
    """Every role has a side, but one that takes that of the lovers."""
    for role, rule in sheet.roles.items():
        if rule.faction and rule.faction not in sheet.factions:
            yield one_of(f"roles.{role}.faction", rule.faction, sheet.factions)
        elif not rule.faction and not (role == lovers.CUPID and "lovers" in sheet.mechanics):
            yield SheetError(f"roles.{role}.faction", "side_missing", options=sheet.factions)


def _mechanics_met(sheet: Sheet) -> Iterator[SheetError]:
    """Every mechanic has what it needs of the sheet."""
    for mechanic in _used(sheet):
        for other in mechanic.needs:
            if other not in sheet.mechanics:
                yield SheetError("mechanics", "mechanic_for", needed=other, name=mechanic.key)
    for mechanic in MECHANICS.values():
        for role in mechanic.roles:
            if role in sheet.roles and role == mechanic.key and mechanic not in _used(sheet):
                yield SheetError("mechanics", "mechanic_for_role", needed=mechanic.key, name=role)
    for mechanic in _used(sheet):
        for role in mechanic.roles:
            if role not in sheet.roles and not (role == "kingmaker" and sheet.kingmaker_by_card):
                yield SheetError("roles", "role_for", needed=role, name=mechanic.key)
        for faction in mechanic.factions:
            if faction not in sheet.factions:
                yield SheetError("factions", "faction_for", needed=faction, name=mechanic.key)


def _by_calendar(sheet: Sheet) -> Iterator[SheetError]:
    for mechanic in _used(sheet):
        if mechanic.calendar and sheet.clock != "calendar":
            yield SheetError("clock", "calendar_for", name=mechanic.key)


def _helped(sheet: Sheet) -> Iterator[SheetError]:
    """What some parameters ask of the mechanics."""
    has = set(sheet.mechanics)
    if "kill" in has and "faction_kill" not in sheet.channel_abilities.values():
        yield SheetError("channel_abilities", "nobody_uses", name="faction_kill")
    if "sheriff" in has and sheet.sheriff_election == "candidates" and "election" not in has:
        yield SheetError("mechanics", "mechanic_for", needed="election", name="sheriff")
    chosen = sheet.succession == "choice" and not sheet.kingmaker_by_card
    if "crown" in has and chosen and "regime" not in has:
        yield SheetError("mechanics", "mechanic_for", needed="regime", name="succession")
    if "regime" in has and "republic" in sheet.choices and "election" not in has:
        yield SheetError("mechanics", "mechanic_for", needed="election", name="republic")
    if sheet.last_words and "last_words" not in has:
        yield SheetError("last_words", "mechanic_missing", needed="last_words")


def _chosen(sheet: Sheet) -> Iterator[SheetError]:
    if sheet.choices and sheet.default_regime not in sheet.choices:
        yield one_of("default_regime", sheet.default_regime, sheet.choices)


def _abilities_carried_out(sheet: Sheet) -> Iterator[SheetError]:
    """Every ability is one that there is, its mechanic in the sheet, its step in the night."""
    seats = [(f"roles.{role}.abilities", a) for role, r in sheet.roles.items() for a in r.abilities]
    packs = [(f"channel_abilities.{c}", a) for c, a in sheet.channel_abilities.items()]
    for key, ability in seats + packs:
        together = (key, ability) in packs
        mechanic, rule = ABILITIES.get(ability, (None, None))
        if mechanic is None or together != bool(rule and rule.together):
            options = [a for a, (_, r) in ABILITIES.items() if bool(r and r.together) == together]
            yield one_of(key, ability, options)
        elif mechanic.key not in sheet.mechanics:
            yield SheetError(key, "ability_mechanic", name=ability, needed=mechanic.key)
        elif rule is not None and rule.step and rule.step not in sheet.night_steps:
            yield SheetError(key, "ability_step", name=ability, needed=rule.step)


def _steps(sheet: Sheet) -> Iterator[SheetError]:
    """Every step is one of a mechanic in the sheet, and none that is needed is missing."""
    used = _used(sheet)
    for key in STEP_KEYS:
        for step in getattr(sheet, key):
            owner = STEPS.get(step)
            if owner is None:
                known = [name for name, m in STEPS.items() if m in used]
                yield one_of(key, step, known)
            elif owner not in used:
                yield SheetError(key, "step_mechanic", name=step, needed=owner.key)
    for mechanic in used:
        for need in mechanic.steps_needed:
            if need.holds(sheet) and need.step not in getattr(sheet, need.key):
                if mechanic in ALWAYS:
                    yield SheetError(need.key, "step_missing", needed=need.step)
                else:
                    values = {"needed": need.step, "name": mechanic.key}
                    yield SheetError(need.key, "step_missing_for", **values)
    posts = [key for key in ("close_steps", "attendance_steps") if "posts" in getattr(sheet, key)]
    if posts and "warnings" not in sheet.mechanics:
        yield SheetError(posts[0], "step_mechanic", name="posts", needed="warnings")
    if "attendance_cards" in sheet.close_steps and "attendance" not in sheet.mechanics:
        yield SheetError(
            "close_steps", "step_mechanic", name="attendance_cards", needed="attendance"
        )


def _players(sheet: Sheet) -> Iterator[SheetError]:
    if sheet.players_min < 1:
        yield SheetError("players_min", "at_least", least=1)
    elif sheet.players_max < sheet.players_min:
        yield SheetError("players_max", "at_least", least=sheet.players_min)
    elif sheet.players is not None and not sheet.players_min <= sheet.players <= sheet.players_max:
        least, most = sheet.players_min, sheet.players_max
        yield SheetError("players", "players_between", count=sheet.players, least=least, most=most)


def _counts(sheet: Sheet) -> Iterator[SheetError]:
    """For every number of players, the roles make just so many, and every side has somebody."""
    if any(_players(sheet)):
        return
    if sum(rule.count == "rest" for rule in sheet.roles.values()) > 1:
        yield SheetError("roles", "one_rest")
        return
    bad: dict[str, list[int]] = {}
    dealt = 0
    for players in _sizes(sheet):
        try:
            counts = sheet.counts(players)
        except SheetError as error:
            if error.code != "counts":
                yield error
                return
            dealt = dealt or error.values["dealt"]
            bad.setdefault("", []).append(players)
            continue
        for faction in sheet.factions:
            if not _can_come_about(sheet, faction, counts):
                bad.setdefault(faction, []).append(players)
            elif any(winning.half for winning in sheet.win.get(faction, [])):
                own = sum(n for role, n in counts.items() if sheet.roles[role].faction == faction)
                if 2 * own >= players:
                    yield SheetError("roles", "wins_at_once", side=faction, players=[players])
                    return
    for faction, sizes in bad.items():
        if faction:
            yield SheetError("roles", "nobody_of", side=faction, players=sizes)
        else:
            yield SheetError("roles", "counts", players=sizes, dealt=dealt)


def _can_come_about(sheet: Sheet, faction: str, counts: Mapping[str, int]) -> bool:
    if faction == lovers.FACTION and "lovers" in sheet.mechanics:
        return True
    return any(n and sheet.roles[role].faction == faction for role, n in counts.items())


def _ways(sheet: Sheet) -> Iterator[SheetError]:
    """Every way to lose or to win is one that can come true."""
    for faction, losings in sheet.lose.items():
        if faction in sheet.factions and not all(_can_lose(sheet, faction, w) for w in losings):
            yield SheetError(f"lose.{faction}", "empty_way", side=faction)
    for faction, winnings in sheet.win.items():
        if faction in sheet.factions and not all(_can_win(sheet, w) for w in winnings):
            yield SheetError(f"win.{faction}", "empty_way", side=faction)


def _can_lose(sheet: Sheet, faction: str, losing: Losing) -> bool:
    if losing.channel or not losing.roles:
        return True
    # Whom cupid links may have any role: of the lovers' side nothing can be said.
    mixed = faction == lovers.FACTION
    return mixed or any(
        role not in sheet.roles or sheet.roles[role].faction == faction for role in losing.roles
    )


def _can_win(sheet: Sheet, winning: Winning) -> bool:
    charms = "charm" in sheet.mechanics
    return winning.half or (charms and (winning.everyone or bool(winning.charmed)))


def _every_side_can_win(sheet: Sheet) -> Iterator[SheetError]:
    """A side can win: in a way of its own, or as the last one, when all others can lose."""
    reds = bool(sheet.red_cards_lose) and "cards" in sheet.mechanics
    for faction in sheet.factions:
        lasting = [f for f in sheet.factions if f != faction and not sheet.lose.get(f)]
        if lasting and not reds and not sheet.win.get(faction):
            yield SheetError("lose", "never_wins", side=faction, others=lasting)


def _hours(sheet: Sheet) -> Iterator[SheetError]:
    for key in ("open", "close", "depose_close", "depose_open"):
        try:
            calendar.clock_time(getattr(sheet, key))
        except ValueError:
            yield SheetError(key, "time")


def _zone(sheet: Sheet) -> Iterator[SheetError]:
    try:
        calendar.zone(sheet.zone)
    except (ZoneInfoNotFoundError, ValueError):
        yield SheetError("zone", "zone")


def _day_of(sheet: Sheet) -> int:
    """Return the minutes from open to close. Raises _Wrong if they are no hours."""
    if any(_hours(sheet)):
        raise _Wrong
    return _between(sheet.open, sheet.close)


def _between(start: str, end: str) -> int:
    first, last = calendar.clock_time(start), calendar.clock_time(end)
    minutes = (last.hour - first.hour) * 60 + last.minute - first.minute
    return minutes % (24 * 60)


def _deadlines(sheet: Sheet) -> Iterator[SheetError]:
    """By the calendar, no deadline lies before its phase begins or after it ends."""
    if sheet.clock != "calendar":
        return
    day = _day_of(sheet)
    night = 24 * 60 - day
    has = set(sheet.mechanics)
    if not day:
        yield SheetError("close", "not_open")
        return
    if sheet.day_length and sheet.close < sheet.open:
        yield SheetError("close", "same_day", open=sheet.open)
    if sheet.night_minutes and sheet.night_minutes + sheet.witch_minutes >= night:
        yield SheetError("night_minutes", "within_night", most=night - 1)
    if "petition" in has and sheet.petition_lead_minutes >= day:
        yield SheetError("petition_lead_minutes", "within_day", most=day - 1)
    if "king" in has and sheet.regency_minutes >= day:
        yield SheetError("regency_minutes", "within_day", most=day - 1)
    if "regime" in has and not 0 < _between(sheet.close, sheet.depose_close) < night:
        yield SheetError("depose_close", "hour_between", start=sheet.close, end=sheet.open)
    standing = sheet.candidacy_minutes + 2 * sheet.election_minutes
    if "sheriff" in has and sheet.sheriff_election == "candidates" and standing >= day:
        yield SheetError("election_minutes", "election_within_day", most=day - 1)


def _phases(sheet: Sheet) -> tuple[int, int]:
    """Return the minutes of a day and of the longest stage of a night."""
    if sheet.clock == "span":
        return sheet.day_minutes, max(sheet.night_minutes, sheet.witch_minutes)
    day = _day_of(sheet)
    return day + max(sheet.day_length - 1, 0) * 24 * 60, 24 * 60 - day


def _too_long(sheet: Sheet) -> Iterator[SheetError]:
    """No change of ballots, and no reminder, is put before its phase begins."""
    day, night = _phases(sheet)
    if "ballot" in sheet.mechanics and sheet.change_cutoff_minutes >= day > 0:
        yield SheetError("change_cutoff_minutes", "cutoff_within_day", most=day - 1)
    spans = [
        *(
            getattr(sheet, span)
            for mechanic in _used(sheet)
            for span in mechanic.spans
            if span.endswith("_minutes")
        ),
        *(sheet.runoff_minutes, sheet.candidacy_minutes),
    ]
    longest = max(day, night, *spans)
    never = [minutes for minutes in sheet.reminders if minutes >= longest]
    if never and longest:
        yield SheetError("reminders", "never_reminds", minutes=never, most=longest - 1)


def _spans(sheet: Sheet) -> Iterator[SheetError]:
    """No span is 0 where a mechanic needs one."""
    spans = {span: m.key for m in _used(sheet) for span in m.spans}
    if "victim_report" in _given(sheet):
        spans |= {"night_minutes": "victim_report", "witch_minutes": "victim_report"}
    yield from _not_zero(sheet, spans)


def _spans_of_clock(sheet: Sheet) -> Iterator[SheetError]:
    if sheet.clock == "span":
        yield from _not_zero(sheet, {"night_minutes": "clock", "day_minutes": "clock"})
        return
    yield from _not_zero(sheet, {"day_min_minutes": "clock"})
    if sheet.pace == "ready":
        yield from _not_zero(sheet, {"night_minutes": "pace"})


def _spans_of_votes(sheet: Sheet) -> Iterator[SheetError]:
    if sheet.tie == "runoff" and "ballot" in sheet.mechanics:
        yield from _not_zero(sheet, {"runoff_minutes": "tie"})
    if "sheriff" in sheet.mechanics and sheet.sheriff_election == "candidates":
        yield from _not_zero(sheet, {"candidacy_minutes": "sheriff"})


def _not_zero(sheet: Sheet, spans: Mapping[str, str]) -> Iterator[SheetError]:
    for key, name in spans.items():
        if getattr(sheet, key) < 1:
            yield SheetError(key, "span", name=name)


def _reminders(sheet: Sheet) -> Iterator[SheetError]:
    if any(minutes < 1 for minutes in sheet.reminders):
        yield SheetError("reminders", "at_least", least=1)


def _numbers(sheet: Sheet) -> Iterator[SheetError]:
    try:
        good = Fraction(sheet.sheriff_weight) > 0
    except (ValueError, ZeroDivisionError):
        good = False
    if not good:
        yield SheetError("sheriff_weight", "decimal")


def _dates(sheet: Sheet) -> Iterator[SheetError]:
    for day in sheet.holidays:
        try:
            date.fromisoformat(day)
        except ValueError:
            yield SheetError("holidays", "date")


UNWISE = frozenset(
    {
        *("same_day", "within_night", "within_day", "election_within_day", "hour_between"),
        *("cutoff_within_day", "never_reminds"),
    }
)
"""Codes of mistakes that the check tells of, and that a game can be played with all the same."""

_RULES = (
    *(_known, _sided, _roles_known, _channels_known, _factions_known, _mechanics_met, _by_calendar),
    *(_helped, _chosen, _steps, _abilities_carried_out, _players, _counts, _ways),
    *(
        _every_side_can_win,
        _zone,
        _hours,
        _deadlines,
        _too_long,
        _spans,
        _spans_of_clock,
        _spans_of_votes,
    ),
    *(_reminders, _numbers, _dates),
)
