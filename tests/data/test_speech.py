"""What the bot says: the texts are whole, exact, and reach nobody whom they are not for."""

import ast
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from data import TEXTS, THEMES
from data.catalogue import ABILITIES, KEYS, REFUSALS
from data.message import Message
from data.records import RecordRow, add_up
from data.sentences import Rendered, Sentences, TextError, block, line
from data.speech import Speech
from data.telling import SILENT, kingmakers
from engine import commands as c
from engine import events as ev
from engine import view
from engine.game import Game
from engine.rewind import at_rest, rewind
from engine.ruleset import Sheet
from plugins.gamemaster import words
from tests.data import classic, m84
from tests.data.table import NAMES, ROLES, SHEET, SHEETS, SPEECH, START, Table

REPOSITORY = Path(__file__).parents[2]


def crowned(**parameters: Any) -> Table:
    """Day 1: seat 4 was killed, seat 6 is king."""
    table = Table(**parameters)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    return table


def chosen(choice: str) -> Table:
    """Night 1: the king, seat 6, had the kingmaker executed and chose what follows."""
    table = crowned()
    table.post()
    table.do(c.Order, seat=6, target=1)
    table.do(c.Choose, seat=6, choice=choice)
    return table


# --- the files -----------------------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A copy of the texts, to be spoilt."""
    return Path(shutil.copytree(TEXTS, tmp_path / "texts"))


@pytest.fixture
def themes(tmp_path: Path) -> Path:
    return Path(shutil.copytree(THEMES, tmp_path / "themes"))


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_sheet_has_its_names_and_sentences() -> None:
    for sheet in SHEETS.values():
        SPEECH.check(sheet)


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "expected"),
    [
        ("events.toml", "ordered = ", "orderd = ", "orderd", "did you mean events.ordered?"),
        ("events.toml", 'paused = "', '# paused = "', "paused", "the key is missing"),
        ("events.toml", "{target}", "{tarGet}", "ordered", "no placeholders but {seat}, {target}"),
        ("remind.toml", "{left}", "{left:>9}", "ability", "no placeholders but"),
        ("remind.toml", "{left}", "{left!r}", "ability", "no placeholders but"),
        ("remind.toml", "{left}", "{left.year}", "ability", "no placeholders but"),
        ("remind.toml", "{left}", "{left[0]}", "ability", "no placeholders but"),
        ("remind.toml", "{left}", "{}", "ability", "no placeholders but"),
        ("remind.toml", "{left}", "{left", "ability", "no placeholders but"),
        ("error.toml", "我这里", "{seat}", "internal", "no placeholder, not {seat}"),
        (
            "reply.toml",
            'unchanged = "没有变化，照旧。"',
            'unchanged = ""',
            "unchanged",
            "a sentence",
        ),
        (
            "reply.toml",
            'unchanged = "没有变化，照旧。"',
            "unchanged = 3",
            "unchanged",
            "a sentence",
        ),
        ("error.toml", "internal = ", "internal ", "file", "TOML in UTF-8"),
    ],
)
def test_a_wrong_text_stops_the_start(
    texts: Path, file: str, old: str, new: str, key: str, expected: str
) -> None:
    if file == "events.toml" and "target" in old:
        old, new = "下令：处决 {target}", "下令：处决 " + new
    spoil(texts / file, old, new)
    with pytest.raises(TextError) as wrong:
        Speech(texts, THEMES)
    assert (wrong.value.file, wrong.value.key) == (file, key)
    assert expected in wrong.value.expected


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('title = "拥王者1.0"\n', "", "theme"),
        ("[voices]", "[voces]", "theme"),
        ('killer = "杀手"', "killer = 3", "roles.killer"),
        ('killer = "杀手"', 'killer = ""', "roles.killer"),
        ('night = "第{day}夜"', 'night = "第{night}夜"', "phases.night"),
        ('killer = "杀手"', 'killer = "{day}"', "roles.killer"),
    ],
)
def test_a_wrong_theme_stops_the_start(themes: Path, old: str, new: str, key: str) -> None:
    spoil(themes / "kingmaker.toml", old, new)
    with pytest.raises(TextError) as wrong:
        Speech(TEXTS, themes)
    assert (wrong.value.file, wrong.value.key) == ("kingmaker.toml", key)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('killer = "杀手"', "roles.killer"),
        ('town = "平民方"', "factions.town"),
        ('killers = "杀手密谈"', "channels.killers"),
        ('grant = "神赐"', "choices.grant"),
        ('ruled = "主持判出局"', "causes.ruled"),
        ('depose = "罢黜投票截止"', "deadlines.depose"),
        ('ballot = "投票"', "owed.ballot"),
        ('ballot = "全员投票"', "decides.ballot"),
        ('first_night = "首夜"', "phases.first_night"),
    ],
)
def test_a_name_that_a_sheet_needs_is_missed_before_a_game(
    themes: Path, line: str, key: str
) -> None:
    spoil(themes / "kingmaker.toml", line + "\n", "")
    with pytest.raises(TextError) as wrong:
        Speech(TEXTS, themes).check(SHEET)
    assert (wrong.value.file, wrong.value.key) == ("kingmaker.toml", key)


def test_sheets_that_share_a_theme_are_called_differently() -> None:
    words = {key: SPEECH.word(sheet) for key, sheet in SHEETS.items()}
    assert (words["kingmaker"], words["m84"]) == ("拥王者", "M84")
    assert (words["kingmaker-hero"], words["kingmaker-princeton"]) == ("拥王者英雄", "普林斯顿")
    for key in ("kingmaker-hero", "kingmaker-princeton"):
        table = Table(sheet=SHEETS[key])
        title = SPEECH.title(SHEETS[key])
        assert table.said[0].text.startswith(f"【第7局 · {title}】")
        assert SPEECH.status(table.public).startswith(f"【第7局 · {title}】")
        assert SPEECH.rules(SHEETS[key]).startswith(f"【规则 · {title}】")


def test_a_role_without_a_card_is_missed_before_a_game() -> None:
    plain = SHEET.dump()
    plain["roles"]["stranger"] = {"faction": "town", "count": 0}
    with pytest.raises(TextError) as wrong:
        SPEECH.check(Sheet.load(plain))
    assert wrong.value.key == "roles.stranger"


def test_a_sheet_without_a_theme_is_missed_before_a_game() -> None:
    with pytest.raises(TextError, match=r"nowhere\.toml"):
        SPEECH.check(SHEET.with_parameters({"theme": "nowhere"}))


# --- nothing is missing, nothing is left over ----------------------------------------------------


