"""All that is wrong with a sheet is found at once, each under its key, and only that."""

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from data.rulesets import load_rulesets
from engine import mechanics, sheetcheck
from engine.ruleset import Sheet

SHEETS = {key: sheet.dump() for key, sheet in load_rulesets().items()}
CLASSIC = "seer-witch-hunter-guard"


def wrong(base: str, **changes: Any) -> list[tuple[str, str]]:
    """Return (key, code) of what is wrong with a sheet that is changed; ``None`` takes a key out.

    A key ``a__b`` is ``a.b``.
    """
    plain = Sheet.load(SHEETS[base]).dump()
    for path, value in changes.items():
        *way, last = path.split("__")
        table = plain
        for part in way:
            table = table[part]
        if value is None:
            del table[last]
        else:
            table[last] = value
    return [(mistake.key, mistake.code) for mistake in sheetcheck.mistakes(plain)]


@pytest.mark.parametrize("key", SHEETS)
def test_our_sheets_are_right(key: str) -> None:
    assert wrong(key) == []


def test_all_at_once() -> None:
    found = wrong(
        CLASSIC,
        guard_agian="never",
        tie="coin",
        last_words="all",
        show_role=1,
        key=3,
        reminders=5,
        clauses=["C-01"],
        roles__seer__count=-1,
        roles__seer__job="x",
        channels__wolves=[],
        lose__wolves=[{"rolls": []}],
        theme=None,
        players_max=None,
        zone="Mars",
        day_minutes=0,
    )
    assert sorted(found) == [
        ("channels.wolves", "text"),
        ("clauses", "table"),
        ("day_minutes", "span"),
        ("guard_agian", "unknown_near"),
        ("key", "text"),
        ("last_words", "whole"),
        ("lose.wolves[0].rolls", "unknown_near"),
        ("players_max", "missing"),
        ("reminders", "list"),
        ("roles.seer.count", "count"),
        ("roles.seer.job", "unknown"),
        ("show_role", "flag"),
        ("theme", "missing"),
        ("tie", "one_of"),
        ("zone", "zone"),
    ]


