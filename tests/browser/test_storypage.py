"""A game's page in a real browser, which runs no script on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.wire.client import Client
from tests.wire.process import Bot
from tests.wire.table import LOUD, Table, all_arrived

GROUP = 70040
PLACE = "http://example.org"


async def test_each_seat_is_one_click_away_without_a_script(browser: Any, tmp_path: Path) -> None:
    bot = Bot(tmp_path, **LOUD, GAME_PAGES=PLACE)
    await bot.start()
    client = Client(bot.port)
    try:
        table = await Table(bot, await client.connect(), GROUP, players=7).begin()
        killer, other = table.having("killer")
        (kingmaker,) = table.having("kingmaker")
        victim, king, *_ = table.having("civilian")
        await table.whispers(table.account(killer), "密 今晚的暗号是柠檬")
        await table.kills(killer, victim)
        await table.crowns(king, other)
        await table.opens(1)
        await table.whispers(table.director, "终局")
        await table.whispers(table.director, "确认")
        await table.hears("游戏结束")
        await all_arrived(bot, client)
        texts = "\n".join(client.heard(("group", GROUP)))
        found = re.search(rf"{PLACE}(/games/\S+)", texts)
        assert found is not None
        errors: list[str] = []
        for how in (
            {"viewport": {"width": 1200, "height": 800}, "color_scheme": "dark"},
            {"viewport": {"width": 360, "height": 700}, "is_mobile": True, "has_touch": True},
        ):
            context = await browser.new_context(locale="zh-CN", java_script_enabled=False, **how)
            page = await context.new_page()
            page.on("console", lambda said: errors.append(said.text))
            page.on("requestfailed", lambda request: errors.append(request.url))
            await page.goto(f"http://127.0.0.1:{bot.port}{found[1]}")
            lemon, crown = page.get_by_text("柠檬"), page.get_by_text("立王：首选")
            assert await crown.first.is_visible() and not await lemon.first.is_visible()
            await page.click(f"label.card[for=v{killer}]")
            assert await lemon.first.is_visible() and not await crown.first.is_visible()
            await page.click(f".bar label[for=v{king}]")
            assert not await lemon.first.is_visible()
            # By keyboard it goes on to the next.
            await page.click(f".bar label[for=v{killer}]")
            await page.keyboard.press("ArrowRight")
            assert await page.is_checked(f"#v{killer % 7 + 1}")
            width = await page.locator("main").bounding_box()
            assert width["x"] >= 0 and width["x"] + width["width"] <= how["viewport"]["width"]
            await page.click(".bar label[for=v0]")
            assert await crown.first.is_visible()
            await context.close()
        assert errors == [] and kingmaker
    finally:
        await client.close()
        await bot.stop()
