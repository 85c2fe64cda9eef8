"""Words that are offered beside the line to type in: what a person there would type now.

They follow from what that person may see, so that they tell him nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plugins.gamemaster import words

View = Mapping[str, Any]

_BY_KEY = {word.key: word for word in words.WORDS}

_PUBLIC = ("help", "status", "times", "tally")
_PRIVATE = ("help", "my_role", "my_notices", "status")
_DIRECTOR = ("todo", "table", "log", "help")
_CHANNEL = ("help", "status", "times")
_SIGNING_UP = ("sign_up", "roster", "help")
_STARTING = ("start", "roster", "help")
_OVER = ("retell", "again", "log", "record")
_OVER_PRIVATE = ("retell", "log", "record", "my_notices")


def asks(own: View | None, public: View, director: bool) -> dict[str, list[tuple[str, bool]]]:
    """What is offered to somebody in the ``group``, in a ``channel``, and in ``private``.

    ``own``: his own view, if he has a seat; ``public``: everybody's. Each is what is typed, and
    whether it wants something more, so that it is not sent at once.
    """
    if public["phase"] == "over":
        return {"group": _all(_OVER), "channel": [], "private": _all(_OVER_PRIVATE)}
    if not public["dealt"]:
        group = _all(_STARTING if director else _SIGNING_UP)
        return {"group": group, "channel": [], "private": _all(_PRIVATE[:1])}
    owed = {} if own is None else dict.fromkeys(_owed(own, public))
    found: dict[str, list[tuple[str, bool]]] = {"group": [], "channel": [], "private": []}
    for text in owed:
        word = _word(text)
        more = text == word.forms[0] and word.takes not in words.ALONE
        offer = (f"{text} " if more else text, more)
        if not word.private and not word.secret:
            found["group"].append(offer)
        if word.channel:
            found["channel"].append(offer)
        found["private"].append(offer)
    found["group"] += _all(_PUBLIC)
    found["channel"] += _all(_CHANNEL)
    found["private"] += _all(_DIRECTOR if director else _PRIVATE)
    return found


def _owed(own: View, public: View) -> Iterator[str]:
    """What a seat would type for what it owes or may give: a word, or a word and what it takes."""
    rules = public["rules"]
    for what, _ in own["owed"]:
        match what:
            case "ballot" | "election":
                yield from (_form("vote"), _form("abstain"))
            case "choice":
                yield from (_form(choice) for choice in rules.choices)
            case "depose":
                yield from (f"{_form('depose')} {voice}" for voice in ("赞成", "反对", "弃权"))
            case "heir":
                yield _form("badge" if rules.heir_silent == "none" else "heirs")
            case "shot":
                yield _form("shoot")
            case "posts":
                pass
            case _ if what in _BY_KEY:
                yield _form(what)
            case _:
                yield from (word.forms[0] for word in words.WORDS if word.ability == what)


def _word(text: str) -> words.Word:
    """The word that a text begins with."""
    form = text.partition(" ")[0]
    return next(word for word in words.WORDS if form in word.forms)


def _form(key: str) -> str:
    return _BY_KEY[key].forms[0]


def _all(keys: tuple[str, ...]) -> list[tuple[str, bool]]:
    return [(_form(key), False) for key in keys]