def sources(*rooms: str) -> Iterable[ast.AST]:
    for room in rooms:
        for path in sorted((REPOSITORY / room).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def refusals() -> dict[str, list[set[str] | None]]:
    """Every refusal in the code: code → the values of each place that raises it (None: open)."""
    found: dict[str, list[set[str] | None]] = {}
    for node in sources("engine", "plugins"):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Name):
            name = node.func.id
        if name != "Refused" or not node.args:
            continue
        codes = [n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
        keywords = {keyword.arg for keyword in node.keywords}
        values = None if None in keywords else {k for k in keywords if k is not None}
        for code in codes:
            assert isinstance(code, str)
            found.setdefault(code, []).append(values)
    return found


def test_every_refusal_in_the_code_has_its_sentences_and_no_other_has() -> None:
    assert set(refusals()) == set(REFUSALS)


def test_every_refusal_carries_what_its_sentences_need() -> None:
    # These come from the game, or from the seat that the refusal carries.
    given = {"phase", "board", "word", "someone", "other", "number"}
    for code, places in refusals().items():
        for part in ("why", "example"):
            needed = SPEECH._sentences.fields(f"refused.{code}.{part}") - given
            assert all(values is None or needed <= values for values in places), code
            if "number" in SPEECH._sentences.fields(f"refused.{code}.{part}"):
                assert all(values is None or "seat" in values for values in places), code


_CHAT = ("bot.", "chat.", "error.", "room.", "storypage.", "refused.", "example.")
"""What the chat says for itself, and what is chosen by a code or a command."""


def patterns(*rooms: str) -> Iterable[tuple[str, str]]:
    """Yield every string in the code that looks like a key, with a pattern of the keys it means."""
    stems = {key.partition(".")[0] for key in KEYS}
    nodes = list(sources(*rooms))
    pieces = {id(part) for n in nodes if isinstance(n, ast.JoinedStr) for part in n.values}
    for node in nodes:
        parts: list[str | None] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = [] if id(node) in pieces else [node.value]
        elif isinstance(node, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else None for v in node.values]
        shown = "".join("*" if part is None else part for part in parts)
        if re.match(rf"({'|'.join(stems)})\.[a-z_*.]+\Z", shown):
            yield shown, "".join(".+" if part is None else re.escape(part) for part in parts)


def test_every_key_in_the_code_is_a_sentence() -> None:
    groups = {key.rpartition(".")[0] for key in KEYS}
    names = {*KEYS, *groups}
    wrong = [
        s for s, p in patterns("data", "plugins") if not any(re.fullmatch(p, n) for n in names)
    ]
    assert wrong == []


def test_every_example_of_a_command_is_of_a_command() -> None:
    commands = {
        re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
        for kind in vars(c).values()
        if isinstance(kind, type) and issubclass(kind, c.Command)
    }
    keys = {key.removeprefix("example.") for key in KEYS if key.startswith("example.")}
    assert {key.partition(".")[0] for key in keys} - {"default"} <= commands
    of_acts = {key.removeprefix("act.") for key in keys if key.startswith("act.")}
    assert of_acts | {"link", "victim_report"} == set(ABILITIES)


# --- every event ---------------------------------------------------------------------------------

# Values of the fields by which a sentence is chosen.
CHOOSES: dict[str, list[Any]] = {
    "Warned.why": ["posts", "no_order", "no_ballot", "no_crown", "director"],
    "Carded.why": ["director", "posts", "streak", "no_ballot"],
    "DeposeClosed.result": ["passed", "failed", "dropped"],
    "PetitionChecked.result": ["speed_up", "delay", ""],
    "CrownSettled.how": ["first", "substitute", "throne"],
    "SheriffTook.how": ["elected", "drawn", "named"],
    "Forced.what": ["link", "candidacy", "open", "close", "settle"],
    "Reported.what": ["dead", "charmed", "charmed_reason"],
    "Bound.channel": ["killers", "directors", "spectators"],
    "PlayerLost.how": ["left", "unreachable"],
    "PlayerBack.how": ["left", "unreachable"],
    "strangers": [{}, {"8": "路人"}],
    "missing": [[], ["a2"]],
    "RoomChecked.others": [False, True],
    "Reinstated.quiet": [False, True],
    "NightSettled.actions": [[], [["guard", 6, 9], ["faction_kill", "wolves", 4]]],
    "StreaksCounted.streaks": [{}, {1: 2}],
    "CardsDrawn.cards": [{1: 7, 2: 3}],
    "ability": ["faction_kill"],
    "colour": ["blue", "yellow", "red"],
    "into": ["yellow", "red"],
    "ask": ["speed_up", "delay", ""],
    "winner": ["town", "killers", "draw", ""],
    "notice": [
        ["role", "killer"],
        ["faction", "town"],
        ["partners", [3]],
        ["kingmaker"],
        ["choice_wanted"],
        ["hero_exists"],
        ["card", 7],
        ["out"],
        ["void", "ballot"],
        ["void", "faction_kill"],
    ],
    "m84.notice": [
        ["role", "witch"],
        ["faction", "lovers"],
        ["lover", 7],
        ["partners", [2, 3]],
        ["inspected", 3, "town"],
        ["inspected", 3, "not_town"],
        ["victims", [3]],
        ["victims", []],
        ["last_words_right"],
        ["lost_ability", "faction_kill"],
        ["gained_ability", "lovers_kill"],
        ["heir_wanted"],
        ["shot_right"],
        ["void", "lovers_kill"],
        ["out"],
    ],
    "m84.cause": ["kill", "poison", "vote", "lover", "red_card", "ruled"],
    "m84.ability": [
        *("faction_kill", "lovers_kill", "guard", "ward", "save", "poison", "inspect", "charm"),
        *("victim_report",),
    ],
    "m84.kind": ["link", "petition", "close", "night", "witch", "open", "heir"],
    "m84.winner": ["wolves", "town", "piper", "lovers", "draw", ""],
    "m84.faction": ["wolves", "town", "piper", "lovers"],
    "m84.decides": ["sheriff", "ballot"],
    "m84.owed": [[[4, "inspect"], ["wolves", "faction_kill"], [9, "posts"], [9, "last_words"]]],
    "m84.roles": [{1: "werewolf", 12: "cupid"}],
    "m84.role": ["piper"],
    "m84.channel": ["wolves", "lovers"],
    "m84.Bound.channel": ["wolves", "lovers", "directors"],
    "m84.clause": ["", "M84-01"],
    "channel": ["killers"],
    "what": ["kingmaker"],
    "decides": ["order", "ballot", "election", "nobody"],
    "voice": ["for", "against", "abstain"],
    "choice": ["grant", "dictatorship", "constitution", "republic", "democracy"],
    "regime": ["monarchy", "dictatorship", "constitution", "democracy", "republic"],
    "minutes": [0, 90],
    "kind": ["open", "close", "attendance", "choice", "depose", "election"],
    "cause": ["kill", "order", "vote", "warnings", "ruled", "reflected"],
    "role": ["killer"],
    "faction": ["town"],
    "roles": [{1: "killer", 2: "kingmaker"}],
    "owed": [[[1, "order"], ["killers", "faction_kill"]]],
    "clause": ["", "K-01"],
}


# Of which board the events of a kind are, where not of every.
KINGMAKER_ONLY = {
    *(ev.CrownNamed, ev.CrownSettled, ev.Crowned, ev.ReignEnded, ev.OrderAsked, ev.Ordered),
    *(ev.KingmakerMade, ev.KingmakerGone, ev.ChoiceOpened, ev.Chosen, ev.RegimeChanged),
    *(ev.Abdicated, ev.DeposeOpened, ev.DeposeVoiced, ev.DeposeClosed, ev.DayTurned),
    *(ev.Warned, ev.Unwarned, ev.KingmakerFollowed, ev.CardsDrawn, ev.Reflected, ev.RegimeAhead),
    *(ev.Stood, ev.PresidentElected),
}
M84_ONLY = {
    *(ev.RuledLost, ev.ChannelOpened, ev.Acted, ev.Withdrawn, ev.HourEnded, ev.NightSettled),
    *(ev.AbilityLost, ev.AbilityGained, ev.Charmed, ev.CharmsEnded, ev.CharmedAnnounced),
    *(ev.Linked, ev.FactionChanged, ev.SheriffTook, ev.SheriffAnnounced, ev.SheriffVacated),
    ev.NobodyElected,
    *(ev.HeirsNamed, ev.LastWordsLeft, ev.LastWordsPublished, ev.Petitioned, ev.PetitionChecked),
    *(ev.Reported, ev.StreaksCounted, ev.Carded, ev.CardsMerged, ev.CardTaken, ev.RedSettled),
    ev.CardsSplit,
}


def samples(kind: type[ev.Event], board: str) -> list[ev.Event]:
    """Return events of a kind in all their variants, none where the board has no such events."""
    if kind in (M84_ONLY if board == "kingmaker" else KINGMAKER_ONLY):
        return []
    found: list[dict[str, Any]] = [{}]
    hints = get_type_hints(kind)
    for name in kind.__struct_fields__:
        hint = hints[name]
        own = f"{kind.__name__}.{name}"
        keys = (f"{board}.{own}", own, f"{board}.{name}", name)
        options = next((CHOOSES[key] for key in keys if key in CHOOSES), None)
        if options is None and type(None) in get_args(hint):
            plain = {datetime: START}.get(get_args(hint)[0], 2)
            options = [plain, None]
        if options is None:
            options = {
                int: [2],
                float: [90.0],
                str: ["x"],
                bool: [False, True],
                datetime: [START],
            }.get(hint, [[1, 2] if "list" in str(hint) else {}])
        found = [{**values, name: option} for values in found for option in options]
    return [kind(**values) for values in found]


@pytest.mark.parametrize("kind", ev.EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_has_a_line_in_the_record(kind: type[ev.Event]) -> None:
    count = 0
    for board, table in (("kingmaker", Table()), ("m84", m84.dealt())):
        for event in samples(kind, board):
            line = SPEECH.log_line(event, table.game)
            assert line.startswith("3月2日 10:00 ")
            assert "\n" not in line
            assert line.endswith(f" [{event.clause}]") is bool(event.clause)
            count += 1
    assert count


def test_hidden_events_say_nothing() -> None:
    for kind in ev.EVENTS:
        if issubclass(kind, ev.Hidden) and kind not in (ev.Reminded, ev.Reported):
            assert kind in SILENT
            for board, table in (("kingmaker", Table()), ("m84", m84.dealt())):
                for event in samples(kind, board):
                    assert SPEECH.events(table.game, [event]) == []


def test_every_other_event_is_told() -> None:
    from data.telling import _PENALTIES, _TELLERS

    assert set(_TELLERS) | SILENT | set(_PENALTIES) == set(ev.EVENTS)
    assert not set(_TELLERS) & SILENT


# --- who hears what ------------------------------------------------------------------------------


def whole_games() -> list[Table]:
    """Games that go through every regime, to their end."""
    dictator = chosen("dictatorship")
    dictator.do(c.Act, seat=2, ability="faction_kill", target=5)
    dictator.do(c.Depose, seat=7)
    for seat in (2, 3, 5):
        dictator.do(c.Depose, seat=seat, voice="against")
    dictator.do(c.Depose, seat=6, voice="for")
    dictator.do(c.Act, seat=3, ability="faction_kill", target=None)
    dictator.until("open")
    dictator.do(c.Post, seat=4, text="我是好人")
    dictator.do(c.Say, seat=2, text="票6")
    dictator.do(c.Abdicate, seat=6)
    for seat in (2, 3, 5):
        dictator.do(c.Vote, seat=seat, target=7, reason="直觉")
    dictator.do(c.RuleOut, target=7, reason="失联")
    dictator.until("close")
    granted = chosen("grant")
    granted.until("open")
    granted.until("close")
    stopped = crowned()
    stopped.do(c.Order, seat=6, target=2)
    for table in (dictator, granted, stopped):
        if table.game.phase != "over":
            table.do(c.EndGame)
    return [dictator, granted, stopped]


def rewound(table: Table, to: int) -> dict[str, str]:
    """Ask for the game as it was after event ``to``, and lead it back; return what is said."""
    before, log = table.game, table.events
    to = at_rest(log, to)
    past = Game.fold(log[:to])
    command = c.Rewind(at=table.at, to=to, by="d")
    asked = SPEECH.rewind_asked(before, past, log, to, log[-1].at)
    log.append(rewind(past, command, taken=None))
    table.game = Game.fold(log)
    told = SPEECH.rewound(before, table.game, log)
    SPEECH.reply(table.game, command, log[-1:])
    assert told[0].audience == ev.PUBLIC
    return {"asked": asked, **{m.audience: m.text for m in told if m.text}}


def rewound_games() -> list[dict[str, str]]:
    """Games that are led back, and to what was undone."""
    table = Table()
    table.do(c.Bind, channel="directors", group="901")
    table.do(c.CheckRoom, channel="directors", group="901", people={"d": "导"})
    dealt = len(table.events)
    table.do(c.Replace, target=5, account="new", name="新")
    table.do(c.Mute, target=4, minutes=60)
    table.do(c.Unmute, target=4)
    said = [rewound(table, dealt)]
    table.do(c.Replace, target=6, account="newer", name="更新")
    for number in range(50):
        table.do(c.Announce, text=str(number))
    said.append(rewound(table, len(table.events) - 52))
    table.do(c.Act, seat=2, ability="faction_kill", target=5)
    kept = len(table.events)
    table.until("open")
    opened = len(table.events)
    said.append(rewound(table, kept))
    said.append(rewound(table, opened))
    paused = len(table.events)
    table.post()
    said.append(rewound(table, paused))
    table = Table()
    dealt = len(table.events)
    signed_up = next(n for n, e in enumerate(table.events) if isinstance(e, ev.Dealt))
    said.append(rewound(table, signed_up))
    said.append(rewound(table, dealt))
    table = Table()
    table.do(c.Bind, channel="directors", group="901")
    table.do(c.RuleOut, target=3, reason="手滑")
    table.do(c.Reinstate, target=3)
    table.do(c.Pause)
    table.at += timedelta(minutes=90)
    table.do(c.Resume)
    cards = m84.linked(posts_min=0, posts_streak=0)
    cards.until("close")
    cards.until("witch")
    cards.do(c.Card, target=9, colour="red", reason="手滑")
    cards.do(c.Reinstate, target=9)
    return said


def hero_games() -> list[Table]:
    """Games of 拥王者 with a hero (K-30 to K-36)."""
    roles = ["kingmaker", "killer", "killer", "hero", "civilian", "civilian", "civilian"]
    tables = []
    for told in (True, False):
        table = Table(
            roles,
            sheet=SHEETS["kingmaker-hero"],
            hero_told=told,
            killers_told_of_hero=True,
            posts_min=0,
        )
        table.do(c.NameCrown, seat=1, first=6, substitute=5)
        table.until("open")
        table.do(c.Order, seat=6, target=4)
        table.do(c.Act, seat=2, ability="faction_kill", target=1)
        table.until("open")
        table.do(c.EndGame)
        tables.append(table)
    return tables


def princeton(choice: str = "", **parameters: Any) -> Table:
    """Night 1 by the rules of Princeton: the kingmaker was executed, and the king has chosen."""
    table = Table(sheet=SHEETS["kingmaker-princeton"], posts_min=0, **parameters)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    table.do(c.Order, seat=6, target=1)
    if choice:
        table.do(c.Choose, seat=6, choice=choice)
    return table


def princeton_games() -> list[Table]:
    """Games by the rules of Princeton (K-40 to K-45)."""
    republic = princeton("republic")
    republic.until("open")
    republic.do(c.Stand, seat=5)
    republic.reply(c.Vote, seat=2, target=5)
    republic.until("election")
    republic.do(c.Order, seat=5, target=7)
    republic.until("open")
    republic.until("election")
    fixed = princeton(on_kingmaker_out="republic")
    ahead = princeton("constitution")
    ahead.until("open")
    ahead.do(c.Choose, seat=6, choice="dictatorship")
    ahead.until("close")
    cards = Table(
        ["civilian", "killer", "killer", *["civilian"] * 4],
        sheet=SHEETS["kingmaker-princeton"],
        kingmaker_by_card=True,
    )
    for table in (republic, fixed, ahead, cards):
        table.do(c.EndGame)
    return [republic, fixed, ahead, cards]


def test_a_director_is_shown_what_is_taken_back_and_what_then_stands() -> None:
    table = Table()
    dealt = len(table.events)
    table.do(c.RuleOut, target=3, reason="手滑")
    said = rewound(table, dealt)
    still, due = "本局先停着", "截止时间照旧：3月2日 17:00 开楼"
    for who in ("asked", "directors", ev.PUBLIC):
        assert "主持判 3号 丙 出局，理由：手滑" in said[who]
        assert due in said[who] and still not in said[who]
    # Nothing has happened since that a line could tell of.
    said = rewound(table, dealt)
    for who in ("asked", "directors"):
        assert "（没有要紧的事）" in said[who] and "前面还有" not in said[who]
    table.until("open")
    said = rewound(table, dealt)
    for who in ("asked", "directors", ev.PUBLIC):
        assert still in said[who] and due not in said[who]


def test_a_hero_turns_the_order_back_in_public() -> None:
    told, untold = hero_games()
    for table in (told, untold):
        public = "\n".join(m.text for m in table.said if m.audience == "public")
        assert (
            "6号 己 下令：处决 4号 丁。\n4号 丁 是英雄，这道命令落回下令的 6号 己 自己身上。\n"
            "6号 己 出局（替英雄而死），身份：平民。"
        ) in public
        assert "已经有了新的拥王者，照旧每夜立王。是谁，只有他自己知道。" in public
        own = [m.text for m in table.said if m.audience == "seat:4"]
        assert ("身份：英雄" in own[0]) is (table is told)
        assert ("身份：英雄" in "".join(own[1:])) is (table is untold)
    assert "这一局里有一名英雄。" in "".join(m.text for m in told.said if m.audience == "seat:2")


def test_a_republic_elects_its_president() -> None:
    republic, fixed, ahead, cards = princeton_games()
    public = "\n".join(m.text for m in republic.said if m.audience == "public")
    assert "今天先选总统：想当的在群里发「参选」" in public
    assert (
        "【票型】\n5号 戊：1票（2号 乙）\n5号 戊 当选今天的总统。\n"
        "5号 戊 请在 3月4日 13:00 前下令处决"
    ) in public
    assert "没有人投票。\n没有人当选总统。\n今天不处决任何人，" in public
    assert any("按规则，以后是「共和」。" in message.text for message in fixed.said)
    assert any("6号 己 选定：今天照常投票，截止后改为独裁。" in m.text for m in ahead.said)
    drawn = [m.text for m in cards.said if "你抽到的牌：" in m.text]
    assert len(drawn) == 5


def rooms_and_people() -> list[Table]:
    """Games with rooms, with spectators, and with players who come and go."""
    early = Game()
    at = START
    early.handle(c.CreateGame(at=at, game=7, group="9", sheet=SHEET.dump(), account="d", name="导"))
    for channel in ("killers", "spectators"):
        command = c.Bind(at=at, channel=channel, group=f"5{channel}")
        SPEECH.reply(early, command, early.handle(command))
    # A director who plays: he leaves the directors' room with the deal.
    early.handle(c.Bind(at=at, channel="directors", group="5directors"))
    early.handle(c.AddDirector(at=at, account="a1", name=NAMES[0]))
    for number, name in enumerate(NAMES, 1):
        early.handle(c.SignUp(at=at, account=f"a{number}", name=name))
    SPEECH.events(early, early.handle(c.Deal(at=at, seed="5eed")))
    found: list[Table] = []
    for see in ("public", "all"):
        table = Table(spectators_see=see)
        SPEECH.rules(table.game.sheet)
        for channel in ("killers", "directors", "spectators"):
            table.do(c.Bind, channel=channel, group=f"5{channel}")

        def looks(channel: str, *people: str, table: Table = table) -> dict[str, str]:
            there = dict.fromkeys(people, "路人")
            group = f"5{channel}"
            return table.do(c.CheckRoom, channel=channel, group=group, people=there)

        table.do(c.Watch, account="w", name="观", admitted=True)
        looks("killers", "a2", "8")
        looks("killers", "a2", "a3", "d")
        looks("killers", "a2", "a3", "a4")
        table.do(c.CheckRoom, channel="killers", group="5killers", people=None)
        people = {"a2": "路人", "a3": "路人", "8": "别局的"}
        check = {"channel": "killers", "group": "5killers", "people": people, "unnamed": ["8"]}
        told = table.do(c.CheckRoom, **check)
        assert "别局的" not in "".join(told.values())
        table.do(c.Unbind, channel="killers")
        table.do(c.Bind, channel="killers", group="5killers")
        looks("killers", "a2", "a3")
        looks("spectators", "w")
        looks("directors")
        looks("directors", "d")
        table.do(c.AddDirector, account="e", name="副")
        looks("directors", "d", "e")
        table.do(c.Resign, account="e")
        table.do(c.AddDirector, account="f", name="副二")
        table.do(c.Replace, target=7, account="h", name="新人")
        table.do(c.Replace, target=3, account="g", name="新")
        for how in ("left", "unreachable"):
            for account in ("a4", "g"):
                table.do(c.Lose, account=account, how=how)
                table.do(c.Regain, account=account, how=how)
        table.do(c.Act, seat=2, ability="faction_kill", target=2)
        table.do(c.StopWatching, account="w")
        table.until("open")
        found.append(table)
    cards = m84.dealt()
    cards.do(c.Bind, channel="wolves", group="57")
    cards.do(c.Lose, account=cards.game.seats[5].account, how="left")
    return [*found, cards]


def more_games() -> None:
    """Play what the whole games leave out."""
    rooms_and_people()
    late = Table()
    late.do(c.AddDirector, account="e", name="副")
    late.do(c.Bind, channel="killers", group="55")
    late.do(c.Bind, channel="directors", group="56")
    late.do(c.Act, seat=2, ability="faction_kill", target=None)
    late.do(c.NameCrown, seat=1, first=6, substitute=5)
    late.do(c.Announce, text="请注意")
    late.do(c.Replace, target=7, account="z", name="新")
    late.do(c.Coach, target=3, account="y", name="师")
    late.do(c.OpenDay)
    late.do(c.Extend, minutes=30)
    late.do(c.Pause)
    late.do(c.Resume)
    late.do(c.Mute, target=5, minutes=60)
    late.do(c.AdjustPosts, target=5, count=2)
    late.do(c.AdjustPosts, target=5, count=-1)
    late.do(c.Warn, target=5, reason="贴脸")
    late.do(c.Unwarn, target=5)
    late.do(c.Order, seat=6, target=6)
    late.do(c.RuleOut, target=6, reason="失联")  # the throne crowns at midday
    late.until("close", late=600)  # no order: warnings, and out

    last_hour = crowned()
    last_hour.before("close", 5)
    last_hour.do(c.RuleOut, target=6, reason="失联")
    last_hour.until("close")

    by_hand = crowned()
    by_hand.do(c.CloseDay)
    by_hand.do(c.NameCrown, seat=1, first=5, substitute=3)

    vote = chosen("constitution")
    vote.until("open")
    vote.post()
    vote.do(c.Vote, seat=2, target=7)
    vote.do(c.Vote, seat=2, target=None)
    vote.do(c.Vote, seat=3, target=None)
    vote.do(c.Vote, seat=5, target=2, proxy=True)
    vote.do(c.Vote, seat=5, target=3, reason="改主意")
    vote.until("close")
    vote.until("open")
    vote.until("close")

    deposed = chosen("dictatorship")
    deposed.do(c.Depose, seat=7)
    deposed.do(c.Depose, seat=2, voice="abstain")
    deposed.do(c.Depose, seat=3)
    deposed.do(c.Depose, seat=5)

    abdicated = chosen("dictatorship")
    abdicated.do(c.Depose, seat=7)
    abdicated.do(c.Abdicate, seat=6)

    opened = chosen("dictatorship")
    opened.until("open")
    opened.before("close", 5)
    opened.do(c.Abdicate, seat=6)

    default = crowned()
    default.do(c.Order, seat=6, target=1)
    default.until("choice")

    unowed = crowned()
    unowed.do(c.Order, seat=6, target=1)
    unowed.do(c.OpenDay)

    hidden = crowned(show_role=False)
    hidden.do(c.Order, seat=6, target=2)

    three = Table(["kingmaker", "killer", "civilian"], NAMES[:3])
    three.do(c.NameCrown, seat=1, first=3, substitute=2)
    three.until("open")
    three.do(c.Order, seat=3, target=3)
    three.do(c.Confirm, seat=3)
    three.do(c.NameCrown, seat=1, first=2)
    three.do(c.Act, seat=2, ability="faction_kill", target=2)
    three.until("open")

    draw = Table(["kingmaker", "killer"], NAMES[:2], no_crown_warnings=2)
    draw.do(c.NameCrown, seat=1, first=2)
    draw.until("open")
    draw.until("close")

    odd = Table(names=["\u200b", "3号", *NAMES[2:]])
    odd.do(c.Extend, minutes=2000)
    odd.refusal(c.Order, seat=6, target=1)
    odd.refusal(c.Vote, seat=6, target=1)
    crowned().refusal(c.Act, seat=2, ability="faction_kill", target=1)
    chosen("dictatorship").refusal(c.Order, seat=6, target=2)
    SPEECH.reply(odd.game, c.Unwarn(at=START, target=2), [])
    signed = Game()
    signed.handle(
        c.CreateGame(at=START, game=1, group="9", sheet=SHEET.dump(), account="d", name="导")
    )
    signed.handle(c.SignUp(at=START, account="a", name="甲"))
    SPEECH.events(signed, signed.handle(c.SignOff(at=START, account="a")))
    for count in (2, 6):
        waited = [c.Applicant(f"{count}{n}", f"客{n}") for n in range(count)]
        (enrolled,) = SPEECH.events(signed, signed.handle(c.Enrol(at=START, people=waited)))
        assert "客0、客1" in enrolled.text and enrolled.audience == ev.PUBLIC
    SPEECH.queue(["甲"])
    for parts in ((), ("seat", "coach", "replaced")):
        rows = [
            RecordRow(
                game_id=number,
                seat=1,
                part=part,
                account="a",
                theme=SHEET.theme,
                role="killer",
                faction="killers",
                result=result,
                alive=True,
                **dict.fromkeys(("warnings", "blue", "yellow", "red"), 1),
            )
            for number, result in enumerate(("won", "lost", "draw", "stopped"))
            for part in parts
        ]
        SPEECH.record("甲", add_up(rows))
    for where in ("group", "private"):
        SPEECH.help(where, view.public_view(signed), None, True)
        SPEECH.help(where, None, None, False)

    # What other sheets may bring: a cause that is not shown, a day on which nobody decides.
    bare = crowned()
    for role in ("killer", ""):
        SPEECH.events(bare.game, [ev.OutAnnounced(at=START, seat=2, role=role)])
    SPEECH.events(bare.game, [ev.DayOpened(at=START, day=2, decides="nobody", closes=START)])
    unshown = view.public_view(bare.game)
    unshown["seats"][3] |= {"role": "", "cause": ""}
    assert "4号 丁（出局）" in SPEECH.roster(unshown)
    assert "出局 1 人：4号 丁\n" in SPEECH.status(unshown)

    for sheet in SHEETS.values():
        SPEECH.rules(sheet)
    hero = {"hero_told": False, "killers_told_of_hero": True}
    SPEECH.rules(SHEETS["kingmaker-hero"].with_parameters(hero))
    for parameters in ({"kingmaker_by_card": True}, {"on_kingmaker_out": "republic"}):
        SPEECH.rules(SHEETS["kingmaker-princeton"].with_parameters(parameters))
    for parameters in ({"link_self": False}, {"drop_ballots_of_out": True}):
        SPEECH.rules(m84.SHEET.with_parameters(parameters))
    for parameters in ({"players": 9}, {"execution_needs": "majority"}, {"show_role": False}):
        SPEECH.rules(SHEET.with_parameters(parameters))


def test_no_audience_hears_what_no_event_was_for() -> None:
    # Checked at every step by Table.keeps_secrets.
    more_games()
    for table in whole_games():
        assert any(isinstance(event, ev.GameOver) for event in table.events)
        assert len({message.audience for message in table.said}) > len(ROLES)


def test_a_role_is_named_to_its_seat_alone() -> None:
    table = Table()
    for message in table.said:
        told = re.findall(r"身份：(\S+?)（", message.text)
        if message.audience.startswith("seat:"):
            seat = int(message.audience[5:])
            assert told == [SPEECH.roles(SHEET)[ROLES[seat - 1]]]
        else:
            assert told == []


def test_only_killers_learn_of_killers() -> None:
    partners = {m.audience for m in Table().said if "同伴：" in m.text}
    assert partners == {"seat:2", "seat:3"}


@pytest.mark.parametrize(
    ("named", "how"), [((7, 5), "first"), ((4, 7), "substitute"), (None, "throne")]
)
def test_the_opening_never_tells_which_choice_made_the_king(
    named: tuple[int, int] | None, how: str
) -> None:
    table = Table(no_crown_warnings=0)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    if named is not None:
        table.do(c.NameCrown, seat=1, first=named[0], substitute=named[1])
    opened = table.until("open")
    settled = next(e for e in table.events if isinstance(e, ev.CrownSettled))
    assert (settled.seat, settled.how) == (7, how)
    assert opened["public"] == FIRST_OPENING


FIRST_OPENING = """\
【第1天 · 开楼】
4号 丁 出局（夜里遇害），身份：平民。
今天的君主：7号 庚
7号 庚 请在 3月3日 13:00 前下令处决一名在世玩家：群里或私聊我发「处决 N」（例：处决 1）。
命令只有一次，不能弃权，一下令就执行并入夜；到点没下令记2次警告。
大家尽管讨论。3月3日 13:00 前每人至少发言 2 条，不足记1次警告。"""


@pytest.mark.parametrize(("numbers", "heir"), [([4, 5, 6, 7], 5), ([7, 6, 5, 4], 7)])
def test_the_public_never_learns_who_inherits(numbers: list[int], heir: int) -> None:
    table = Table(numbers=numbers)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    table.do(c.Order, seat=6, target=1)
    said = table.do(c.Choose, seat=6, choice="grant")
    assert set(said) == {"public", f"seat:{heir}"}
    assert said["public"] == (
        "6号 己 选择了「神赐」。\n新的拥王者已由我私下告知，照旧每夜立王。是谁，只有他自己知道。"
    )
    assert "你现在是拥王者了" in said[f"seat:{heir}"]
    # The ban: the example names neither himself nor the last king.
    assert re.search(r"例：立王 (\d) 备 (\d)", said[f"seat:{heir}"])[0] == "例：立王 2 备 3"  # type: ignore[index]


def test_a_crown_that_was_not_named_is_told_to_the_kingmaker_alone() -> None:
    table = Table(no_crown_warnings=1)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    said = table.until("open")
    assert said["seat:1"] == "你今晚没有立王，记1次警告（累计1次，满2次出局）。"
    assert "立王" not in said["public"]
    assert "累计" not in said["public"]


def test_the_killers_hear_who_set_the_kill_and_nobody_else_does() -> None:
    table = Table()
    said = table.do(c.Act, seat=3, ability="faction_kill", target=5)
    assert said == {
        "channel:killers": "3号 丙 把今晚的目标定为 5号 戊。"
        "开楼（3月2日 17:00）前都能改，以最后一次为准。"
    }
    none = table.do(c.Act, seat=2, ability="faction_kill", target=None)
    assert list(none) == ["channel:killers"]
    assert none["channel:killers"] == (
        "2号 乙 定了今晚不杀人。要改就重发（例：刀 1），开楼（3月2日 17:00）前以最后一次为准。"
    )


def test_the_crown_is_repeated_to_the_kingmaker_alone() -> None:
    table = Table()
    said = table.do(c.NameCrown, seat=1, first=6, substitute=2)
    assert said == {
        "seat:1": "记下了：首选 6号 己，备选 2号 乙。开楼（3月2日 17:00）前都能改，以最后一次为准。"
    }


def test_who_is_out_and_speaks_is_reported_to_the_directors() -> None:
    table = crowned()
    said = table.do(c.Post, seat=4, text="我知道\n谁是杀手")
    assert said == {
        "directors": "4号 丁 已经出局，却在群里说了：「我知道\n　谁是杀手」 请主持判断要不要处理。"
    }
    assert table.do(c.Post, seat=5, text="哦") == {}


# --- the big moments -----------------------------------------------------------------------------


def test_the_deal() -> None:
    said = {}
    table = Table()
    for message in table.said:
        said[message.audience] = message.text  # the last one: the deal
    assert said["public"] == (
        "【第7局 · 拥王者1.0】开局！共 7 人，身份已逐个私聊发出。没收到的请私聊我发：我的身份\n"
        "\n"
        "【首夜】\n"
        "天黑了，3月2日 17:00 开楼。开楼前请私聊我交好：\n"
        "杀手发「刀 N」或「空刀」，拥王者发「立王 A 备 B」。\n"
        "其他人今夜没有要交的；第1天开楼后才计发言数。"
    )
    kingmaker, killer, civilian = (said[f"seat:{seat}"] for seat in (1, 2, 4))
    assert "你是 1号 甲，身份：拥王者（平民方）" in kingmaker
    assert "例：立王 2 备 3" in kingmaker
    assert "你的同伴：3号 丙" in killer
    assert "例：刀 1" in killer
    assert "身份：平民（平民方）" in civilian
    for text in (kingmaker, killer, civilian):
        assert "现在是首夜，3月2日 17:00 开楼。" in text


def test_a_lone_killer_is_told_that_he_is_alone() -> None:
    table = Table(["killer", "kingmaker", *["civilian"] * 4], NAMES[:6])
    lone = [m.audience for m in table.said if "你没有同伴，只有你一个杀手。" in m.text]
    assert lone == ["seat:1"]


def test_a_quiet_opening() -> None:
    table = Table()
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    said = table.until("open")
    assert said["public"].startswith("【第1天 · 开楼】\n昨夜平安，无人出局。\n今天的君主：6号 己\n")


def test_who_goes_by_warnings_makes_no_peaceful_night() -> None:
    said = Table().until("open")
    assert "1号 甲 出局（警告满额），身份：拥王者。" in said["public"]
    assert "昨夜平安" not in said["public"]
    # The king of that day will have to choose, and everybody may know.
    assert "拥王者已不在：君主下令后" in said["public"]


def test_an_order() -> None:
    table = crowned()
    said = table.do(c.Order, seat=6, target=1)
    assert said["public"] == (
        "【第1天 · 结束】\n"
        "6号 己 下令：处决 1号 甲。\n"
        "1号 甲 出局（被君主处决），身份：拥王者。\n"
        "\n"
        "【第1夜】\n"
        "天黑了，3月3日 17:00 开楼。开楼前，杀手请私聊我发「刀 N」或「空刀」。\n"
        "发言数仍计到 3月3日 13:00，每人至少 2 条，不足记1次警告。\n"
        "\n"
        "拥王者已不在。6号 己 请在 3月2日 18:00 前在群里或私聊我发下面的一个词，选定以后怎么走：\n"
        "独裁——以后每天由你下令处决，不再立王\n"
        "立宪——你只留王号，明天起全员投票处决\n"
        "神赐——我私下告知一名平民接任拥王者，照旧每夜立王\n"
        "到点没选，按「神赐」办。"
    )
    assert "独裁、立宪、神赐（例：独裁）" in said["seat:6"]
    assert "你出局了" in said["seat:1"]


def test_a_choice_that_is_still_ahead_is_known_to_all() -> None:
    table = Table()
    table.do(c.Act, seat=2, ability="faction_kill", target=1)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    opened = table.until("open")["public"]
    ahead = "拥王者已不在：君主下令后，还要在 1小时 内公开选定以后怎么走，我会问他。"
    assert ahead in opened
    night = table.do(c.CloseDay)["public"]
    assert night.startswith(
        "主持提前截票。\n【第1天 · 结束】\n6号 己 的任期到此结束。\n\n【第1夜】\n"
    )
    assert "立王" not in night


def test_a_hidden_role_hides_that_a_choice_is_ahead() -> None:
    told = []
    for target in (1, 4):
        table = Table(show_role=False)
        table.do(c.Act, seat=2, ability="faction_kill", target=target)
        table.do(c.NameCrown, seat=1, first=6, substitute=5)
        opened = table.until("open")["public"] + table.do(c.CloseDay)["public"]
        told.append(opened.replace("1号 甲", "X").replace("4号 丁", "X"))
    assert told[0].replace("处决 2", "处决 1") == told[1].replace("处决 2", "处决 1")


def test_a_dictatorship_says_how_it_can_end() -> None:
    table = crowned()
    table.do(c.Order, seat=6, target=1)
    said = table.do(c.Choose, seat=6, choice="dictatorship")["public"]
    assert "从此独裁：每天由 6号 己 下令处决" in said
    assert "不服的，3月3日 15:00 前可以在群里或私聊我发「罢黜」" in said
    table.do(c.Act, seat=2, ability="faction_kill", target=5)
    opened = table.do(c.Depose, seat=7)
    assert "7号 庚 发起罢黜投票（已算赞成），3月3日 15:00 截止。" in opened["public"]
    assert "至少 3 票" in opened["public"]
    assert "今晚改在 3月3日 19:00 开楼" in opened["public"]
    assert "已交的刀作废" in opened["channel:killers"]
    voiced = table.do(c.Depose, seat=2, voice="against")["public"]
    assert voiced == "2号 乙：反对。目前赞成 1、反对 1、弃权 0，至少要 3 票赞成。"
    table.do(c.Depose, seat=3)
    passed = table.do(c.Depose, seat=5)["public"]
    assert passed.split("\n") == [
        "5号 戊：赞成。",
        "罢黜通过：赞成 3，在世 5。",
        "杀手现在可以交刀了，3月3日 19:00 开楼。",
        "从此民主：白天由全员投票处决，不再立王。",
    ]


def test_the_vote_is_counted_in_public() -> None:
    table = chosen("constitution")
    table.until("open")
    assert "今天全员投票，得票最多的出局，3月4日 13:00 截票。" in table.said[-1].text
    assert "3月4日 12:00 起不能再改" in table.said[-1].text
    table.post()
    said = table.do(c.Vote, seat=2, target=7, reason="他[CQ:at,qq=all]\n发言{seat}")
    assert said == {"public": "2号 乙 投 7号 庚。理由：他[CQ:at,qq=all] 发言{seat}"}
    assert (
        table.do(c.Vote, seat=2, target=5)["public"]
        == "2号 乙 改投 5号 戊，只有一次的改票用掉了，不能再改。"
    )
    table.do(c.Vote, seat=3, target=7)
    table.do(c.Vote, seat=6, target=7, proxy=True)
    assert table.said[-1].text == "6号 己 投 7号 庚。（主持代投）"
    table.do(c.Vote, seat=5, target=None)
    assert SPEECH.tally(table.public) == (
        "【票型】\n7号 庚：2票（3号 丙、6号 己）\n5号 戊：1票（2号 乙）\n弃权：5号 戊"
    )
    closed = table.until("close")["public"]
    assert closed.startswith(
        "【第2天 · 结束】\n【票型】\n7号 庚：2票（3号 丙、6号 己）\n5号 戊：1票（2号 乙）\n"
        "弃权：5号 戊\n得票最多：7号 庚。\n7号 庚 出局（被投票处决），身份：平民。"
    )


def test_many_warnings_are_one_line() -> None:
    table = crowned()
    table.do(c.Order, seat=6, target=2)
    said = table.until("attendance")
    assert said["public"] == (
        "发言不足 2 条，各记1次警告（满2次出局）："
        "1号 甲（累计1）、3号 丙（累计1）、5号 戊（累计1）、6号 己（累计1）、7号 庚（累计1）"
    )


def test_an_outage_is_owned_up_to() -> None:
    table = Table()
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    said = table.until("open", late=1200)
    assert said["public"].startswith(
        "我刚才离线了 20分钟。3月2日 17:00 该做的事（开楼），已按当时的情况补办。\n【第1天 · 开楼】"
    )


def test_the_end_tells_everything() -> None:
    table = Table(numbers=[5, 6, 7, 4])
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    table.do(c.Order, seat=6, target=1)
    table.do(c.Choose, seat=6, choice="grant")
    said = table.do(c.EndGame)["public"]
    assert said.startswith("【游戏结束】主持终止了本局，不分胜负。")
    assert "1号 甲：拥王者（平民方），被君主处决 [K-09]\n2号 乙：杀手（杀手方），存活\n" in said
    assert "4号 丁：平民（平民方），夜里遇害 [K-08]\n" in said
    assert "\n出局先后：4号 丁、1号 甲\n首夜：杀人 杀手密谈→4号 丁\n" in said
    assert "先后的拥王者：1号 甲、5号 戊\n" in said
    assert "王座顺序：7号 庚、6号 己、5号 戊、4号 丁、3号 丙、2号 乙、1号 甲\n" in said
    assert "平民编号（从小到大）：5号 戊、6号 己、7号 庚、4号 丁\n" in said
    assert kingmakers(table.game) == [1, 5]


def test_a_winner_is_named_by_the_theme() -> None:
    table = crowned()
    table.do(c.Order, seat=6, target=2)
    table.do(c.NameCrown, seat=1, first=7, substitute=5)
    table.do(c.Act, seat=3, ability="faction_kill", target=None)
    table.post()
    table.until("open")
    said = table.do(c.Order, seat=7, target=3)["public"]
    assert "【游戏结束】平民方胜利！" in said
    assert "【第2夜】" not in said


def test_a_mute_is_said_and_done() -> None:
    table = crowned()
    table.do(c.Mute, target=5, minutes=90)
    done = SPEECH.events(table.game, table.last)
    assert done == [
        Message("public", "主持让 5号 戊 禁言 1小时30分钟。"),
        Message("public", "", "mute", {"account": "a5", "seconds": 5400}),
    ]


# --- reminders -----------------------------------------------------------------------------------


def reminded(table: Table, kind: str, minutes: int) -> dict[str, str]:
    due = dict((k, d) for d, k in table.game.deadlines())[kind]
    table.at = due - timedelta(minutes=minutes)
    said: dict[str, str] = {}
    while (alarm := table.game.next_alarm()) is not None and alarm <= table.at:
        for audience, text in table.handle(c.Tick(at=alarm)).items():
            if alarm == table.at:
                assert audience not in said, "reminded twice"
                said[audience] = text
    return said


def test_whoever_owes_something_at_night_is_reminded_alone() -> None:
    table = Table()
    said = reminded(table, "open", 60)
    assert said == {
        "channel:killers": "提醒：还有 1小时 开楼（3月2日 17:00），"
        "杀人（刀 N / 空刀） 还没定（例：刀 1）。",
        "seat:1": "提醒：还有 1小时 开楼（3月2日 17:00），你还没有立王。"
        "发「立王 A 备 B」（例：立王 2 备 3），不交记警告。",
    }


def test_the_king_is_reminded_and_the_group_is_told() -> None:
    table = crowned()
    table.post()
    said = reminded(table, "close", 10)
    assert said["public"] == "【提醒】还有 10分钟 截止（3月3日 13:00），君主 6号 己 还没有下令。"
    assert said["seat:6"].startswith("提醒：还有 10分钟 截止（3月3日 13:00），你还没有下令。")
    assert set(said) == {"public", "seat:6"}


def test_who_has_not_voted_is_reminded_alone() -> None:
    table = chosen("constitution")
    table.until("open")
    table.do(c.Vote, seat=2, target=7)
    table.post()
    said = reminded(table, "close", 60)
    assert set(said) == {"seat:3", "seat:5", "seat:6", "seat:7"}


def test_the_chooser_is_reminded_in_the_last_minutes() -> None:
    table = crowned()
    table.do(c.Order, seat=6, target=1)
    assert set(reminded(table, "choice", 10)) == {"seat:6"}


_CHOICES = {
    "dictatorship": "独裁",
    "constitution": "立宪",
    "grant": "神赐",
    "republic": "共和",
    "democracy": "民主",
}


@pytest.mark.parametrize("key", sorted(key for key, sheet in SHEETS.items() if sheet.choices))
def test_who_chooses_is_told_of_what_his_board_offers_and_of_nothing_else(key: str) -> None:
    sheet = SHEETS[key]
    seats = sheet.with_parameters({"posts_min": 0})
    table = Table(sheet=seats)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    told = table.do(c.Order, seat=6, target=1)["seat:6"]
    offered = {word for choice, word in _CHOICES.items() if choice in sheet.choices}
    none = next(choice for choice in _CHOICES if choice not in sheet.choices)
    command = c.Choose(at=table.at, seat=6, choice=none)
    with pytest.raises(c.Refused) as refused:
        table.game.handle(command)
    refusal = SPEECH.refusal(refused.value.code, refused.value.values, table.game, command)
    own = view.seat_view(table.game, 6)
    helped = SPEECH.help("private", table.public, own, False)
    line = next(line for line in helped.splitlines() if "选定以后怎么走" in line)
    civilian = SPEECH.role_card(view.seat_view(table.game, 5), table.public)
    for text in (told, refusal, line, reminded(table, "choice", 10)["seat:6"]):
        assert {word for word in _CHOICES.values() if word in text} == offered, text
        example = re.search("例：(..)", text)
        assert example is not None and example[1] in offered
    assert {word for word in _CHOICES.values() if word in civilian} <= offered


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("小明", "2号 小明"),
        ("2号", "2号"),
        ("2", "2号"),
        ("", "2号"),
        ("\u200b\u3164 ", "2号"),
        ("３号", "2号「３号」"),
        ("5", "2号「5」"),
        ("3号 小明", "2号「3号 小明」"),
        ("{seat}{0.__class__}", "2号 {seat}{0.__class__}"),
        ("[CQ:at,qq=all]", "2号 [CQ:at,qq=all]"),
        ("a\n【第1天】\t\u202eb\x07", "2号 a 【第1天】 b"),
        ("👩\u200d🚀🎲", "2号 👩\u200d🚀🎲"),
        ("👩\U0001f3fd\u200d❤\ufe0f\u200d👩", "2号 👩\U0001f3fd\u200d❤\ufe0f\u200d👩"),
        ("\u200d小\u200d明🎲\u200d", "2号 小明🎲"),
        ("长" * 40, "2号 " + "长" * 23 + "…"),
    ],
)
def test_a_name_is_data(name: str, shown: str) -> None:
    table = Table(names=["甲", name, *NAMES[2:]])
    assert table.do(c.Post, seat=1) == {}
    said = table.do(c.Act, seat=2, ability="faction_kill", target=2)["channel:killers"]
    assert said.startswith(f"{shown} 把今晚的目标定为 {shown}。")


