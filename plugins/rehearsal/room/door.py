"""Who may come into the room.

Without a password only this machine's own browser may, under a loopback name: a page of another
site can neither look in (its name, if it points here, is another) nor drive the room (a browser
says where a connection comes from). With a password whoever knows it may.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

COOKIE = "room"


def is_loopback(host: str) -> bool:
    """Whether a host's name or address means the machine itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Door:
    """``host``: where the bot listens. ``password``: empty for none."""

    def __init__(self, host: str, password: str) -> None:
        self._password = password
        self._keys: set[str] = set()
        self._trying = asyncio.Lock()
        self.is_open = bool(password) or is_loopback(host)
        """Whether anybody may come in at all."""

    @property
    def asks(self) -> bool:
        """Whether a password must be given."""
        return bool(self._password)

    def is_here(self, connection: HTTPConnection) -> bool:
        """Whether it comes from where the room may be seen from."""
        if not self.is_open:
            return False
        if self._password:
            return True
        client = connection.client
        name = urlsplit(f"//{connection.headers.get('host', '')}").hostname or ""
        return client is not None and is_loopback(client.host) and is_loopback(name)

    def is_known(self, connection: HTTPConnection) -> bool:
        """Whether whoever is there may come in now."""
        if not self.is_here(connection):
            return False
        return not self._password or connection.cookies.get(COOKIE, "") in self._keys

    def is_own_page(self, connection: HTTPConnection) -> bool:
        """Whether a connection was made by the room's own page, and no other site's."""
        origin = urlsplit(connection.headers.get("origin", "")).netloc
        return bool(origin) and origin == connection.headers.get("host", "")

    async def try_password(self, typed: str) -> str | None:
        """A key for whoever typed the password; a wrong one costs a second, whoever tries."""
        async with self._trying:
            if hmac.compare_digest(typed.encode(), self._password.encode()):
                key = secrets.token_urlsafe(32)
                self._keys.add(key)
                return key
            await asyncio.sleep(1)
            return None
