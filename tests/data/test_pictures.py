"""Pictures: what is in them, that any name can be drawn, and what they cost."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image

from data.message import Target
from data.pictures import Board, Card, Chair, Mark, Picture, Row, Tally, drawing, lettering
from data.pictures.drawing import WIDTH, png
from data.store import Changes, Saying, Store, _picture
from engine import commands as c
from engine import events as ev
from engine import view
from tests.data import classic, m84
from tests.data import test_speech as kingmakers
from tests.data.table import SPEECH, START, Table
from tests.engine import pairs

LARGEST = 200_000
QUICK = 0.060
NOISE = 3
"""How much slower than it should be a machine may be that does other things too."""

NAMES = [
    *(
        "小明",
        "一个特别特别特别特别特别特别特别特别长的名字",
        "🐼熊猫侠👩‍👩‍👧🏽🇨🇳",
        "💀",
        "\u202e反过来",
    ),
    *(
        "مرحبا بالعالم",
        "שלום",
        "ไม่รู้",
        "한글이름",
        "हिन्दी",
        "𝓐𝓵𝓲𝓬𝓮",
        "Z̸̢̛ä̴l̵g̶o̷",
        "①②③★☆♥",
        "\u3164",
        "9号",
    ),
    *("\U000f0000", "𠮷野家", "ﷺ", "W" * 30, "꧁༒王༒꧂", "{x}%s\\n", "<b>&", "ﾊﾝｶｸ", "𐍈𓀀", "e\u0301"),
]


def opened(picture: Picture) -> Image.Image:
    """What is drawn, after what must be so of every picture."""
    drawn = png(picture)
    assert len(drawn) <= LARGEST
    image = Image.open(BytesIO(drawn))
    assert image.format == "PNG" and image.width == WIDTH and image.mode == "P"
    image.load()
    return image


def crowd() -> list[Picture]:
    """Thirty seats with names of all kinds, and all that can stand at a seat."""
    chairs = [
        Chair(
            number,
            NAMES[number % len(NAMES)],
            out=number % 3 == 0,
            role="齐格复制品" if number % 3 == 0 else "",
            side="wolves",
            fate="夜里遇害" if number % 3 == 0 else "",
            posts="" if number % 3 == 0 else f"发言 {number}/5",
            enough=number > 5,
            marks=[Mark("office", "君主"), Mark("charmed", "黑哨"), Mark("red", "红牌1张")],
        )
        for number in range(1, 31)
    ]
    lines = ["政体：独裁；君主：" + "、".join(NAMES) + "。", "今天由君主下令处决。" * 20]
    board = Board("第1局", "第3天", "day", lines, chairs, lines, [Mark("town", "平民方")] * 9)
    tally = Tally(
        "第1局", "票型", [Row(chair, "1 票", 1.0, [chair]) for chair in chairs], ["算一票。"]
    )
    one = Tally(
        "第1局", "票型", [Row(chairs[0], "30 票", 1.0, chairs), Row(None, "弃权", 0.0, chairs)]
    )
    card = Card("第1局", "30号 " + NAMES[1], "平民" * 20, "阵营未定", "", lines)
    return [board, tally, one, card]


def test_thirty_seats_with_any_names_are_drawn_small() -> None:
    for picture in crowd():
        assert 400 < opened(picture).height < 8000
    empty = Board("", "", "over", [], [])
    assert opened(empty).height < 400


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_too_odd(name: str) -> None:
    for size in (30, 38):
        for line in (lettering.line(name, size, width=200), *lettering.wrap(name, size, 200)):
            assert line.width <= 200 + size
            lettering.mask(line, size)


def test_what_can_be_seen_of_a_name() -> None:
    def seen(text: str) -> str:
        return "".join(sign.text for sign in lettering.line(text, 38).signs)

    assert seen("🐼熊猫侠") == "🐼熊猫侠"
    assert seen("𝓐𝓵𝓲𝓬𝓮") == "Alice"
    assert seen("مرحبا") == "مرحبا"
    assert seen("👍🏽️") == "👍"
    assert seen("小\U000f0000明\u0378") == "小明"
    assert seen("e\u0301") == "é"
    assert seen("") == ""
    assert seen("很长的名字" * 20).startswith("很长的名字")
    cut = lettering.line("很长的名字" * 20, 38, width=300)
    assert cut.signs[-1].text == "…" and cut.width <= 300
    # A shaped script is one sign: its letters join.
    assert len(lettering.line("مرحبا", 38).signs) == 1
    lines = lettering.wrap("今天 12:30 开楼，" * 9, 40, 300)
    assert len(lines) > 3 and all(line.width <= 300 for line in lines)
    assert not any(line.signs[0].text in "，。：" for line in lines)
    assert "12:30" in "".join(sign.text for sign in lines[0].signs + lines[1].signs)


def test_a_picture_is_quick() -> None:
    """With its fonts open and none of its signs ever set; the quickest of some, in CPU time."""
    for picture in crowd():
        png(picture)
        spent = []
        for _ in range(4):
            lettering._sign.cache_clear()
            drawing._png.cache_clear()
            begun = time.process_time()
            png(picture)
            spent.append(time.process_time() - begun)
        assert min(spent) < QUICK * NOISE, spent


# --- what is in it -------------------------------------------------------------------------------


def words(picture: Picture) -> Iterator[str]:
    """All names, roles, causes, terms and sentences that a picture shows of the game."""
    if isinstance(picture, Card):
        yield from (picture.seat, picture.role, picture.faction)
        for line in picture.lines:
            # Of the partners, those are left out who are known to be.
            yield from re.split("[：、]", line) if line.startswith("你的同伴：") else [line]
    elif isinstance(picture, Tally):
        yield from picture.foot
        for row in picture.rows:
            yield from (chair.name for chair in [row.chair, *row.voters] if chair is not None)
    else:
        yield from (line for line in [*picture.lines, *picture.foot] if "在世" not in line)
        yield from (mark.text for mark in picture.sides)
        for chair in picture.chairs:
            yield from (chair.name, chair.role)
            yield chair.fate if chair.fate not in ("存活", "出局") else ""
            # Who takes part in what is told by the text's own lines.
            yield from (mark.text for mark in chair.marks if mark.text not in ("参选", "没有票"))


def looked_at(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Let whatever is played at a table be looked at; return how many pictures there were."""
    seen = {"card": 0, "status": 0, "tally": 0, "public": 0}
    plain = Table.handle

    def compare(table: Table) -> None:
        public = table.public
        for what in ("status", "tally"):
            picture = SPEECH.picture(what, public)
            if picture is None:
                continue
            seen[what] += 1
            text = getattr(SPEECH, what)(public) + SPEECH.roster(public)
            if table.game.phase == "over":
                continue  # its text is that of the end, below
            for word in words(picture):
                assert word in text, (what, word, text)
        for number in table.game.seats:
            own = view.seat_view(table.game, number)
            text = SPEECH.role_card(own, public) + SPEECH.all_told(own, public)
            seen["card"] += 1
            for word in words(SPEECH.card_picture(own, public)):
                assert word in text, (number, word, text)

    def handle(self: Table, command: c.Command) -> dict[str, str]:
        texts = plain(self, command)
        for message in SPEECH.events(self.game, self.last):
            if message.picture is None:
                continue
            seen["public"] += message.audience == "public"
            known = message.text
            if isinstance(message.picture, Card):
                # The partners are told in a sentence of their own.
                own = view.seat_view(self.game, int(message.audience.removeprefix("seat:")))
                known += SPEECH.all_told(own, self.public)
            for word in words(message.picture):
                assert word in known, (message.audience, word, known)
        compare(self)
        return texts

    monkeypatch.setattr(Table, "handle", handle)
    return seen