def test_someone_without_a_name_has_a_word_for_it() -> None:
    assert "（无名） 报名成功" in Table(names=["\u200b", *NAMES[1:]]).said[1].text


def test_somebodys_words_keep_their_lines_but_forge_none() -> None:
    table = Table()
    said = table.do(c.Say, seat=2, text="刀谁\r\n\n【第1天 · 开楼】\u2028{seat}")
    assert said["channel:killers"] == "〔密〕2号 乙：刀谁\n　【第1天 · 开楼】\n　{seat}"


def test_long_words_are_cut_in_one_line_and_kept_in_a_block() -> None:
    assert len(line("字" * 4000)) == 200
    assert len(block("字" * 4000)) == 4000


def test_hours_are_those_of_the_sheets_zone() -> None:
    said = {m.audience: m.text for m in Table(zone="America/New_York").said}
    assert "3月2日 17:00 开楼" in said["public"]


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [(1, "1分钟"), (60, "1小时"), (61, "1小时1分钟"), (1440, "1天"), (1501, "1天1小时1分钟")],
)
def test_spans(minutes: int, shown: str) -> None:
    table = Table()
    assert f"推后 {shown}，改在" in table.do(c.Extend, minutes=minutes)["public"]


def test_a_short_pause_is_told_in_seconds() -> None:
    table = Table()
    table.do(c.Pause)
    table.at += timedelta(seconds=42)
    assert table.do(c.Resume)["public"] == (
        "【继续】停了 42秒，后面的时间都顺延。\n接下来：3月2日 17:00 开楼"
    )


