"""Roles that are dealt anew after the deal was undone (撤销): fair, and said (K-50)."""

from __future__ import annotations

import re

import pytest

from data import storyfile
from data.proof import Written
from tests.plugins.desk import GROUP, HOST, SPEECH, Room, group


def sits(room: Room) -> dict[str, str]:
    """Account → role, as the game stands."""
    return {seat.account: seat.role for seat in room.game.seats.values()}


def start(room: Room) -> str:
    """The roles are dealt; what the group is told."""
    assert room.hears(HOST, "开始", GROUP) == "done"
    return "\n".join(text for to, text in room.texts() if to == group())


@pytest.fixture
def dealt() -> Room:
    """Seven have signed up, and the roles were dealt by chance."""
    room = Room()
    room.sign_up()
    for account in [HOST, *map(str, range(1, 8))]:
        room.store.set_reachable(account, True)
    room.hears(HOST, "公告 要开始了", GROUP)
    room.said()
    assert "次发身份" not in start(room)
    return room


def back_to_sign_up(room: Room) -> str:
    """Lead the game back to before the deal."""
    assert room.hears(HOST, "撤销") == "done"
    assert "公布过的本局存证作废" in "\n".join(text for _, text in room.texts())
    assert room.hears(HOST, "确认") == "done"
    assert not room.game.seats
    return "\n".join(text for to, text in room.texts() if to == group())


def test_the_same_seats_have_the_same_roles_however_often_it_is_tried(dealt: Room) -> None:
    first = sits(dealt)
    for number in (2, 3, 4):
        assert "公布过的本局存证作废" in back_to_sign_up(dealt)
        told = start(dealt)
        assert f"第 {number} 次发身份" in told and "没有重抽" in told
        assert sits(dealt) == first


def test_other_seats_are_dealt_to_anew_and_the_old_ones_as_before(dealt: Room) -> None:
    first, seed = sits(dealt), dealt.game.seed
    back_to_sign_up(dealt)
    dealt.hears("7", "退出", GROUP)
    dealt.hears("8", "报名", GROUP)
    dealt.store.set_reachable("8", True)
    dealt.said()
    assert "第 2 次发身份" in (told := start(dealt)) and "重新抽的" in told
    assert dealt.game.seed != seed
    back_to_sign_up(dealt)
    dealt.hears("8", "退出", GROUP)
    dealt.hears("7", "报名", GROUP)
    dealt.said()
    assert "没有重抽" in start(dealt)
    assert sits(dealt) == first and dealt.game.seed == seed


def test_a_deal_that_holds_again_is_named(dealt: Room) -> None:
    last = dealt.length()
    back_to_sign_up(dealt)
    dealt.hears("7", "退出", GROUP)
    dealt.hears("8", "报名", GROUP)
    dealt.store.set_reachable("8", True)
    start(dealt)
    assert dealt.hears(HOST, f"回到 {last}") == "done"
    assert dealt.hears(HOST, "确认") == "done"
    told = [text for to, text in dealt.texts() if to == group()]
    assert any("现在作数的是第 1 次发身份" in text for text in told)


def test_every_code_that_the_group_was_told_can_be_checked(dealt: Room) -> None:
    back_to_sign_up(dealt)
    start(dealt)
    dealt.hears(HOST, "终局", GROUP)
    dealt.hears(HOST, "确认", GROUP)
    public = "\n".join(row.text for row in dealt.store.messages() if row.target == group())
    codes = re.findall(r"存证：([0-9A-Z-]+)", public)
    assert len(codes) == 3
    log = [Written(r.seq, r.version, r.body, r.digest) for r in dealt.store.load_events(1)]
    text = storyfile.write(SPEECH, log)
    found, right = storyfile.check(SPEECH, text, codes)
    assert right, found
    assert f"{codes[0]} 对得上，但它是第 1 次发身份的" in "\n".join(found)
    assert not storyfile.check(SPEECH, text, [codes[1], codes[0], codes[2]])[1]
    assert "第 1 次发身份（后来退回" in text and "退回到第" in text
