"""What stops the start: a line with the file, the key and what was expected, and exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NoReturn

from dotenv import dotenv_values
from pydantic import BaseModel, ValidationError


def stop(*lines: str) -> NoReturn:
    """End the program, having said why."""
    for line in lines:
        print(line, file=sys.stderr, flush=True)
    raise SystemExit(2)


def setting_mistakes(error: ValidationError) -> Iterator[str]:
    """A line for each setting that is wrong."""
    said: set[str] = set()
    for mistake in error.errors(include_input=False, include_url=False):
        key = str(mistake["loc"][0]).upper() if mistake["loc"] else "?"
        expected = mistake["msg"].removeprefix("Input should be ")
        line = f"{setting_file(key)}: {key}: expected {expected}"
        if line not in said:
            said.add(line)
            yield line


def unknown_settings(prefix: str, settings: type[BaseModel]) -> Iterator[str]:
    """A line for each setting in a file that begins so and is none of these: it is misspelt."""
    known = [key.upper() for key in settings.model_fields]
    for file, keys in _files():
        for key in keys:
            if key.startswith(prefix) and key not in known:
                (nearest,) = get_close_matches(key, known, n=1, cutoff=0)
                yield f"{file}: {key}: there is no such setting; expected {nearest}"


def setting_file(key: str) -> str:
    """The file in which a setting stands, or the environment."""
    if any(name.upper() == key for name in os.environ):
        return "environment"
    return next((file for file, keys in _files() if key in keys), ".env")


def _files() -> list[tuple[str, list[str]]]:
    """The files of settings, the one that goes before first, and the keys in each."""
    base = {name.upper(): value for name, value in dotenv_values(".env").items()}
    special = f".env.{os.environ.get('ENVIRONMENT') or base.get('ENVIRONMENT') or 'prod'}"
    return [(special, [name.upper() for name in dotenv_values(special)]), (".env", list(base))]
