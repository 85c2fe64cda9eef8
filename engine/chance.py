"""Chance without chance: what is drawn follows from a secret seed that came from outside."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def dice(seed: str, what: str, size: int) -> int:
    """Return a number below ``size`` that follows from ``seed`` and ``what``, without bias."""
    limit = (1 << 256) - (1 << 256) % size
    attempt = 0
    while True:
        digest = hashlib.sha256(f"{seed}:{what}:{attempt}".encode()).digest()
        value = int.from_bytes(digest, "big")
        if value < limit:
            return value % size
        attempt += 1


def shuffled(seed: str, what: str, items: Sequence[int]) -> list[int]:
    """Return ``items`` in an order that follows from ``seed`` and ``what`` alone (Fisher-Yates)."""
    order = list(items)
    for index in range(len(order) - 1, 0, -1):
        other = dice(seed, f"{what}:{index}", index + 1)
        order[index], order[other] = order[other], order[index]
    return order
