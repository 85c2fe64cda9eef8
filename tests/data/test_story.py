"""A game told from its log: the record, the tale, and why."""

from __future__ import annotations

import re
from typing import Any

import pytest

from data.catalogue import KEYS
from data.sentences import Sentences
from data.speech import Speech
from data.story import DAY, NIGHT, PAGE, Story, chapters, entries
from engine import commands as c
from engine import events as ev
from engine.rewind import rewind
from tests.data import classic, tales
from tests.data.table import Table

SPEECH = Speech()


def story(table: Any) -> Story:
    """The story of a table's game."""
    events = table.log if isinstance(table, tales.Table) else table.events
    return Story(SPEECH, table.game, events)


def numbered(text: str) -> list[int]:
    """The numbers of events in a text."""
    return [int(found) for found in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]


def redealt() -> Story:
    """The story of a game whose roles were dealt twice."""
    table = tales.Table("six", 1)
    to = next(n for n, e in enumerate(table.log) if isinstance(e, ev.Dealt))
    command = c.Rewind(at=table.now, to=to, by="d")
    table.log.append(rewind(tales.state_of(table.log[:to]), command, taken=None))
    table.game = tales.state_of(table.log)
    table.do(c.Deal(at=table.now, seed=f"{1:032x}"))
    table.play()
    return story(table)


# --- every ruleset -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", tales.SHEETS)
def test_everything_can_be_told_of_every_game(key: str) -> None:
    for seed in range(3):
        table = tales.Table(key, seed).play()
        told = story(table)
        pages = told.record()
        every = [number for page in pages for number in numbered(page)]
        assert every == sorted(set(every))
        left = [e for n, e in enumerate(table.log, 1) if n not in every]
        for event in left:
            idle = isinstance(event, ev.Reminded) and not event.owed
            off = isinstance(event, ev.Scheduled) and event.due is None
            assert idle or off or isinstance(event, ev.Posted), event
        assert all(len(page) <= PAGE for page in [*pages, *told.retell()])
        tale = "\n".join(told.retell())
        assert f"【复盘 · 第1局 · {SPEECH.title(table.game.sheet)}】" in tale
        for number, seat in table.game.seats.items():
            why = told.why_seat(number)
            out = [e for e in table.log if isinstance(e, ev.Departed) and e.seat == number]
            assert ("是这样出局的" in why) is bool(out) is not seat.alive
            if out:
                # Its going out is in it, and something that led to it.
                place = next(n for n, e in enumerate(table.log, 1) if e is out[0])
                assert place in numbered(why) and min(numbered(why)) < place, why
        for chapter in told.chapters:
            if chapter.phase in (DAY, NIGHT):
                assert told.why_phase(chapter.phase, chapter.day)
        counted = any(isinstance(e, ev.Tallied) for e in table.log)
        assert (told.why_vote() is not None) is counted


def test_a_record_of_one_phase() -> None:
    told = story(tales.Table("six", 1).play())
    night = "\n".join(told.record("night", 1))
    assert night.startswith("【第1夜】\n") and "【第1天】" not in night
    both = told.record("", 1)
    assert [page.splitlines()[0] for page in both] == ["【第1天】", "【第1夜】"]
    assert told.record("sign_up")[0].startswith("【招募】\n1. ")
    assert told.record("night", 0)[0].startswith("【首夜】")
    assert told.record("night", 9) == []


def test_a_long_phase_goes_on_over_pages() -> None:
    table = tales.Table("six", 1)
    for number in range(60):
        table.do(c.Announce(at=table.now, text=f"{number}" + "长" * 60))
    pages = story(table).record("night", 0)
    assert len(pages) > 2 and pages[1].startswith("【首夜】（续）\n")
    assert max(len(page) for page in pages) <= PAGE


# --- why -----------------------------------------------------------------------------------------


def test_why_a_kill() -> None:
    table = classic.plain_game("seer-witch-hunter-guard")
    told = story(table)
    out = next(e for e in table.events if isinstance(e, ev.Departed) and e.cause == "kill")
    lines = told.why_seat(out.seat).splitlines()
    assert lines[0].startswith("【为什么】") and "出局" in lines[0]
    assert re.fullmatch(r"\d+\. \d+号 .* 定杀人：.* \[C-05\]", lines[1])
    assert "夜里结算：" in lines[2] and lines[2].endswith("[C-11]")
    assert "出局：夜里被杀 [C-11]" in lines[3]


def acts(table: Table, *orders: tuple[str, int, int]) -> None:
    for ability, seat, target in orders:
        classic.act(table, ability, seat, target)


def roles_of(table: Table, role: str) -> list[int]:
    return [number for number, seat in table.game.seats.items() if seat.role == role]


@pytest.mark.parametrize("helped", [("guard",), ("save",), ("guard", "save")])
def test_why_one_who_was_to_be_killed_is_here_or_not(helped: tuple[str, ...]) -> None:
    table = classic.dealt()
    (wolf, *_), (witch,), (guard,) = (
        roles_of(table, role) for role in ("werewolf", "witch", "guard")
    )
    victim = roles_of(table, "villager")[0]
    classic.act(table, "faction_kill", wolf, victim)
    if "guard" in helped:
        classic.act(table, "guard", guard, victim)
    table.until("night")
    if "save" in helped:
        classic.act(table, "save", witch, victim)
    table.until("open")
    why = story(table).why_seat(victim)
    if len(helped) == 2:
        assert "又守又救，反而出局。" in why and "是这样出局的" in why
    else:
        assert "被守住或救下，没有出局。" in why and "还在场" in why


