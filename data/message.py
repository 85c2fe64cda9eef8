"""What is said and where it goes."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from data.pictures import Picture


class Target(msgspec.Struct, frozen=True):
    """Where an outbox row goes: a stored fact, never "the event being answered".

    ``id`` is a QQ number (``private``) or a group number (``group``). ``via_group``: the group
    through which a temporary private session can be opened with somebody who is no friend.
    """

    kind: Literal["private", "group"]
    id: str
    via_group: str | None = None


class Message(msgspec.Struct, frozen=True):
    """Something to be said to an audience of a game, or done for it.

    ``picture``: shown beside the text, and saying no more than it does.
    ``audience``: ``public``, ``seat:N``, ``channel:KEY``, ``directors``, ``spectators``,
    ``person:ACCOUNT`` or ``group:GROUP``. ``action`` is ``text`` (``text`` is said) or another
    thing that the chat is asked to do, with what it needs in ``arguments`` (JSON values):

        text     at (optional)          accounts that are mentioned before the text in a group
        mute     account, seconds       the group's own ban
        recall   message_id             a message is taken off the screen
        remove   account                somebody is put out of the group
        members                         the group is looked at: who is in it
        forward  pages, sender          the text, in pages of so many characters each with one
                                        between, as one message that opens; failing that as text
    """

    audience: str
    text: str
    action: str = "text"
    arguments: dict[str, Any] = {}
    picture: Picture | None = None
