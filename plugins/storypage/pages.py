"""Games' pages over HTTP: who has the address sees the page, everybody else that there is none.

An address holds a key that follows from the game's secret seed (:func:`data.proof.page_key`).
Of a game that runs nothing is kept between two requests: how long an answer takes would else tell
whether something hidden has happened since the last one.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from data import storypage
from data.proof import page_key
from data.speech import Speech
from data.store import StoreError
from engine import events as ev
from plugins.gamemaster.house import House, log, log_fault

_HERE = Path(__file__).parent
_STYLE = (_HERE / "style.css").read_text(encoding="utf-8")
_TEMPLATES = Environment(
    loader=FileSystemLoader(_HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_KEPT = 8
"""So many pages of games that are over are kept: at an end a whole group looks at one."""

_ADDRESS = re.compile(r"([1-9][0-9]{0,8})/([a-z2-7]{24})")


class Pages:
    """The pages of a house's games."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._one_at_a_time = asyncio.Lock()
        # What the page was made of, and the page.
        self._kept: dict[int, tuple[object, Response]] = {}
        self.router = APIRouter()
        self.router.add_api_route("/games/{address:path}", self._page, methods=["GET", "HEAD"])

    async def _page(self, address: str) -> Response:
        speech = self._house.speech
        try:
            # One at a time, and beside the loop: nobody who plays waits for somebody who reads.
            async with self._one_at_a_time:
                found = await self._found(address)
        except StoreError as error:
            log.error("a game's page: %s", error)
            return _answer(speech, "sorry.html", 503, text=speech.say("error.internal"))
        except Exception as error:
            log_fault("a game's page", error)
            return _answer(speech, "sorry.html", 500, text=speech.say("error.internal"))
        return found or _answer(speech, "sorry.html", 404, text=speech.say("storypage.missing"))

    async def _found(self, address: str) -> Response | None:
        """Return the page at an address, of what is on disk; ``None`` if there is none."""
        match = _ADDRESS.fullmatch(address)
        if match is None:
            return None
        game_id, key = int(match[1]), match[2]
        store, ledger = self._house.store, self._house.ledger
        # First the deals alone: a wrong key costs little.
        deals = [ledger.read(row) for row in store.load_events(game_id, "dealt")]
        row = store.game(game_id)
        if row is None or not any(_opens(deal, key) for deal in deals):
            return None
        made_of = (key, row.digest, store.forgotten())
        kept, page = self._kept.get(game_id, (None, None))
        if kept == made_of:
            return page
        events = [ledger.read(row) for row in store.load_events(game_id)]
        if not _opens(storypage.deal(events), key):
            # That deal was taken back.
            return None
        page = await asyncio.to_thread(shown, self._house.speech, events)
        self._kept.pop(game_id, None)
        if row.phase == "over":
            self._kept[game_id] = (made_of, page)
            while len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
        return page


def _opens(deal: ev.Event | None, key: str) -> bool:
    return isinstance(deal, ev.Dealt) and hmac.compare_digest(page_key(deal.seed), key)


def shown(speech: Speech, events: Sequence[ev.Event]) -> Response:
    """Return the page of a game that is dealt, by its whole log."""
    page = storypage.page(speech, events)
    assert page is not None
    style = _STYLE
    if page.over:
        style += "".join(_OF_A_SEAT.format(n=seat.number) for seat in page.seats)
    return _answer(speech, "game.html", style=style, page=page)


# What the page shows of a seat's view when its button is pressed.
_OF_A_SEAT = (
    "#v{n}:checked~main .k{n}{{display:block}}"
    "#v{n}:checked~main label[for=v{n}]{{background:var(--accent);color:var(--on-accent)}}"
    "#v{n}:checked~main label[for=v{n}] b{{color:inherit}}"
    "#v{n}:focus-visible~main label[for=v{n}]{{outline:2px solid var(--accent)}}\n"
)


def _answer(
    speech: Speech, template: str, status: int = 200, *, style: str = _STYLE, **values: object
) -> Response:
    html = _TEMPLATES.get_template(template).render(say=speech.say, style=style, **values)
    # Nothing but this very style is used, and nothing is loaded from anywhere.
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'sha256-{allowed}'; img-src data:;"
            " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        ),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex, nofollow, noarchive",
    }
    return HTMLResponse(html, status, headers=headers)
