"""A TOML file as plain data; what is wrong with it is told by line and what belongs there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from engine.ruleset import SheetError

_LINE = re.compile(r"\(at line (\d+), column \d+\)")

# How the library's messages begin, and what was expected there.
_EXPECTED = (
    (("Expected '='", "Invalid initial character for a key", "Invalid statement"), "toml_key"),
    (("Invalid value", "Invalid date"), "toml_value"),
    (("Unclosed", "Expected ']", "Expected '}"), "toml_closed"),
    (("Cannot", "Duplicate"), "toml_twice"),
    (("Expected newline",), "toml_end"),
    (("Unterminated", "Illegal character", "Expected \"'", "Unescaped"), "toml_text"),
)


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a file says. Raises SheetError, its key ``file``."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise SheetError("file", "no_file") from None
    except UnicodeDecodeError:
        raise SheetError("file", "utf8") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _mistake(text, str(error)) from None


def _mistake(text: str, message: str) -> SheetError:
    lines = text.splitlines()
    match = _LINE.search(message)
    number = int(match[1]) if match else max(len(lines), 1)
    written = lines[number - 1].strip() if number <= len(lines) else ""
    for starts, code in _EXPECTED:
        if message.startswith(starts):
            return SheetError("file", code, line=number, written=written)
    return SheetError("file", "toml", line=number, written=written)
