"""The rehearsal room over the wire: whole games, its people, its files, and who may come in."""

from __future__ import annotations

import asyncio
import http.client
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import InvalidStatus

from data.rulesets import load_rulesets
from plugins.gamemaster.words import Roll, read, understand
from plugins.rehearsal.scenario import load
from tests.wire.client import Client
from tests.wire.process import Bot
from tests.wire.room import DIRECTOR, GROUP, STAGE, TEXTS, Page, knock, words
from tests.wire.table import Starting

BOARDS = load_rulesets()


@pytest.fixture(scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bot]:
    """A bot with no QQ client."""
    bot = Bot(tmp_path_factory.mktemp("room"), ONEBOT_ACCESS_TOKEN="t0ken")
    await bot.start()
    yield bot
    output = bot.output()
    await bot.stop()
    assert "Traceback" not in output and "fault" not in output and "t0ken" not in output


@pytest.fixture
async def page(bot: Bot) -> AsyncIterator[Page]:
    """A page, whose rehearsal is ended after the test."""
    async with Page(bot.port) as page:
        yield page
        if page.state:
            await page.ask("leave")
            await page.until("hello")


def lines(found: Any) -> Iterator[str]:
    """Every line of text in what was sent."""
    if isinstance(found, str):
        yield from found.splitlines()
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from lines(inner)


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
async def test_a_game_that_plays_itself_is_a_scenario_that_passes(
    page: Page, board: str, tmp_path: Path
) -> None:
    """Whoever looks on as one seat is sent nothing that only others were told."""
    sheet = BOARDS[board]
    await page.open(board, sheet.players or min(max(sheet.players_min, 8), sheet.players_max))
    own = page.account(2)
    await page.look(own)
    page.frames.clear()
    await page.play_on()
    assert not page.state["failed"]
    sent = set(lines(page.frames))
    phases = {frame["phase"] for frame in page.frames if frame["kind"] == "state"}
    known = {line for message in await page.look(own) for line in words(message).splitlines()}
    others = 0
    for one in page.state["people"]:
        if one["account"] == own:
            continue
        for message in await page.look(one["account"]):
            for line in words(message).splitlines():
                if message["place"] != GROUP and len(line) > 5 and line not in known:
                    others += 1
                    assert line not in sent, line
    assert others > 10
    path = await page.scenario(tmp_path)
    assert STAGE.failures(path) == []
    acts = load(path).act
    # An act for each phase that was played, even if it was over on its first day.
    assert len(acts) >= len(phases) - 1 > 0
    assert acts[-1].expect and acts[-1].expect["phase"] == "over"


# --- by hand -------------------------------------------------------------------------------------


async def test_what_is_played_by_hand(page: Page, tmp_path: Path) -> None:
    await page.open("kingmaker", 7)
    await page.do("by_hand", seats=list(range(1, 8)))
    cards = await page.roles()
    killer = next(seat for seat, card in cards.items() if "身份：杀手" in card)
    victim, other = [seat for seat, card in cards.items() if "身份：平民" in card][:2]
    hand = page.account(killer)
    names = {one["seat"]: one["name"] for one in page.state["people"]}
    # By name, by mention, and where it does not belong.
    await page.type(hand, f"private:{hand}", f"刀 {names[other]}")
    await page.type(hand, f"private:{hand}", f"刀 @{names[victim]}")
    await page.type(hand, f"private:{hand}", "刀 99")
    await page.type(hand, GROUP, f"刀 {other}")
    said = [message for message in await page.look(hand) if message["sender"] == hand]
    assert said[-1]["recalled"] and said[-1]["segments"] == []
    # In the killers' own group, which nobody else has.
    places = {place["kind"]: place["key"] for place in page.state["places"]}
    await page.type(hand, places["channel"], "就这么定了")
    await page.type(hand, places["channel"], f"刀 {victim}")
    await page.look(page.account(victim))
    assert {place["kind"] for place in page.state["places"]} == {"group", "private"}
    # The director's words, and somebody without a seat.
    await page.type(DIRECTOR, f"private:{DIRECTOR}", f"替补 {other} @甲")
    assert page.account(other) == next(
        one["account"] for one in page.state["people"] if one["name"] == "甲"
    )
    await page.type(DIRECTOR, GROUP, f"禁言 {killer} 2小时")
    await page.ask("say", **{"as": hand, "place": GROUP, "text": "大家好"})
    assert "禁言" in (await page.until("wrong"))["text"]
    # The clock, to the opening and on.
    await page.do("step")
    assert page.state["phase"] == "第1天" and "T17:00" in page.state["clock"]
    await page.do("plus")
    assert "T17:10" in page.state["clock"]
    await page.type(hand, f"private:{hand}", "状态")
    path = await page.scenario(tmp_path)
    assert STAGE.failures(path) == []
    scenario = load(path)
    typed = [line for act in scenario.act for line in act.play]
    assert typed[:4] == [
        f"{killer} 私: 刀 {other}号",
        f"{killer} 私: 刀 @{victim}",
        f"{killer} 私: 刀 99",
        f"{killer} 群: 刀 {other}",
    ]
    assert typed[4:7] == [
        f"{killer} 密: 刀 {victim}",
        f"导演 私: 替补 {other} @甲",
        f"导演 群: 禁言 {killer} 2小时",
    ]
    assert next(act.expect["refused"] for act in scenario.act if act.expect) == [3, 4]
    assert scenario.act[1].expect and [victim, "kill"] in scenario.act[1].expect["out"]


