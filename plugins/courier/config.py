"""Settings of the courier, from .env."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Config(BaseModel):
    """How fast messages leave: QQ blocks whoever sends too fast."""

    send_pace: float = Field(default=0.3, ge=0, le=60)
    """Seconds between any two messages."""

    send_pace_target: float = Field(default=1.0, ge=0, le=60)
    """Seconds between two messages to the same person or group."""

    send_timeout: float = Field(default=10.0, gt=0, le=300)
    """Seconds until a message that the client doesn't answer for counts as not known to arrive."""

    send_length: int = Field(default=1500, ge=100, le=4500)
    """Characters of one message; a longer text is split at line breaks."""