def test_a_pause_moves_the_hours_of_every_later_day_and_says_so() -> None:
    table = Table()
    table.do(c.Pause)
    table.at += timedelta(minutes=90)
    assert "以后每天改在 18:30 开楼、14:30 截止" in table.do(c.Resume)["public"]


def test_values_of_other_sentences_are_data_too() -> None:
    said = SPEECH.say("bot.hello", name="a\n{game}", game=3, title="x\ny")
    assert said.startswith("你好 a {game}，你报名了第3局 x y。")
    assert SPEECH.say("bot.unreachable_start", names=["甲", "乙\n"]).startswith(
        "还有人私聊不到：甲、乙\n请"
    )
    assert SPEECH.say("reply.published", text=Rendered("一\n二")).endswith("一\n二")
    with pytest.raises(KeyError):
        SPEECH.say("bot.hello", name="甲")


# --- refusals ------------------------------------------------------------------------------------


def test_a_refusal_says_why_and_shows_how() -> None:
    table = crowned()
    assert table.refusal(c.Order, seat=6, target=4) == (
        "4号 丁 已经出局了，请换一位在世的。\n例：处决 1"
    )
    assert table.refusal(c.Order, seat=6, target=99) == "没有 99号，本局是 1～7 号。\n例：处决 1"
    assert table.refusal(c.Act, seat=2, ability="faction_kill", target=5) == (
        "现在是第1天，这件事只能在夜里做。什么时候轮到，可以看时间。\n例：时间"
    )
    assert table.refusal(c.Mute, target=5, minutes=5).endswith("例：禁言 1 2小时")