@pytest.mark.parametrize(("board", "further"), [("kingmaker", 99), ("m84", 3), ("nine", 3)])
async def test_a_game_goes_on_from_an_earlier_moment(
    page: Page, board: str, further: int, tmp_path: Path
) -> None:
    sheet = BOARDS[board]
    await page.open(board, sheet.players or min(max(sheet.players_min, 8), sheet.players_max))
    for _ in range(3):
        await page.do("step")
    await page.ask("log")
    number = (await page.until("log"))["lines"][-1]["number"]
    before = page.state["phase"]
    for _ in range(further):
        if not page.state["over"]:
            await page.do("step")
    private = f"private:{DIRECTOR}"
    # A game that is over must be named.
    prefix = "#1 " if page.state["over"] else ""
    await page.type(DIRECTOR, private, f"{prefix}回到 {number}")
    await page.type(DIRECTOR, private, "确认")
    assert page.state["phase"] == before
    if page.state["paused"]:
        await page.type(DIRECTOR, private, "继续")
    await page.play_on()
    path = await page.scenario(tmp_path)
    assert "回到" in path.read_text(encoding="utf-8")
    assert STAGE.failures(path) == []


@pytest.mark.parametrize(
    "frame",
    [
        *("", "{", "[]", "null", "1", '"x"', "{}", '{"do": 1}', '{"do": "nothing"}', "[" * 50_000),
        *('{"do": "open", "board": "nowhere", "players": 6}', '{"do": "open", "board": ["six"]}'),
        *('{"do": "open", "board": "six", "players": 99}', '{"do": "open", "players": "6"}'),
        *(
            '{"do": "look", "as": 99}',
            '{"do": "look", "as": null}',
            '{"do": "by_hand", "seats": 1}',
        ),
        '{"do": "say", "as": 10, "place": "here", "text": "x"}',
        '{"do": "say", "as": 99, "place": "group:1", "text": "x"}',
        '{"do": "say", "as": 10, "place": "group:1", "text": "\\ud800"}',
        *(b"\xff\xfe", b"\x00"),
    ],
)
async def test_a_frame_that_makes_no_sense_is_answered(
    bot: Bot, page: Page, frame: str | bytes
) -> None:
    """It is no fault of the bot's, which goes on as if nothing had been (see the fixture)."""
    await page.open("six", 6)
    before = page.state
    await page.send(frame)
    assert (await page.until("wrong"))["text"] == TEXTS["page.misread"]
    await page.look(DIRECTOR)
    assert page.state == before
    assert "ERROR" not in bot.output()


