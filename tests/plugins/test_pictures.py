"""Pictures on their way: who is shown what, by which board, and what is left where none can go."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from io import BytesIO
from typing import Any

import msgspec
import pytest
from nonebot.adapters.onebot.v11 import ActionFailed
from PIL import Image, ImageChops, ImageStat

from data.message import Target
from data.pictures import Board, Card, Picture, Tally
from data.pictures.drawing import png
from data.rulesets import load_rulesets
from docs.make_pictures import EXAMPLES, PICTURES, SCENARIOS, made
from plugins.courier.delivery import Courier
from plugins.rehearsal.scenario import Rehearsal, load
from tests.plugins.desk import GROUP, HOST, SPEECH, Room, group, private
from tests.plugins.test_courier import FAST, REPEAT, Post, failed, running

RULESETS = load_rulesets()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_board_has_its_pictures(ruleset: str) -> None:
    kinds: set[type] = set()
    for path in sorted((SCENARIOS / ruleset).glob("full_*.toml")):
        stage = Rehearsal(load(path), RULESETS, SPEECH)
        seats = len(stage.game.seats)
        dealt = [row for row in stage._store.messages() if row.picture is not None]
        for _ in stage.acts():
            pass
        rows = stage._store.messages()
        stage.close()
        # Each is told its role with a picture, in one message, whatever the role is.
        assert [row.audience for row in dealt] == [f"seat:{n + 1}" for n in range(seats)]
        for row in rows:
            if "【票型】" in row.text and "没有人投票" not in row.text:
                assert isinstance(row.picture, Tally | Board), row.text
            if row.picture is not None:
                assert row.text and not row.picture.caption
                private = isinstance(row.picture, Card)
                assert row.audience.startswith("seat:") if private else row.audience == "public"
                kinds.add(type(row.picture))
        shown = [row.picture for row in rows if row.picture is not None]
        assert isinstance(shown[-1], Board) and len(shown[-1].chairs) == seats
        assert shown[-1].hour == "over" and all(chair.role for chair in shown[-1].chairs)
        for picture in (shown[0], shown[-1]):
            assert Image.open(BytesIO(png(picture))).width == 1080
    assert {Card, Board} <= kinds


@pytest.fixture
def day() -> Room:
    """The first day, with a king."""
    room = Room()
    room.deal()
    room.hears("2", "刀 4")
    room.hears("1", "立王 5 备 6")
    room.hears(HOST, "开楼", GROUP)
    room.said()
    return room


def test_what_is_shown_on_request(day: Room) -> None:
    def asked(account: str, text: str, place: str | None = GROUP) -> tuple[str, Picture | None]:
        assert day.hears(account, text, place) == "done"
        (row,) = day.said()
        return row.text, row.picture

    text, board = asked("5", "状态")
    assert isinstance(board, Board)
    assert board.caption == "【第1局】第1天（要文字：发「状态 文字」）"
    for plainly in ("状态 文字", "状态文字", "/狀態 文字。"):
        assert asked("5", plainly) == (text, None)
    assert asked("5", "票型")[1] is None
    assert asked("5", "时间")[1] is None
    text, card = asked("2", "我的身份", None)
    assert isinstance(card, Card) and not card.caption
    assert card.role == "杀手" and "你的同伴：3号 玩家3" in card.lines
    assert asked("2", "我的信息", None)[1] is None
    assert day.hears("5", "状态 怎么样了", GROUP) == "talk"
    assert day.hears("5", "状态 图", GROUP) == "talk"
    (chair,) = (chair for chair in board.chairs if chair.marks)
    assert (chair.number, [mark.text for mark in chair.marks]) == (5, ["君主"])
    (out,) = (chair for chair in board.chairs if chair.out)
    assert (out.number, out.role, out.side, out.fate) == (4, "平民", "town", "夜里遇害")
    assert [chair.role for chair in board.chairs if not chair.out] == [""] * 6


def test_the_tally_while_it_is_cast_and_when_it_is_counted() -> None:
    room = Room()
    roles = {1: "mafia", 2: "mafia", **dict.fromkeys(range(3, 8), "townsfolk")}
    room.deal(roles=roles, board="黑手党")
    for account, target in ((3, 1), (4, 1), (1, 3)):
        room.hears(str(account), f"投票 {target}", GROUP)
    room.hears("5", "弃权", GROUP)
    room.said()
    room.hears("5", "票型", GROUP)
    room.hears("5", "票型 文字", GROUP)
    shown, plain = room.said()
    assert shown.text == plain.text and plain.picture is None
    assert isinstance(shown.picture, Tally)
    assert shown.picture.caption == "【第1局】票型（要文字：发「票型 文字」）"
    rows = [
        (row.chair and row.chair.number, row.votes, [voter.number for voter in row.voters])
        for row in shown.picture.rows
    ]
    assert rows == [(1, "2 票", [3, 4]), (3, "1 票", [1]), (None, "弃权", [5])]
    assert [row.share for row in shown.picture.rows] == [1.0, 0.5, 0.0]
    room.hears(HOST, "截票", GROUP)
    (closed,) = (row for row in room.said() if row.picture is not None)
    assert closed.picture == msgspec.structs.replace(shown.picture, caption="")
    assert "【票型】" in closed.text and "得票最多：1号" in closed.text


def test_the_board_says_so_before_the_deal_in_words_alone() -> None:
    room = Room()
    room.sign_up()
    room.hears("1", "状态", GROUP)
    (row,) = room.said()
    assert row.picture is None and "已报名 7 人" in row.text


def test_in_several_games_the_caption_too_names_its_game() -> None:
    room = Room()
    room.deal()
    room.deal(group="901", host="51")
    room.said()
    room.hears("5", "#2 状态")
    (row,) = room.said()
    assert row.picture is not None
    prefix = SPEECH.say("bot.game_prefix", game=2)
    assert row.text.startswith(prefix) and row.picture.caption.startswith(prefix)


# --- the courier ---------------------------------------------------------------------------------

CARD = Card("第1局", "3号", "杀手", "杀手方", "killers", ["夜里交刀。"])
BOARD = Board("第1局", "第1天", "day", [], [], caption="要文字就说")


def drawing(room: Room, draw: Any = png) -> Post:
    post = Post(room, FAST)
    post.courier = Courier(
        room.store,
        room.ledger,
        SPEECH,
        FAST,
        call=lambda: post.call if post.connected else None,
        commit=room.ledger.commit,
        learn=lambda group, people: people,
        draw=draw,
    )
    room.ledger.on_outbox = post.courier.wake
    return post


def show(post: Post, target: Target, text: str, picture: Picture) -> None:
    post.room.ledger.say(target, text, picture=picture)
    post.room.ledger.commit()


def sent(post: Post) -> list[list[tuple[str, str]]]:
    """The segments of each call: what kind, and the text or the file."""
    return [
        [(part.type, part.data.get("text") or part.data["file"]) for part in parameters["message"]]
        for _, parameters in post.calls
    ]


def is_png(file: str) -> bool:
    return b64decode(file.removeprefix("base64://")).startswith(b"\x89PNG")


async def test_a_picture_goes_before_its_text_or_its_caption() -> None:
    async with running(drawing(Room())) as post:
        show(post, private("7"), "你是杀手", CARD)
        show(post, group(), "很长的状态", BOARD)
        await post.idle()
    (card, board) = sorted(sent(post), key=lambda parts: parts[1][1] != "你是杀手")
    assert [kind for kind, _ in card] == ["image", "text"] == [kind for kind, _ in board]
    assert is_png(card[0][1]) and card[1][1] == "你是杀手"
    assert is_png(board[0][1]) and board[1][1] == "要文字就说"
    # There is no name that could name anything.
    assert all(list(p["message"][0].data) == ["file"] for _, p in post.calls)


async def test_no_pictures_are_sent_where_they_are_not_wanted() -> None:
    async with running(drawing(Room(), None)) as post:
        show(post, group(), "很长的状态", BOARD)
        await post.idle()
    assert sent(post) == [[("text", "很长的状态")]]


async def test_a_long_text_has_its_picture_once() -> None:
    async with running(drawing(Room())) as post:
        show(post, private("7"), "一句话。\n" * 60, CARD)
        await post.idle()
    assert len(post.calls) > 2
    assert [kind for parts in sent(post) for kind, _ in parts].count("image") == 1
    assert sent(post)[0][0][0] == "image"


async def test_what_can_not_be_drawn_is_said(caplog: pytest.LogCaptureFixture) -> None:
    def spoilt(picture: Picture) -> bytes:
        raise ValueError("杀手 3号")

    async with running(drawing(Room(), spoilt)) as post:
        show(post, private("7"), "你是杀手", CARD)
        await post.idle()
    assert sent(post) == [[("text", "你是杀手")]]
    assert "杀手" not in caplog.text


async def test_a_client_that_takes_no_picture_gets_the_text() -> None:
    async with running(drawing(Room())) as post:
        post.answers = lambda _, parameters: (
            failed("rich media transfer failed") if len(parameters["message"]) > 1 else {}
        )
        show(post, group(), "很长的状态", BOARD)
        show(post, private("7"), "你是杀手", CARD)
        await post.idle()
        assert post.room.store.undelivered("7") == []
    words = [parts[-1][1] for parts in sent(post) if len(parts) == 1]
    assert sorted(words) == ["你是杀手", "很长的状态"]


async def test_one_who_can_not_be_reached_is_so_with_a_picture_too() -> None:
    async with running(drawing(Room())) as post:
        post.answers = lambda _, parameters: failed() if "user_id" in parameters else {}
        show(post, private("7"), "你是杀手", CARD)
        await post.idle()
        (held,) = post.room.store.undelivered("7")
        assert held.picture == CARD
        # It is pulled with its picture.
        post.answers = lambda _, parameters: {}
        post.room.ledger.pull("7")
        post.room.ledger.commit()
        await post.idle()
    assert [kind for kind, _ in sent(post)[-1]] == ["image", "text"]


@pytest.mark.parametrize("answer", [None, failed("Timeout: sendMsg")])
async def test_what_may_have_arrived_is_repeated_in_words(answer: ActionFailed | None) -> None:
    """A picture that takes too long to send would take as long again."""
    async with running(drawing(Room())) as post:
        never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        post.answers = lambda _, parameters: (
            {} if len(parameters["message"]) == 1 else answer or never
        )
        show(post, group(), "很长的状态", BOARD)
        await post.idle()
    first, second = sent(post)
    assert [kind for kind, _ in first] == ["image", "text"]
    assert second == [("text", f"{REPEAT}很长的状态")]


async def test_the_loop_goes_on_while_pictures_are_drawn() -> None:
    """Drawing is off the loop; all it shares is the interpreter."""
    room = Room()
    picture = made(*EXAMPLES["disclosure"])
    png(picture)
    async with running(drawing(room)) as post:
        for account in range(1, 8):
            # Each is drawn anew: one that is like the last would not be.
            another = msgspec.structs.replace(picture, caption=f"第{account}张")
            show(post, private(str(account)), "你是杀手", another)
        ticks = 0
        while any(row.state == "waiting" for row in room.store.messages()):
            await asyncio.sleep(0.001)
            ticks += 1
    assert len(post.calls) == 7
    assert ticks > 7 * 3


# --- the examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_in_the_docs_are_those_that_are_made(name: str) -> None:
    picture = made(*EXAMPLES[name])
    assert isinstance(picture, Board | Tally | Card)
    drawn = Image.open(BytesIO(png(picture))).convert("RGB")
    kept = Image.open(PICTURES / f"{name}.png").convert("RGB")
    # Another machine may set a letter a little otherwise.
    assert drawn.size == kept.size, "python -m docs.make_pictures makes them anew"
    assert max(ImageStat.Stat(ImageChops.difference(drawn, kept)).mean) < 1
