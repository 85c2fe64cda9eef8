"""A mistake in a sheet's file is named: the file, the key, what was expected."""

from pathlib import Path

import pytest

from data import RULESETS
from data.rulesets import RulesetError, load_rulesets

KINGMAKER = (RULESETS / "kingmaker.toml").read_text(encoding="utf-8")


def test_the_sheets_that_we_ship() -> None:
    found = load_rulesets()
    assert "kingmaker" in found
    assert all(key == sheet.key for key, sheet in found.items())


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"),
    [
        ("posts_min = 2", "posts_mim = 2", "posts_mim", "posts_min"),
        ("posts_min = 2", 'posts_min = "2"', "posts_min", "int"),
        ("posts_min = 2", "posts_min = -1", "posts_min", "0"),
        ('open = "17:00"', 'open = "25:00"', "open", "HH:MM"),
        ('open = "17:00"', "", "sheet", "open"),
        ('[roles.civilian]\nfaction = "town"', '[roles.civilian]\nfaction = "x"', "roles", "town"),
        ('key = "kingmaker"', 'key = "kingmaster"', "key", "kingmaker"),
        ('key = "kingmaker"', "key = ", "the file", "line 2"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, key: str, expected: str) -> None:
    assert old in KINGMAKER
    (tmp_path / "kingmaker.toml").write_text(KINGMAKER.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        load_rulesets(tmp_path)
    assert caught.value.file == "kingmaker.toml"
    assert caught.value.key.startswith(key)
    assert expected in caught.value.expected
    assert str(caught.value).startswith(f"kingmaker.toml: {caught.value.key}: ")


def test_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes("# 拥王者\n".encode("gbk"))
    with pytest.raises(RulesetError, match=r"x\.toml.*UTF-8"):
        load_rulesets(tmp_path)


def write(directory: Path, **files: str) -> None:
    for name, text in files.items():
        (directory / f"{name}.toml").write_text(text, encoding="utf-8")


def test_a_sheet_on_a_base_takes_what_it_does_not_give(tmp_path: Path) -> None:
    lines = 'key = "mine"\nbase = "kingmaker"\nposts_min = 5\n[clauses]\ndeal = "X-1"\n'
    write(tmp_path, mine=lines, his='key = "his"\nbase = "mine"\nposts_min = 7\n')
    found = load_rulesets(tmp_path)
    kingmaker = load_rulesets()["kingmaker"].dump()
    mine = {"key": "mine", "posts_min": 5, "clauses": {"deal": "X-1"}}
    assert found["mine"].dump() == {**kingmaker, **mine}, "a table is replaced whole"
    assert found["his"].dump() == {**kingmaker, **mine, "key": "his", "posts_min": 7}


def test_a_base_beside_the_file_goes_before_the_bot_s_own(tmp_path: Path) -> None:
    own = KINGMAKER.replace("posts_min = 2", "posts_min = 3")
    write(tmp_path, kingmaker=own, mine='key = "mine"\nbase = "kingmaker"\n')
    assert load_rulesets(tmp_path)["mine"].posts_min == 3


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ({"a": 'base = "a"'}, ("a.toml", "not based on this one")),
        ({"a": 'base = "b"', "b": 'base = "c"', "c": 'base = "a"'}, ("c.toml", "not based")),
        ({"a": 'base = "kingmaster"'}, ("a.toml", "kingmaker")),
        ({"a": 'base = "../rulesets/kingmaker"'}, ("a.toml", "kingmaker")),
        ({"a": "base = 1"}, ("a.toml", "in quotes")),
        ({"a": 'base = "b"', "b": 'base = "x"'}, ("b.toml", "one of a, b")),
    ],
)
def test_a_wrong_base_is_named(
    tmp_path: Path, lines: dict[str, str], expected: tuple[str, str]
) -> None:
    write(tmp_path, **lines)
    with pytest.raises(RulesetError) as caught:
        load_rulesets(tmp_path)
    assert (caught.value.file, caught.value.key) == (expected[0], "base")
    assert expected[1] in caught.value.expected


def test_a_mistake_in_a_base_that_is_no_toml_names_that_file(tmp_path: Path) -> None:
    write(tmp_path, a='key = "a"\nbase = "b"\n', b="key =\n")
    with pytest.raises(RulesetError, match=r"^b\.toml: the file: "):
        load_rulesets(tmp_path)