async def test_who_is_told_something_in_private_is_not_seen_from_another_seat(page: Page) -> None:
    await page.open("kingmaker", 8)
    cards = await page.roles()
    first, second = [seat for seat, card in cards.items() if "身份：杀手" in card][:2]
    own = page.account(next(seat for seat, card in cards.items() if "身份：平民" in card))
    await page.look(own)
    page.frames.clear()
    async with Page(page.port) as other:
        await other.ask("join", table=page.state["table"])
        await other.until("state")
        killer = page.account(first)
        await other.type(killer, f"private:{killer}", "密 今晚怎么办")
        assert "今晚怎么办" in str(await other.look(page.account(second)))
    await asyncio.sleep(0.2)
    # Not even that something was said.
    await page.ask("look", **{"as": own})
    assert (await page.until("inbox"))["as"] == own and len(page.frames) == 1
    await page.until("state")
    assert {one["unread"] for one in page.state["people"]} == {0}
    # The director knows it anyhow.
    await page.look(DIRECTOR)
    unread = {one["seat"]: one["unread"] for one in page.state["people"]}
    assert unread[second] == 1


async def test_words_are_offered_for_what_is_wanted_of_a_seat(page: Page) -> None:
    await page.open("kingmaker", 8)
    cards = await page.roles()
    for role, word in (("杀手", "刀 "), ("拥王者", "立王 ")):
        await page.look(
            page.account(next(n for n, card in cards.items() if f"身份：{role}" in card))
        )
        asks = page.state["asks"]
        assert [word, True] in asks["private"] and [word, True] not in asks["group"]
        assert ([word, True] in asks["channel"]) == (role == "杀手")
    await page.look(page.account(next(n for n, card in cards.items() if "身份：平民" in card)))
    assert not any(more for place in page.state["asks"].values() for _, more in place)
    await page.look(DIRECTOR)
    assert ["待办", False] in page.state["asks"]["private"]
    await page.play_on()
    for account in (DIRECTOR, page.account(1)):
        await page.look(account)
        assert [text for text, _ in page.state["asks"]["group"]] == [
            *("复盘", "再来一局", "记录", "战绩")
        ]
    # Each of them is a word that is answered there.
    await page.type(DIRECTOR, GROUP, "再来一局")
    await page.look(page.state["people"][1]["account"])
    assert ["报名", False] in page.state["asks"]["group"]
    await page.look(DIRECTOR)
    assert ["开始", False] in page.state["asks"]["group"]


@pytest.mark.parametrize("board", BOARDS)
async def test_what_is_offered_is_understood(page: Page, board: str) -> None:
    """Whatever is sent at once is no talk and not misread; the rest wants what is to follow."""
    sheet = BOARDS[board]
    await page.open(board, sheet.players or min(max(sheet.players_min, 8), sheet.players_max))
    seen: set[str] = set()
    for _ in range(4):
        for one in page.state["people"]:
            await page.look(one["account"])
            for place, offers in page.state["asks"].items():
                for text, more in offers:
                    word = read(text).word
                    assert word is not None, (place, text)
                    rest = word.example.partition(" ")[2] if more else ""
                    roll = Roll([(3, "3", "小明"), (5, "5", "5")])
                    assert understand(read(text + rest), roll) is not None, (place, text)
                    seen.add(text)
        await page.look(DIRECTOR)
        if page.state["over"]:
            break
        await page.do("step")
    assert any(text.endswith(" ") for text in seen)


async def test_a_game_that_plays_itself_waits_once_for_those_played_by_hand(page: Page) -> None:
    await page.open("kingmaker", 8)
    cards = await page.roles()
    killer = next(seat for seat, card in cards.items() if "身份：杀手" in card)
    idle = next(seat for seat, card in cards.items() if "身份：平民" in card)
    await page.do("by_hand", seats=[killer, idle, 99])
    assert page.state["by_hand"] == sorted([killer, idle])
    phase, clock = page.state["phase"], page.state["clock"]
    await page.ask("run")
    text = (await page.until("owing"))["text"]
    assert f"{killer}号" in text and f"{idle}号" not in text
    await page.look(DIRECTOR)
    while page.state["running"]:
        await page.until("state")
    assert (page.state["phase"], page.state["clock"]) == (phase, clock)
    # Once more, and it waits no longer for this; but for what is wanted of them by day.
    await page.ask("run")
    text = (await page.until("owing"))["text"]
    await page.look(DIRECTOR)
    assert page.state["phase"] != phase and (f"{idle}号" in text or f"{killer}号" in text)


