"""``python -m data check``: all that is wrong, a line each, or the rules that a sheet makes."""

import ast
from pathlib import Path

import pytest

from data import RULESETS
from data.__main__ import main
from data.catalogue import KEYS
from engine import ruleset, sheetcheck

EIGHT = (RULESETS / "eight.toml").read_text(encoding="utf-8")
Out = pytest.CaptureFixture[str]


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.toml")), ids=lambda path: path.stem)
def test_our_sheets_are_right(path: Path, capsys: Out) -> None:
    assert main(["check", str(path)]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{path.name} 没有问题") and second.startswith("【规则")


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path, capsys: Out) -> None:
    text = EIGHT
    for old, new in {
        'title = "八人局"': 'titel = "八人局"',
        "players_max = 8": 'players_max = "8"',
        '"idiot", "explode"': '"explode"',
        "day_minutes = 6": "day_minutes = 0",
        'abilities = ["inspect"]': 'abilities = ["inspekt"]',
        "wolves = [{}]": "",
    }.items():
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "eight.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("eight.toml：") for line in lines)
    found = dict(line.split("：", 2)[1:] for line in lines)
    assert found.keys() == {
        *("titel", "players_max", "mechanics", "day_minutes", "roles.seer.abilities", "lose"),
    }
    assert "title" in found["titel"] and "整数" in found["players_max"]
    assert "idiot" in found["mechanics"] and "inspect" in found["roles.seer.abilities"]
    assert "town" in found["lose"] and "wolves" in found["lose"]


@pytest.mark.parametrize(
    ("text", "key"),
    [(None, "file"), ("key = ", "file"), ('key = "x"\nbase = "nowhere"', "base"), ("", "key")],
)
def test_what_can_not_be_read(tmp_path: Path, text: str | None, key: str, capsys: Out) -> None:
    path = tmp_path / "x.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert f"x.toml：{key}：" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('theme = "nowhere"', "nowhere.toml：theme"),
        ('theme = "kingmaker"', "kingmaker.toml：roles.werewolf"),
    ],
)
def test_names_that_the_theme_lacks(tmp_path: Path, line: str, key: str, capsys: Out) -> None:
    path = tmp_path / "eight.toml"
    path.write_text(EIGHT.replace("players_min", f"{line}\nplayers_min", 1), encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert f"{key}：" in capsys.readouterr().out


def test_rules_without_a_clause_are_told_but_not_wrong(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "eight.toml"
    path.write_text(f'{EIGHT}\n[clauses]\ndeal = "X-1"\n', encoding="utf-8")
    assert main(["check", str(path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "tally" in last and "deal" not in last


def test_every_mistake_has_a_sentence() -> None:
    """The codes that the engine and the reader of files give, found in their source."""
    from data import rulesets

    codes: set[str] = set()
    for module in (ruleset, sheetcheck, rulesets):
        assert module.__file__ is not None
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "SheetError"
            ):
                codes |= {
                    str(part.value)
                    for part in ast.walk(node.args[1])
                    if isinstance(part, ast.Constant)
                }
    texts = {key.removeprefix("mistake.") for key in KEYS if key.startswith("mistake.")}
    assert codes == texts - {"good", "no_clause", "text_missing"}
