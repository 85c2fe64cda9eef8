"""``python -m benchmarks [--quick] [part …]``: see benchmarks/README.md."""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import games, storage, wire
from benchmarks.counts import QUICK, Counts

PARTS: dict[str, tuple[str, Callable[[Path, Counts], None]]] = {
    "wire": ("Over the wire: a command and its answer; chatter", wire.run),
    "commits": ("Commits a second", storage.run_commits),
    "length": ("What a ballot costs as the log grows", storage.run_length),
    "games": ("Random games in the engine", lambda folder, counts: games.run(counts)),
}


def main() -> None:
    """Run all parts, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("part", nargs="*", metavar="part", help=f"any of: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="only to see that it runs")
    asked = parser.parse_args()
    for part in asked.part:
        if part not in PARTS:
            parser.error(f"there is no part {part}: {', '.join(PARTS)}")
    counts = QUICK if asked.quick else Counts()
    logging.disable(logging.WARNING)
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    busy = ": others are at work, trust the figures of CPU alone" if load > cores / 2 else ""
    print(f"{cores} cores, load {load:.1f} at the start{busy}\n")
    for part in asked.part or PARTS:
        title, run = PARTS[part]
        print(f"{title} [{part}]", flush=True)
        # Where the bot's own database would be: another folder may be kept in memory.
        with tempfile.TemporaryDirectory(prefix=".benchmark-", dir=".") as folder:
            run(Path(folder).resolve(), counts)
        print(flush=True)


if __name__ == "__main__":
    main()
