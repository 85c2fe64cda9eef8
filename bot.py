"""Start the bot: ``python bot.py``, or ``nb run``. Settings come from .env; none is needed."""

from __future__ import annotations

import nonebot
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.config import SettingsError
from nonebot.log import logger
from pydantic import ValidationError

from plugins._mistakes import setting_file, setting_mistakes, stop

PLUGINS = ("plugins.gamemaster", "plugins.clock", "plugins.courier")


def main() -> None:
    """Start, and end with exit code 2 when a setting, a sheet or a text is wrong."""
    try:
        nonebot.init()
    except ValidationError as error:
        stop(*setting_mistakes(error))
    except SettingsError as error:
        key = str(error).split('"')[1].upper()
        stop(f"{setting_file(key)}: {key}: expected a value in JSON")
    driver = nonebot.get_driver()
    try:
        if isinstance(driver.config.log_level, str):
            logger.level(driver.config.log_level)
    except ValueError:
        stop(f"{setting_file('LOG_LEVEL')}: LOG_LEVEL: expected DEBUG, INFO, WARNING or ERROR")
    driver.register_adapter(Adapter)
    for plugin in PLUGINS:
        if nonebot.load_plugin(plugin) is None:
            raise SystemExit(1)
    from plugins.gamemaster.chat import open_house

    open_house()
    nonebot.run()


if __name__ == "__main__":
    main()
