"""Games' pages over HTTP: who gets which, and that a page of a running game tells no secret."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from data.proof import page_key
from data.store import StoreError
from engine import events as ev
from engine import view
from engine.commands import Deal
from plugins.gamemaster.desk import Settings
from plugins.storypage import pages
from plugins.storypage.pages import Pages
from tests.data import tales
from tests.engine import pairs
from tests.plugins.desk import GROUP, HOST, ROLES, SPEECH, Room

BASE = "https://example.org/bot"
ADDRESS = re.compile(r"https://example\.org/bot(/games/1/[a-z2-7]{24})")

NASTY = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(2)'>",
    "שלום &amp; ‮abc",
    "很" * 80,
    "{{ 7 * 7 }}</style>",
    "</title><b>",
    "a&b",
]


@pytest.fixture
def room() -> Room:
    return Room(Settings(pages=BASE))


@pytest.fixture
async def web(room: Room) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    house = SimpleNamespace(speech=SPEECH, store=room.store, ledger=room.ledger)
    app.include_router(Pages(house).router)  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
        yield client


def deal(room: Room, names: list[str] | None = None) -> str:
    """Deal a game; the path that the group was told."""
    room.hears(HOST, "开局 拥王者", GROUP)
    for account in ROLES:
        name = names[account - 1] if names else f"玩家{account}"
        room.hears(str(account), "报名", GROUP, name=name)
    room.said()
    room.ledger.act(1, Deal(at=room.now, seed="5eed" * 8, roles=ROLES))
    room.ledger.commit()
    return told(room)


def told(room: Room) -> str:
    """The path of which the group was told now, and nobody else."""
    found = [(row.target.kind, m[1]) for row in room.said() for m in ADDRESS.finditer(row.text)]
    assert [kind for kind, _ in found] == ["group"]
    return found[0][1]


def end(room: Room) -> str:
    room.hears(HOST, "终局")
    room.hears(HOST, "确认")
    return told(room)


class Tags(HTMLParser):
    """The tags of a page, and the text that is read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


async def test_the_group_is_told_the_address_at_the_deal_and_at_the_end(
    room: Room, web: httpx.AsyncClient
) -> None:
    path = deal(room)
    running = await web.get(path)
    assert running.status_code == 200
    assert "进行中 · 首夜" in running.text and "杀手方" not in running.text
    assert end(room) == path
    over = await web.get(path)
    assert over.status_code == 200 and "进行中" not in over.text
    assert "杀手方" in over.text and "当时知道的" in over.text
    # It is kept, and made anew when something has changed.
    assert (await web.get(path)).content == over.content
    assert (await web.head(path)).status_code == 200


async def test_without_the_setting_nothing_is_said() -> None:
    room = Room()
    room.deal()
    room.hears(HOST, "终局")
    room.hears(HOST, "确认")
    assert not any("/games/" in row.text for row in room.store.messages(0))


