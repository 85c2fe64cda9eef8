"""A game's page as it is made of its log: public while it runs, everything afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from data import storypage
from data.proof import commitment, page_key, seal
from data.speech import Speech
from data.storypage import Page, page
from data.telling import SILENT
from engine import commands as c
from engine import events as ev
from engine import view
from engine.game import Game
from engine.rewind import rewind
from tests.data import classic, tales

SPEECH = Speech()


def words(of: Page) -> Iterator[str]:
    """Everything that a page says."""
    yield from (of.title, *of.head, *of.now)
    for seat in of.seats:
        yield from (seat.name, seat.fate, seat.view, seat.role, seat.faction, *seat.why)
    for part in of.parts:
        yield part.title
        for line in part.lines:
            yield from (line.at, line.text, line.clause, line.known)
        for said in part.said:
            yield from (said.at, said.text, said.where)


def batches(log: list[ev.Event]) -> Iterator[tuple[Game, list[ev.Event]]]:
    """The commands of a log without 回到, each with the game after it."""
    game, batch = Game(), list[ev.Event]()
    for number, event in enumerate(log):
        game.apply(event)
        batch.append(event)
        if number + 1 == len(log) or log[number + 1].begins:
            yield game, batch
            batch = []


@pytest.mark.parametrize("key", tales.SHEETS)
def test_while_a_game_runs_its_page_says_what_the_group_was_told(key: str) -> None:
    table = tales.Table(key, 5)
    looked = 0
    while table.game.phase != "over" and looked < 40:
        for _ in range(7):
            if table.game.phase != "over":
                table.step()
        if table.game.phase == "over":
            break
        looked += 1
        shown = page(SPEECH, table.log)
        assert shown is not None and not shown.over
        told = {
            message.text
            for game, batch in batches(table.log)
            for message in SPEECH.events(game, batch)
            if message.audience == ev.PUBLIC
        }
        for part in shown.parts:
            assert not part.lines
            for said in part.said:
                assert said.text in told and said.seats is None and not said.where
        public = {seat["number"]: seat for seat in view.public_view(table.game)["seats"]}
        names = SPEECH.themes[table.game.sheet.theme]
        for seat in shown.seats:
            assert (seat.role, seat.faction, seat.view, seat.why) == ("", "", "", [])
            assert seat.out is public[seat.number]["out"]
            role = public[seat.number]["role"]
            assert not role or names.roles[role] in seat.fate
    assert looked > 3


@pytest.mark.parametrize("key", tales.SHEETS)
def test_afterwards_it_says_everything_and_who_knew_of_it(key: str) -> None:
    for seed in range(3):
        table = tales.Table(key, seed).play()
        shown = page(SPEECH, table.log)
        assert shown is not None and shown.over
        names = SPEECH.themes[table.game.sheet.theme]
        lines = [line for part in shown.parts for line in part.lines]
        for seat in shown.seats:
            own = table.game.seats[seat.number]
            assert seat.role == names.roles[own.role] and seat.out is not own.alive
            assert bool(seat.why) is seat.out
        outs = [e for e in table.log if isinstance(e, ev.Departed)]
        told = [line for line in lines if " 出局：" in line.text]
        assert [line.clause for line in told] == [out.clause for out in outs]
        for line, out in zip(told, outs, strict=True):
            at_once = any(
                isinstance(e, ev.OutAnnounced) and (e.seat, e.at) == (out.seat, out.at)
                for e in table.log
            )
            assert bool(line.known) is not at_once
        over = next(e for e in table.log if isinstance(e, ev.GameOver))
        assert lines[-1].text.startswith("结束：") and lines[-1].clause == over.clause
        # What the group was told of nobody else is in a seat's view.
        for part in shown.parts:
            for said in part.said:
                assert bool(said.where) is (said.seats is not None)


@pytest.mark.parametrize("key", tales.SHEETS)
def test_a_seats_view_is_what_that_seat_was_told(key: str) -> None:
    table = tales.Table(key, 2).play()
    shown = page(SPEECH, table.log)
    assert shown is not None
    for number in table.game.seats:
        told = [
            message.text
            for game, batch in batches(table.log)
            if game.seats and not all(type(e) in {*SILENT, ev.Reminded} for e in batch)
            for message in SPEECH.events(game, batch)
            if message.audience == f"seat:{number}"
            or (
                message.audience.startswith("channel:")
                and number in game.members(message.audience.partition(":")[2])
            )
        ]
        assert told
        seen = [
            said.text
            for part in shown.parts
            for said in part.said
            if said.seats is not None and number in said.seats
        ]
        assert seen == told
        assert any(part.speaks_to(number) for part in shown.parts)


def test_before_the_deal_there_is_no_page() -> None:
    table = tales.Table("six", 1)
    deal = next(n for n, e in enumerate(table.log) if isinstance(e, ev.Dealt))
    for length in range(1, deal + 1):
        assert page(SPEECH, table.log[:length]) is None
        assert storypage.deal(table.log[:length]) is None


@pytest.mark.parametrize("over", [False, True])
def test_what_was_taken_back_is_left_out(over: bool) -> None:
    table = tales.Table("six", 3)
    mark = len(table.log)
    for _ in range(200):
        table.step()
    assert any(isinstance(e, ev.DayOpened) for e in table.log)
    table.log.append(
        rewind(Game.fold(table.log[:mark]), c.Rewind(at=table.now, to=mark, by="d"), taken=None)
    )
    table.game = Game.fold(table.log)
    if over:
        table.do(c.EndGame(at=table.now, by="d"))
    shown = page(SPEECH, table.log)
    assert shown is not None and shown.over is over
    assert not any("第1天" in part.title for part in shown.parts if part.lines or part.said)
    assert "主持把游戏退回了一步，撤销的不再算数。" in [*words(shown)]
    assert not any(" 出局：" in text for text in words(shown))


def test_a_deal_that_was_taken_back_opens_nothing() -> None:
    table = tales.Table("six", 3)
    first = storypage.deal(table.log)
    to = next(n for n, e in enumerate(table.log) if isinstance(e, ev.Dealt))
    while not table.log[to].begins:
        to -= 1
    table.log.append(
        rewind(Game.fold(table.log[:to]), c.Rewind(at=table.now, to=to, by="d"), taken=None)
    )
    assert first is not None and storypage.deal(table.log) is None
    table.game = Game.fold(table.log)
    table.do(c.Deal(at=table.now, seed=f"{9:032x}"))
    again = storypage.deal(table.log)
    assert again is not None and page_key(again.seed) != page_key(first.seed)


def test_the_key_is_long_and_tells_nothing_else() -> None:
    keys = {page_key(f"{number:032x}") for number in range(500)}
    assert len(keys) == 500 and all(len(key) == 24 for key in keys)
    written = tales.kept(tales.Table("six", 1).log)
    for code in (commitment(written[-1].digest), seal(written[-1].digest)):
        assert page_key(f"{1:032x}") not in code.lower().replace("-", "")


def test_what_nobody_shot_and_nobody_said_leaves_words_for_it() -> None:
    """A board that shows nothing of who went out; and a day that nothing happened on."""
    table = classic.dealt()
    table.do(c.RuleOut, target=10, reason="场外")
    shown = page(SPEECH, table.events)
    assert shown is not None and shown.seats[9].out and shown.seats[9].fate
