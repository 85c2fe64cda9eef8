"""No sentence is left over: each key of the texts is named, or put together, somewhere in the code.

What is said of the rules is chosen by names of events, commands and codes, and test_speech plays
until all of that was said; here it is what the bot says for itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from data.catalogue import KEYS

ROOT = Path(__file__).parents[2]

OWN = ("bot.", "chat.", "error.", "room.", "storypage.")

PAGE = ROOT / "plugins" / "rehearsal" / "room" / "web"


def named(path: Path) -> Iterator[str]:
    """Patterns of what the strings in a file may be, as far as they begin like one of our keys."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith(OWN):
                yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            first = node.values[0]
            if isinstance(first, ast.Constant) and str(first.value).startswith(OWN):
                yield "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                    for part in node.values
                )


def shown() -> Iterator[str]:
    """The room's keys that its page names: alone, in quotes, or to be filled in."""
    for path in sorted(PAGE.iterdir()):
        text = path.read_text(encoding="utf-8")
        for key in re.findall(r"\{\{([\w.]+)\}\}|\"((?:page|name)\.\w+)\"", text):
            yield re.escape(f"room.{key[0] or key[1]}")
        # A panel's title and note.
        for title, note in re.findall(r'openPanel\(\s*"(\w+)",\s*[^"]*?(?:"(\w+)")?[,)]', text):
            yield re.escape(f"room.page.{title}")
            yield re.escape(f"room.page.{note}")


def asked() -> Iterator[str]:
    """The keys that the templates of games' pages ask for."""
    for path in sorted((ROOT / "plugins" / "storypage").glob("*.html")):
        for key in re.findall(r'say\("([\w.]+)"', path.read_text(encoding="utf-8")):
            assert key in KEYS
            yield re.escape(key)


def test_no_sentence_of_the_bots_own_is_left_over() -> None:
    files = [path for room in ("data", "plugins") for path in sorted((ROOT / room).rglob("*.py"))]
    files.remove(ROOT / "data" / "catalogue.py")
    used = {pattern for path in files for pattern in named(path)} | {*shown(), *asked()}
    keys = [key for key in KEYS if key.startswith(OWN)]
    assert len(keys) > 30
    assert [key for key in keys if not any(re.fullmatch(pattern, key) for pattern in used)] == []
