"""A mistake in a sheet's file is named: the file, the key, what was expected."""

from pathlib import Path

import pytest

from data import RULESETS
from data.rulesets import RulesetError, load_rulesets, mistakes, read_ruleset
from data.speech import Speech

KINGMAKER = (RULESETS / "kingmaker.toml").read_text(encoding="utf-8")


def test_the_sheets_that_we_ship() -> None:
    found = load_rulesets()
    assert "kingmaker" in found
    assert all(key == sheet.key for key, sheet in found.items())


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"),
    [
        ("posts_min = 2", "posts_mim = 2", "posts_mim", "posts_min"),
        ("posts_min = 2", 'posts_min = "2"', "posts_min", "整数"),
        ("posts_min = 2", "posts_min = -1", "posts_min", "0"),
        ('open = "17:00"', 'open = "25:00"', "open", "HH:MM"),
        ("players_min = 6", "", "players_min", "缺"),
        (
            '[roles.civilian]\nfaction = "town"',
            '[roles.civilian]\nfaction = "x"',
            "roles.civilian.faction",
            "town",
        ),
        ('key = "kingmaker"', 'key = "kingmaster"', "key", "kingmaker"),
        ('key = "kingmaker"', "key = ", "file", "第 3 行"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, key: str, expected: str) -> None:
    assert old in KINGMAKER
    (tmp_path / "kingmaker.toml").write_text(KINGMAKER.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        load_rulesets(tmp_path)
    assert (caught.value.file, caught.value.key) == ("kingmaker.toml", key)
    line = str(caught.value)
    assert line.startswith(f"kingmaker.toml：{key}：") and expected in line.split("：", 2)[2]


def test_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes("# 拥王者\n".encode("gbk"))
    with pytest.raises(RulesetError, match=r"x\.toml.*UTF-8"):
        load_rulesets(tmp_path)


def write(directory: Path, **files: str) -> None:
    for name, text in files.items():
        (directory / f"{name}.toml").write_text(text, encoding="utf-8")


def test_a_sheet_on_a_base_takes_what_it_does_not_give(tmp_path: Path) -> None:
    lines = 'key = "mine"\nbase = "kingmaker"\nposts_min = 5\n[clauses]\ndeal = "X-1"\n'
    his = 'key = "his"\ntitle = "他的"\nbase = "mine"\nposts_min = 7\n'
    write(tmp_path, mine=lines, his=his)
    found = load_rulesets(tmp_path)
    kingmaker = load_rulesets()["kingmaker"].dump()
    mine = {"key": "mine", "posts_min": 5, "clauses": {"deal": "X-1"}}
    assert found["mine"].dump() == {**kingmaker, **mine}, "a table is replaced whole"
    assert found["his"].dump() == {
        **{**kingmaker, **mine},
        **{"key": "his", "title": "他的", "posts_min": 7},
    }


def test_a_base_beside_the_file_goes_before_the_bot_s_own(tmp_path: Path) -> None:
    own = KINGMAKER.replace("posts_min = 2", "posts_min = 3")
    mine = 'key = "mine"\ntitle = "我的"\nbase = "kingmaker"\n'
    write(tmp_path, kingmaker=own, mine=mine)
    assert load_rulesets(tmp_path)["mine"].posts_min == 3


def test_what_names_a_sheet_is_not_its_base_s(tmp_path: Path) -> None:
    write(tmp_path, a='key = "a"\nbase = "nine"\n', b='base = "nine"\n')
    with pytest.raises(RulesetError, match=r"^b\.toml：key："):
        load_rulesets(tmp_path)
    (tmp_path / "b.toml").unlink()
    assert load_rulesets(tmp_path)["a"].title == ""


@pytest.mark.parametrize(
    ("lines", "file", "code"),
    [
        ({"a": 'base = "a"'}, "a.toml", "base_circle"),
        ({"a": 'base = "b"', "b": 'base = "c"', "c": 'base = "a"'}, "c.toml", "base_circle"),
        ({"a": 'base = "kingmaster"'}, "a.toml", "one_of_near"),
        ({"a": 'base = "../rulesets/kingmaker"'}, "a.toml", "one_of_near"),
        ({"a": "base = 1"}, "a.toml", "base_text"),
        ({"a": 'base = "b"', "b": 'base = "x"'}, "b.toml", "one_of"),
    ],
)
def test_a_wrong_base_is_named(tmp_path: Path, lines: dict[str, str], file: str, code: str) -> None:
    write(tmp_path, **lines)
    with pytest.raises(RulesetError) as caught:
        load_rulesets(tmp_path)
    assert (caught.value.file, caught.value.key, caught.value.code) == (file, "base", code)


def test_an_unknown_base_comes_with_those_that_there_are(tmp_path: Path) -> None:
    write(tmp_path, a='base = "x"\n')
    with pytest.raises(RulesetError, match=r"a、.*kingmaker、.*nine"):
        load_rulesets(tmp_path)


def test_a_mistake_in_a_base_that_is_no_toml_names_that_file(tmp_path: Path) -> None:
    write(tmp_path, a='key = "a"\nbase = "b"\n', b="key =\n")
    with pytest.raises(RulesetError, match=r"^b\.toml：file："):
        load_rulesets(tmp_path)


def test_what_can_be_played_all_the_same_is_loaded(tmp_path: Path) -> None:
    """The check tells of it; the bot starts."""
    lines = 'key = "mine"\nbase = "nine"\npetition_lead_minutes = 60\nreminders = [90]\n'
    write(tmp_path, mine=lines)
    path = tmp_path / "mine.toml"
    told = {mistake.code for mistake in mistakes(path, read_ruleset(path))}
    assert told == {"unused", "never_reminds"}
    assert load_rulesets(tmp_path)["mine"].reminders == [90]


@pytest.mark.parametrize(
    ("title", "key", "name"),
    [
        ('title = "八人局"', "title", "八人局"),
        ('title = " 八人 局"', "title", " 八人 局"),
        ('title = "Eight"', "title", "Eight"),
        ('title = "拥王者"', "title", "拥王者"),
        ('theme = "kingmaker"', "title", "拥王者1.0"),
    ],
)
def test_no_two_boards_have_one_name(tmp_path: Path, title: str, key: str, name: str) -> None:
    for shipped in ("eight", "seer-witch-hunter-guard", "kingmaker"):
        copy = (RULESETS / f"{shipped}.toml").read_text(encoding="utf-8")
        (tmp_path / f"{shipped}.toml").write_text(copy, encoding="utf-8")
    base = "kingmaker" if "拥王者" in name else "eight"
    write(tmp_path, mini=f'key = "mini"\nbase = "{base}"\n{title}\n')
    with pytest.raises(RulesetError) as caught:
        load_rulesets(tmp_path)
    assert (caught.value.file, caught.value.key, caught.value.code) == (
        *("mini.toml", key),
        "name_taken",
    )
    assert name in str(caught.value) and f"{base}.toml" in str(caught.value)
    write(tmp_path, mini=f'key = "mini"\nbase = "{base}"\ntitle = "小八人局"\n')
    assert load_rulesets(tmp_path)["mini"].title == "小八人局"


def test_a_key_that_another_board_is_called_by_is_refused_too(tmp_path: Path) -> None:
    write(tmp_path, a='key = "a"\ntitle = "z"\nbase = "eight"\n', z='key = "z"\nbase = "nine"\n')
    with pytest.raises(RulesetError, match=r"^z\.toml：key：.*a\.toml"):
        load_rulesets(tmp_path)


def test_the_readme_names_every_board_as_the_bot_does() -> None:
    readme = (RULESETS.parents[1] / "README.md").read_text(encoding="utf-8")
    boards = readme.partition("现在会主持的规则")[2].partition("\n\n")[0]
    speech = Speech()
    missing = [key for key, sheet in load_rulesets().items() if speech.word(sheet) not in boards]
    assert missing == []
