"""``python -m data check``: all that is wrong, a line each, or the rules that a sheet makes."""

import ast
from pathlib import Path

import pytest

from data import RULESETS, rulesets, toml
from data.__main__ import main
from data.catalogue import KEYS
from engine import ruleset, sheetcheck
from plugins.rehearsal import scenario

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


def test_a_name_that_another_board_has(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "mini.toml"
    text = EIGHT.replace('key = "eight"', 'key = "mini"', 1)
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("mini.toml：title：「八人局」") and "eight.toml" in out
    path.write_text(text.replace('title = "八人局"', 'title = "小八"', 1), encoding="utf-8")
    assert main(["check", str(path)]) == 0


def test_rules_without_a_clause_are_told_but_not_wrong(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "eight.toml"
    path.write_text(f'{EIGHT}\n[clauses]\ndeal = "X-1"\n', encoding="utf-8")
    assert main(["check", str(path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "tally" in last and "deal" not in last


HINT = "（提示，不改也能玩）"


def checked(tmp_path: Path, capsys: Out, text: str, *, hints: bool = False) -> dict[str, str]:
    """Key → what is said of it, of a sheet that is written so.

    ``hints``: nothing of it is wrong, so that the rules are printed as well.
    """
    path = tmp_path / "x.toml"
    text = text.replace('key = "eight"\ntitle = "八人局"', 'key = "x"\ntitle = "某局"')
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == (not hints)
    lines = capsys.readouterr().out.splitlines()
    if hints:
        good = next(n for n, line in enumerate(lines) if line.startswith("x.toml 没有问题"))
        assert lines[good + 1].startswith("【规则")
        lines = lines[:good]
        assert all(line.startswith(f"{HINT}x.toml：") for line in lines)
    return dict(line.split("：", 2)[1:] for line in lines)


def test_parameters_of_mechanics_that_are_not_used(tmp_path: Path, capsys: Out) -> None:
    """Only what the file itself writes: of its base, shot_after is of no use either."""
    more = "day_minutes = 6\npetition_lead_minutes = 60\nposts_min = 2"
    found = checked(tmp_path, capsys, EIGHT.replace("day_minutes = 6", more), hints=True)
    assert found.keys() == {"petition_lead_minutes"}, "posts_min is what it is anyhow"
    assert "申请加速" in found["petition_lead_minutes"]


def test_steps_lost_with_a_list_that_was_replaced(tmp_path: Path, capsys: Out) -> None:
    text = (
        'key = "x"\ntitle = "某局"\nbase = "kingmaker"\n'
        'night_steps = ["kill", "victory", "crown_duty", "victory", "succession", "crown"]\n'
    )
    found = checked(tmp_path, capsys, text, hints=True)
    assert found.keys() == {"night_steps"} and "底 kingmaker 里有" in found["night_steps"]
    assert "exits" in found["night_steps"] and "警告满了的出局" in found["night_steps"]


def test_words_at_once_that_never_lapse(tmp_path: Path, capsys: Out) -> None:
    text = EIGHT.replace('["lapse_words", "announce_out"]', '["announce_out"]')
    found = checked(tmp_path, capsys, text, hints=True)
    assert found.keys() == {"open_steps"} and "lapse_words" in found["open_steps"]


def test_a_table_that_was_replaced_whole(tmp_path: Path, capsys: Out) -> None:
    text = EIGHT.partition("[lose]")[0].replace('"idiot", ', '"idiot", "hunter", ')
    found = checked(tmp_path, capsys, text)
    assert found.keys() == {"lose.town", "roles"}
    assert "底 seer-witch-hunter-guard 的" in found["lose.town"]
    assert "hunter" in found["roles"] and "整张换掉" in found["roles"]


def test_no_name_of_the_inside_is_told(tmp_path: Path, capsys: Out) -> None:
    text = EIGHT.replace('["lapse_words", "announce_out"]', '["lapse_words"]')
    found = checked(tmp_path, capsys, text)
    assert found.keys() == {"open_steps"} and "_phases" not in found["open_steps"]


def test_a_number_of_players_that_the_base_has(tmp_path: Path, capsys: Out) -> None:
    found = checked(tmp_path, capsys, EIGHT.replace("players_min", "players = 12\nplayers_min", 1))
    assert found.keys() == {"players"} and "players_max" in found["players"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("key = “x”", "toml_value"),
        ('key = "x', "toml_text"),
        ("key = '''x", "toml_text"),
        ('key "x"', "toml_key"),
        ('天 = "x"', "toml_key"),
        ('key = "x" 说明', "toml_end"),
        ('title = "y"', "toml_twice"),
        ("roles = {a = 1", "toml_closed"),
        ("reminders = [1, 2", "toml_closed"),
        ("[roles", "toml_closed"),
        ("# \x01", "toml"),
    ],
)
def test_toml_is_told_by_line(tmp_path: Path, line: str, code: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f'title = "x"\n{line}', encoding="utf-8")
    with pytest.raises(ruleset.SheetError) as caught:
        toml.read_toml(path)
    assert (caught.value.key, caught.value.code, caught.value.values["line"]) == ("file", code, 2)


def test_every_mistake_has_a_sentence() -> None:
    """The codes that the engine and the reader of files give, found in their source."""
    codes: set[str] = {code for _, code in toml._EXPECTED}
    for module in (ruleset, sheetcheck, rulesets, toml, scenario):
        assert module.__file__ is not None
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("SheetError", "ScenarioError")
            ):
                codes |= {
                    str(part.value)
                    for part in ast.walk(node.args[1])
                    if isinstance(part, ast.Constant)
                }
    texts = {key.removeprefix("mistake.") for key in KEYS if key.startswith("mistake.")}
    assert codes == texts - {"good", "hint", "no_clause", "text_missing", "of_base"}


def test_mistakes_go_before_hints_and_are_no_hints(tmp_path: Path, capsys: Out) -> None:
    text = EIGHT.replace("day_minutes = 6", "day_minutes = 0\npetition_lead_minutes = 60")
    path = tmp_path / "eight.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("eight.toml：day_minutes：")
    assert second.startswith(f"{HINT}eight.toml：petition_lead_minutes：")


def test_a_board_without_a_witch_is_shown_the_steps_that_are_left(
    tmp_path: Path, capsys: Out
) -> None:
    """Also without clauses: that table is no part of any mistake."""
    path = tmp_path / "eight.toml"
    path.write_text("clauses = {}\n" + EIGHT.replace('"witch", ', ""), encoding="utf-8")
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert '其余的照底：["kill", "victory", "succession"]\n' in out
    assert "eight.toml：clauses：" not in out
    # Written so, and with nobody to be a witch, nothing is left of it.
    path.write_text(
        'clauses = {}\nnight_steps = ["kill", "victory", "succession"]\nwitch_minutes = 0\n'
        + EIGHT.replace('"witch", ', "")
        .replace("[roles.witch]", "[roles.hermit]")
        .replace('["victim_report", "save", "poison"]', "[]"),
        encoding="utf-8",
    )
    main(["check", str(path)])
    assert "night_steps" not in capsys.readouterr().out
