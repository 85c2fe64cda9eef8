"""The benchmarks run; what they find is not judged here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_part_runs_and_prints_its_figures(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick"],
        cwd=tmp_path,
        env={"PATH": "", "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    for figure in ("[wire]", "x bare", "commits/s", "act + commit", "games/s of one core"):
        assert figure in done.stdout
    assert list(tmp_path.iterdir()) == [], "it leaves something behind"


def test_a_part_that_there_is_not_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "wires"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "wires" in done.stderr