ONE_MISTAKE: list[tuple[str, dict[str, Any], str, str]] = [
    # names
    (CLASSIC, {"mechanics": ["kil"]}, "mechanics", "one_of_near"),
    (CLASSIC, {"clauses__kil": "C-1"}, "clauses.kil", "one_of_near"),
    (CLASSIC, {"channels__wolves": "wolf"}, "channels.wolves", "one_of_near"),
    (
        CLASSIC,
        {"channel_abilities__wolfs": "faction_kill"},
        "channel_abilities.wolfs",
        "one_of_near",
    ),
    (CLASSIC, {"show_roles_of": ["x"]}, "show_roles_of", "one_of"),
    (CLASSIC, {"victory_order": ["wolves"]}, "victory_order", "all_factions"),
    (CLASSIC, {"shot_after": ["dinner"]}, "shot_after", "one_of"),
    (CLASSIC, {"lose__wolves": [{"channel": "x"}]}, "lose.wolves", "one_of"),
    ("m84", {"lovers_kill_after": "wolfs"}, "lovers_kill_after", "one_of_near"),
    ("m84", {"win__piper": [{"charmed": ["villagers"]}]}, "win.piper", "one_of_near"),
    ("kingmaker", {"default_regime": "republic"}, "default_regime", "one_of"),
    # roles and their sides
    (CLASSIC, {"roles__seer__faction": ""}, "roles.seer.faction", "side_missing"),
    (CLASSIC, {"roles__seer__faction": "twon"}, "roles.seer.faction", "one_of_near"),
    (CLASSIC, {"roles__seer__count": 2}, "roles", "counts"),
    (
        CLASSIC,
        {"roles__seer__count": "rest", "roles__villager__count": "rest"},
        "roles",
        "one_rest",
    ),
    (CLASSIC, {"roles__seer__count": {"13": 1}}, "roles.seer.count", "no_row"),
    (
        CLASSIC,
        {"roles__werewolf__count": 0, "roles__villager__count": 8},
        "roles",
        "nobody_of",
    ),
    ("mafia", {"roles__mafia__count": {"5": 3, "7": 2}}, "roles", "wins_at_once"),
    (CLASSIC, {"players": 11}, "players", "players_between"),
    (CLASSIC, {"players_min": 13}, "players_max", "at_least"),
    (CLASSIC, {"players_min": 0}, "players_min", "at_least"),
    # mechanics and what they need
    (CLASSIC, {"roles__hunter": None, "roles__villager__count": 5}, "roles", "role_for"),
    ("m84", {"roles__cupid": None, "roles__villager__count": 5}, "roles", "role_for"),
    ("kingmaker", {"clock": "span", "night_minutes": 3, "day_minutes": 8}, "clock", "calendar_for"),
    (CLASSIC, {"channel_abilities": {}}, "channel_abilities", "nobody_uses"),
    (CLASSIC, {"last_words": 0}, "last_words", "span"),
    # abilities and steps
    (CLASSIC, {"roles__seer__abilities": ["inpsect"]}, "roles.seer.abilities", "one_of_near"),
    (CLASSIC, {"roles__seer__abilities": ["faction_kill"]}, "roles.seer.abilities", "one_of"),
    (CLASSIC, {"channel_abilities__wolves": "guard"}, "channel_abilities.wolves", "one_of"),
    (CLASSIC, {"roles__seer__abilities": ["charm"]}, "roles.seer.abilities", "ability_mechanic"),
    (CLASSIC, {"roles__guard__abilities": ["ward"]}, "roles.guard.abilities", "ability_step"),
    (CLASSIC, {"night_steps": ["kill", "victory"]}, "roles.witch.abilities", "ability_step"),
    (CLASSIC, {"close_steps": ["victory", "lapse_words"]}, "close_steps", "step_missing_for"),
    (CLASSIC, {"close_steps": ["vote", "lapse_words"]}, "close_steps", "step_missing"),
    (CLASSIC, {"close_steps": ["vote", "victory", "votes"]}, "close_steps", "one_of_near"),
    (CLASSIC, {"open_steps": ["announce_sheriff"]}, "open_steps", "step_missing"),
    (CLASSIC, {"close_steps": ["vote", "victory", "exits"]}, "close_steps", "step_mechanic"),
    ("kingmaker", {"posts_warnings": 0, "close_steps": ["vote"]}, "close_steps", "step_missing"),
    # who can win
    (CLASSIC, {"lose__wolves": []}, "lose", "never_wins"),
    (CLASSIC, {"lose__town": [{"roles": ["werewolf"]}]}, "lose.town", "empty_way"),
    ("m84", {"win__piper": [{}]}, "win.piper", "empty_way"),
    (CLASSIC, {"win__wolves": [{"everyone": True}]}, "win.wolves", "empty_way"),
    # times
    ("m84", {"close": "8:0"}, "close", "time"),
    ("m84", {"close": "08:00"}, "close", "not_open"),
    ("m84", {"open": "22:00"}, "close", "same_day"),
    ("m84", {"night_minutes": 640}, "night_minutes", "within_night"),
    ("m84", {"petition_lead_minutes": 800}, "petition_lead_minutes", "within_day"),
    ("kingmaker", {"regency_minutes": 1300}, "regency_minutes", "within_day"),
    ("kingmaker", {"depose_close": "18:00"}, "depose_close", "hour_between"),
    ("m84", {"holidays": ["2026-13-01"]}, "holidays", "date"),
    ("m84", {"sheriff_weight": "much"}, "sheriff_weight", "decimal"),
    ("m84", {"sheriff_weight": "1/0"}, "sheriff_weight", "decimal"),
    # spans
    ("m84", {"witch_minutes": 0}, "witch_minutes", "span"),
    ("m84", {"setup_minutes": 0}, "setup_minutes", "span"),
    (CLASSIC, {"shot_minutes": 0}, "shot_minutes", "span"),
    (CLASSIC, {"runoff_minutes": 0}, "runoff_minutes", "span"),
    (CLASSIC, {"candidacy_minutes": 0}, "candidacy_minutes", "span"),
    (CLASSIC, {"reminders": [0]}, "reminders", "at_least"),
    (CLASSIC, {"reminders": [1, 8]}, "reminders", "never_reminds"),
    ("m84", {"reminders": [60, 2220]}, "reminders", "never_reminds"),
    (CLASSIC, {"change_cutoff_minutes": 8}, "change_cutoff_minutes", "cutoff_within_day"),
    ("kingmaker", {"change_cutoff_minutes": 1200}, "change_cutoff_minutes", "cutoff_within_day"),
    ("kingmaker", {"choice_minutes": 0}, "choice_minutes", "span"),
]


