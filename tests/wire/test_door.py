"""Who is let in, and what stops the start."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.wire.client import Client
from tests.wire.process import ROOT, Bot, free_port, run
from tests.wire.table import Starting

TOKEN = "a-token-of-the-door"


async def test_a_wrong_token_is_turned_away_and_the_right_one_let_in(start: Starting) -> None:
    bot, client = await start(ONEBOT_ACCESS_TOKEN=TOKEN)
    await client.private(1000001, "帮助")
    await client.hears(("private", 1000001), "开局")
    await client.close()
    for token in ("another-token", f"{TOKEN}x", "", None):
        intruder = Client(bot.port, token=token, self_id=10001)
        with pytest.raises(InvalidStatus) as refused:
            await intruder.connect()
        assert refused.value.response.status_code in (401, 403)
    await client.connect()
    mark = len(client.calls)
    await client.private(1000001, "帮助")
    await client.hears(("private", 1000001), "开局", after=mark)


async def test_with_no_setting_but_the_port_it_starts_and_says_what_to_do(
    tmp_path: Path,
) -> None:
    bot = Bot(tmp_path)
    (tmp_path / ".env").write_text(f"PORT={bot.port}\n", encoding="utf-8")
    try:
        await bot.start()
        assert f"ws://127.0.0.1:{bot.port}/onebot/v11/ws" in bot.output()
        assert "开局 拥王者" in bot.output()
        assert (tmp_path / "zhifatuan.sqlite3").is_file()
    finally:
        await bot.kill()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("PORT=abc", "integer"),
        ("SEND_PACE=quick", "number"),
        ("GAME_HOSTS=nobody", "'everyone', 'admins' or 'superusers'"),
        ("SUPERUSERS=[12", "JSON"),
        ("SEND_PACER=1", "expected SEND_PACE"),
        ("GAME_HOST=everyone", "expected GAME_HOSTS"),
        ("DATABASE_URL=mysql://here/games", "sqlite:///FILE or postgresql://"),
        ("DATABASE_URL=postgresql://me:secret@here:port/games", "sqlite:///FILE or postgresql://"),
        ("DATABASE_URL=postgresql://me:secret@127.0.0.1:1/games", "that can be opened"),
        ("DATABASE_URL=sqlite:///no/such/folder/games.sqlite3", "that can be opened"),
        ("DATABASE_URL=sqlite:///.env", "that can be opened"),
        ("LOG_LEVEL=LOUD", "INFO"),
    ],
)
async def test_a_mistake_in_the_settings_stops_the_start(
    tmp_path: Path, line: str, expected: str
) -> None:
    (tmp_path / ".env").write_text(f"PORT={free_port()}\n{line}\n", encoding="utf-8")
    code, output = await run(str(ROOT / "bot.py"), room=tmp_path, patience=20)
    assert code == 2, output
    told = [said for said in output.splitlines() if line.partition("=")[0] in said]
    assert all(".env" in said for said in told), told
    assert any(expected in said for said in told), told
    assert "Traceback" not in output and "secret" not in output


@pytest.mark.parametrize(
    ("file", "right", "wrong", "key", "expected"),
    [
        ("rulesets/kingmaker.toml", 'close = "13:00"', 'close = "25:00"', "close", "HH:MM"),
        ("rulesets/kingmaker.toml", "posts_min = 2", "posts_mim = 2", "posts_mim", "posts_min"),
        ("texts/events.toml", "现在 {count} 人", "现在 {cuont} 人", "signed_off", "cuont"),
        ("themes/kingmaker.toml", 'killer = "杀手"\n', "", "roles.killer", ""),
    ],
)
async def test_a_mistake_in_what_is_authored_stops_the_start(
    tmp_path: Path, file: str, right: str, wrong: str, key: str, expected: str
) -> None:
    root = tmp_path / "copy"
    for part in ("data", "engine", "plugins"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("bot.py", "pyproject.toml"):
        shutil.copy(ROOT / part, root / part)
    path = root / "data" / file
    authored = path.read_text(encoding="utf-8")
    assert right in authored
    path.write_text(authored.replace(right, wrong, 1), encoding="utf-8")
    (tmp_path / ".env").write_text(f"PORT={free_port()}\n", encoding="utf-8")
    code, output = await run(str(root / "bot.py"), room=tmp_path, root=root)
    assert code == 2, output
    assert path.name in output and key in output and expected in output
    assert "Traceback" not in output
