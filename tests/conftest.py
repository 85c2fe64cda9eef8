"""Shared by every test: one NoneBot a run, with the bot's plugins loaded but nothing started."""

import os

import nonebot
import pytest
from hypothesis import settings
from nonebot.adapters.onebot.v11 import Adapter
from nonebug import NONEBOT_START_LIFESPAN

# How long an example takes says nothing on a busy machine.
settings.register_profile("zhifatuan", parent=settings(), deadline=None)
settings.load_profile("zhifatuan")


def pytest_configure(config: pytest.Config) -> None:
    """Start NoneBot and load the plugins before any test module is imported.

    NoneBot refuses a plugin that was imported before it was loaded, and test modules import from
    plugins. No .env is read and DATABASE_URL is dropped: tests never touch a real game. Startup
    hooks don't run (no alarm, no courier); a test that wants them calls them.
    """
    os.environ.pop("DATABASE_URL", None)
    config.stash[NONEBOT_START_LIFESPAN] = False
    nonebot.init(_env_file=(os.devnull,), log_level="WARNING")
    nonebot.get_driver().register_adapter(Adapter)
    nonebot.load_from_toml("pyproject.toml")
