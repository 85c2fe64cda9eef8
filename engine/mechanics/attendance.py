"""Posts in the public channel, and who had too few of them (K-12, M84-45, M84-47)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine import night
from engine.commands import AdjustPosts, Post, Refused
from engine.mechanics import charm
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import unschedule
from engine.mechanics.warnings import warn

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "attendance",
    clauses=("attendance", "reports", "silence"),
    parameters=("posts_min", "posts_until", "attendance_steps"),
)


@dataclass(slots=True)
class Attendance:
    """``posts``: seat → posts counted since the opening; ``unseen``: those after it went unseen."""

    posts: dict[int, int] = field(default_factory=dict)
    unseen: dict[int, int] = field(default_factory=dict)

    def seen(self, number: int) -> int:
        """Return how many posts anybody can count of a seat: no count may stop unannounced."""
        return self.posts.get(number, 0) + self.unseen.get(number, 0)


def counting(game: Game) -> bool:
    """Tell whether posts count now: until the scheduled close (K-12), or while a day lasts."""
    if game.sheet.posts_until == "scheduled_close":
        return "attendance" in game.due
    return game.phase == "day"


@mechanic.command(Post)
def post(game: Game, command: Post) -> None:
    """A message in public that is no command: counted while posts are, else let be.

    A seat that is out is reported to the directors (M84-47); so is a charmed one that uses other
    than its sounds, whose message is a post all the same (M84-31).
    """
    seat = game.seats.get(command.seat)
    if seat is None or game.phase not in ("day", "night"):
        return
    if not seat.alive:
        _report(game, command, "dead", game.clause("reports"))
        return
    if game.paused_at is not None:
        return
    if game.phase == "day" and charm.breaks_silence(
        game, command.seat, command.text, command.plain
    ):
        _report(game, command, "charmed", game.clause("silence"))
    if counting(game):
        game.emit(ev.Posted(seat=command.seat, text=command.text, at=game.now))


def _report(game: Game, command: Post, what: str, clause: str) -> None:
    game.emit(
        ev.Reported(seat=command.seat, what=what, text=command.text, at=game.now, clause=clause)
    )


@mechanic.command(AdjustPosts)
def adjust(game: Game, command: AdjustPosts) -> None:
    """``加水`` and ``扣水``. Refused: no such seat, out, no posts are counted now, no number."""
    game.require_running()
    game.require_target(command.target)
    if not counting(game):
        raise Refused("no_posts_now")
    if command.count == 0:
        raise Refused("bad_count")
    posts = max(0, game.attendance.posts.get(command.target, 0) + command.count)
    game.emit(ev.PostsAdjusted(seat=command.target, count=command.count, posts=posts, at=game.now))


@mechanic.deadline("attendance")
def attendance_due(game: Game) -> None:
    """The scheduled close has come by night: the posts are looked at (K-12)."""
    night.settle(game, game.sheet.attendance_steps)


@mechanic.step(
    "posts",
    "close_steps",
    when={"posts_warnings": True, "mechanics": "warnings"},
)
def too_few_posts(game: Game) -> None:
    """Warn every living seat with fewer than ``posts_min`` posts, unless closed by hand (K-27)."""
    unschedule(game, "attendance")
    if game.by_hand:
        return
    for number in game.living():
        if game.attendance.posts.get(number, 0) < game.sheet.posts_min:
            warn(game, number, game.sheet.posts_warnings, "posts", game.clause("attendance"))


def _owed(game: Game) -> Iterable[Owed]:
    if counting(game) and not (game.phase == "day" and game.accelerated):
        kind = "attendance" if game.sheet.posts_until == "scheduled_close" else "close"
        for number in game.living():
            if game.attendance.posts.get(number, 0) < game.sheet.posts_min:
                yield owing(game, number, "posts", kind)


mechanic.owed = _owed


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.attendance.posts = {}
    game.attendance.unseen = {}


@mechanic.event(ev.Posted)
def _posted(game: Game, event: ev.Posted) -> None:
    posts = game.attendance.posts
    posts[event.seat] = posts.get(event.seat, 0) + 1


@mechanic.event(ev.Reported)
def _reported(game: Game, event: ev.Reported) -> None:
    counted = counting(game) and game.paused_at is None
    if event.what == "dead" and counted and not game.seats[event.seat].announced:
        unseen = game.attendance.unseen
        unseen[event.seat] = unseen.get(event.seat, 0) + 1


@mechanic.event(ev.PostsAdjusted)
def _posts_adjusted(game: Game, event: ev.PostsAdjusted) -> None:
    game.attendance.posts[event.seat] = event.posts
