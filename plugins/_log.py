"""What the log shows: no text of an error, which may hold a secret, and no flood of one line."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from nonebot.log import LoguruHandler

INFO, WARNING = 20, 30
"""Numbers of levels; from the second on a line is one of a fault."""

OURS = ("engine", "data", "plugins", "bot", "__main__")
"""Where a line comes from that we have written ourselves."""

LINES, SECONDS = 5, 60
"""So often a line of a fault is shown in so many seconds; numbers in it make no other line."""

MOST = 1000
"""So many different lines are told apart."""

HARMLESS = (ImportError, OSError, SyntaxError)
"""Errors of the start, whose text is the system's: it says what is missing, and quotes nobody."""


class Untold(Exception):
    """Stands for another error: what kind it was, not what it said."""


class Gate:
    """The filter of the log: whether a record is shown, after what is secret was taken off it.

    ``clock``: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # Line → since when it is counted, and how often it came since.
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    def __call__(self, record: Any) -> bool:
        """Tell whether a record of loguru's is shown."""
        if _is_noise(record):
            return False
        if record["exception"] is not None:
            record["exception"] = _untold(record["exception"])
        return record["level"].no < WARNING or self._is_rare(record)

    def _is_rare(self, record: Any) -> bool:
        if len(self._seen) > MOST:
            self._seen.clear()
        key = (record["name"], record["line"], re.sub(r"\d+", "0", record["message"]))
        moment = self._clock()
        since, count = self._seen.get(key, (moment, 0))
        if moment - since >= SECONDS:
            if count > LINES:
                record["message"] += f" ({count - LINES} more like it were left out)"
            since, count = moment, 0
        count += 1
        self._seen[key] = since, count
        if count == LINES:
            record["message"] += f" (more like it are left out for {SECONDS} s)"
        return count <= LINES


def _is_noise(record: Any) -> bool:
    """NoneBot's two lines on each message that it handles, and those of its settings.

    And what other libraries say below INFO: it quotes what passes through them.
    """
    room = record["name"].partition(".")[0]
    if room != "nonebot":
        return room not in OURS and record["level"].no < INFO
    handling = record["level"].name == "INFO" and record["module"] in ("message", "matcher")
    return handling or record["module"] == "config"


def _untold(exception: Any) -> Any:
    """The same places in the code, without the error's text and those that it came of."""
    kind, value, trace = exception
    if kind is None:
        return exception
    told = f": {value}" if isinstance(value, HARMLESS) else ""
    return exception._replace(type=Untold, value=Untold(f"{kind.__name__}{told}"), traceback=trace)


def gather() -> None:
    """Lead what libraries log of their faults through the same gate; without it, it is printed.

    Of our own lines those that tell how things are go there too.
    """
    logging.basicConfig(handlers=[LoguruHandler(logging.INFO)])
    logging.getLogger("zhifatuan").setLevel(logging.INFO)
    # It has handlers of its own.
    logging.getLogger("uvicorn").propagate = False
