"""When the next deadline is: hours of the day in a time zone, and the order of deadlines."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

# K-26: of two deadlines at one instant the earlier here is settled first.
KINDS: tuple[str, ...] = (
    "link",
    "petition",
    "candidacy",
    "attendance",
    "choice",
    "election",
    "depose",
    "heir",
    "shot",
    "close",
    "night",
    "witch",
    "open",
)
# That such a deadline runs tells who is out: nobody but the one concerned hears of it.
HIDDEN = frozenset({"shot"})
RANK: dict[str, int] = {kind: rank for rank, kind in enumerate(KINDS)}

_DAY = timedelta(days=1)


@lru_cache(maxsize=256)
def clock_time(text: str) -> time:
    """Read ``HH:MM`` (24 hours). Raises ValueError when it is none."""
    hours, colon, minutes = text.partition(":")
    if not colon or len(minutes) != 2:
        raise ValueError(text)
    return time(int(hours), int(minutes))


@lru_cache(maxsize=64)
def zone(key: str) -> ZoneInfo:
    """Return the time zone named ``key``. Raises ZoneInfoNotFoundError when there is none."""
    return ZoneInfo(key)


def next_hour(after: datetime, hour: str, zone_key: str, shift: timedelta) -> datetime:
    """Return the first moment strictly after ``after`` (UTC) at which it is ``hour`` in the zone.

    ``shift``: by how much pauses have moved every hour of the day of this game (K-27).
    """
    where = zone(zone_key)
    moment = after - shift
    local = moment.astimezone(where)
    at = datetime.combine(local.date(), clock_time(hour), where)
    found = at.astimezone(UTC)
    if found <= moment:
        found = (at + _DAY).astimezone(UTC)
    return found + shift


def local_date(moment: datetime, zone_key: str, shift: timedelta) -> date:
    """Return the calendar day that a moment (UTC) is in, in the zone, by a game's own clock."""
    return (moment - shift).astimezone(zone(zone_key)).date()


def at_hour(day: date, hour: str, zone_key: str, shift: timedelta) -> datetime:
    """Return the moment (UTC) at which it is ``hour`` on a calendar day in the zone."""
    return datetime.combine(day, clock_time(hour), zone(zone_key)).astimezone(UTC) + shift


def last_hour(before: datetime, hour: str, zone_key: str, shift: timedelta) -> datetime:
    """Return the last moment strictly before ``before`` (UTC) at which it is ``hour`` there."""
    where = zone(zone_key)
    moment = before - shift
    at = datetime.combine(moment.astimezone(where).date(), clock_time(hour), where)
    found = at.astimezone(UTC)
    if found >= moment:
        found = (at - _DAY).astimezone(UTC)
    return found + shift
