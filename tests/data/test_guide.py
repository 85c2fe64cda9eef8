"""The guide to sheets says what the code does: its tables and the schema are up to date."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from data import RULESETS, guide
from data.__main__ import main
from data.rulesets import load_rulesets
from data.speech import Speech
from engine import sheetcheck
from engine.mechanics import MECHANICS
from engine.ruleset import Losing, RoleRule, Sheet, Winning
from plugins.rehearsal.__main__ import main as rehearse

SPEECH = Speech()
README = guide.README.read_text(encoding="utf-8")
VALID = fastjsonschema.compile(
    json.loads(guide.SCHEMA.read_text(encoding="utf-8")), use_default=False
)
SHEETS = sorted(RULESETS.glob("*.toml"))


def test_the_schema_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    written = guide.SCHEMA.read_text(encoding="utf-8")
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == written, "run: python -m data guide"


def test_the_tables_are_up_to_date() -> None:
    assert guide.readme(SPEECH, README) == README, "run: python -m data guide"


def test_the_tables_are_complete() -> None:
    named = set(re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE))
    parameters = {"base", *Sheet.__struct_fields__}
    parameters |= {f"roles.*.{name}" for name in RoleRule.__struct_fields__}
    parameters |= {f"lose.*[].{name}" for name in Losing.__struct_fields__}
    parameters |= {f"win.*[].{name}" for name in Winning.__struct_fields__}
    everything = {*MECHANICS, *sheetcheck.STEPS, *sheetcheck.ABILITIES, *parameters}
    assert everything == named
    assert all(f"`{rule}`" in README for rule in sheetcheck.CLAUSES)


def test_the_example_is_the_file() -> None:
    """Every line of the guide's example that is no remark is a line of the file."""
    shown = README.partition("```toml\n")[2].partition("```")[0]
    file = (RULESETS / "eight.toml").read_text(encoding="utf-8").splitlines()
    lines = [line.partition("   ")[0].rstrip() for line in shown.splitlines()]
    lines = [line.partition(" #")[0].rstrip() for line in lines if not line.startswith("# ")]
    assert len(lines) > 15
    assert [line for line in lines if line not in file] == []


def test_the_example_of_a_scenario_is_played(tmp_path: Path) -> None:
    text = next(t for t in re.findall(r"```toml\n(.*?)```", README, re.DOTALL) if "[deal]" in t)
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    assert rehearse([str(path)]) == 0
    path.write_text(text.replace("day = 1", "day = 2"), encoding="utf-8")
    assert rehearse([str(path)]) == 1


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_sheet_names_the_schema_and_keeps_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("#:schema ./sheet.schema.json\n")
    VALID(tomllib.loads(text))


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"key": "x"},
        {"key": "x", "base": "nine", "posts_mim": 1},
        {"key": "x", "base": "nine", "posts_min": -1},
        {"key": "x", "base": "nine", "mechanics": ["dance"]},
        {"key": "x", "base": "nine", "roles": {"seer": {"count": 1, "abilities": ["x"]}}},
        {"key": "x", "base": "nine", "channel_abilities": {"wolves": "guard"}},
        {"key": "x", "base": "nine", "tie": "coin"},
        {"key": "x", "base": "nine", "night_steps": ["x"]},
    ],
)
def test_the_schema_forbids_what_the_check_does(plain: dict[str, Any]) -> None:
    with pytest.raises(fastjsonschema.JsonSchemaException):
        VALID(plain)
    base = load_rulesets()["nine"].dump() if "base" in plain else {}
    whole = {**base, **{key: value for key, value in plain.items() if key != "base"}}
    assert sheetcheck.mistakes(whole)
