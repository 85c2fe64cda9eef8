"""The rehearsal room in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from tests.wire.process import Bot

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

Opening = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Any]:
    """The browser; where there is none these tests are left out."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not here: apt-get install chromium fonts-noto-cjk")
    playwright = pytest.importorskip("playwright.async_api")
    async with playwright.async_playwright() as driver:
        # Chromium's own walls are no use to root, who is outside of them.
        walls = [] if os.geteuid() else ["--no-sandbox"]
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=walls)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def bot(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bot]:
    """The bot as somebody has it who has run the README's first command, and nothing else."""
    bot = Bot(tmp_path_factory.mktemp("browser"))
    await bot.start()
    yield bot
    output = bot.output()
    await bot.stop()
    assert "Traceback" not in output and "fault" not in output


@pytest.fixture
async def visit(browser: Any, bot: Bot) -> AsyncIterator[Opening]:
    """Opens the printed address in a window of its own; fails if the page says an error."""
    contexts: list[Any] = []
    errors: list[str] = []

    async def visit(**how: Any) -> Any:
        context = await browser.new_context(
            **{"locale": "zh-CN", "viewport": {"width": 1200, "height": 760}, **how}
        )
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: said.type == "error" and errors.append(said.text))
        outside = f"http://127.0.0.1:{bot.port}/"
        page.on(
            "request",
            lambda r: r.url.startswith((outside, "blob:", "data:")) or errors.append(r.url),
        )
        await page.goto(outside)
        await page.wait_for_selector("#boards label")
        return page

    yield visit
    for context in contexts:
        await context.close()
    assert errors == []