def test_the_example_after_a_crown_could_be_named() -> None:
    table = crowned()
    table.do(c.Order, seat=6, target=7)
    assert table.refusal(c.NameCrown, seat=1, first=6, substitute=2) == (
        "6号 己 刚当过君主，不能接着立。\n例：立王 2 备 3"
    )
    assert table.refusal(c.NameCrown, seat=1, first=1, substitute=2).endswith("例：立王 2 备 3")


def test_a_refusal_without_its_command_shows_what_is_typed_at_this_hour() -> None:
    table = Table()
    values = {"seat": 99, "count": 7}
    assert SPEECH.refusal("no_such_seat", values, table.game).endswith("例：刀 1")
    assert SPEECH.refusal("no_such_seat", values, crowned().game).endswith("例：处决 1")
    vote = chosen("constitution")
    vote.until("open")
    assert SPEECH.refusal("no_such_seat", values, vote.game).endswith("例：投票 2 发言前后矛盾")
    assert SPEECH.refusal("over", {}) == "这一局已经结束了。\n例：开局 拥王者"


def test_an_unknown_refusal_is_a_fault() -> None:
    with pytest.raises(KeyError):
        SPEECH.refusal("no_such_code", {})


VALUES = {
    "seat": 3,
    "count": 7,
    "min": 6,
    "max": 24,
    "minutes": 60,
    "need": "night",
    "due": START,
    "seats": [3],
    "entry": 99,
    "game": 8,
    "choices": ["dictatorship", "grant"],
}


