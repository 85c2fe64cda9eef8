"""A theme chosen when a game is opened, and the words that are typed and shown under it."""

from __future__ import annotations

import pytest

from tests.plugins.desk import GROUP, HOST, Room

NEVER = set("杀死毒刀")
OTHER_ROOM = "990"


def opened(typed: str) -> Room:
    """A room in which this was typed by a host."""
    room = Room()
    assert room.hears(HOST, typed, GROUP) == "done"
    return room


@pytest.mark.parametrize(
    ("typed", "theme"),
    [
        ("开局 M84", "m84"),
        ("开局 M84 主题=标准", "standard"),
        ("开局 M84 主题=standard", "standard"),
        ("开局 M84 theme=mild", "mild"),
        ("开局 拥王者 9人 主题=温和", "mild"),
    ],
)
def test_a_theme_is_a_parameter(typed: str, theme: str) -> None:
    assert opened(typed).game.sheet.theme == theme


@pytest.mark.parametrize("typed", ["开局 M84 主题=没有", "开局 拥王者 主题=标准"])
def test_a_theme_that_there_is_not_or_that_lacks_names_is_refused(typed: str) -> None:
    room = Room()
    assert room.hears(HOST, typed, GROUP) == "refused"
    _, text = room.only()
    assert typed.split()[-1] in text and not room.ledger.open_games()


@pytest.fixture
def mild() -> Room:
    """The first night of 拥王者 under the mild theme: seat 1 is kingmaker, 2 and 3 are killers."""
    room = Room()
    room.deal(board="拥王者 主题=温和")
    return room


@pytest.mark.parametrize(("typed", "target"), [("出手 4", 4), ("刀 4", 4), ("不出手", None)])
def test_its_own_words_and_the_general_ones_are_orders(
    mild: Room, typed: str, target: int | None
) -> None:
    assert mild.hears("2", typed) == "done"
    assert mild.kills() == [target]
    assert not NEVER & set("".join(text for _, text in mild.texts()))


@pytest.mark.parametrize(
    ("account", "typed", "group"),
    [
        ("2", "刀 4", GROUP),
        ("2", "出手 4", GROUP),
        ("2", "刀 99", None),
        ("2", "刀 4 5", None),
        ("2", "空刀 4", None),
        ("2", "毒 4", None),
        ("4", "刀 5", None),
        ("2", "帮助", None),
        ("2", "我的身份", None),
        ("2", "我的信息", None),
        ("2", "规则", None),
        (HOST, "帮助", None),
        (HOST, "身份表", None),
        (HOST, "待办", None),
        ("2", "看不懂的话", None),
    ],
)
def test_nothing_that_it_answers_contains_what_it_never_says(
    mild: Room, account: str, typed: str, group: str | None
) -> None:
    mild.hears(account, typed, group)
    answered = [text for _, text in mild.texts()]
    assert answered and not NEVER & set("".join(answered)), answered


def test_a_pack_s_room_is_bound_without_its_name(mild: Room) -> None:
    assert mild.hears(HOST, "绑定 密谈", OTHER_ROOM) == "done"
    assert mild.game.bound == {"killers": OTHER_ROOM}
