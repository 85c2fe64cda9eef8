"""Start the bot: ``python bot.py``, or ``nb run``. Settings come from .env; none is needed."""

from __future__ import annotations

import nonebot
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.config import Config, Env, SettingsError
from nonebot.log import logger
from pydantic import ValidationError

from plugins._mistakes import setting_file, setting_mistakes, stop

PLUGINS = ("plugins.gamemaster", "plugins.clock", "plugins.courier")


def start_nonebot() -> None:
    """Read the settings; end with exit code 2 when one is wrong."""
    try:
        level = Config(_env_file=(".env", f".env.{Env().environment}")).log_level
        if isinstance(level, str):
            logger.level(level)
        nonebot.init()
    except ValidationError as error:
        stop(*setting_mistakes(error))
    except SettingsError as error:
        key = str(error).split('"')[1].upper()
        stop(f"{setting_file(key)}: {key}: expected a value in JSON")
    except ValueError:
        stop(f"{setting_file('LOG_LEVEL')}: LOG_LEVEL: expected DEBUG, INFO, WARNING or ERROR")


def main() -> None:
    """Start, and run until told to end. A sheet or text that is wrong ends it as a setting does."""
    start_nonebot()
    nonebot.get_driver().register_adapter(Adapter)
    for plugin in PLUGINS:
        if nonebot.load_plugin(plugin) is None:
            raise SystemExit(1)
    from plugins.gamemaster.chat import open_house

    open_house()
    nonebot.run()


if __name__ == "__main__":
    main()
