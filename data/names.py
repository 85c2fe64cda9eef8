"""How names are compared: those of boards, and those of people."""

from __future__ import annotations

import re
import unicodedata


def fold(name: str) -> str:
    """Return a name for comparing: width, case, blanks and invisible signs make no difference."""
    name = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\s\u200b\u200d\u2060\ufeff\ufe0e\ufe0f]+", "", name)