def shown_examples() -> Iterable[tuple[str, str]]:
    """Every example that any refusal can show, and every one in an event's or a card's text."""
    game = crowned().game
    kinds = [k for k in vars(c).values() if isinstance(k, type) and issubclass(k, c.SeatCommand)]
    fill: dict[type[Any], Any] = {int: 2, str: "x", bool: False}
    for code in REFUSALS:
        yield code, SPEECH.refusal(code, VALUES, game).rpartition("例：")[2]
    for kind in kinds:
        if kind is c.SeatCommand or kind is c.Post:
            continue
        hints = get_type_hints(kind)
        values = {f: fill.get(hints[f]) for f in kind.__struct_fields__ if f != "at"}
        shown = SPEECH.refusal("bad_choice", VALUES, game, kind(at=START, **values))
        yield kind.__name__, shown.rpartition("例：")[2]
    for table in whole_games():
        for message in table.said:
            for shown in re.findall(r"例：([^）]+)", message.text):
                yield message.audience, shown
        for where in ("private", "group"):
            for shown in re.findall(r"例：([^）]+)", SPEECH.help(where, table.public, None, True)):
                yield where, shown


def test_every_example_can_be_typed() -> None:
    roll = words.Roll((n, f"a{n}", name) for n, name in enumerate(NAMES, 1))
    seen = set()
    for where, shown in shown_examples():
        assert words.understand(words.read(shown), roll) is not None, (where, shown)
        seen.add(shown)
    assert len(seen) > 20


# --- receipts ------------------------------------------------------------------------------------


def test_what_reaches_the_asker_anyhow_needs_no_receipt() -> None:
    table = Table()
    assert table.reply(c.NameCrown, seat=1, first=6, substitute=5) == ""
    assert table.reply(c.Act, seat=2, ability="faction_kill", target=4) == ""
    assert table.reply(c.Say, seat=2, text="好") == ""
    assert table.reply(c.Post, seat=2, text="好") == ""


