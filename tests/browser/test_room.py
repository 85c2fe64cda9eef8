"""Games played to their end in the page, from its first sight on, as a person would."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Opening
from tests.wire.process import Bot
from tests.wire.room import GROUP, STAGE, TEXTS, Page, words

expect = pytest.importorskip("playwright.async_api", reason="playwright is not here").expect

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


async def begin(page: Any, board: str, players: int | None = None) -> None:
    """Choose a board, a number, and start."""
    await page.locator("#boards label", has_text=board).first.click()
    if players is not None:
        await page.fill("#players", str(players))
    await page.click("#open button")
    await page.wait_for_selector("#room:not([hidden])")


async def save(page: Any, folder: Path) -> Path:
    """Save what was played."""
    async with page.expect_download() as downloading:
        await page.click("#save")
    download = await downloading.value
    path = folder / download.suggested_filename
    await download.save_as(path)
    return path


async def over(page: Any) -> bool:
    """Whether the game has ended."""
    return bool(await page.inner_text("#phase") == TEXTS["page.over"])


async def step(page: Any) -> None:
    """Press the button that moves the clock, and wait for what comes of it."""
    before = await page.inner_text(".top")
    await page.click("#step")
    await expect(page.locator(".top")).not_to_have_text(before, use_inner_text=True, timeout=20_000)


async def test_a_game_of_kingmaker_from_the_first_sight_to_the_end(
    visit: Opening, tmp_path: Path
) -> None:
    page = await visit()
    await begin(page, "拥王者1.0", 8)
    assert await page.inner_text("#phase") == "首夜"
    # Speak as the first seat, in private and in the group.
    await page.locator("#people button", has_text="立春").click()
    await page.locator("#places button", has_text=TEXTS["page.private"]).click()
    await page.wait_for_selector("#messages .bubble >> text=身份：")
    await page.locator("#asks button", has_text="我的信息").click()
    await page.wait_for_selector("#messages .own >> text=我的信息")
    await page.fill("#line", "随便说一句")
    await page.press("#line", "Enter")
    await page.wait_for_selector("#messages .bots >> text=没看懂")
    for _ in range(60):
        if await over(page):
            break
        await step(page)
    assert await over(page)
    await page.locator("#places button", has_text=TEXTS["page.group"]).click()
    await page.wait_for_selector("#messages .bubble >> text=游戏结束")
    assert STAGE.failures(await save(page, tmp_path)) == []
    # Every seat side by side.
    await page.click("#views")
    await expect(page.locator(".columns article")).to_have_count(9)
    await page.keyboard.press("Escape")
    # What has happened, by number.
    await page.click("#log")
    await page.wait_for_selector(".log li")
    assert await page.locator(".log li").count() > 20
    await page.keyboard.press("Escape")
    await page.click("#go_out")
    await page.locator("dialog button", has_text=TEXTS["page.yes"]).click()
    await page.wait_for_selector("#start:not([hidden])")


async def test_a_game_of_m84_plays_itself_and_one_seats_page_holds_no_others_secret(
    visit: Opening, bot: Bot, tmp_path: Path
) -> None:
    page = await visit()
    frames: list[str] = []
    await begin(page, "M84")
    await page.locator("#people button", has_text="惊蛰").click()
    await expect(page.locator("#as")).to_have_text("3号 惊蛰")
    number = json.loads(await page.evaluate("sessionStorage.getItem('room')"))["table"]
    # From here on: all that the page is sent, and all that it holds.
    page.on("websocket", lambda socket: socket.on("framereceived", frames.append))
    await page.evaluate(
        """() => {
            window.held = new Set();
            const hold = () => document.body.textContent.split("\\n").forEach((l) => held.add(l));
            new MutationObserver(hold).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    await page.click("#run")
    await expect(page.locator("#phase")).to_have_text(TEXTS["page.over"], timeout=120_000)
    held = set(await page.evaluate("[...held]")) | set("\n".join(frames).split("\n"))
    assert len(held) > 50
    async with Page(bot.port) as other:
        await other.ask("join", table=number)
        await other.until("state")
        own = other.account(3)
        mine = {line for one in await other.look(own) for line in words(one).split("\n")}
        secrets = {
            line
            for person in other.state["people"]
            if person["account"] != own
            for one in await other.look(person["account"])
            if one["place"] != GROUP
            for line in words(one).split("\n")
            if len(line) > 5
        }
    assert len(secrets - mine) > 30
    assert (secrets - mine) & held == set()
    assert STAGE.failures(await save(page, tmp_path)) == []


async def test_back_to_an_earlier_moment(visit: Opening) -> None:
    page = await visit()
    await begin(page, "六人局")
    dealt = await page.inner_text("#phase")
    while await page.inner_text("#phase") == dealt:
        await step(page)
    await page.click("#log")
    await page.locator(".log li button").nth(20).click()
    # What would be undone is said before anything is.
    await expect(page.locator("dialog pre")).to_contain_text("回到")
    assert await page.inner_text("#phase") != dealt
    await page.locator("dialog button", has_text=TEXTS["page.confirm"]).click()
    await expect(page.locator("#phase")).to_have_text(dealt)
    await expect(page.locator("#as")).to_have_text(TEXTS["name.director"])
    # What was undone stays in the record, struck out.
    await page.click("#log")
    await page.wait_for_selector(".log s")


async def test_on_a_phone_everything_is_within_reach(visit: Opening, tmp_path: Path) -> None:
    page = await visit(**PHONE)
    for place in ("start", "list", "chat", "views"):
        if place == "list":
            await begin(page, "六人局")
        elif place == "chat":
            await page.locator("#places button", has_text=TEXTS["page.group"]).tap()
            await page.wait_for_selector("#messages .bubble")
        elif place == "views":
            await page.locator("#views").tap()
            await page.wait_for_selector(".columns article")
        assert await page.evaluate("document.documentElement.scrollWidth") == 390, place
        shot = await page.screenshot(path=tmp_path / f"{place}.png")
        # Something is drawn all over: a page that is blank packs into next to nothing.
        assert int.from_bytes(shot[16:20]) == 390 and len(shot) > 6_000, place
    await page.keyboard.press("Escape")
    box = await page.locator("#line").bounding_box()
    assert (
        box and box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844
    )
    await page.tap("#to_list")
    assert not await page.is_visible("#line") and await page.is_visible("#places button")


async def test_what_is_wider_than_a_phone_says_so_and_ends(visit: Opening) -> None:
    page = await visit(**PHONE)
    await begin(page, "六人局")
    tools = page.locator(".tools")
    await expect(tools).to_have_class(re.compile(r"\bafter\b"))
    # The fade is seen, not only noted.
    mask = await tools.evaluate("(one) => getComputedStyle(one).maskImage")
    assert "calc(100% - 40px)" in mask or "rgba(0, 0, 0, 0) 100%" in mask
    await page.locator("#go_out").scroll_into_view_if_needed()
    await tools.evaluate("(one) => one.scrollTo(one.scrollWidth, 0)")
    await expect(tools).to_have_class(re.compile(r"\bbefore\b"))
    await expect(tools).not_to_have_class(re.compile(r"\bafter\b"))
    box = await page.locator("#go_out").bounding_box()
    assert box and box["x"] + box["width"] <= 390


async def test_a_chat_that_is_at_its_end_stays_there_when_a_picture_comes(visit: Opening) -> None:
    page = await visit()
    await begin(page, "六人局")
    at_end = """() => {
        const log = document.getElementById("messages");
        const drawn = [...log.querySelectorAll("img")].every((one) => one.naturalWidth);
        return drawn && log.scrollHeight - log.scrollTop - log.clientHeight;
    }"""

    async def below() -> int:
        """How much there is below what is seen, once all pictures are drawn."""
        while await page.evaluate(at_end) is False:
            await page.wait_for_timeout(20)
        await page.wait_for_timeout(100)
        return int(await page.evaluate(at_end))

    for number in (1, 2, 3):
        await page.locator("#asks button", has_text="状态").click()
        await expect(page.locator("#messages img")).to_have_count(number)
        assert await below() <= 1
    # What it is of is said to who can't see it.
    alt = await page.locator("#messages img").last.get_attribute("alt")
    assert alt.startswith(TEXTS["page.picture"].format(about="【第1局】首夜"))
    # Another account's page begins at its end too; and who has scrolled up stays there.
    await page.locator("#people button", has_text="立春").click()
    await page.wait_for_selector("#messages img")
    assert await below() <= 1
    await page.hover("#messages")
    await page.mouse.wheel(0, -600)
    await page.wait_for_timeout(300)
    assert await below() > 200
    # What others say doesn't take him down, nor what a random player says for him; his own does.
    await page.evaluate("document.getElementById('step').click()")
    await page.wait_for_timeout(500)
    assert await below() > 200
    await page.locator("#asks button", has_text="时间").click()
    await page.wait_for_selector("#messages .own >> text=时间")
    assert await below() <= 1


async def test_a_word_that_wants_something_more_is_put_into_the_line(visit: Opening) -> None:
    page = await visit()
    await begin(page, "六人局")
    await page.click("#views")
    wolf = page.locator(".columns article", has_text="身份：狼人").first
    name = (await wolf.locator("h3").inner_text()).split()[1]
    await page.keyboard.press("Escape")
    await page.locator("#people button", has_text=name).click()
    await page.locator("#places button", has_text=TEXTS["page.private"]).click()
    await page.fill("#line", "1")
    await page.locator("#asks button", has_text="刀 …").click()
    await expect(page.locator("#line")).to_have_value("刀 1")
    await expect(page.locator("#line")).to_be_focused()


async def test_a_game_that_plays_itself_says_for_whom_it_waits(visit: Opening) -> None:
    page = await visit()
    await begin(page, "六人局")
    await page.click("#seats")
    for box in await page.locator("dialog input").all():
        await box.check()
    await page.keyboard.press("Escape")
    before = await page.inner_text(".where")
    await page.click("#run")
    await expect(page.locator("#toast")).to_contain_text("号")
    await expect(page.locator("#run")).to_have_text(TEXTS["page.run"])
    assert await page.inner_text(".where") == before


async def test_by_keyboard_alone(visit: Opening) -> None:
    page = await visit()
    # Past the rehearsals that go on.
    while await page.evaluate("document.activeElement.name") != "board":
        await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#room:not([hidden])")
    await expect(page.locator("#line")).to_be_focused()
    await page.keyboard.type("名单")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#messages .own >> text=名单")
    await page.keyboard.press("Alt+Shift+ArrowDown")
    await expect(page.locator("#as")).to_have_text("1号 立春")
    await page.keyboard.press("Alt+ArrowDown")
    await expect(page.locator("#place")).to_have_text(TEXTS["page.private"])
    before = await page.inner_text(".top")
    await page.keyboard.press("Alt+n")
    await expect(page.locator(".top")).not_to_have_text(before, use_inner_text=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_what_is_written_can_be_read_by_day_and_by_night(visit: Opening, scheme: str) -> None:
    page = await visit(color_scheme=scheme)
    await begin(page, "六人局")
    await page.wait_for_selector("#messages .bubble")
    for selector in ("#phase", "#messages .bubble", "#messages .sender", "#step", "#places .last"):
        style = await page.locator(selector).first.evaluate(
            """(element) => {
                const paper = (one) => getComputedStyle(one).backgroundColor;
                let behind = element;
                while (paper(behind) === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
                return [getComputedStyle(element).color, paper(behind)];
            }"""
        )
        ink, paper = (_luminance(colour) for colour in style)
        contrast = (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)
        assert contrast >= 4.5, (selector, style)
        if selector == "#messages .bubble":
            assert (paper > ink) == (scheme == "light")


def _luminance(colour: str) -> float:
    """How light a colour is, by the measure of WCAG 2."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


async def test_a_reload_comes_back_to_where_it_was(visit: Opening) -> None:
    page = await visit()
    await begin(page, "六人局")
    await page.locator("#people button", has_text="雨水").click()
    await expect(page.locator("#as")).to_have_text("2号 雨水")
    await page.locator("#places button", has_text=TEXTS["page.private"]).click()
    await page.fill("#line", "想了很久的一句话")
    await page.locator("#places button", has_text=TEXTS["page.group"]).click()
    await page.fill("#line", "大家好，")
    await page.reload()
    await page.wait_for_selector("#room:not([hidden])")
    await expect(page.locator("#as")).to_have_text("2号 雨水")
    await expect(page.locator("#line")).to_have_value("大家好，")
    await page.locator("#places button", has_text=TEXTS["page.private"]).click()
    await expect(page.locator("#line")).to_have_value("想了很久的一句话")
    # What was sent is typed no more.
    await page.press("#line", "Enter")
    await page.reload()
    await page.wait_for_selector("#room:not([hidden])")
    await expect(page.locator("#place")).to_have_text(TEXTS["page.private"])
    await expect(page.locator("#line")).to_have_value("")


async def test_a_password_lets_in_and_a_restart_is_told(browser: Any, tmp_path: Path) -> None:
    """From its own form only: see the wire tests for who is turned away."""
    bot = Bot(tmp_path, HOST="0.0.0.0", ROOM_PASSWORD="开门 &1", ONEBOT_ACCESS_TOKEN="t0ken")
    await bot.start()
    context = await browser.new_context(locale="zh-CN")
    try:
        for name in ("localhost", "127.0.0.1"):
            page = await context.new_page()
            page.set_default_timeout(20_000)
            await page.goto(f"http://{name}:{bot.port}/")
            await page.fill("#password", "关门")
            await page.press("#password", "Enter")
            await page.wait_for_selector(f"text={TEXTS['password_wrong']}")
            await page.fill("#password", "开门 &1")
            await page.press("#password", "Enter")
            await page.wait_for_selector("#boards label")
        await begin(page, "六人局")
        await bot.stop()
        await page.wait_for_selector("#lost:not([hidden])")
        await bot.start()
        # The key went with the bot: it asks again.
        await page.fill("#password", "开门 &1")
        await page.press("#password", "Enter")
        await page.wait_for_selector("#start:not([hidden])")
        await expect(page.locator("#why")).to_have_text(TEXTS["page.restarted"])
        # A rehearsal that has the lost one's number is not taken for it; the word is gone then.
        await begin(page, "六人局")
        await page.click("#go_out")
        await page.locator("dialog button", has_text=TEXTS["page.keep"]).click()
        await page.wait_for_selector("#start:not([hidden])")
        await expect(page.locator("#why")).to_be_hidden()
    finally:
        await context.close()
        await bot.stop()


async def test_another_site_s_form_does_not_let_in(browser: Any, tmp_path: Path) -> None:
    bot = Bot(tmp_path, HOST="0.0.0.0", ROOM_PASSWORD="x")
    await bot.start()
    context = await browser.new_context()
    try:
        page = await context.new_page()
        form = f"""<form method="post" action="http://127.0.0.1:{bot.port}/room/enter">
            <input name="password" value="x"><button>x</button></form>"""
        for policy in ("no-referrer", "unsafe-url"):
            meta = f'<meta name="referrer" content="{policy}">'

            async def serve(route: Any, _: Any, text: str = meta + form) -> None:
                await route.fulfill(body=text, content_type="text/html")

            await page.route("http://evil.example/", serve)
            await page.goto("http://evil.example/")
            async with page.expect_response("**/room/enter") as entering:
                await page.click("button")
            answer = await entering.value
            assert answer.status == 403 and await context.cookies() == []
            await page.unroute("http://evil.example/")
    finally:
        await context.close()
        await bot.stop()


async def test_a_restart_is_told_without_a_password_too(browser: Any, tmp_path: Path) -> None:
    bot = Bot(tmp_path)
    await bot.start()
    context = await browser.new_context(locale="zh-CN")
    try:
        page = await context.new_page()
        page.set_default_timeout(20_000)
        await page.goto(f"http://127.0.0.1:{bot.port}/")
        await page.wait_for_selector("#boards label")
        await begin(page, "六人局")
        await bot.stop()
        await page.wait_for_selector("#lost:not([hidden])")
        await bot.start()
        await expect(page.locator("#why")).to_have_text(TEXTS["page.restarted"])
        await expect(page.locator("#room")).to_be_hidden()
    finally:
        await context.close()
        await bot.stop()


async def test_pictures_and_forwarded_messages_are_shown(visit: Opening) -> None:
    page = await visit()
    sockets: list[Any] = []

    async def between(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    await page.route_web_socket(re.compile("/room/ws"), between)
    await page.reload()
    await page.wait_for_selector("#boards label")
    await begin(page, "六人局")
    text = {"type": "text", "data": {"text": "<b>第一夜</b>"}}
    message = {
        "id": 999_999,
        "at": "2026-03-02T17:00:00+08:00",
        "place": GROUP,
        "sender": 1,
        "segments": [
            {"type": "image", "data": {"file": f"base64://{DOT}"}},
            {"type": "image", "data": {"file": "http://127.0.0.1:9/x.png"}},
            {"type": "node", "data": {"nickname": "执法团", "content": [text]}},
        ],
        "recalled": False,
        "kind": "message",
        "about": {},
    }
    sockets[-1].send(json.dumps({"kind": "said", "message": message}))
    bubble = page.locator("#messages .bubble").last
    await bubble.locator("summary").click()
    # What was said is text, whatever it looks like; a picture from elsewhere is not fetched.
    assert await bubble.locator("li").inner_text() == "执法团<b>第一夜</b>"
    assert await bubble.locator("img").evaluate("(img) => img.naturalWidth") == 1
    assert await bubble.locator("em").inner_text() == f"[{TEXTS['page.image']}]"


DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
"""A picture of one point."""
