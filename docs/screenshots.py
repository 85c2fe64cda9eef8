"""Make this folder's pictures of the room and of a game's page: ``python docs/screenshots.py``.

Needs what the tests need, and Debian's ``chromium`` and ``fonts-noto-cjk``.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from playwright.async_api import async_playwright  # noqa: E402

from tests.wire.client import Client  # noqa: E402
from tests.wire.process import Bot  # noqa: E402
from tests.wire.table import LOUD, Table, all_arrived  # noqa: E402

DESK = {"viewport": {"width": 1240, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}


async def play(page: Any, board: str, steps: int) -> None:
    """Open a rehearsal and play so far."""
    await page.locator("#boards label", has_text=board).first.click()
    await page.click("#open button")
    await page.wait_for_selector("#room:not([hidden])")
    for _ in range(steps):
        await page.click("#step")
        await page.wait_for_timeout(2500)


async def play_on_the_wire(bot: Bot, client: Client) -> str:
    """Play a game that the town wins; the path of its page."""
    table = await Table(bot, client, 70001, players=7).begin()
    first, last = table.having("killer")
    victim, king, other, second = table.having("civilian")
    await table.whispers(table.account(first), "密 先杀谁？")
    await table.whispers(table.account(last), f"密 {victim}号，他像拥王者")
    await table.kills(first, victim)
    await table.crowns(king, second)
    await table.opens(1)
    await table.orders(king, first)
    await table.kills(last, other)
    await table.crowns(second, last)
    await table.opens(2)
    await table.orders(second, last)
    await all_arrived(bot, client)
    texts = "\n".join(client.heard(("group", 70001)))
    (path,) = set(re.findall(r"http://example\.org(/games/\S+)", texts))
    return str(path)


async def main() -> None:
    """Start a bot of its own, play in its room and over the wire, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        bot = Bot(Path(folder), **LOUD, GAME_PAGES="http://example.org")
        await bot.start()
        client = Client(bot.port)
        try:
            async with async_playwright() as driver:
                walls = [] if os.geteuid() else ["--no-sandbox"]
                browser = await driver.chromium.launch(
                    executable_path=shutil.which("chromium"), args=walls
                )

                async def visit(**how: Any) -> Any:
                    context = await browser.new_context(locale="zh-CN", **how)
                    page = await context.new_page()
                    await page.goto(f"http://127.0.0.1:{bot.port}/")
                    await page.wait_for_selector("#boards label")
                    return page

                page = await visit(**DESK)
                await play(page, "拥王者1.0", 2)
                await page.screenshot(path=DOCS / "room.png")
                await page.click("#views")
                await page.wait_for_selector(".columns article")
                await page.screenshot(path=DOCS / "room-views.png")
                page = await visit(**DESK, color_scheme="dark")
                await play(page, "M84", 3)
                await page.locator("#people button", has_text="惊蛰").click()
                await page.locator("#places button").last.click()
                await page.wait_for_timeout(500)
                await page.screenshot(path=DOCS / "room-dark.png")
                page = await visit(**PHONE)
                await play(page, "九人局", 1)
                await page.locator("#places button").first.click()
                await page.wait_for_timeout(500)
                await page.screenshot(path=DOCS / "room-phone.png")
                path = await play_on_the_wire(bot, await client.connect())
                for name, how in (
                    ("storypage.png", {**DESK, "viewport": {"width": 1240, "height": 900}}),
                    ("storypage-phone.png", {**PHONE, "color_scheme": "dark"}),
                ):
                    context = await browser.new_context(locale="zh-CN", **how)
                    page = await context.new_page()
                    await page.goto(f"http://127.0.0.1:{bot.port}{path}")
                    if how.get("is_mobile"):
                        await page.locator("label.card", has_text="杀手").first.click()
                        await page.locator(".bar").scroll_into_view_if_needed()
                        await page.evaluate("scrollTo(0, document.querySelector('.bar').offsetTop)")
                    await page.screenshot(path=DOCS / name)
                await browser.close()
        finally:
            await client.close()
            await bot.stop()


if __name__ == "__main__":
    asyncio.run(main())
