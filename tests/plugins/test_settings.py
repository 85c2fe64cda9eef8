"""Settings: what .env may say, what .env.example says, and what a mistake is answered with."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import nonebot
import pytest
from dotenv import dotenv_values
from nonebot import log
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.config import Config as NoneBotConfig
from pydantic import BaseModel, ValidationError

import bot
from data import DEFAULT_URL
from data.rulesets import load_rulesets
from plugins import _mistakes
from plugins.courier.config import Config as CourierConfig
from plugins.gamemaster.config import Config
from plugins.rehearsal.room.config import Config as RoomConfig

EXAMPLE = Path(__file__).parents[2] / ".env.example"


def test_the_example_names_every_setting_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = dotenv_values(EXAMPLE)
    read = NoneBotConfig(_env_file=EXAMPLE)
    default = NoneBotConfig(_env_file=None)
    for key in ("host", "port", "superusers", "log_level"):
        assert getattr(read, key) == getattr(default, key) and key.upper() in shown
    values: dict[str, Any] = read.model_dump()
    reminders = load_rulesets()["kingmaker"].reminders
    assert Config(**values) == Config(game_reminders=reminders)
    assert CourierConfig(**values) == CourierConfig()
    assert RoomConfig(**values) == RoomConfig()
    assert not OneBotConfig(**values).onebot_access_token
    assert shown["DATABASE_URL"] == DEFAULT_URL
    ours = {
        key.upper() for model in (Config, CourierConfig, RoomConfig) for key in model.model_fields
    }
    others = {"HOST", "PORT", "SUPERUSERS", "LOG_LEVEL", "ONEBOT_ACCESS_TOKEN", "DATABASE_URL"}
    assert set(shown) == ours | others


@pytest.mark.parametrize(
    ("model", "values", "key", "expected"),
    [
        (Config, {"game_hosts": "nobody"}, "GAME_HOSTS", "'everyone'"),
        (Config, {"game_reminders": [60, 0]}, "GAME_REMINDERS", "greater than or equal to 1"),
        (Config, {"game_pages": "example.org"}, "GAME_PAGES", "https://example.org"),
        (Config, {"game_pages": "https://a.org/?x=1"}, "GAME_PAGES", "https://example.org"),
        (Config, {"game_pages": "https://a.org:x"}, "GAME_PAGES", "https://example.org"),
        (Config, {"game_pages": "https://群.org"}, "GAME_PAGES", "https://example.org"),
        (CourierConfig, {"send_pace": "fast"}, "SEND_PACE", "a valid number"),
        (CourierConfig, {"send_timeout": 0}, "SEND_TIMEOUT", "greater than 0"),
        (CourierConfig, {"send_length": 10}, "SEND_LENGTH", "greater than or equal to 100"),
        (RoomConfig, {"room": "open"}, "ROOM", "a valid boolean"),
        (RoomConfig, {"room_password": 1.5}, "ROOM_PASSWORD", "a valid string"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file_and_what_was_expected(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    model: type[BaseModel],
    values: dict[str, Any],
    key: str,
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"{key}=?\n", encoding="utf-8")
    with pytest.raises(ValidationError) as wrong:
        model(**values)
    with pytest.raises(SystemExit) as ended:
        _mistakes.stop(*_mistakes.setting_mistakes(wrong.value))
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f".env: {key}: expected ") and expected in printed


def test_where_a_setting_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ENVIRONMENT", raising=False)
    (tmp_path / ".env").write_text("ENVIRONMENT=dev\nPORT=1\nHOST=1\n", encoding="utf-8")
    (tmp_path / ".env.dev").write_text("port=2\n", encoding="utf-8")
    assert _mistakes.setting_file("PORT") == ".env.dev"
    assert _mistakes.setting_file("HOST") == ".env"
    monkeypatch.setenv("host", "x")
    assert _mistakes.setting_file("HOST") == "environment"


def test_a_misspelt_setting_is_named_with_its_file_and_the_nearest_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ENVIRONMENT", raising=False)
    written = "SEND_PACE=1\nSEND_LENGHT=200\nGAME_X=1\nSENDER=1\n"
    (tmp_path / ".env").write_text(written, encoding="utf-8")
    (tmp_path / ".env.prod").write_text("send_pace_taget=1\n", encoding="utf-8")
    assert list(_mistakes.unknown_settings("SEND_", CourierConfig)) == [
        ".env.prod: SEND_PACE_TAGET: there is no such setting; expected SEND_PACE_TARGET",
        ".env: SEND_LENGHT: there is no such setting; expected SEND_LENGTH",
    ]


def test_the_log_is_asked_for_from_its_level_on_and_leaves_out_how_a_message_is_handled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "logger_id", log.logger_id)
    log.logger.remove()
    asked: list[str] = []
    try:
        bot.show_log("INFO")
        log.logger.opt(lazy=True).debug("{}", lambda: asked.append("debug"))
        log.logger.opt(lazy=True).info("{}", lambda: asked.append("info") or "news")
        exec(
            compile("logger.info('handled')\nlogger.warning('failed')", "message.py", "exec"),
            {"logger": log.logger, "__name__": "nonebot.message"},
        )
    finally:
        log.logger.remove()
    assert asked == ["info"]
    printed = capsys.readouterr().out
    assert "news" in printed and "failed" in printed and "handled" not in printed


def test_the_address_of_pages() -> None:
    for typed, kept in (
        ("", ""),
        ("https://a.org/", "https://a.org"),
        ("http://127.0.0.1:8080/bot/", "http://127.0.0.1:8080/bot"),
    ):
        assert Config(game_pages=typed).game_pages == kept


def test_hosts_by_number() -> None:
    assert Config(game_hosts=[10001, "10002"]).game_hosts == ["10001", "10002"]


def test_a_port_that_is_taken_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("PORT=1\n")
    config = nonebot.get_driver().config
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(config, "host", "127.0.0.1")
        monkeypatch.setattr(config, "port", port)
        with pytest.raises(SystemExit) as stopped:
            bot.see_that_the_port_is_free()
        assert stopped.value.code == 2
        said = capsys.readouterr().err
        assert said == f".env: PORT: expected a free port; {port} is taken\n"
    bot.see_that_the_port_is_free()
    monkeypatch.setattr(config, "host", "192.0.2.1")
    with pytest.raises(SystemExit):
        bot.see_that_the_port_is_free()
    assert "HOST: expected an address of this machine" in capsys.readouterr().err
