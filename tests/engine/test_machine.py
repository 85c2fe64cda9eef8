"""Random legal and illegal play: the invariants hold after every command, the log folds back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import commands as c
from engine import view
from engine.commands import Refused
from engine.game import Game
from engine.mechanics.crown import eligible
from engine.rewind import at_rest, rewind
from tests.engine import play

SEATS = st.integers(0, 13)
MAYBE = st.none() | SEATS


def rarely(machine: RandomPlay) -> bool:
    """Hold back what ends games early, so that most of them become old."""
    return len(machine.log) % 5 == 0


DIRECTED = (c.CloseDay, c.OpenDay, c.Pause, c.Resume)


class RandomPlay(RuleBasedStateMachine):
    """A game of 6 to 12 seats and everything that anybody may type into it."""

    def __init__(self) -> None:
        super().__init__()
        self.game = Game()
        self.log: list[Any] = []
        self.now = play.START
        self.over = False

    @initialize(
        players=st.integers(6, 12),
        seed=st.text("0123456789abcdef", min_size=4, max_size=8),
        posts_min=st.sampled_from([0, 0, 0, 1, 2]),
        needs=st.sampled_from(["most", "majority"]),
        default=st.sampled_from(["grant", "dictatorship", "constitution"]),
        prelude=st.sampled_from([None, "dictatorship", "constitution", "democracy", "grant"]),
    )
    def deal(
        self, players: int, seed: str, posts_min: int, needs: str, default: str, prelude: str | None
    ) -> None:
        rules = play.sheet(posts_min=posts_min, execution_needs=needs, default_regime=default)
        self.game, self.log = play.opened(rules, players)
        self.do(c.Deal(at=self.now, seed=seed))
        if prelude is not None:
            self.the_king_executes_the_kingmaker_and_chooses(prelude)

    def the_king_executes_the_kingmaker_and_chooses(self, prelude: str) -> None:
        """Begin under a later regime: most random games never come that far."""
        self.ask(c.OpenDay)
        king, kingmaker = self.game.crown.king, self.game.crown.kingmaker
        self.ask(c.Order, seat=king, target=kingmaker)
        choice = "dictatorship" if prelude == "democracy" else prelude
        self.ask(c.Choose, seat=king, choice=choice)
        if prelude == "democracy":
            self.ask(c.Abdicate, seat=king)

    def do(self, command: c.Command) -> None:
        """Hand the command in; a refusal must change nothing."""
        before = play.state(self.game)
        twin = Game.fold(self.log)
        try:
            events = self.game.handle(command)
        except Refused as refused:
            assert play.state(self.game) == before, refused.code
            return
        assert play.stored(twin.handle(command)) == events, "the same command, the same events"
        self.log += events

    def ask(self, kind: type[c.Command], **values: Any) -> None:
        self.do(kind(at=self.now, **values))

    @rule(minutes=st.integers(0, 600))
    def wait(self, minutes: int) -> None:
        to = self.now + timedelta(minutes=minutes)
        while (alarm := self.game.next_alarm()) is not None and alarm <= to:
            self.do(c.Tick(at=alarm))
        self.now = to

    @rule()
    def wait_for_the_next_deadline(self) -> None:
        deadlines = self.game.deadlines()
        if deadlines and self.game.paused_at is None:
            self.wait(int((deadlines[0][0] - self.now).total_seconds() // 60) + 1)

    @precondition(rarely)
    @rule(kind=st.sampled_from(DIRECTED))
    def direct(self, kind: type[c.Command]) -> None:
        self.ask(kind)

    @precondition(lambda self: self.game.paused_at is not None)
    @rule()
    def resume(self) -> None:
        self.ask(c.Resume)

    @rule(minutes=st.integers(-5, 300))
    def extend(self, minutes: int) -> None:
        self.ask(c.Extend, minutes=minutes)

    @precondition(rarely)
    @rule(whom=SEATS)
    def rule_out(self, whom: int) -> None:
        self.ask(c.RuleOut, target=whom, reason="r")

    @rule(whom=SEATS)
    def reinstate(self, whom: int) -> None:
        self.ask(c.Reinstate, target=whom)

    @precondition(lambda self: len(self.log) > 20 and rarely(self))
    @rule(data=st.data())
    def rewind(self, data: Any) -> None:
        wanted = data.draw(st.integers(12, len(self.log)))
        try:
            to = at_rest(self.log, wanted)
        except Refused:
            return
        past = Game.fold(self.log[:to])
        event = rewind(past, c.Rewind(at=self.now, to=to, by="d"), taken=None)
        self.log.append(event)
        self.game = Game.fold(self.log)
        due = self.game.due.values()
        assert self.game.paused_at is not None or all(when > self.now for when in due)

    @precondition(rarely)
    @rule(whom=SEATS, back=st.booleans())
    def warn(self, whom: int, back: bool) -> None:
        if back:
            self.ask(c.Unwarn, target=whom)
        else:
            self.ask(c.Warn, target=whom, reason="r")

    @rule(whom=SEATS, count=st.integers(-3, 3))
    def adjust(self, whom: int, count: int) -> None:
        self.ask(c.AdjustPosts, target=whom, count=count)

    @rule(whom=SEATS, minutes=st.integers(0, 200))
    def talk_as_director(self, whom: int, minutes: int) -> None:
        self.ask(c.Mute, target=whom, minutes=minutes)
        self.ask(c.Unmute, target=whom)
        self.ask(c.Coach, target=whom, account=f"a{minutes}", name="C")
        self.ask(c.AddDirector, account=f"a{minutes}", name="D")
        self.ask(c.Announce, text="t")

    @rule(whom=SEATS)
    def replace(self, whom: int) -> None:
        self.ask(c.Replace, target=whom, account=f"r{whom}", name="R")

    @rule(seat=SEATS, text=st.text(max_size=5))
    def talk(self, seat: int, text: str) -> None:
        self.ask(c.Post, seat=seat, text=text)
        self.ask(c.Say, seat=seat, text=text)

    @rule()
    def everybody_posts_twice(self) -> None:
        for seat in [*self.game.living()] * 2:
            self.ask(c.Post, seat=seat)

    @rule(data=st.data(), seat=SEATS)
    def kill(self, data: Any, seat: int) -> None:
        killers = self.game.members("killers")
        chosen = data.draw(st.sampled_from(killers)) if killers and seat % 2 else seat
        self.ask(c.Act, seat=chosen, ability="faction_kill", target=data.draw(MAYBE))
        if data.draw(st.booleans()):
            self.ask(
                c.Withdraw, seat=chosen, ability=data.draw(st.sampled_from([None, "faction_kill"]))
            )

    @rule(own=st.booleans(), seat=SEATS, first=SEATS, substitute=MAYBE)
    def crown(self, own: bool, seat: int, first: int, substitute: int | None) -> None:
        kingmaker = self.game.crown.kingmaker
        chosen = kingmaker if own and kingmaker is not None else seat
        self.ask(c.NameCrown, seat=chosen, first=first, substitute=substitute)

    @rule(own=st.booleans(), seat=SEATS, whom=SEATS)
    def order(self, own: bool, seat: int, whom: int) -> None:
        king = self.game.crown.king
        self.ask(c.Order, seat=king if own and king is not None else seat, target=whom)

    @rule(seat=SEATS)
    def confirm(self, seat: int) -> None:
        self.ask(c.Confirm, seat=self.game.question.asked or seat)

    @rule(data=st.data())
    def play_the_night_by_the_rules(self, data: Any) -> None:
        if self.game.phase != "night":
            return
        one_of = st.sampled_from
        living = self.game.living()
        for killer in self.game.members("killers")[:1]:
            self.ask(c.Act, seat=killer, ability="faction_kill", target=data.draw(one_of(living)))
        if self.game.crown.kingmaker is not None:
            possible = eligible(self.game)
            named = data.draw(st.permutations(possible))[:2]
            self.ask(
                c.NameCrown,
                seat=self.game.crown.kingmaker,
                first=named[0],
                substitute=named[1] if len(named) > 1 else None,
            )

    @rule(data=st.data())
    def play_the_day_by_the_rules(self, data: Any) -> None:
        if self.game.phase != "day":
            return
        targets = st.sampled_from(self.game.living())
        if self.game.decides == "order":
            self.ask(c.Order, seat=self.game.crown.king, target=data.draw(targets))
        else:
            for seat in self.game.living():
                self.ask(c.Vote, seat=seat, target=data.draw(targets))
            self.wait_for_the_next_deadline()

    @precondition(lambda self: self.game.regime.key == "dictatorship")
    @rule(data=st.data(), many=st.integers(1, 12))
    def several_speak_against_the_dictator(self, data: Any, many: int) -> None:
        for seat in self.game.living()[:many]:
            self.ask(
                c.Depose, seat=seat, voice=data.draw(st.sampled_from([None, "for", "against"]))
            )

    @rule(seat=SEATS, choice=st.sampled_from(["grant", "dictatorship", "constitution", "republic"]))
    def choose(self, seat: int, choice: str) -> None:
        chooser = self.game.regime.chooser
        self.ask(c.Choose, seat=seat if chooser is None else chooser, choice=choice)

    @rule(own=st.booleans(), seat=SEATS)
    def abdicate(self, own: bool, seat: int) -> None:
        self.ask(c.Abdicate, seat=self.game.crown.king or seat if own else seat)

    @rule(seat=SEATS, voice=st.sampled_from([None, "for", "against", "abstain"]))
    def depose(self, seat: int, voice: Any) -> None:
        self.ask(c.Depose, seat=seat, voice=voice)

    @rule(seat=SEATS, whom=MAYBE, proxy=st.booleans())
    def vote(self, seat: int, whom: int | None, proxy: bool) -> None:
        self.ask(c.Vote, seat=seat, target=whom, proxy=proxy)

    @invariant()
    def holds(self) -> None:
        if self.log:
            play.check(self.game)
            view.facts(self.game, self.now)
            view.public_view(self.game)
            for number in self.game.seats:
                view.seat_view(self.game, number)

    def teardown(self) -> None:
        if self.log:
            assert play.state(Game.fold(play.stored(self.log))) == play.state(self.game)


RandomPlay.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRandomPlay = RandomPlay.TestCase
