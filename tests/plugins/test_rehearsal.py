"""The runner of scenarios: what it says of good, failing and unreadable files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plugins.rehearsal.__main__ import clauses, main
from plugins.rehearsal.room.qq import QQ, Place, Said

GOOD = """
title = "A short game"
clauses = ["K-04"]
ruleset = "kingmaker"
start = 2026-03-05T09:30:00+08:00

[sheet]
reminders = [30]

[deal]
1 = "kingmaker"
2 = "killer"
3 = "killer"
4 = "civilian"
5 = "civilian"
6 = "civilian"

[draw]
throne = [6, 5, 4, 3, 2, 1]
numbers = [5, 4, 6]

[people]
"甲" = { games = 9 }

[[act]]
play = [
    "2 密: 刀 4",
    "3 密: 我同意\\n就他",
    "1 私: 立王 5 备 6",
    "4 密: 喂",
    "4 群: 刀 2",
    "甲 群: 处决 3",
    "导演 私: 待办",
]

[act.expect]
refused = [4, 5, 6]
phase = "night"
winner = "none"
channels = { killers = [2, 3] }
told = { 2 = [["partners", [3]]] }
not_told = { 4 = [["partners", [3]]] }

[[act]]
play = ["钟: 2026-03-05 17:00", "钟: +1h"]

[act.expect]
day = 1
king = 5
alive = [1, 2, 3, 5, 6]
out = [[4, "kill"]]
now = "2026-03-05T18:00:00+08:00"
posts = { 1 = "none" }

[[act]]
play = ["5 群: 处决 2"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "short.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def change(file: Path, old: str, new: str) -> None:
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1), encoding="utf-8")