async def test_what_can_be_saved(page: Page, tmp_path: Path) -> None:
    await page.open("six", 6)
    await page.ask("save")
    assert (await page.until("wrong"))["text"] == TEXTS["page.nothing"]
    await page.do("step")
    path = await page.scenario(tmp_path)
    local = page.state["clock"].translate({ord(sign): None for sign in "-:"})
    assert path.name == f"six-{local[:8]}-{local[9:13]}.toml"
    assert STAGE.failures(path) == []
    await page.play_on()
    # The next game signs up: the last is still there; and once it is dealt, it is the next one's.
    await page.type(DIRECTOR, GROUP, "再来一局")
    await page.do("plus")
    path = await page.scenario(tmp_path)
    assert STAGE.failures(path) == [] and load(path).act[-1].expect["phase"] == "over"  # type: ignore[index]
    for one in page.state["people"][1:7]:
        await page.type(one["account"], GROUP, "报名")
    await page.type(DIRECTOR, GROUP, "开始")
    await page.ask("save")
    await page.until("wrong")
    await page.do("step")
    await page.ask("save")
    assert (await page.until("file"))["game"] == 2


async def test_the_room_opens_the_board_that_was_chosen(page: Page) -> None:
    for board, sheet in BOARDS.items():
        await page.open(board, sheet.players or sheet.players_min)
        titles = {one["key"]: one["title"] for one in page.frames[0]["boards"]}
        assert page.state["title"] == titles[board] and len(set(titles.values())) == len(titles)
        await page.ask("leave")
        await page.until("hello")
    page.state = {}


async def test_a_page_that_comes_back_finds_its_rehearsal(bot: Bot, page: Page) -> None:
    await page.open("six", 6)
    number = page.state["table"]
    async with Page(bot.port) as again:
        listed = [one["table"] for one in again.frames[0]["tables"]]
        assert number in listed
        await again.ask("join", table=number)
        await again.until("state")
        assert again.state["table"] == number
        # Both see what one does.
        await again.type(DIRECTOR, GROUP, "大家好")
        assert words((await page.look(DIRECTOR))[-1]) == "大家好"
        await again.ask("join", table=number + 500)
        await again.until("gone")


async def test_there_is_an_end_to_how_many_rehearsals_there_are(bot: Bot) -> None:
    pages = [Page(bot.port) for _ in range(9)]
    try:
        for page in pages[:8]:
            await page.__aenter__()
            await page.open("six", 6)
        await pages[8].__aenter__()
        await pages[8].ask("open", board="six", players=6)
        assert "8" in (await pages[8].until("wrong"))["text"]
        # One that nobody looks at makes room.
        await pages[0].do_out()
        await pages[8].open("six", 6)
    finally:
        for page in pages:
            if page.state:
                await page.ask("leave")
                await page.until("hello")
            await page.__aexit__()


# --- real games ----------------------------------------------------------------------------------


async def test_real_games_and_rehearsals_are_nothing_to_each_other(start: Starting) -> None:
    bot, client = await start()
    await client.group(1, 101, "开局 M84")
    await client.hears(("group", 1), "招募")
    calls = len(client.calls)
    async with Page(bot.port) as page:
        assert page.frames[0]["tables"] == []
        await page.open("kingmaker", 8)
        await page.play_on()
        said = [words(message) for message in await page.look(DIRECTOR)]
        assert any("胜利" in text or "结束" in text for text in said)
        await page.ask("leave")
        await page.until("hello")
    await client.group(1, 101, "名单")
    await client.until(lambda: len(client.calls) > calls, "an answer in the real group")
    assert len(client.calls) == calls + 1
    assert len((await bot.data("list")).splitlines()) == 2
    assert (await bot.facts(1))["phase"] == "setup"


# --- who may come in -----------------------------------------------------------------------------