def test_a_channel_with_a_room_of_its_own_is_told_there_and_the_asker_here() -> None:
    table = Table()
    assert "第7局的杀手密谈的群。我先看看" in table.reply(c.Bind, channel="killers", group="55")
    assert "第7局的主持群。我先看看" in table.reply(c.Bind, channel="directors", group="56")
    # Before the group was looked at, all members are told privately, the asker too.
    assert table.reply(c.Act, seat=2, ability="faction_kill", target=4) == ""
    people = {"a2": "乙", "a3": "丙"}
    table.do(c.CheckRoom, channel="killers", group="55", people=people)
    # Whoever gives an order hears here what stands, though it is said there too.
    assert table.reply(c.Act, seat=2, ability="faction_kill", target=5) == (
        "好，已告诉杀手密谈。\n"
        "2号 乙 把今晚的目标定为 5号 戊。开楼（3月2日 17:00）前都能改，以最后一次为准。"
    )
    assert table.reply(c.Say, seat=2, text="刀谁") == "好，已告诉杀手密谈。"


def test_an_order_on_oneself_is_asked_back_where_it_was_given() -> None:
    table = crowned()
    reply = table.reply(c.Order, seat=6, target=6)
    assert reply.startswith(
        "你要处决的是自己。确定就发「确认」；不是就重发「处决 N」（例：处决 1）。"
    )
    assert SPEECH.events(table.game, table.last) == []


def test_a_vote_in_private_is_repeated_with_what_is_left() -> None:
    table = chosen("constitution")
    table.until("open")
    assert table.reply(c.Vote, seat=2, target=7) == (
        "好，已在群里公布：\n2号 乙 投 7号 庚。\n"
        "还能改一次：发「改票 N」（例：改票 3），再发一次「投票」也算；3月4日 12:00 起不能再改。"
    )
    assert table.reply(c.Vote, seat=2, target=5) == (
        "好，已在群里公布：\n2号 乙 改投 5号 戊，只有一次的改票用掉了，不能再改。"
    )
    table.before("close", 30)
    assert table.reply(c.Vote, seat=3, target=5) == "好，已在群里公布：\n3号 丙 投 5号 戊。"


def test_no_receipt_holds_a_secret() -> None:
    table = crowned()
    reply = table.reply(c.Order, seat=6, target=1)
    assert reply == "好，已在群里公布：\n" + next(
        m.text for m in reversed(table.said) if m.audience == "public"
    )


def test_nothing_happened_is_said_so() -> None:
    table = Table()
    command = c.Unwarn(at=table.at, target=2)
    assert SPEECH.reply(table.game, command, []) == "没有变化，照旧。"


# --- cards ---------------------------------------------------------------------------------------


def test_the_status() -> None:
    table = crowned()
    assert SPEECH.status(table.public) == (
        "【第7局 · 拥王者1.0】第1天\n"
        "政体：君主制；君主：6号 己\n"
        "今天由君主下令处决。\n"
        "在世 6 人：1号 甲、2号 乙、3号 丙、5号 戊、6号 己、7号 庚\n"
        "出局 1 人：4号 丁（平民，夜里遇害）\n"
        "接下来：3月3日 13:00 发言数结算、3月3日 13:00 截止"
    )
    table.do(c.Pause)
    assert "（暂停中，等主持发「继续」）" in SPEECH.status(table.public)
    table.do(c.Resume)
    table.do(c.Order, seat=6, target=1)
    assert "政体：君主制；现在没有君主" in SPEECH.status(table.public)
    assert "等 6号 己 选定以后怎么走。" in SPEECH.status(table.public)
    table.do(c.Choose, seat=6, choice="dictatorship")
    table.do(c.Depose, seat=7)
    assert "罢黜投票进行中：赞成 1、反对 0、弃权 0，至少要 3 票赞成。" in SPEECH.status(
        table.public
    )
    table.do(c.EndGame)
    assert "已结束" in SPEECH.status(table.public)


def test_cards_before_the_deal() -> None:
    game = Game()
    game.handle(
        c.CreateGame(at=START, game=1, group="9", sheet=SHEET.dump(), account="d", name="导")
    )
    public = view.public_view(game)
    assert SPEECH.status(public).endswith("已报名 0 人，6～24 人可以开局。发「报名」参加。")
    assert SPEECH.roster(public) == "【名单】\n主持：导\n还没有人报名。发「报名」就行。"
    assert SPEECH.times(public) == "还在招募，人齐后主持发「开始」。"
    assert "报名 / 退出" in SPEECH.help("group", public, None, False)
    assert SPEECH.director_table(view.director_view(game), public).endswith("还没有发身份。")
    game.handle(c.SignUp(at=START, account="a", name="小\n明"))
    assert SPEECH.roster(view.public_view(game)).endswith("1. 小 明")


def test_times_and_roster() -> None:
    table = crowned()
    assert SPEECH.times(table.public) == ("【时间】\n3月3日 13:00 发言数结算\n3月3日 13:00 截止")
    assert SPEECH.roster(table.public).split("\n")[2:6] == [
        "1号 甲",
        "2号 乙",
        "3号 丙",
        "4号 丁（出局，平民，夜里遇害）",
    ]
    assert SPEECH.tally(table.public) == "现在不投票，没有票型。"


def test_what_is_hidden_from_the_public_is_in_no_public_card() -> None:
    one, other = (
        Table(),
        Table(["civilian", "killer", "civilian", "killer", "kingmaker", *ROLES[5:]]),
    )
    for make in (SPEECH.status, SPEECH.times, SPEECH.roster, SPEECH.tally):
        assert make(one.public) == make(other.public)
    assert SPEECH.help("group", one.public, None, False) == SPEECH.help(
        "group", other.public, None, False
    )


def test_the_role_card_says_what_stands_and_what_is_owed() -> None:
    table = Table()
    assert "今晚立王：还没交。\n要你交的：\n立王，3月2日 17:00 前" in table.card(1)
    none = "今晚 杀人（刀 N / 空刀）：还没定。\n要你交的：\n交刀，3月2日 17:00 前"
    assert none in table.card(3)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    assert "今晚立王：首选 6号 己，备选 5号 戊。\n现在是首夜" in table.card(1)
    assert "杀手密谈：2号 乙\n" in table.card(3)
    assert "今晚 杀人（刀 N / 空刀）：4号 丁。\n现在是首夜" in table.card(3)
    table.do(c.Act, seat=2, ability="faction_kill", target=None)
    assert "今晚 杀人（刀 N / 空刀）：不用。" in table.card(3)
    for seat in (4, 5, 6, 7):
        assert "今晚" not in table.card(seat)
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.until("open")
    assert table.card(4).endswith("你已经出局。") or "你已经出局" in table.card(4)
    assert "下令处决，3月3日 13:00 前" in table.card(6)


def test_an_heir_sees_on_the_card_what_he_became() -> None:
    table = chosen("grant")
    heir = next(e.seat for e in table.events if isinstance(e, ev.KingmakerMade))
    assert "身份：平民" in table.card(heir)
    assert "你现在是拥王者了" in table.card(heir)
    told = SPEECH.all_told(view.seat_view(table.game, heir), table.public)
    assert told == "【我告诉过你的】\n你的身份：平民\n你的阵营：平民方\n你成了拥王者"


def test_the_directors_table_and_todo() -> None:
    table = Table(numbers=[5, 6, 7, 4])
    director = view.director_view(table.game)
    shown = SPEECH.director_table(director, table.public)
    assert "1号 甲：拥王者，平民方，警告0，发言0\n2号 乙：杀手，杀手方，警告0，发言0" in shown
    assert shown.endswith("平民编号：5号 戊、6号 己、7号 庚、4号 丁\n现任拥王者：1号 甲")
    assert SPEECH.todo(director["owed"], table.public) == (
        "【待办】\n杀手密谈：交刀，3月2日 17:00 前\n1号 甲：立王，3月2日 17:00 前"
    )
    table.do(c.Act, seat=2, ability="faction_kill", target=4)
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    director = view.director_view(table.game)
    assert SPEECH.director_table(director, table.public).endswith(
        "今晚已交：杀人 杀手密谈→4号 丁\n今晚立王：首选 6号 己，备选 5号 戊"
    )
    assert SPEECH.todo(director["owed"], table.public) == "【待办】\n没有人欠着什么。"


@pytest.mark.parametrize(
    ("parameter", "value", "shown"),
    [
        ("open", "18:30", "每天 18:30 开楼"),
        ("close", "12:15", "次日 12:15 截止"),
        ("posts_min", 7, "至少在群里发言 7 条"),
        ("posts_warnings", 3, "不足记3次警告"),
        ("warnings_out", 5, "满5次出局"),
        ("no_order_warnings", 4, "没下令，记4次警告"),
        ("no_crown_warnings", 4, "没立王，记4次警告"),
        ("no_ballot_warnings", 4, "没投记4次警告"),
        ("regency_minutes", 45, "接任不到 45分钟 的不记"),
        ("choice_minutes", 90, "下令后 1小时30分钟 内"),
        ("default_regime", "constitution", "没选按「立宪」"),
        ("depose_close", "14:10", "下令后到 14:10"),
        ("depose_open", "20:20", "当晚改在 20:20 开楼"),
        ("change_cutoff_minutes", 25, "截票前 25分钟 起不能改"),
        ("execution_needs", "majority", "超过在世人数一半的出局"),
        ("show_role", False, "出局的不公布身份"),
        ("players", 9, "人数：9 人"),
        ("killer", 4, "杀手（杀手方）：4 人"),
        ("players_max", 12, "6～12 人"),
    ],
)
def test_the_rules_are_those_of_the_sheet(parameter: str, value: Any, shown: str) -> None:
    assert shown not in SPEECH.rules(SHEET)
    assert shown in SPEECH.rules(SHEET.with_parameters({parameter: value}))


