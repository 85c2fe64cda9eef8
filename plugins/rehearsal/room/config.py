"""Settings of the rehearsal room, from .env."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, field_validator


class Config(BaseModel):
    """Whether there is a room, and who may come in."""

    room: bool = True
    """Whether the page is served."""

    room_password: str = ""
    """What whoever opens the page must type; empty: nothing, and only from this machine."""

    @field_validator("room_password", mode="before")
    @classmethod
    def _digits(cls, value: Any) -> Any:
        # Settings are read as JSON where they can be, so digits come as a number.
        return str(value) if type(value) is int else value