async def get(
    port: int, path: str = "/", *, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Ask the bot's web server for something: status, text, headers."""

    def ask() -> tuple[int, str, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, text, {key.lower(): value for key, value in answer.getheaders()}

    return await asyncio.to_thread(ask)


async def turned_away(port: int, **how: str | None) -> bool:
    """Whether a connection is refused."""
    try:
        socket = await knock(port, **how)  # type: ignore[arg-type]
    except InvalidStatus as error:
        return error.response.status_code == 403
    await socket.close()
    return False


async def test_the_page_needs_nothing_from_elsewhere(bot: Bot) -> None:
    status, page, headers = await get(bot.port)
    assert status == 200 and TEXTS["page.title"] in page and "{{" not in page
    assert "default-src 'none'" in headers["content-security-policy"]
    for path in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert path.startswith("/room/")
        status, text, _ = await get(bot.port, path)
        assert status == 200 and text
        assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert (await get(bot.port, "/room/page.py"))[0] == 404
    assert (await get(bot.port, "/room/..%2f__init__.py"))[0] == 404
    assert f"http://127.0.0.1:{bot.port}/" in bot.output()


async def test_other_sites_neither_look_in_nor_drive(bot: Bot) -> None:
    assert (await get(bot.port, Host="evil.example"))[:2] == (403, TEXTS["elsewhere"])
    assert (await get(bot.port, Host=f"localhost:{bot.port}"))[0] == 200
    assert not await turned_away(bot.port)
    assert not await turned_away(bot.port, host=f"localhost:{bot.port}")
    assert await turned_away(bot.port, origin="http://evil.example")
    assert await turned_away(bot.port, origin="null")
    assert await turned_away(bot.port, origin=None)
    assert await turned_away(bot.port, host="evil.example")
    assert await turned_away(bot.port, origin=f"http://localhost:{bot.port}")


async def test_the_room_is_off_where_the_settings_say_so(start: Starting) -> None:
    bot, _ = await start(ROOM="false")
    assert (await get(bot.port))[0] == 404
    assert await turned_away(bot.port)
    assert f"http://127.0.0.1:{bot.port}/" not in bot.output()


async def test_nobody_comes_in_from_elsewhere_without_a_password(start: Starting) -> None:
    bot, _ = await start(HOST="0.0.0.0")
    assert (await get(bot.port))[:2] == (403, TEXTS["closed"])
    assert await turned_away(bot.port)
    assert TEXTS["closed_log"] in bot.output()


async def test_a_password_opens_the_door(start: Starting) -> None:
    bot, _ = await start(HOST="0.0.0.0", ROOM_PASSWORD="0开门 &1")
    here = {"Host": f"games.example:{bot.port}", "Origin": f"http://games.example:{bot.port}"}
    status, page, _ = await get(bot.port, Host=here["Host"])
    assert status == 200 and TEXTS["password_ask"] in page and "page.js" not in page
    assert await turned_away(bot.port, host=here["Host"])

    async def enter(password: str, **headers: str) -> tuple[int, str]:
        status, page, found = await get(
            bot.port,
            "/room/enter",
            method="POST",
            body=f"password={quote(password)}",
            **{**here, **headers},
        )
        return status, found.get("set-cookie", "") or page

    status, page = await enter("0开门")
    assert status == 403 and TEXTS["password_wrong"] in page
    assert (await enter("0开门 &1", Origin="http://evil.example"))[0] == 403
    status, cookie = await enter("0开门 &1")
    assert status == 303 and "HttpOnly" in cookie and "SameSite=strict" in cookie
    cookie = cookie.partition(";")[0]
    status, page, _ = await get(bot.port, Host=here["Host"], Cookie=cookie)
    assert status == 200 and "page.js" in page
    assert await turned_away(bot.port, host=here["Host"], cookie="room=x")
    assert await turned_away(bot.port, origin="http://evil.example", cookie=cookie)
    async with Page(bot.port, cookie=cookie) as inside:
        await inside.open("six", 6)
        await inside.ask("leave")
        await inside.until("hello")
    assert "0开门" not in bot.output()


async def test_a_real_client_with_a_number_like_ours_keeps_its_own(start: Starting) -> None:
    bot, _ = await start()
    async with Client(bot.port, self_id=1000) as other:
        async with Page(bot.port) as page:
            await page.open("six", 6)
            assert page.state["table"] == 1001
            await page.ask("leave")
            await page.until("hello")
        assert other.calls == []