# What a parameter is of: where the sheet has no such mechanic, it is not played.
PARAMETERS_OF = {
    "petition": {"petition_lead_minutes"},
    "witch": {"save_self", "witch_late"},
    "guard": {"guard_again"},
    "inspect": {"inspect_shows"},
    "hunter": {"shot_after", "shot_minutes"},
    "ballot": {"tie", "runoff_minutes", "execution_needs", "change_cutoff_minutes"},
    "attendance": {"posts_min"},
    "lovers": {"setup_minutes", "link_self", "lovers_kill_after", "follower_announced"},
    "sheriff": {
        *("sheriff_weight", "heir_minutes", "heir_silent", "sheriff_election"),
        "candidacy_minutes",
    },
    "charm": {"charmed_sounds", "charmed_marks"},
    "cards": {"cards_merge", "red_cards_lose", "posts_streak", "posts_streak_days"},
    "warnings": {"warnings_out", "posts_warnings", "no_ballot_warnings"},
    "king": {"no_order_warnings"},
    "crown": {
        *("no_crown_warnings", "regency_minutes", "succession", "kingmaker_by_card"),
        "repeat_lifted_at",
    },
    "hero": {"hero_uses", "hero_told", "killers_told_of_hero"},
    "regime": {
        *("choices", "choice_minutes", "default_regime", "depose_close", "depose_open"),
        *("on_kingmaker_out", "constitution_chooses_again"),
    },
    "election": {"election_minutes"},
    "last_words": {"last_words", "words_for", "words_published"},
}
SPAN_ONLY = {"day_minutes"}
CALENDAR_ONLY = {
    *("open", "close", "day_min_minutes", "day_length", "holidays", "accelerate_at_alive"),
    *("petition_lead_minutes", "posts_min"),
}


@pytest.mark.parametrize("key", SHEETS)
def test_no_parameter_is_played_that_is_not_printed(key: str) -> None:
    sheet = SHEETS[key]
    # Names, the order of things, and what is switched on: the sentences themselves follow these.
    not_printed = {"key", "theme", "factions", "mechanics", "clauses", "channels", "roles"}
    # The clock is another sentence, but needs other mechanics too.
    not_printed |= {"channel_abilities", "posts_until", "clock"}
    not_printed |= SPAN_ONLY if sheet.clock == "calendar" else CALENDAR_ONLY
    not_printed |= {name for name in Sheet.__struct_fields__ if name.endswith("_steps")}
    for mechanic, names in PARAMETERS_OF.items():
        if mechanic not in sheet.mechanics:
            not_printed |= names
    if sheet.succession == "random":
        not_printed |= PARAMETERS_OF["regime"]
    if not sheet.night_minutes:
        not_printed |= {"night_minutes", "witch_minutes", "announce_order", "pace"}
    if sheet.tie != "runoff":
        not_printed.add("runoff_minutes")
    if sheet.sheriff_election != "candidates":
        not_printed.add("candidacy_minutes")
    if "guard" not in sheet.mechanics or "witch" not in sheet.mechanics:
        not_printed.add("save_and_guard")
    if not sheet.charmed_sounds:
        not_printed.add("charmed_marks")
    if "election" not in sheet.mechanics:
        not_printed.add("sheriff_election")
    if "cards" not in sheet.mechanics and "attendance" not in sheet.mechanics:
        not_printed.add("posts_min")
    if not sheet.last_words:
        not_printed |= {"words_for", "words_published"}
    if not sheet.day_length:
        not_printed |= {"holidays", "day_length"}
    if sheet.show_role:
        not_printed.add("show_roles_of")
    republic = "constitution" in sheet.choices and "republic" in sheet.choices
    if not republic and sheet.sheriff_election != "candidates":
        not_printed |= {"election_minutes"}
    if "regime" in sheet.mechanics and "election" not in sheet.mechanics:
        not_printed |= {"on_kingmaker_out"}
    first = sheet.factions[0]
    role = next(iter(sheet.roles))
    other: dict[str, Any] = {
        "zone": "Asia/Tokyo",
        "open": "18:30" if sheet.day_length == 0 else "09:30",
        "close": "12:15",
        "depose_close": "14:10",
        "depose_open": "20:20",
        "execution_needs": "most" if sheet.execution_needs == "majority" else "majority",
        "default_regime": "constitution",
        "on_kingmaker_out": "dictatorship",
        "succession": "choice" if sheet.succession == "random" else "random",
        "choices": [sheet.default_regime],
        "reminders": [45],
        "players": 9,
        "holidays": ["2027-01-01"],
        "lovers_kill_after": "piper",
        "sheriff_weight": "2",
        "charmed_sounds": "喵",
        "charmed_marks": "，",
        "lose": {f: [{"channel": next(iter(sheet.channels))}] for f in sheet.factions},
        "win": {} if sheet.win else {first: [{"half": True}]},
        "victory_order": list(reversed(sheet.victory_order or sheet.factions)),
        "title": "别的名字",
        "show_roles_of": [role],
        "shot_after": ["vote"],
        "words_for": ["vote"] if sheet.words_for != ["vote"] else ["first_night"],
    }
    hints = get_type_hints(Sheet)
    for name in Sheet.__struct_fields__:
        if name not in other and get_origin(hints[name]) is Literal:
            plain = getattr(sheet, name)
            other[name] = next(option for option in get_args(hints[name]) if option != plain)
    for name in Sheet.__struct_fields__:
        if name in not_printed:
            continue
        plain = getattr(sheet, name)
        value = (
            other[name] if name in other else not plain if isinstance(plain, bool) else plain + 3
        )
        changes = {name: value}
        if name == "words_published":
            step = "announce_words" if value == "opening" else "lapse_words"
            changes["open_steps"] = [step, *sheet.open_steps]
        elif name == "constitution_chooses_again" and "regime_ahead" not in sheet.close_steps:
            changes["close_steps"] = [*sheet.close_steps, "regime_ahead"]
        elif name == "sheriff_election" and value == "ballot":
            changes["close_steps"] = ["election", *sheet.close_steps]
        elif name.startswith("players") and sheet.players is not None:
            changes = {"players": 13, "players_max": 13, "villager": 5}
        elif name.startswith("players") and sheet.players_min == sheet.players_max:
            most = sheet.players_max + 1
            more = sheet.counts(sheet.players_max)["villager"] + 1
            changes = {"players_min": most, "players_max": most, "villager": more}
        changed = sheet.with_parameters(changes)
        assert SPEECH.rules(changed) != SPEECH.rules(sheet), name


def test_the_rules_name_the_killers_by_number_of_players() -> None:
    assert "6人起 1 个、7人起 2 个、10人起 3 个" in SPEECH.rules(SHEET)
    fixed = SPEECH.rules(SHEET.with_parameters({"players": 10}))
    assert "杀手（杀手方）：3 人" in fixed
    assert "平民（平民方）：6 人" in fixed


def test_the_rules_leave_out_choices_that_are_none() -> None:
    fewer = SHEET.with_parameters({"choices": ["grant", "constitution"]})
    assert "罢黜" not in SPEECH.rules(fewer)
    assert "独裁——" not in SPEECH.rules(fewer)


def test_help_is_about_here_and_now() -> None:
    table = Table()

    def private(seat: int) -> str:
        return SPEECH.help("private", table.public, view.seat_view(table.game, seat), False)

    group: Callable[[], str] = lambda: SPEECH.help("group", table.public, None, False)  # noqa: E731
    assert "刀 N / 空刀" in private(2)
    assert "立王 A 备 B" in private(1)
    assert "刀 N" not in private(4) + private(1)
    assert "立王" not in private(4) + private(2)
    assert "刀 N" not in group()
    assert "处决 N" not in group()
    table.do(c.NameCrown, seat=1, first=6, substitute=5)
    table.until("open")
    assert "处决 N" in group()
    assert "处决 N" in private(6)
    assert "处决 N" not in private(5)
    assert "身份表" not in private(6)
    assert "身份表" in SPEECH.help("directors", table.public, None, True)
    table.do(c.Order, seat=6, target=1)
    assert "独裁、立宪、神赐 ——" in private(6)
    table.do(c.Choose, seat=6, choice="dictatorship")
    assert "退位" in private(6)
    assert "罢黜 赞成" in private(7)
    table.until("open")
    table.do(c.Abdicate, seat=6)
    assert "投票 N 理由" in group()
    table.do(c.EndGame)
    assert "再来一局" in group() and "开局 拥王者" in group() and "战绩" in group()
    assert "开局 拥王者" in SPEECH.help("group", None, None, False)
    assert "报名" in SPEECH.help("private", None, None, False)


def test_every_sentence_is_said_sometime(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play, look at everything, and see that nothing but what the chat itself says is left over."""
    said: set[str] = set()
    fill = Sentences.fill

    def recording(self: Sentences, key: str, values: Mapping[str, str]) -> Rendered:
        said.add(key)
        return fill(self, key, values)

    def look(table: Table) -> None:
        public, director = table.public, view.director_view(table.game)
        for card in (SPEECH.status, SPEECH.times, SPEECH.roster, SPEECH.tally):
            card(public)
        for what in ("status", "tally"):
            SPEECH.picture(what, public)
        SPEECH.director_table(director, public)
        SPEECH.todo(director["owed"], public)
        SPEECH.help("group", public, None, True)
        SPEECH.help("directors", public, None, True)
        for number in table.game.seats:
            own = view.seat_view(table.game, number)
            SPEECH.role_card(own, public)
            SPEECH.card_picture(own, public)
            SPEECH.all_told(own, public)
            for where in ("private", "channel"):
                SPEECH.help(where, public, own, False)

    def handle(self: Table, command: c.Command) -> dict[str, str]:
        texts = plain(self, command)
        look(self)
        SPEECH.reply(self.game, command, self.last)
        return texts

    plain = Table.handle
    monkeypatch.setattr(Sentences, "fill", recording)
    monkeypatch.setattr(Table, "handle", handle)
    whole_games()
    more_games()
    hero_games()
    princeton_games()
    m84.whole_games()
    m84.more_games()
    classic.whole_games()
    classic.more_games()
    for sheet in classic.variants():
        SPEECH.rules(sheet)
    rewound_games()
    for board, table in (("kingmaker", Table()), ("m84", m84.dealt())):
        for kind in ev.EVENTS:
            for event in samples(kind, board):
                SPEECH.log_line(event, table.game)
    # The story and its proof have tests of their own.
    others = (*_CHAT, "guide.", "mistake.", "story.", "why.", "proof.")
    left = {key for key in KEYS if not key.startswith(others)}
    assert not left - said, sorted(left - said)
