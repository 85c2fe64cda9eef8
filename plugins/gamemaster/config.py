"""Settings of the game master, from .env."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError


class Config(BaseModel):
    """Who may host, and what holds for every new game."""

    game_hosts: Literal["everyone", "admins", "superusers"] | list[str] = "everyone"
    """Who may open a game: everyone, the group's admins, superusers only, or a list of QQ numbers.

    Superusers always may.
    """

    game_reminders: list[Annotated[int, Field(ge=1)]] | None = None
    """Minutes before a deadline at which whoever owes something is reminded; unset: the sheet's."""

    game_accept_friends: bool = True
    """Whether a friend request is accepted: only a friend is sure to be reached in private."""

    game_pictures: bool = True
    """Whether the board, the tally, role cards and the disclosure are shown as pictures too."""

    game_pages: str = ""
    """The address at which games' pages can be reached from outside; empty: there are none."""

    @field_validator("game_hosts", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        return [str(account) for account in value] if isinstance(value, list) else value

    @field_validator("game_pages")
    @classmethod
    def _address(cls, value: str) -> str:
        wrong = PydanticCustomError("address", "an address such as https://example.org")
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise wrong from None
        plain = value.isascii() and value.isprintable() and " " not in value
        whole = parts.scheme in ("http", "https") and parts.hostname and port != 0
        if value and (not plain or not whole or set("?#@") & set(value)):
            raise wrong
        return value.rstrip("/")
