"""Games on the classic boards at a table: whole ones, and what they leave out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine import commands as c
from engine.ruleset import Sheet
from tests.data.table import SHEETS, SPEECH, Table

NAMES = list("甲乙丙丁戊己庚辛壬癸子丑")
BOARDS = [key for key, sheet in SHEETS.items() if sheet.clock == "span"]


def roles(sheet: Sheet) -> list[str]:
    """The roles of a sheet in its order, for the fewest players that it takes."""
    counts = sheet.counts(sheet.players_min)
    return [role for role, count in counts.items() for _ in range(count)]


def dealt(key: str = "seer-witch-hunter-guard", **parameters: Any) -> Table:
    """Night 0, or with cupid the set-up. Of the default board: wolves 1 to 4, seer 5, witch 6,
    hunter 7, guard 8, villagers 9 to 12.
    """
    sheet = SHEETS[key]
    cards = roles(sheet)
    return Table(cards, NAMES[: len(cards)], sheet=sheet, **parameters)


def act(table: Table, ability: str, seat: int, target: int | None) -> dict[str, str]:
    return table.do(c.Act, seat=seat, ability=ability, target=target)


def ready(table: Table) -> None:
    """Everybody says 过, in one stage of the night."""
    for number in list(table.game.living()):
        if table.game.phase == "night" and number not in table.game.ready:
            table.reply(c.Ready, seat=number)


def votes(table: Table, target: int | None) -> None:
    """Everybody who may votes for one."""
    for number in list(table.game.living()):
        if table.game.phase == "day" and number not in table.game.ballot.cast:
            try:
                table.reply(c.Vote, seat=number, target=target)
            except c.Refused:
                continue


def day(victim: int | None = None, **parameters: Any) -> Table:
    """Day 1 of the default board, candidacy: the wolves have killed one, or nobody."""
    table = dealt(**parameters)
    act(table, "faction_kill", 1, victim)
    ready(table)
    ready(table)
    return table


def elected(sheriff: int = 9, victim: int | None = None, **parameters: Any) -> Table:
    """Day 1 with a sheriff, who stood alone."""
    table = day(victim, **parameters)
    table.do(c.Stand, seat=sheriff)
    table.until("candidacy")
    return table


def plain_game(key: str) -> Table:
    """A game of any board, played by its clock until somebody has won."""
    table = dealt(key)
    if "link" in table.game.due:
        table.do(c.Link, seat=len(table.game.seats), first=7, second=8)
    wolf = 1
    for _ in range(30):
        if table.game.phase == "over":
            break
        living = table.game.living()
        if table.game.phase == "night":
            victim = next((n for n in reversed(living) if n != wolf), wolf)
            if table.game.is_living(wolf):
                act(table, "faction_kill", wolf, victim)
            for ability, rule in table.game.rules.abilities.items():
                for number in table.game.living():
                    if not rule.together and number != wolf:
                        try:
                            table.do(c.Act, seat=number, ability=ability, target=living[0])
                        except c.Refused:
                            continue
            ready(table)
            ready(table)
            if table.game.phase == "night":
                table.until("open")
        elif table.game.decides == "candidacy":
            table.until("candidacy")
        else:
            votes(table, next(n for n in reversed(living)))
            if table.game.phase == "day":
                table.until("close")
    return table


def whole_games() -> list[Table]:
    """A game of each board, to its end."""
    return [plain_game(key) for key in BOARDS]


def more_games() -> list[Table]:
    """Play what the whole games leave out."""
    # An election with a tie, a sheriff killed who tears the badge, a hunter who shoots.
    sheriff = day(12)
    sheriff.do(c.LastWords, seat=12, text="我是民")
    for seat in (5, 7, 1, 3):
        sheriff.reply(c.Stand, seat=seat)
    sheriff.reply(c.StandDown, seat=3)
    sheriff.refusal(c.StandDown, seat=3)
    sheriff.refusal(c.Vote, seat=6, target=5)
    sheriff.until("candidacy")
    sheriff.refusal(c.Vote, seat=1, target=5)
    sheriff.reply(c.Vote, seat=6, target=5)
    sheriff.reply(c.Vote, seat=8, target=7)
    sheriff.until("election")
    sheriff.reply(c.Vote, seat=6, target=5)
    sheriff.until("election")
    votes(sheriff, None)
    act(sheriff, "faction_kill", 2, 5)
    sheriff.until("open")
    sheriff.reply(c.NameHeirs, seat=5, heirs=[6])
    sheriff.reply(c.NameHeirs, seat=5, heirs=[])
    sheriff.until("heir")
    votes(sheriff, 7)
    sheriff.do(c.LastWords, seat=7, text="我是猎人")
    sheriff.reply(c.Shoot, seat=7, target=2)

    # A director ends the set-up, and what is a stage of the first day.
    hand = dealt("lovers-piper")
    hand.do(c.SettleNight)
    hand = day()
    for seat in (5, 7):
        hand.reply(c.Stand, seat=seat)
    hand.do(c.CloseDay)
    hand.do(c.Extend, minutes=5)
    hand.do(c.CloseDay)

    # A runoff; the guard's second night; a hunter killed, silent.
    tied = elected()
    tied.reply(c.Vote, seat=9, target=1)
    for voter, target in ((1, 10), (2, 10), (5, 1), (3, 1), (4, 10)):
        tied.do(c.Vote, seat=voter, target=target)
    # The sheriff's vote weighs more: level it.
    tied.do(c.Vote, seat=9, target=None)
    tied.do(c.Vote, seat=6, target=1)
    tied.do(c.Vote, seat=7, target=10)
    tied.do(c.Vote, seat=8, target=1)
    tied.until("close")
    tied.do(c.Vote, seat=6, target=1)
    tied.refusal(c.Vote, seat=6, target=5)
    tied.until("close")
    # Whoever it was, no stage is over before a hunter's time.
    tied.until("shot")
    act(tied, "guard", 8, 6)
    act(tied, "faction_kill", 2, 7)
    ready(tied)
    ready(tied)
    tied.refusal(c.Vote, seat=7, target=1)
    tied.until("shot")
    votes(tied, None)
    tied.refusal(c.Act, seat=8, ability="guard", target=6)
    tied.refusal(c.Ready, seat=7)
    tied.do(c.Ready, seat=8)
    tied.refusal(c.Ready, seat=8)

    # Wolves give themselves up, in an election and after it.
    early = day()
    early.do(c.Explode, seat=1)
    late = elected()
    late.do(c.Explode, seat=1)
    late.do(c.SettleNight)

    # Nobody stands; heirs.
    nobody = day()
    nobody.until("candidacy")
    heir = elected(1)
    votes(heir, 1)
    heir.do(c.NameHeirs, seat=1, heirs=[2])
    heir.until("heir")
    ready(heir)

    # A killed hunter may not yet shoot before the opening.
    hunter = dealt()
    act(hunter, "faction_kill", 1, 7)
    hunter.do(c.SettleNight)
    hunter.refusal(c.Shoot, seat=7, target=1)

    # Reminders, of whatever is owed.
    owing = dealt(shot_minutes=2, election_minutes=2, heir_minutes=2)
    owing.before("night", 1)
    act(owing, "faction_kill", 1, 7)
    owing.until("open")
    owing.do(c.Stand, seat=5)
    owing.do(c.Stand, seat=9)
    owing.until("shot")
    owing.until("candidacy")
    owing.do(c.Vote, seat=6, target=5)
    owing.until("election")
    owing.do(c.Vote, seat=6, target=5)
    owing.until("close")
    owing.until("heir")

    # An idiot shows the card.
    idiot = dealt("seer-witch-hunter-idiot")
    ready(idiot)
    ready(idiot)
    idiot.until("candidacy")
    votes(idiot, 8)
    ready(idiot)
    ready(idiot)
    idiot.refusal(c.Vote, seat=8, target=1)
    idiot.refusal(c.Vote, seat=1, target=8)
    piper = dealt("lovers-piper")
    piper.do(c.Link, seat=12, first=7, second=8)
    act(piper, "charm", 11, 9)
    piper.until("open")
    votes(piper, 11)
    fixed = dealt("six", pace="fixed")
    fixed.refusal(c.Ready, seat=1)
    six = SHEETS["six"]
    bare = Table(roles(six), NAMES[:6], sheet=Sheet.load({**six.dump(), "clauses": {}}))
    for wolf in (1, 2):
        bare.until("open")
        votes(bare, wolf)
    return [sheriff, tied, early, late, nobody, heir, hunter, owing, idiot, piper, fixed, bare]


def variants() -> Iterator[Sheet]:
    """Sheets with a parameter otherwise, for their rules."""
    whole = SHEETS["seer-witch-hunter-guard"]
    for parameters in (
        {"guard_again": "never"},
        {"guard_again": "always"},
        {"save_self": "always"},
        {"save_and_guard": "holds"},
        {"execution_needs": "majority"},
        {"heir_silent": "random"},
        {"words_for": []},
    ):
        yield whole.with_parameters(parameters)
    less = whole.dump()
    less["roles"]["guard"]["abilities"] = []
    yield Sheet.load({**less, "clauses": {}})
    # A piper without lovers.
    alone = SHEETS["nine"].dump()
    alone |= {
        "factions": ["wolves", "town", "piper"],
        "mechanics": [*alone["mechanics"], "charm"],
        "night_steps": [*alone["night_steps"], "charm", "victory"],
        "open_steps": [*alone["open_steps"], "announce_charmed"],
        "roles": {
            **alone["roles"],
            "villager": {"faction": "town", "count": 2},
            "piper": {"faction": "piper", "count": 1, "abilities": ["charm"]},
        },
        "lose": {**alone["lose"], "piper": [{}]},
        "win": {"piper": [{"everyone": True}, {"charmed": ["villager"]}]},
    }
    yield Sheet.load(alone)
    m84 = SHEETS["m84"]
    for again in ("not_next_night", "always"):
        yield m84.with_parameters({"guard_again": again})
    SPEECH.check(whole)
