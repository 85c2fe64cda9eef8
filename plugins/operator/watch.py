"""What an operator is told of: a QQ account that is gone, and messages that pile up.

Once when it begins and once when it is over. No NoneBot and no clock here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

LOST = timedelta(minutes=2)
"""For how long an account must be gone."""

UNUSED = timedelta(minutes=30)
"""For how long nobody must come where no game was ever opened: there may be no QQ at all."""

PILED = timedelta(minutes=5)
"""For how long a message must wait though there is a client."""

FLOWS = timedelta(minutes=1)
"""No message that waits may be older for a pile to be over: it would come and go otherwise."""


@dataclass(frozen=True)
class Notice:
    """Something begins or is over. ``key`` and ``values``: its sentence, and for the log.

    ``minor``: it may well be as it should.
    """

    key: str
    begins: bool
    values: dict[str, Any] = field(default_factory=dict)
    minor: bool = False


class Watch:
    """Who is connected, and what the operator has been told. All moments are aware.

    ``started``: since when the program runs; an account that never came is missed from then on.
    ``used``: whether games were opened before, so that there must be an account.
    """

    def __init__(self, started: datetime, *, used: bool = True) -> None:
        self._used = used
        self._connected: dict[str, datetime] = {}
        # Nobody has connected yet: an account without a number is gone.
        self._gone: dict[str, datetime] = {"": started}
        self._told: set[str] = set()
        self._piled: datetime | None = None

    def connected(self, account: str, at: datetime) -> list[Notice]:
        """An account is there."""
        self._connected[account] = at
        notices = []
        for gone in ("", account):
            since = self._gone.pop(gone, None)
            if since is not None and gone in self._told:
                self._told.remove(gone)
                values = {"account": account, "minutes": _minutes(at - since)}
                notices.append(Notice("bot.alert.back", False, values))
        return notices

    def disconnected(self, account: str, at: datetime) -> None:
        """An account is gone."""
        self._connected.pop(account, None)
        self._gone[account] = at

    def look(self, at: datetime, backlog: tuple[int, datetime | None] | None) -> list[Notice]:
        """What is new at this moment.

        ``backlog``: how many messages are still to be said, and since when the oldest of them is;
        None when the database doesn't say.
        """
        return self._missing(at) + ([] if backlog is None else self._piling(at, *backlog))

    def _missing(self, at: datetime) -> list[Notice]:
        notices = []
        for account, since in self._gone.items():
            minor = not account and not self._used
            if account not in self._told and at - since > (UNUSED if minor else LOST):
                self._told.add(account)
                values: dict[str, Any] = {"minutes": _minutes(at - since)}
                if account:
                    values["account"] = account
                key = "bot.alert.lost" if account else "bot.alert.never"
                notices.append(Notice(key, True, values, minor))
        return notices

    def _piling(self, at: datetime, waiting: int, oldest: datetime | None) -> list[Notice]:
        if self._piled is not None:
            if oldest is not None and at - oldest >= FLOWS:
                return []
            minutes, self._piled = _minutes(at - self._piled), None
            return [Notice("bot.alert.flows", False, {"minutes": minutes})]
        # While nobody is connected it is the other incident; and then sending takes its time.
        if oldest is None or not self._connected:
            return []
        if at - max(oldest, min(self._connected.values())) <= PILED:
            return []
        self._piled = oldest
        return [
            Notice("bot.alert.piled", True, {"count": waiting, "minutes": _minutes(at - oldest)})
        ]


def _minutes(span: timedelta) -> int:
    return max(1, span // timedelta(minutes=1))
