"""An operator's hands: what is an incident and when, what is wrong, and what the log shows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import nonebot
import pytest
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.log import logger

import bot as program
from data.message import Target
from data.store import StoreError
from plugins import _log, clock, operator
from plugins.gamemaster import chat
from plugins.gamemaster.chat import house
from plugins.gamemaster.desk import Incoming
from plugins.gamemaster.house import log, log_fault
from plugins.operator.figures import Figures
from plugins.operator.watch import FLOWS, LOST, PILED, UNUSED, Notice, Watch
from tests.plugins.desk import GROUP, HOST, SPEECH
from tests.plugins.test_chat import _Bot, event, settled
from tests.plugins.test_clock import NOON, deal

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
START = datetime(2026, 3, 2, 1, tzinfo=UTC)


# --- what is an incident -------------------------------------------------------------------------


def keys(notices: list[Notice]) -> list[str]:
    for notice in notices:
        assert SPEECH.say(notice.key, **notice.values)
    return [notice.key.rpartition(".")[2] for notice in notices]


def test_an_account_that_is_gone_is_told_of_once_and_once_when_it_is_back() -> None:
    watch = Watch(START)
    assert watch.connected("1", START) == []
    gone = START + MINUTE
    watch.disconnected("1", gone)
    assert watch.look(gone + LOST, (0, None)) == []
    (lost,) = watch.look(gone + LOST + SECOND, (0, None))
    assert keys([lost]) == ["lost"] and lost.begins
    assert lost.values == {"account": "1", "minutes": 2}
    for later in (2, 60, 3600):
        assert watch.look(gone + LOST + later * SECOND, (0, None)) == []
    (back,) = watch.connected("1", gone + 17 * MINUTE)
    assert keys([back]) == ["back"] and not back.begins
    assert back.values == {"account": "1", "minutes": 17}
    assert watch.look(gone + 60 * MINUTE, (0, None)) == []
    # Another time is another incident, and a break that is short is none.
    watch.disconnected("1", gone + 60 * MINUTE)
    assert watch.connected("1", gone + 61 * MINUTE) == []
    watch.disconnected("1", gone + 70 * MINUTE)
    assert keys(watch.look(gone + 73 * MINUTE, None)) == ["lost"]


def test_of_two_accounts_each_is_missed() -> None:
    watch = Watch(START)
    for account in ("1", "2"):
        watch.connected(account, START)
    watch.disconnected("1", START)
    (lost,) = watch.look(START + 3 * MINUTE, (0, None))
    assert lost.values["account"] == "1"
    assert watch.connected("2", START + 3 * MINUTE) == []
    assert keys(watch.connected("1", START + 4 * MINUTE)) == ["back"]


def test_after_a_start_nobody_comes() -> None:
    watch = Watch(START)
    assert watch.look(START + LOST, (3, START - PILED)) == []
    assert keys(watch.look(START + LOST + SECOND, (3, START - PILED))) == ["never"]
    assert keys(watch.connected("1", START + 9 * MINUTE)) == ["back"]


def test_where_there_was_never_a_game_nobody_is_missed_for_long() -> None:
    watch = Watch(START, used=False)
    assert watch.look(START + UNUSED, (0, None)) == []
    (never,) = watch.look(START + UNUSED + SECOND, (0, None))
    assert keys([never]) == ["never"] and never.minor
    assert watch.look(START + 2 * UNUSED, (0, None)) == []
    assert keys(watch.connected("1", START + 3 * UNUSED)) == ["back"]
    # From then on it is missed as any.
    watch.disconnected("1", START + 3 * UNUSED)
    (lost,) = watch.look(START + 3 * UNUSED + LOST + SECOND, (0, None))
    assert keys([lost]) == ["lost"] and not lost.minor


def test_a_pile_is_told_of_once_and_once_when_all_flows_again() -> None:
    watch = Watch(START)
    watch.connected("1", START)
    oldest = START + MINUTE
    assert watch.look(oldest + PILED, (4, oldest)) == []
    (piled,) = watch.look(oldest + PILED + SECOND, (4, oldest))
    assert keys([piled]) == ["piled"] and piled.values == {"count": 4, "minutes": 5}
    for moment in (6 * MINUTE, 9 * MINUTE):
        assert watch.look(oldest + moment, (5, oldest)) == []
    # It gets less, and isn't over yet; the database doesn't say: that is no news either.
    now = oldest + 20 * MINUTE
    assert watch.look(now, (2, now - FLOWS)) == watch.look(now, None) == []
    (flows,) = watch.look(now, (2, now - FLOWS + SECOND))
    assert keys([flows]) == ["flows"] and flows.values == {"minutes": 20}
    assert watch.look(now, (0, None)) == []


def test_what_waited_for_a_lost_connection_is_no_pile_of_its_own() -> None:
    watch = Watch(START)
    watch.connected("1", START)
    watch.disconnected("1", START)
    assert keys(watch.look(START + 60 * MINUTE, (9, START))) == ["lost"]
    back = START + 61 * MINUTE
    assert keys(watch.connected("1", back)) == ["back"]
    assert watch.look(back + PILED, (9, START)) == []
    assert keys(watch.look(back + PILED + SECOND, (9, START))) == ["piled"]


# --- who is told ---------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The real house with a database in memory, and two superusers."""
    url, house.url = house.url, "sqlite://"
    house.open()
    monkeypatch.setattr(nonebot.get_driver().config, "superusers", {"onebot:8", "7", "console:x"})
    monkeypatch.setattr(operator, "_unsaid", [])
    yield
    house.store.close()
    house.url, house._open = url, False
    house._again.clear()
    house._failures = 0


