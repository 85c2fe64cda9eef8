"""Start the bot: ``python bot.py``, or ``nb run``. Settings come from .env; none is needed."""

from __future__ import annotations

import errno
import socket
import sys

import nonebot
from nonebot import log
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.config import Config, Env, SettingsError
from nonebot.log import logger
from pydantic import ValidationError

from plugins._log import Gate, gather
from plugins._mistakes import setting_file, setting_mistakes, stop

PLUGINS = (
    "plugins.gamemaster",
    "plugins.clock",
    "plugins.courier",
    "plugins.operator",
    "plugins.rehearsal.room",
    "plugins.storypage",
)


def start_nonebot() -> None:
    """Read the settings; end with exit code 2 when one is wrong."""
    # NoneBot's own handler takes every line and filters it late, after most of the work; and it
    # would show the settings, the token too.
    logger.remove(log.logger_id)
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
    show_log(nonebot.get_driver().config.log_level)


def show_log(level: int | str) -> None:
    """Print the log from a level on, but for what the gate keeps back."""
    log.logger_id = logger.add(
        sys.stdout, level=level, format=log.default_format, filter=Gate(), diagnose=False
    )
    gather()


def see_that_the_port_is_free() -> None:
    """End with exit code 2, and say which setting to change, when nobody could connect."""
    config = nonebot.get_driver().config
    host, port = str(config.host), config.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                stop(f"{setting_file('PORT')}: PORT: expected a free port; {port} is taken")
            stop(f"{setting_file('HOST')}: HOST: expected an address of this machine, not {host}")


def main() -> None:
    """Start, and run until told to end. A sheet or text that is wrong ends it as a setting does."""
    start_nonebot()
    nonebot.get_driver().register_adapter(Adapter)
    for plugin in PLUGINS:
        if nonebot.load_plugin(plugin) is None:
            raise SystemExit(1)
    from plugins.gamemaster.chat import open_house

    open_house()
    see_that_the_port_is_free()
    # Whoever watches over it asks every few seconds: no line for that.
    nonebot.run(access_log=False)


if __name__ == "__main__":
    main()
