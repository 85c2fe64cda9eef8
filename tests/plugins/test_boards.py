"""The classic boards at the desk: their words and where they count."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.plugins.desk import GROUP, Room, group, private

ROLES = {
    **dict.fromkeys((1, 2, 3, 4), "werewolf"),
    5: "seer",
    6: "witch",
    7: "hunter",
    8: "guard",
    **dict.fromkeys((9, 10, 11, 12), "villager"),
}


@pytest.fixture
def night() -> Room:
    """A game just dealt: seat n is account n's."""
    room = Room()
    room.deal(roles=ROLES, board="seer-witch-hunter-guard")
    room.said()
    return room


def later(room: Room, minutes: int) -> None:
    """Let the clock run."""
    room.now += timedelta(minutes=minutes)
    room.ledger.wake(1, room.now)
    room.ledger.commit()
    room.said()


def elected(night: Room, votes: str = "") -> Room:
    """Day 1: the seer is sheriff; all of the town vote for a seat, and the day is over."""
    later(night, 4)
    assert night.hears("5", "上警", GROUP) == "done"
    later(night, 3)
    assert night.game.sheriff.seat == 5
    for number in range(1, 13) if votes else ():
        assert night.hears(str(number), f"投票 {votes}", GROUP) == "done"
    return night


def test_what_is_said_all_day_is_talk_in_the_group(night: Room) -> None:
    elected(night)
    for typed in ("过", "警徽流 9 10", "警徽流"):
        assert night.hears("5", typed, GROUP) == "talk", typed
    assert night.said() == []


def test_ready_is_a_word_in_private_alone(night: Room) -> None:
    assert night.hears("9", "过", GROUP) == "talk"
    assert night.game.ready == set()
    assert night.hears("9", "过") == "done"
    assert night.game.ready == {9}
    assert night.hears("9", "过") == "refused"


@pytest.mark.parametrize(
    ("typed", "where", "heirs"),
    [
        ("移交警徽 9", GROUP, [9]),
        ("移交警徽 9", None, [9]),
        ("警徽流 9 10", None, [9, 10]),
        ("继任 9", None, [9]),
        ("9", None, [9]),
        ("撕警徽", GROUP, []),
        ("撕警徽", None, []),
    ],
)
def test_the_badge(night: Room, typed: str, where: str | None, heirs: list[int]) -> None:
    elected(night, "5")
    assert night.game.sheriff.leaving == 5
    assert night.hears("5", typed, where) == "done"
    assert night.game.sheriff.heirs == heirs
    assert night.hears("9", "撕警徽", where) == "refused"


def test_heirs_by_the_secret_word_are_no_word_for_the_group(night: Room) -> None:
    elected(night, "5")
    night.said()
    assert night.hears("5", "继任 9", GROUP) == "refused"
    assert night.game.sheriff.heirs == []


@pytest.mark.parametrize(("typed", "where"), [("开枪 1", GROUP), ("开枪1", None), ("1", None)])
def test_a_shot(night: Room, typed: str, where: str | None) -> None:
    elected(night, "7")
    assert night.hears("9", "开枪 1", where) == "refused"
    assert night.hears("7", typed, where) == "done"
    assert night.game.out == [7, 1]


@pytest.mark.parametrize("where", [GROUP, None])
def test_an_explosion(night: Room, where: str | None) -> None:
    later(night, 4)
    assert night.hears("9", "自爆", where) == "refused"
    assert {row.target for row in night.said()} == {private("9")}
    assert night.hears("1", "自爆", where) == "done"
    assert night.game.phase == "night" and night.game.out == [1]
    assert group() in {row.target for row in night.said()}


def test_words_of_other_boards_are_talk_in_the_group() -> None:
    room = Room()
    room.deal(roles={1: "mafia", **dict.fromkeys(range(2, 7), "townsfolk")}, board="mafia")
    for typed in ("上警", "退水", "自爆", "开枪 3", "移交警徽 3", "撕警徽"):
        assert room.hears("1", typed, GROUP) == "talk", typed
    assert room.game.out == []