def said() -> list[tuple[Target, str]]:
    return [(row.target, row.text) for row in house.store.messages()]


async def test_every_superuser_is_told_and_the_log_at_once(
    shown: Any, opened: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown() == ""
    notice = Notice("bot.alert.lost", True, {"account": "10000", "minutes": 2})
    text = SPEECH.say("bot.alert.lost", account="10000", minutes=2)

    def fail(changes: Any) -> Any:
        raise StoreError("the database failed")

    # While the database fails it is logged, and said as soon as it can be.
    with monkeypatch.context() as failing:
        failing.setattr(house.store, "commit", fail)
        operator.tell([notice])
        operator.tell([])
    (line,) = [line for line in shown().splitlines() if "alert" in line]
    assert "[ERROR]" in line and "lost" in line and said() == []
    operator.tell([])
    assert said() == [(Target("private", "7"), text), (Target("private", "8"), text)]
    operator.tell([])
    assert len(said()) == 2


async def test_a_look_finds_what_is_stuck(opened: None, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = datetime.now(UTC)
    monkeypatch.setattr(operator, "_watch", Watch(begun))
    operator._watch.connected("1", begun - timedelta(hours=1))
    operator._watch.connected("1", begun - timedelta(hours=1))
    house.ledger.say(Target("group", GROUP), "卡住的一条")
    assert house.commit()
    operator.look()
    assert len(said()) == 1
    monkeypatch.setattr(operator, "now", lambda: begun + PILED + MINUTE)
    operator.look()
    operator.look()
    assert [target.id for target, _ in said()] == [GROUP, "7", "8"]
    assert said()[-1][1].startswith("【告警】消息积压：有 1 条")
    house.store.mark(sent=[row.id for row in house.store.waiting()])
    operator.look()
    assert [text[:4] for _, text in said()[3:]] == ["【恢复】"] * 2


async def test_accounts_of_another_house_are_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = (_Bot(nonebot.get_adapter(Adapter), account) for account in ("10000", "21"))
    chat.move_in("21", None)
    seen: list[str] = []
    monkeypatch.setattr(nonebot, "get_bots", lambda: {"10000": ours, "21": theirs})
    monkeypatch.setattr(
        operator._watch, "connected", lambda account, at: seen.append(account) or []
    )
    monkeypatch.setattr(operator._watch, "disconnected", lambda account, at: seen.append(account))
    for bot in (ours, theirs):
        await operator._connect(bot)
        await operator._disconnect(bot)
    assert seen == ["10000", "10000"] and operator._accounts() == 1


# --- health and figures --------------------------------------------------------------------------


async def test_each_ailment_is_named(opened: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Running:
        running = True

    def fail() -> int:
        raise StoreError("the database failed")

    monkeypatch.setattr(operator.alarms, "scheduler", Running)
    monkeypatch.setattr(operator, "at_work", lambda house: True)
    operator.look()
    assert list(operator.ailments()) == []
    assert (await operator.healthz()).status_code == 200
    monkeypatch.setattr(house.store, "last_game", fail)
    house._again.append(Incoming(at=START, account="7", name="7", text="刀 3", message_id="1"))
    monkeypatch.setattr(Running, "running", False)
    monkeypatch.setattr(operator, "at_work", lambda house: False)
    monkeypatch.setattr(operator, "_looked", operator.now() - timedelta(seconds=31))
    assert len(list(operator.ailments())) == 5
    answer = await operator.healthz()
    assert answer.status_code == 503 and b"the courier has ended" in answer.body
    assert "刀".encode() not in answer.body


def test_missed_deadlines_failures_and_the_time_of_commands(
    opened: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = NOON + timedelta(hours=5, minutes=20)
    figures = Figures(lambda: house.store, lambda: 0, lambda: moment)
    monkeypatch.setattr(house, "on_commit", figures.committed)
    monkeypatch.setattr(house, "on_failure", figures.failed)
    monkeypatch.setattr(house, "on_heard", figures.heard)

    def value(name: str) -> float | None:
        return figures._registry.get_sample_value(f"zhifatuan_{name}")

    game = deal(house, GROUP, NOON)
    assert value("events_total") == house.store.game(game).seq  # type: ignore[union-attr]
    assert value("deadlines_missed_total") == 0
    monkeypatch.setattr(house, "now", lambda: moment)
    clock.settle_overdue(house)
    assert value("deadlines_missed_total") == 1
    assert value("events_total") == house.store.game(game).seq  # type: ignore[union-attr]

    def fail(changes: Any) -> Any:
        raise StoreError("the database failed")

    async def typed(account: str, text: str, at: datetime) -> None:
        message = Incoming(
            at=at, account=account, name=account, text=text, message_id=text, group=GROUP
        )
        house.arrive(lambda: message)
        with monkeypatch.context() as failing:
            failing.setattr(house.store, "commit", fail)
            house.settle()
            assert not house.commit()
        assert value("command_seconds_count") == count
        house._receive_again()

    count = value("command_seconds_count")
    assert count == 0
    asyncio.run(typed(HOST, "状态", moment - timedelta(seconds=3)))
    assert (value("command_seconds_count"), value("command_seconds_sum")) == (1, 3.0)
    count = 1
    asyncio.run(typed("4", "大家好", moment))
    assert value("command_seconds_count") == 1
    assert value("commit_failures_total") == 2


def test_no_figure_has_a_label_but_the_phase_and_bounds(opened: None) -> None:
    deal(house, GROUP, NOON)
    text = operator.figures.text().decode()
    labels = {
        part.split("=")[0]
        for line in text.splitlines()
        if "{" in line and not line.startswith("#")
        for part in line.partition("{")[2].partition("}")[0].split(",")
    }
    assert labels == {"phase", "le"}


# --- the log -------------------------------------------------------------------------------------

SECRET = "3号是杀手"


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Called first, it starts the program's own log at its lowest level; then it gives its text."""
    monkeypatch.setattr(program.log, "logger_id", program.log.logger_id)
    root = logging.getLogger()
    handlers = root.handlers[:]
    printed: list[str] = []

    def so_far() -> str:
        if not printed:
            # Not before: what is printed to changes between a fixture and its test.
            root.handlers.clear()
            logger.remove()
            program.show_log("TRACE")
        captured = capsys.readouterr()
        assert captured.err == "", "something goes past the log"
        printed.append(captured.out)
        return "".join(printed)

    yield so_far
    logger.remove()
    root.handlers[:] = handlers


async def test_no_traceback_shows_what_an_error_said(
    shown: Any, opened: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise KeyError(SECRET) from error

    async def fails(*_: Any) -> None:
        fail()

    assert shown() == ""
    # In the matcher.
    bot = _Bot(nonebot.get_adapter(Adapter), "10000")
    with monkeypatch.context() as failing:
        failing.setattr(chat.house, "settle", fail)
        await bot.handle_event(event(SECRET, 7))
        await settled()
    assert "Untold: KeyError" in shown() and "Traceback" in shown()
    # In a command, and in a deadline.
    with monkeypatch.context() as failing:
        failing.setattr(house.desk, "receive", fail)
        await bot.handle_event(event(SECRET, 7))
        await settled()
    assert "fault: KeyError in test_operator.py" in shown()
    # In a task that nobody waits for, in a callback, and in an alarm.
    loop = asyncio.get_running_loop()
    former = loop.get_exception_handler()
    loop.set_exception_handler(operator._fault)
    try:
        task = asyncio.create_task(fails(SECRET))
        await asyncio.sleep(0)
        del task
        loop.call_soon(fail, SECRET)
        await settled()
    finally:
        loop.set_exception_handler(former)
    assert shown().count("(a task)") == 2
    try:
        fail()
    except KeyError:
        logging.getLogger("apscheduler.executors.default").exception("Job raised")
    assert "Job raised" in shown()
    assert SECRET not in shown() and "ValueError" not in shown()


def test_what_is_missing_at_the_start_is_told(shown: Any) -> None:
    assert shown() == ""
    try:
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        logger.exception("not loaded")
    assert "No module named 'no_such_module'" in shown()


def test_one_fault_that_comes_again_and_again_is_shown_some_times_a_minute(
    shown: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    shown()
    logger.remove()
    gate = _log.Gate(lambda: clock[0])
    lines: list[str] = []
    logger.add(lines.append, level="INFO", format="{message}", filter=gate)
    monkeypatch.setattr(log, "handlers", [program.log.LoguruHandler()])

    def storm(count: int) -> None:
        for number in range(count):
            log.error("game %s: the clock waits", number)
            log_fault("a message", KeyError(number))

    storm(1000)
    assert len(lines) == 2 * _log.LINES
    assert lines[-1].endswith("(more like it are left out for 60 s)\n")
    # Another fault isn't drowned by it, and what is no fault isn't counted.
    log_fault("a message", TypeError())
    for _ in range(100):
        logger.info("news")
    assert len(lines) == 2 * _log.LINES + 101
    del lines[:]
    clock[0] = 61.0
    storm(2)
    assert len(lines) == 4
    assert lines[0] == "game 0: the clock waits (995 more like it were left out)\n"
    clock[0] = 200.0
    storm(1)
    assert len(lines) == 6 and "left out" not in lines[-1]


def test_lines_that_are_all_different_take_no_memory() -> None:
    gate = _log.Gate()
    level = logger.level("ERROR")
    for number in range(3 * _log.MOST):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        record = {"name": "x", "module": "x", "line": 1, "level": level, "exception": None}
        gate({**record, "message": name})
    assert len(gate._seen) <= _log.MOST + 1
