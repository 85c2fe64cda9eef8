"""A game's page, fetched from a real process by the address that the group was told."""

from __future__ import annotations

import re

import httpx

from tests.wire.process import Bot
from tests.wire.table import LOUD, Starting, Table, all_arrived

GROUP = 70030
PLACE = "https://games.example.org/bot"


async def get(bot: Bot, path: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as http:
        return await http.get(f"http://127.0.0.1:{bot.port}{path}")


async def test_a_page_from_the_deal_to_the_end(start: Starting) -> None:
    bot, client = await start(**LOUD, GAME_PAGES=f"{PLACE}/")
    table = await Table(bot, client, GROUP).begin()
    await all_arrived(bot, client)
    address = re.compile(rf"{re.escape(PLACE)}(/games/{table.game}/([a-z2-7]{{24}}))")
    (found,) = [m for said in client.heard(("group", GROUP)) for m in address.finditer(said)]
    path, key = found[1], found[2]

    (killer, *_), (victim, *_) = table.having("killer"), table.having("civilian")
    await table.whispers(table.account(killer), "密 今晚的暗号是柠檬")
    await table.kills(killer, victim)
    before = await get(bot, path)
    assert before.status_code == 200 and before.headers["cache-control"] == "no-store"
    assert "进行中 · 首夜" in before.text
    assert not re.search("柠檬|定杀人|立王：", before.text)
    await table.opens(1)
    opened = await get(bot, path)
    assert "进行中 · 第1天" in opened.text and "夜里遇害" in opened.text

    mark = table.mark
    await table.whispers(table.director, "终局")
    await table.whispers(table.director, "确认")
    await table.hears("游戏结束", after=mark)
    await all_arrived(bot, client)
    over = await get(bot, path)
    assert "柠檬" in over.text and f"{killer}号" in over.text and "K-08" in over.text
    assert len([1 for said in client.heard(("group", GROUP)) if path in said]) == 2
    missing = [await get(bot, p) for p in (f"/games/{table.game}/{key[::-1]}", f"/games/9/{key}")]
    assert [answer.status_code for answer in missing] == [404, 404]
    assert missing[0].content == missing[1].content
    # Who reads the log reads no page.
    assert key not in bot.output()


async def test_without_an_address_there_is_no_page(start: Starting) -> None:
    bot, _ = await start()
    assert (await get(bot, "/games/1/aaaaaaaaaaaaaaaaaaaaaaaa")).json() == {"detail": "Not Found"}
