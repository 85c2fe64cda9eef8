"""Databases for the tests of the data room, each test with a fresh one."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import create_engine, text

from data.store import Store

POSTGRESQL = os.environ.get("TEST_DATABASE_URL")


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRESQL else ["sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database: a SQLite file, and a schema of its own on a PostgreSQL server."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/games.sqlite3"
        return
    assert POSTGRESQL
    name = f"test_{uuid.uuid4().hex}"
    server = create_engine(POSTGRESQL.replace("postgresql://", "postgresql+psycopg://"))
    with server.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    sign = "&" if "?" in POSTGRESQL else "?"
    yield f"{POSTGRESQL}{sign}options={quote(f'-csearch_path={name}')}"
    with server.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    server.dispose()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store over :func:`url`, with its tables."""
    store = Store(url)
    store.migrate()
    yield store
    store.close()
