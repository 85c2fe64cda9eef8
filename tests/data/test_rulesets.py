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
