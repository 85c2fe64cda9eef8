"""Settings of the game master, from .env."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator


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

    @field_validator("game_hosts", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        return [str(account) for account in value] if isinstance(value, list) else value
