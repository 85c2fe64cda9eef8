"""What stops the start: a line with the file, the key and what was expected, and exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import NoReturn

from dotenv import dotenv_values
from pydantic import ValidationError


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


def setting_file(key: str) -> str:
    """The file in which a setting stands, or the environment."""
    if any(name.upper() == key for name in os.environ):
        return "environment"
    base = {name.upper(): value for name, value in dotenv_values(".env").items()}
    special = f".env.{os.environ.get('ENVIRONMENT') or base.get('ENVIRONMENT') or 'prod'}"
    named = {name.upper() for name in dotenv_values(special)}
    return special if key in named else ".env"