def test_the_whole_chain_of_a_lover() -> None:
    """The order, the kill, the lover who followed, the faction that is lost, the winner."""
    for seed in range(40):
        table = tales.Table("m84", seed).play()
        followed = [e for e in table.log if isinstance(e, ev.Departed) and e.cause == "lover"]
        if followed:
            break
    told = story(table)
    (other,) = [n for n in table.game.lovers.pair if n != followed[0].seat]
    why = told.why_seat(followed[0].seat)
    assert "牵线" in why
    first = next(
        n for n, e in enumerate(table.log, 1) if isinstance(e, ev.Departed) and e.seat == other
    )
    second = table.log.index(followed[0]) + 1
    assert {first, second} <= set(numbered(why))
    assert {first, second} <= set(numbered(told.why_seat(other)))


def test_why_a_vote_of_a_tie_and_of_nobody() -> None:
    table = classic.day()
    assert story(table).why_vote() is None
    every = "\n".join(_votes(tales.Table("m84", seed).play(600)) for seed in range(12))
    silent = tales.Table("m84", 1)
    while silent.game.day < 2 or silent.game.phase == "day":
        silent.now = silent.game.next_alarm() or silent.now
        silent.do(c.Tick(at=silent.now))
    assert "没有人得票。" in _votes(silent)
    assert "的一票算 1.5 票。" in every
    assert "先到那个票数的是" in every
    assert "起不能改票。" in every
    assert re.search(r"平票：.*、.*。", every)


def test_why_nobody_without_a_majority() -> None:
    found = [
        text
        for seed in range(12)
        for text in [_votes(tales.Table("kingmaker-princeton", seed).play())]
        if "没有超过在世" in text
    ]
    assert found


def _votes(table: tales.Table) -> str:
    told = story(table)
    return "\n".join(told.why_vote(day) or "" for day in range(1, table.game.day + 1))


# --- what was taken back, and by whose hand ------------------------------------------------------


def taken_back(to: int) -> tales.Table:
    """A game led back to an event, and ended there."""
    table = tales.Table("six", 3)
    for _ in range(120):
        table.step()
    past = tales.state_of(table.log[:to])
    command = c.Rewind(at=table.now, to=to, by="d")
    table.log.append(rewind(past, command, taken=None))
    table.game = tales.state_of(table.log)
    table.do(c.EndGame(at=table.now, by="d"))
    return table


def test_what_was_taken_back_is_marked_and_does_not_count() -> None:
    table = tales.Table("six", 3)
    first = next(n for n, event in enumerate(table.log, 1) if isinstance(event, ev.NightFell))
    table = taken_back(len(table.log))
    undone = [e for c in chapters(entries(table.log)) for e in c.entries if e.undone]
    assert undone and all(e.seq > first for e in undone)
    told = story(table)
    record = "\n".join(told.record())
    for line in record.splitlines():
        if re.match(r"\d+\. ", line):
            number = int(line.partition(".")[0])
            assert line.endswith("（已撤销）") is any(e.seq == number for e in undone)
    assert " D 退回到第" in record
    assert "（已撤销）" not in "\n".join(told.retell())
    numbers = {e.seq for e in undone}
    for seat in table.game.seats:
        assert not numbers & set(numbered(told.why_seat(seat)))
    # What comes after it belongs to the phase that it led back to.
    last = chapters(entries(table.log))[-1]
    assert (last.phase, last.day) != ("night", 0) or last.entries[-1].event == table.log[-1]


def test_a_game_led_back_before_its_deal_is_told() -> None:
    table = taken_back(7)
    assert not table.game.seats
    told = story(table)
    assert "（已撤销）" in "\n".join(told.record())
    assert told.retell()[0].startswith("【复盘")
    assert told.record("sign_up")[-1].splitlines()[-1].endswith("结束：主持终止")


def test_who_has_done_it_is_in_the_chain() -> None:
    table = classic.dealt()
    table.do(c.RuleOut, target=10, reason="场外", by="d")
    lines = story(table).why_seat(10).splitlines()
    assert lines[1].endswith("操作人：导") and "理由：场外" in lines[2] and "主持判出局" in lines[3]
    table.do(c.Reinstate, target=10, by="d")
    back = story(table).why_seat(10)
    assert "还在场" in back and "仍在场" in back


def test_the_record_lists_nothing_that_says_nothing() -> None:
    table = Table()
    table.until("open")
    table.until("close")
    record = "\n".join(story(table).record())
    assert "开楼定在" in record and "开楼取消" not in record
    assert "提醒" in record and not re.search("提醒（.*）：无$", record, re.MULTILINE)
    # By a director's hand it comes as well; what is taken off for another reason is told.
    early = Table()
    early.do(c.OpenDay, by="d")
    record = "\n".join(story(early).record())
    assert "主持开楼" in record and "操作人：导" in record and "开楼取消" not in record
    off = [e for e in early.events if isinstance(e, ev.Scheduled) and e.due is None]
    assert "open" in {event.kind for event in off}


# --- the sentences -------------------------------------------------------------------------------


def test_every_sentence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    fill = Sentences.fill

    def recording(self: Sentences, key: str, values: Any) -> Any:
        said.add(key)
        return fill(self, key, values)

    monkeypatch.setattr(Sentences, "fill", recording)
    for key in tales.SHEETS:
        test_everything_can_be_told_of_every_game(key)
    for helped in (("guard",), ("guard", "save")):
        test_why_one_who_was_to_be_killed_is_here_or_not(helped)
    test_why_a_vote_of_a_tie_and_of_nobody()
    test_why_nobody_without_a_majority()
    test_a_long_phase_goes_on_over_pages()
    test_what_was_taken_back_is_marked_and_does_not_count()
    redealt().retell()
    left = {key for key in KEYS if key.startswith(("story.", "why."))} - said
    assert left == set()
