"""Start the bot: ``python bot.py``, or ``nb run``. Settings come from .env; none is needed."""

from __future__ import annotations

import json
import os
from typing import Any

import nonebot
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.config import SettingsError
from pydantic import ValidationError

from plugins._mistakes import setting_file, setting_mistakes, stop

PLUGINS = ("plugins.gamemaster", "plugins.clock", "plugins.courier")


def environment() -> dict[str, Any]:
    """Our settings in the environment: NoneBot reads only its own from there."""
    found: dict[str, Any] = {}
    for name, value in os.environ.items():
        if name.upper().startswith(("GAME_", "SEND_", "ONEBOT_")):
            try:
                found[name.lower()] = json.loads(value)
            except ValueError:
                found[name.lower()] = value
    return found


def main() -> None:
    """Start, and end with exit code 2 when a setting, a sheet or a text is wrong."""
    try:
        nonebot.init(**environment())
    except ValidationError as error:
        stop(*setting_mistakes(error))
    except SettingsError as error:
        key = str(error).split('"')[1].upper()
        stop(f"{setting_file(key)}: {key}: expected a value in JSON")
    nonebot.get_driver().register_adapter(Adapter)
    for plugin in PLUGINS:
        if nonebot.load_plugin(plugin) is None:
            raise SystemExit(1)
    from plugins.gamemaster.chat import open_house

    open_house()
    nonebot.run()


if __name__ == "__main__":
    main()