def test_a_file_that_holds(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == f"ok     {file}\n"
    assert main([str(file.parent)]) == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("refused = [4, 5, 6]", "refused = [4]", "act 1: refused: expected [4]"),
        ("refused = [4, 5, 6]\n", "", "act 1: refused: expected []"),
        ("king = 5", "king = 6", "act 2: king: expected 6, but it is 5"),
        ('winner = "none"', 'winner = "town"', "act 1: winner"),
        ('{ 1 = "none" }', "{ 1 = 2 }", "act 2: posts.1: expected 2, but it is None"),
        ("channels = { killers = [2, 3] }", "channels = { killers = [2] }", "channels.killers"),
        ('{ 2 = [["partners", [3]]] }', '{ 2 = [["partners", [4]]] }', "act 1: told.2"),
        ('{ 4 = [["partners", [3]]] }', '{ 2 = [["partners", [3]]] }', "act 1: not_told.2"),
        ("day = 1", "dya = 1", "dya: there is no such fact"),
        ("T18:00", "T19:00", "act 2: now"),
    ],
)
def test_a_file_that_fails_says_where(
    file: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    change(file, old, new)
    assert main([str(file)]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("title = ", "titel = ", "titel", "title"),
        ('title = "A short game"', "", "title", "缺"),
        ('ruleset = "kingmaker"', 'ruleset = "chess"', "ruleset", "chess"),
        ('ruleset = "kingmaker"', 'ruleset = "kingmaster"', "ruleset", "--sheet"),
        ("2026-03-05T09:30:00+08:00", '"tomorrow"', "start", "时区"),
        ("2026-03-05T09:30:00+08:00", "2026-03-05T09:30:00", "start", "时区"),
        ("reminders = [30]", "reminder = [30]", "sheet.reminder", "reminders"),
        ("reminders = [30]", "reminders = 30", "sheet.reminders", "一串"),
        ('3 = "killer"', '3 = "kilelr"', "deal.3", "没有 kilelr，是不是 killer？"),
        ('3 = "killer"', '三 = "killer"', "file", "第 13 行"),
        ('3 = "killer"', 'x = "killer"', "deal.x", "座位号"),
        ("throne = [6,", "throne = [9,", "deal", "[draw]"),
        ("throne = ", "thrones = ", "draw.thrones", "throne"),
        ("games = 9", "games = 9, age = 9", "people.甲.age", "请删掉"),
        ("[deal]", "[sheet2]\n[deal]", "sheet2", "sheet"),
        ('"2 密: 刀 4"', '"2 刀 4"', "act[0].play[0]", "2 刀 4"),
        ('"2 密: 刀 4"', '"9 密: 刀 4"', "act[0].play[0]", "没有 9"),
        ("钟: +1h", "钟: soon", "act[1].play[1]", "soon"),
        ("钟: +1h", "钟: 2026-03-05 16:00", "act[1].play[1]", "已经过去"),
        ('play = ["5 群: 处决 2"]', "play = 5", "act[2].play", "一串"),
        ("[deal]", "[deal", "file", "第 10 行"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    file: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, key: str, reason: str
) -> None:
    change(file, old, new)
    assert main([str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{file}：{key}：") and reason in said


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.toml")]) == 2
    assert "none.toml：file：没有这个文件" in capsys.readouterr().err


def test_a_sheet_from_elsewhere(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = file.parent / "mine.toml"
    sheet.write_text('key = "mine"\nbase = "kingmaker"\n', encoding="utf-8")
    change(file, 'ruleset = "kingmaker"', 'ruleset = "mine"')
    assert main([str(file)]) == 2
    assert main(["--sheet", str(sheet), str(file)]) == 0
    sheet.write_text('key = "mine"\nbase = "kingmaster"\n', encoding="utf-8")
    assert main(["--sheet", str(sheet), str(file)]) == 2
    assert "mine.toml：base：" in capsys.readouterr().err


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(file, "king = 5", "king = 6")
    assert main(["--json", str(file)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert list(whole) == ["acts", "ok", "failures"] and not whole["ok"]
    assert len(whole["failures"]) == 1 and len(whole["acts"]) == 3
    first, second, third = whole["acts"]
    assert first["facts"]["phase"] == "night" and second["facts"]["king"] == 5
    channel = [m for m in first["messages"] if m["to"] == "channel:killers"]
    assert len(channel) == 2 and "我同意" in channel[1]["text"] and "就他" in channel[1]["text"]
    assert {m["to"] for m in first["messages"]} == {
        "channel:killers",
        "seat:1",
        "seat:4",
        "person:甲",
        "directors",
    }
    assert [m["at"] for m in second["messages"] if m["to"] == "public"] == [
        "2026-03-05T17:00:00+08:00"
    ]
    assert third["facts"]["out"] == [[4, "kill"], [2, "order"]]


def test_transcript(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--transcript", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.index("[03-05 09:30 seat:2]") < out.index("> 2 密: 刀 4")
    assert "[03-05 17:00 public]" in out


def test_the_same_file_gives_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json", str(file)])
    once = capsys.readouterr().out
    main(["--json", str(file)])
    assert capsys.readouterr().out == once


def test_clauses(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = file.parent / "clauses.toml"
    listed.write_text('clauses = ["K-04"]', encoding="utf-8")
    assert clauses(file.parent) == 0
    assert capsys.readouterr().out == "K-04  short\n"
    listed.write_text('clauses = ["K-04", "K-05"]', encoding="utf-8")
    assert clauses(file.parent) == 1
    assert "K-05" in capsys.readouterr().err
    listed.unlink()
    assert clauses(file.parent) == 2


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--json", "a", "b"]])
def test_a_wrong_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_the_rooms_client_shows_by_name_who_is_mentioned() -> None:
    place, now = Place("group", 9), datetime(2026, 3, 2, tzinfo=UTC)
    qq = QQ(1, names={5: "小明"}, members=lambda group: [5], now=lambda: now)
    said: list[Said] = []
    qq.on_said = lambda one, reached: said.append(one)
    known, unknown = ({"type": "at", "data": {"qq": who}} for who in ("5", "77"))
    qq._say(place, [known, unknown, {"type": "text", "data": {"text": "来吗"}}])
    (one,) = said
    assert [segment["data"].get("name", "") for segment in one.segments] == ["@小明", "", ""]
    assert one.segments[0]["data"]["qq"] == "5"