async def test_a_wrong_key_and_a_game_that_is_not_look_the_same(
    room: Room, web: httpx.AsyncClient
) -> None:
    path = deal(room)
    key = path.rpartition("/")[2]
    wrong = ("a" if key[0] != "a" else "b") + key[1:]
    answers = [
        await web.get(address)
        for address in (
            f"/games/1/{wrong}",
            f"/games/2/{key}",
            f"/games/1/{key.upper()}",
            f"/games/01/{key}",
            f"/games/1/{key}/",
            f"/games/１/{key}",
            f"/games/{10**30}/{key}",
            "/games/1",
            "/games/",
            "/games/1/%00",
            f"/games/1/{page_key('')}",
        )
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert len({tuple(answer.headers.items()) for answer in answers}) == 1
    assert "从群里机器人给的地址打开" in answers[0].text


async def test_what_a_browser_is_told_of_it(room: Room, web: httpx.AsyncClient) -> None:
    path = deal(room)
    for address in (path, "/games/1/x", path):
        answer = await web.get(address)
        headers = answer.headers
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-robots-tag"].startswith("noindex")
        policy = headers["content-security-policy"]
        (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
        tags = Tags(answer.text)
        assert not {"script", "img", "iframe", "form", "object"} & set(tags.tags)
        assert not [name for name, _ in tags.attributes if name.startswith("on") or name == "style"]
        links = [value for name, value in tags.attributes if name in ("href", "src")]
        assert links == ["data:,"]
        if address == path and room.game.phase != "over":
            end(room)


async def test_what_players_are_called_and_say_is_only_text(
    room: Room, web: httpx.AsyncClient
) -> None:
    path = deal(room, NASTY)
    room.hears("2", "密 <script>alert(3)</script>")
    room.hears(HOST, "开楼")
    room.hears(HOST, "公告 <img src=x>& </p>")
    before = Tags((await web.get(path)).text)
    end(room)
    after = Tags((await web.get(path)).text)
    for page in (before, after):
        assert not {"script", "img", "b>"} & set(page.tags)
        assert "<script>alert(1)</s…" in page.text
        assert "<img src=x>& </p>" in page.text
        assert "{{ 7 * 7 }}</style>" in page.text
        assert "\u202e" not in page.text and "很" * 25 not in page.text
        assert page.tags.count("title") == page.tags.count("style") == 1
    assert "alert(3)" in after.text and "alert(3)" not in before.text


async def test_whoever_asked_to_be_forgotten_is_not_named(
    room: Room, web: httpx.AsyncClient
) -> None:
    path = deal(room)
    end(room)
    assert "玩家4" in (await web.get(path)).text
    room.hears("4", "忘记我")
    room.hears("4", "确认")
    text = (await web.get(path)).text
    assert "玩家4" not in text and "玩家5" in text


async def test_a_deal_taken_back_and_a_game_led_back_from_its_end(
    room: Room, web: httpx.AsyncClient
) -> None:
    path = deal(room)
    dealt = room.length()
    end(room)
    assert "杀手方" in (await web.get(path)).text
    room.hears(HOST, f"回到 {dealt}")
    room.hears(HOST, "确认")
    assert room.game.phase == "night"
    again = (await web.get(path)).text
    assert "进行中" in again and "杀手方" not in again
    room.hears(HOST, "回到 8")
    room.hears(HOST, "确认")
    assert room.game.phase == "setup" and not room.game.seats
    assert (await web.get(path)).status_code == 404
    room.said()
    room.ledger.act(1, Deal(at=room.now, seed="0dd0" * 8, roles=ROLES))
    room.ledger.commit()
    other = told(room)
    assert other != path
    assert (await web.get(path)).status_code == 404
    assert (await web.get(other)).status_code == 200


async def test_a_database_that_is_away_and_a_fault_say_nothing_of_the_game(
    room: Room, web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = deal(room)
    for error, status in ((StoreError("away"), 503), (ValueError("a hush"), 500)):

        def fails(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(room.store, "load_events", fails)
        answer = await web.get(path)
        assert answer.status_code == status and "hush" not in answer.text


async def test_only_so_many_pages_are_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_KEPT", 0)
    path = deal(room)
    end(room)
    house = SimpleNamespace(speech=SPEECH, store=room.store, ledger=room.ledger)
    served = Pages(house)  # type: ignore[arg-type]
    assert (await served._page(path.removeprefix("/games/"))).status_code == 200
    assert served._kept == {}


@pytest.mark.parametrize("key", tales.SHEETS)
def test_every_board_has_its_page(key: str) -> None:
    for seed in range(2):
        table = tales.Table(key, seed)
        for _ in range(120):
            if table.game.phase != "over":
                table.step()
        running = pages.shown(SPEECH, table.log).body.decode()
        over = pages.shown(SPEECH, table.play().log).body.decode()
        for html in (running, over):
            assert not re.search(r"\{[a-z_]+\}|None|Undefined", Tags(html).text.split("}\n")[-1])
        for number in table.game.seats:
            assert f'id="v{number}"' in over and f"k k{number} about" in over


@pytest.mark.parametrize("key", tales.SHEETS)
def test_what_is_done_in_secret_changes_no_byte(key: str) -> None:
    table = tales.Table(key, 4)
    done = 0
    for _ in range(200):
        if table.game.phase == "over":
            break
        before, body = len(table.log), pages.shown(SPEECH, table.log).body
        hours = [due for due, _ in view.public_view(table.game)["deadlines"]]
        table.step()
        new = table.log[before:]
        # A deadline that everybody knew of goes by when it is due.
        if new and new[0].at not in hours and not any(e.audience == ev.PUBLIC for e in new):
            assert pages.shown(SPEECH, table.log).body == body, [type(event) for event in new]
            done += 1
    assert done > 5


PAIRS = 120


def test_games_that_differ_in_what_is_hidden_have_the_same_page_at_every_moment() -> None:
    compared = 0
    for seed, pair in enumerate(pairs.pairs(PAIRS)):
        logs = [pairs.go_on(pair, which, seed)[0].log for which in (0, 1)]
        begun = min(len(table.log) for table in pair.tables)
        moments = sorted({event.at for log in logs for event in log[begun // 2 :]})
        rng = Random(seed)
        for moment in [*rng.sample(moments, min(4, len(moments))), moments[-1]]:
            cut = [[event for event in log if event.at <= moment] for log in logs]
            shown = [pages.shown(SPEECH, log).body for log in cut if log]
            if any(b'id="v0"' in body for body in shown):
                continue
            assert shown[0] == shown[1], (pair.matter, seed, moment)
            compared += 1
    assert compared > 3 * PAIRS