@pytest.mark.parametrize(("base", "changes", "key", "code"), ONE_MISTAKE)
def test_a_mistake_is_found(base: str, changes: dict[str, Any], key: str, code: str) -> None:
    assert (key, code) in wrong(base, **changes)


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        (CLASSIC, {"reminders": [1, 7]}),
        ("m84", {"reminders": [60, 2219]}),
        (CLASSIC, {"change_cutoff_minutes": 7}),
        ("kingmaker", {"change_cutoff_minutes": 1199}),
    ],
)
def test_as_long_as_can_be_is_right(base: str, changes: dict[str, Any]) -> None:
    assert wrong(base, **changes) == []


@pytest.mark.parametrize(
    ("base", "gone", "found"),
    [
        # a role whose mechanic is gone; abilities without theirs; steps without theirs
        (CLASSIC, "hunter", ("mechanics", "mechanic_for_role")),
        (CLASSIC, "witch", ("roles.witch.abilities", "ability_mechanic")),
        (CLASSIC, "ballot", ("mechanics", "mechanic_for")),
        (CLASSIC, "election", ("mechanics", "mechanic_for")),
        (CLASSIC, "last_words", ("last_words", "mechanic_missing")),
        ("kingmaker", "regime", ("mechanics", "mechanic_for")),
        ("kingmaker", "warnings", ("close_steps", "step_mechanic")),
        ("kingmaker", "king", ("mechanics", "mechanic_for")),
        ("m84", "attendance", ("close_steps", "step_mechanic")),
        ("kingmaker-princeton", "election", ("mechanics", "mechanic_for")),
    ],
)
def test_a_mechanic_that_is_gone_is_missed(base: str, gone: str, found: tuple[str, str]) -> None:
    left = [key for key in SHEETS[base]["mechanics"] if key != gone]
    assert found in wrong(base, mechanics=left)


def test_an_unknown_option_comes_with_the_likely_one() -> None:
    mistake = sheetcheck.mistakes({**SHEETS[CLASSIC], "save_self": "first_nigth"})[0]
    assert mistake.values["near"] == ["first_night"] and "always" in mistake.values["options"]


def test_a_mistake_is_not_told_twice() -> None:
    """The roles are wrong already: no count, no way to win is looked at."""
    assert wrong(CLASSIC, roles__seer__faction=1) == [("roles.seer.faction", "text")]


def test_nothing_at_all_is_a_sheet_without_all_that_is_needed() -> None:
    found = sheetcheck.mistakes({})
    missing = {mistake.key for mistake in found if mistake.code == "missing"}
    assert missing == {
        *("key", "theme", "players_min", "players_max", "roles", "factions", "mechanics"),
        *("night_steps", "close_steps", "lose"),
    }
    assert len(found) == len(missing)


def test_toml_s_own_times_and_dates_are_taken() -> None:
    times = tomllib.loads("open = 09:30:00\nholidays = [2026-10-01]")
    sheet = Sheet.load({**SHEETS["m84"], **times})
    assert (sheet.open, sheet.holidays) == ("09:30", ["2026-10-01"])


def test_every_clause_that_the_rules_name_is_declared_by_its_mechanic() -> None:
    everywhere = {clause for m in mechanics.ALWAYS for clause in m.clauses}
    room = Path(mechanics.__file__).parent
    for key, mechanic in mechanics.MECHANICS.items():
        named = _literal_clauses(room / f"{key}.py")
        assert named - everywhere <= set(mechanic.clauses), key
    for path in (*room.glob("*.py"), *room.parent.glob("*.py")):
        assert _literal_clauses(path) <= sheetcheck.CLAUSES, path.name


def _literal_clauses(path: Path) -> set[str]:
    """The rules whose clause a module asks for by name."""
    return {
        str(node.args[0].value)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "clause"
        and isinstance(node.args[0], ast.Constant)
    }


def test_rules_without_a_clause_are_named() -> None:
    sheet = Sheet.load(SHEETS[CLASSIC])
    clauses = {rule: c for rule, c in sheet.clauses.items() if rule not in ("guard", "tally")}
    less = Sheet.load({**sheet.dump(), "clauses": clauses})
    assert set(sheetcheck.without_clause(less)) - set(sheetcheck.without_clause(sheet)) == {
        "guard",
        "tally",
    }