def test_a_picture_says_nothing_that_its_text_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = looked_at(monkeypatch)
    kingmakers.whole_games()
    kingmakers.hero_games()
    kingmakers.princeton_games()
    m84.whole_games()
    classic.whole_games()
    assert all(count > 10 for count in seen.values()), seen


def test_everybody_sees_the_same_board_whatever_is_hidden() -> None:
    count = 0
    for seed, pair in enumerate(pairs.pairs(120)):
        seen: list[list[Any]] = []
        for which in (0, 1):
            game = copy.deepcopy(pair.tables[which].game)
            _, batches = pairs.go_on(pair, which, seed)
            boards: list[Any] = []
            for batch in batches:
                for event in batch:
                    game.apply(event)
                if game.phase == "over":
                    break
                public = view.public_view(game)
                shown = [SPEECH.picture(what, public) for what in ("status", "tally")]
                if not boards or boards[-1] != shown:
                    boards.append(shown)
            seen.append(boards)
            count += len(boards)
        assert seen[0] == seen[1], (pair.matter, seed)
    assert count > 400


def test_the_count_of_posts_never_stops_for_one_who_went_unseen() -> None:
    table = Table()
    table.until("open")
    game = table.game
    number = game.living()[0]
    game.seats[number].alive = False  # out, and nobody knows
    assert game.phase == "day"
    before = table.public["seats"][number - 1]["posts"]
    table.last = game.handle(c.Post(at=table.at, seat=number, text="水"))
    assert [type(event) for event in table.last] == [ev.Reported]
    assert table.public["seats"][number - 1]["posts"] == before + 1
    assert game.attendance.posts.get(number, 0) == before
    game.seats[number].announced = True
    game.handle(c.Post(at=table.at, seat=number, text="水"))
    assert table.public["seats"][number - 1]["posts"] == before + 1


# --- kept ----------------------------------------------------------------------------------------


def test_it_survives_in_the_outbox(store: Store) -> None:
    table = Table()
    own = view.seat_view(table.game, 1)
    kept = [SPEECH.card_picture(own, table.public), SPEECH.picture("status", table.public), None]
    kept += crowd()
    said = [
        Saying(
            game_id=None,
            audience="person:1",
            target=Target("private", "1"),
            text="x",
            created=START,
            picture=picture,
        )
        for picture in kept
    ]
    store.commit(Changes(outbox=said))
    assert [row.picture for row in store.waiting()] == kept


def test_a_description_of_another_version_leaves_the_text() -> None:
    assert _picture(None) is None
    assert _picture('{"type":"cube"}') is None
    assert _picture("{") is None
    card = Card("a", "b", "c", "d", "e", ["f"])
    assert _picture(msgspec.json.encode(card).decode()) == card
