"""An operator's hands on a real process: health, figures, alerts, a backup that goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from data.store import Store
from engine import commands as c
from tests.wire.client import Client
from tests.wire.conftest import check_output
from tests.wire.process import Bot
from tests.wire.table import LOUD, REPEAT, Starting, Table, all_arrived
from tests.wire.test_clock import ledger_of, off, write_night

GROUP, OPERATOR, SECOND = 70020, 7999001, 20000
TOKEN = "a-token-of-the-door"

IMPATIENT = """
import nonebot
from datetime import timedelta
run = nonebot.run
def soon(**how):
    import plugins.operator as operator
    from plugins.operator import watch
    operator.INTERVAL, watch.LOST = 0.1, timedelta(seconds=1)
    watch.UNUSED = timedelta(seconds=3)
    run(**how)
nonebot.run = soon
"""
"""An account is missed after a second, not after two minutes."""


async def get(bot: Bot, path: str, token: str | None = None) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(trust_env=False) as http:
        return await http.get(f"http://127.0.0.1:{bot.port}{path}", headers=headers)


async def figures(bot: Bot, token: str | None = None) -> dict[str, float]:
    """Every figure, by its name and, where there is one, its label."""
    answer = await get(bot, "/metrics", token)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            assert set(sample.labels) <= {"phase", "le"}
            found[" ".join([sample.name, *sample.labels.values()])] = sample.value
    return found


async def test_health_and_figures_of_a_game(start: Starting) -> None:
    bot, client = await start(ONEBOT_ACCESS_TOKEN=TOKEN)
    assert (await get(bot, "/healthz")).json() == {"status": "ok"}
    for token in (None, "another", f"{TOKEN}x"):
        refused = await get(bot, "/metrics", token)
        assert (refused.status_code, refused.text) == (401, "")
    before = await figures(bot, TOKEN)
    assert before["zhifatuan_accounts_connected"] == 1
    assert before["zhifatuan_events_total"] == before["zhifatuan_games night"] == 0

    table = await Table(bot, client, GROUP).begin()
    await all_arrived(bot, client)
    after = await figures(bot, TOKEN)
    assert after["zhifatuan_events_total"] == bot.length(table.game)
    phases = ("setup", "night", "day", "over")
    assert [after[f"zhifatuan_games {phase}"] for phase in phases] == [0, 1, 0, 0]
    # 开局, six times 报名, 开始.
    commands = after["zhifatuan_command_seconds_count"]
    assert commands == 8 and after["zhifatuan_command_seconds_bucket +Inf"] == 8
    assert 0 < after["zhifatuan_command_seconds_sum"] < 60
    assert after["zhifatuan_outbox_waiting"] == after["zhifatuan_outbox_oldest_seconds"] == 0
    for name in ("deadlines_missed", "commit_failures"):
        assert after[f"zhifatuan_{name}_total"] == 0

    # Talk is no command.
    await table.says(table.players[0], "大家晚上好")
    await client.close()
    answer = await get(bot, "/healthz")
    assert (answer.status_code, answer.text) == (200, '{"status":"ok"}')
    lonely = await figures(bot, TOKEN)
    assert lonely["zhifatuan_accounts_connected"] == 0
    assert lonely["zhifatuan_command_seconds_count"] == commands

    # While nobody is there what is to be said waits, and grows older.
    await client.connect()
    client.rule = lambda call: "silence"
    await table.whispers(table.director, "公告 一")
    await client.until(lambda: client.calls[-1].outcome == "silence", "a message that is kept back")
    await asyncio.sleep(0.2)
    waiting = await figures(bot, TOKEN)
    assert waiting["zhifatuan_outbox_waiting"] >= 1
    assert 0.1 < waiting["zhifatuan_outbox_oldest_seconds"] < 60
    assert "GET /" not in bot.output()


async def test_health_while_the_database_fails(start: Starting) -> None:
    bot, client = await start()
    await client.private(1, "帮助")
    await client.hears(("private", 1), "开局")
    database = bot.room / "games.sqlite3"
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("ALTER TABLE games RENAME TO gone")
        ill = await get(bot, "/healthz")
        assert ill.status_code == 503
        assert ill.json() == {"status": "failing", "reasons": ["the database does not answer"]}
        answer = await figures(bot)
        assert answer["zhifatuan_accounts_connected"] == 1 and "zhifatuan_games" not in answer
    finally:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("ALTER TABLE gone RENAME TO games")
    assert (await get(bot, "/healthz")).status_code == 200


async def test_a_lost_connection_is_logged_at_once_and_told_when_it_is_back(
    start: Starting,
) -> None:
    bot, client = await start(before=IMPATIENT, SUPERUSERS=f'["{OPERATOR}"]')
    place = ("private", OPERATOR)
    # A short break is none.
    await client.close()
    await client.connect()
    await asyncio.sleep(1.5)
    assert "alert" not in bot.output() and client.heard(place) == []

    await client.drop()
    async with asyncio.timeout(20):
        while "alert: lost" not in bot.output():
            await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)
    (line,) = [line for line in bot.output().splitlines() if "alert" in line]
    assert "[ERROR]" in line
    await client.connect()
    await client.hears(place, "【恢复】")
    lost, back = client.heard(place)
    assert lost.startswith("【告警】") and str(client.self_id) in lost
    assert str(client.self_id) in back
    assert bot.output().count("alert") == 2

    # Another account carries it at once.
    other = Client(bot.port, self_id=SECOND)
    await other.connect()
    await client.drop()
    told = await other.hears(place, "【告警】")
    assert str(client.self_id) in told.text
    await client.connect()
    heard = await other.hears(place, "【恢复】")
    assert str(client.self_id) in heard.text
    await other.close()


async def test_a_client_that_never_comes_is_missed(tmp_path: Path) -> None:
    """Where there were games, at once and as a fault; elsewhere there may be no QQ at all."""
    bot = Bot(tmp_path, before=IMPATIENT, SUPERUSERS=f'["onebot:{OPERATOR}"]')

    async def alert(which: int) -> str:
        found: list[str] = []
        async with asyncio.timeout(20):
            while len(found) < which:
                await asyncio.sleep(0.1)
                found = [line for line in bot.output().splitlines() if "alert: never" in line]
        return found[which - 1]

    await bot.start()
    client = Client(bot.port)
    try:
        await asyncio.sleep(2)
        assert "alert" not in bot.output()
        assert "[INFO]" in await alert(1)
        await client.connect()
        await client.hears(("private", OPERATOR), "【恢复】")
        await client.group(GROUP, OPERATOR, "开局 M84")
        await client.hears(("group", GROUP), "招募")
        await client.close()
        await bot.stop()
        client.calls.clear()
        await bot.start()
        assert "[ERROR]" in await alert(2)
        await client.connect()
        await client.hears(("private", OPERATOR), "【恢复】")
        assert client.heard(("private", OPERATOR))[0].startswith("【告警】机器人启动后")
    finally:
        await client.close()
        await bot.kill()


async def test_a_bot_on_a_restored_backup_goes_on_with_the_game(
    start: Starting, tmp_path: Path
) -> None:
    bot, client = await start()
    minute = await off(bot, client)
    # The day opens three seconds after the game goes on.
    opens = minute - timedelta(hours=1)
    table = write_night(bot, client, GROUP, opens, opens + timedelta(hours=20))
    with ledger_of(bot) as ledger:
        night = opens - timedelta(hours=1)
        ledger.act(table.game, c.Act(at=night, seat=2, ability="faction_kill", target=3))
        ledger.act(table.game, c.NameCrown(at=night, seat=1, first=4, substitute=5))
        ledger.act(table.game, c.Pause(at=opens - timedelta(seconds=3)))
    await bot.start()
    await client.connect()
    await table.says(table.director, "公告 早")
    await table.hears("【公告】早")
    # One announcement has arrived, and a word to the director hasn't when the backup is made.
    silent = ("private", table.director)
    client.rule = lambda call: "silence" if call.place == silent else None
    mark = table.mark
    await table.whispers(table.director, "继续")
    await client.hears(silent, "", after=mark)
    await table.hears("继续", after=mark)
    backup = tmp_path / "backup.sqlite3"
    store = Store(bot.url)
    store.backup(backup)
    store.close()
    (resumed,) = await table.log("resumed")
    due = datetime.fromisoformat(resumed["at"]) + timedelta(seconds=3)
    await table.hears("第1天 · 开楼", after=mark)
    # What happens after the backup is lost with the disk.
    await table.says(table.account(5), "这句没进备份")
    await client.close()
    await bot.kill()

    room = tmp_path / "restored"
    room.mkdir()
    restored = Bot(room, **LOUD)
    backup.rename(room / "games.sqlite3")
    kept = {row.id: row for row in restored.outbox()}
    assert {"sent", "waiting"} <= {row.state for row in kept.values()}
    again = Client(restored.port)
    await restored.start()
    try:
        table.bot, table.client = restored, again
        await again.connect()
        opening = await table.hears("第1天 · 开楼")
        assert "3号" in opening.text and "4号" in opening.text
        async with asyncio.timeout(20):
            while restored.waiting():
                await asyncio.sleep(0.05)
        # Nothing that had arrived by then is said again, and all that had not is.
        heard = [text.removeprefix(REPEAT) for text in again.heard(silent)]
        heard += [text.removeprefix(REPEAT) for text in again.heard(("group", GROUP))]
        said = [row for row in restored.outbox() if row.id not in kept]
        for row in kept.values():
            twin = any(new.text == row.text for new in said)
            assert twin or (row.text in heard) == (row.state == "waiting"), row.state
        (opened,) = await restored.log(table.game, "day_opened")
        assert datetime.fromisoformat(opened["at"]) == due
        # And the game goes on.
        await table.says(table.account(5), "还在吗")
        await table.orders(4, 2)
        facts = await table.facts()
        assert (facts["day"], facts["out"]) == (1, [[3, "kill"], [2, "order"]])
        assert "0 differences" in await restored.data("verify")
        check_output(restored, [again])
    finally:
        await again.close()
        await restored.kill()
