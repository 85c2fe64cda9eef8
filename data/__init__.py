"""What is written down: events, messages, people; and the sheets, themes and sentences."""

from __future__ import annotations

import os
from pathlib import Path

from dotenv import dotenv_values

DEFAULT_URL = "sqlite:///zhifatuan.sqlite3"
"""The database when none is configured: a SQLite file in the working directory."""

ROOM = Path(__file__).parent
RULESETS = ROOM / "rulesets"
THEMES = ROOM / "themes"
TEXTS = ROOM / "texts"


def database_url() -> str:
    """``DATABASE_URL``, found as the bot finds its settings, else :data:`DEFAULT_URL`.

    The environment goes before ``.env.<ENVIRONMENT>``, and that before ``.env``, both in the
    working directory.
    """
    base = {k.upper(): v for k, v in dotenv_values(".env").items()}
    name = os.environ.get("ENVIRONMENT") or base.get("ENVIRONMENT") or "prod"
    special = {k.upper(): v for k, v in dotenv_values(f".env.{name}").items()}
    found = {**base, **special, **os.environ}.get("DATABASE_URL")
    return found or DEFAULT_URL
