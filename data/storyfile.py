"""A game's story as one file: Markdown to read, and in it the log by which anybody can check it.

The end of the file is a block of JSON lines: first a head (:class:`Head`), then the events, each
with its digest. The text before it is made of them, so that it is checked as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from data import codec, proof
from data.speech import Speech
from data.story import Story
from engine import events as ev
from engine.game import Game

FORMAT = 1
"""The version of the file's form."""

_OPENS, _CLOSES = "```zhifatuan\n", "```\n"
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")


class NotOver(Exception):
    """The game is not over: its story is a secret yet."""


class NoStory(Exception):
    """A file that holds no story."""


class Head(msgspec.Struct, frozen=True):
    """What the log must come to: its last digest, and the facts of the game then.

    ``unnamed``: the accounts that the text does not name, since they asked to be forgotten.
    """

    story: int
    game: int
    digest: str
    facts: msgspec.Raw
    unnamed: list[str] = []


class Line(msgspec.Struct, frozen=True):
    """An event as it is kept."""

    seq: int
    version: int
    digest: str
    event: msgspec.Raw


def write(speech: Speech, log: Sequence[proof.Written], gone: Collection[str] = ()) -> str:
    """Return the file of a game.

    ``gone``: the accounts that asked to be forgotten; the text does not name them, while the log,
    which would prove nothing otherwise, keeps what it is. Raises NotOver, and UnreadableEvent for
    a log that can't be read.

    What is wrong with the log is not looked for: who reads the file will.
    """
    events = [codec.decode(written.version, written.body) for written in log]
    game = Game.fold(events)
    if game.phase != "over":
        raise NotOver(f"game {game.id} is not over: its story can be told when it is")
    facts = msgspec.Raw(codec.facts(game).encode())
    known = {getattr(event, "account", "") for event in events}
    known |= {a for event in events if isinstance(event, ev.RoomChecked) for a in event.strangers}
    unnamed = sorted(known & set(gone))
    head = Head(FORMAT, game.id, log[-1].digest, facts, unnamed)
    lines = [
        Line(each.seq, each.version, each.digest, msgspec.Raw(each.body.encode())) for each in log
    ]
    block = b"\n".join(map(msgspec.json.encode, [head, *lines])).decode()
    return f"{_text(speech, events, unnamed)}\n{_OPENS}{block}\n{_CLOSES}"


def check(speech: Speech, text: str, codes: Sequence[str] = ()) -> tuple[list[str], bool]:
    """Return what is found in a file, in sentences, and whether all is right with it.

    ``codes``: what the group was told. Raises NoStory.
    """
    shown, head, lines = _read(text)
    log = [
        proof.Written(line.seq, line.version, bytes(line.event).decode(), line.digest)
        for line in lines
    ]
    audit = proof.Audit(len(log), bytes(head.facts).decode(), chance=True)
    wrong = [
        speech.say("proof.event", number=seq, what=_what(speech, code, values))
        for seq, code, values in audit.over(log)
    ]
    game = audit.game
    if not audit.broken:
        last = (head.story, head.game, head.digest) == (FORMAT, game.id, audit.digest)
        code = "unfinished" if game.phase != "over" else "" if last else "head"
        if code:
            what = _what(speech, code, {})
            wrong.append(speech.say("proof.event", number=len(log), what=what))
        elif not wrong:
            told = _text(speech, audit.events, head.unnamed)
            wrong += [speech.say("proof.line", number=n) for n in _unlike(shown, told)]
    found = list(wrong)
    own = [proof.commitment(digest) for digest in audit.deals]
    holds = audit.deal
    for number, code in enumerate(own, 1):
        key = "proof.dealt_code" if number == holds else "proof.void_code"
        values = {"code": code} if number == holds else {"code": code, "number": number}
        found.append(speech.say(key, **values))
    own.append(proof.seal(audit.digest) if audit.digest else "")
    found.append(speech.say("proof.over_code", code=own[-1]))
    before = 0
    for typed in codes:
        number = next((n for n, code in enumerate(own, 1) if proof.same(typed, code)), 0)
        if not number:
            found.append(speech.say("proof.code_wrong", code=typed))
        elif number == len(own):
            found.append(speech.say("proof.code_of_end", code=typed))
        else:
            key = "proof.code_of_deal" if number == holds else "proof.code_of_void"
            found.append(speech.say(key, code=typed, number=number))
        if number and number <= before:
            found.append(speech.say("proof.code_order", code=typed))
        if number <= before:
            wrong.append(typed)
        before = max(before, number)
    if wrong:
        found.append(speech.say("proof.wrong", count=len(wrong)))
    else:
        found.append(speech.say("proof.right", count=len(log)))
        if not codes:
            found.append(speech.say("proof.compare"))
    return found, not wrong


def _what(speech: Speech, code: str, values: dict[str, Any]) -> Any:
    return speech.say(f"proof.wrong_at.{code}", **values)


def _read(text: str) -> tuple[str, Head, list[Line]]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    shown, opens, rest = text.rpartition(f"\n{_OPENS}")
    block, closes, after = rest.rpartition(_CLOSES)
    if not opens or not closes or after.strip():
        raise NoStory
    first, *others = block.splitlines() or [""]
    try:
        head = msgspec.json.decode(first, type=Head)
        return shown, head, [msgspec.json.decode(line, type=Line) for line in others]
    except msgspec.MsgspecError:
        raise NoStory from None


def _unlike(shown: str, told: str) -> Iterator[int]:
    """Yield the number of the first line that is not as it is told."""
    theirs, ours = shown.splitlines(), told.splitlines()
    if theirs != ours:
        pairs = zip(theirs, ours, strict=False)
        same = min(len(theirs), len(ours))
        yield next((n for n, (one, other) in enumerate(pairs, 1) if one != other), same + 1)


def _text(speech: Speech, log: Sequence[ev.Event], unnamed: Sequence[str]) -> str:
    """Return what is read: who was what, the tale by phases, and how to check it."""
    events = [codec.unnamed(event, unnamed) for event in log]
    game = Game.fold(events)

    def say(key: str, /, **values: Any) -> str:
        return speech.say(f"proof.{key}", game, **values)

    story = Story(speech, game, events)
    result = {"": "stopped", "draw": "draw"}.get(game.winner or "", "won")
    won = {"winner": game.winner} if result == "won" else {}
    facts = say(
        "facts",
        begun=events[0].at,
        ended=events[-1].at,
        result=speech.say(f"proof.{result}", game, **won),
        names=speech.names(list(game.directors.values())),
    )
    lines = [f"# {_plain(say('title', game=game.id, title=speech.title(game.sheet)))}", ""]
    lines += [_plain(facts), ""]
    if game.seats:
        lines += [f"## {say('seats')}", "", *(f"- {_plain(line)}" for line in story.seats()), ""]
    for chapter, told in story.tale():
        lines += [f"## {_plain(story.title(chapter))}", ""]
        lines += [f"- {entry.seq}: {_plain(story.line(entry))}" for entry in told]
        lines.append("")
    # Without the codes: they are to be those that the group was told.
    lines += [f"## {say('proof')}", "", say("how"), "", f"    {say('command')}", ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\1", text)
