"""Themes: the same sheet under other names, and one that never says some words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from data.catalogue import KEYS
from data.rulesets import load_rulesets
from data.sentences import TextError, load_themes
from data.speech import Speech
from engine import commands as c
from engine import view
from engine.commands import Refused
from engine.game import Game
from engine.mechanics import ALWAYS, MECHANICS
from engine.ruleset import Sheet
from plugins.gamemaster import words
from tests.data.table import SPEECH, START

SHEETS = load_rulesets()
MILD = {key: sheet.with_parameters({"theme": "mild"}) for key, sheet in SHEETS.items()}
NEVER = set("杀死毒刀")
CLASSIC = [key for key, sheet in SHEETS.items() if sheet.theme in ("standard", "m84")]

AUTHORS = ("guide.", "mistake.")
"""Said to whoever writes sheets, not in a game."""


@pytest.mark.parametrize("key", CLASSIC)
def test_m84_and_the_classic_boards_have_plain_names(key: str) -> None:
    sheet = SHEETS[key].with_parameters({"theme": "standard"})
    SPEECH.check(sheet)
    assert (
        SPEECH.roles(sheet).items()
        <= {
            **{"werewolf": "狼人", "seer": "预言家", "witch": "女巫", "guard": "守卫"},
            **{"hunter": "猎人", "idiot": "白痴", "villager": "村民", "piper": "吹笛者"},
            **{"cupid": "丘比特", "mafia": "黑手党", "townsfolk": "镇民"},
        }.items()
    )


@pytest.mark.parametrize("key", SHEETS)
def test_the_mild_theme_has_names_for_every_board(key: str) -> None:
    SPEECH.check(MILD[key])


def test_the_mild_theme_says_what_it_never_says() -> None:
    assert set(SPEECH._themes["mild"].never) == NEVER


# --- nothing that is said under it contains those words ----------------------------------------


@pytest.mark.parametrize("key", sorted(key for key in KEYS if not key.startswith(AUTHORS)))
def test_no_sentence_contains_them(key: str) -> None:
    """Whatever event, notice, refusal, reminder, card or help uses it, and whenever."""
    assert not NEVER & set(SPEECH._spoken["mild"]._templates[key])


def names(value: Any) -> Iterator[str]:
    """Every name that a theme gives; what it says of itself is not said."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from names(part)
    elif isinstance(value, list):
        for part in value:
            yield from names(part)


def test_no_name_contains_them() -> None:
    theme = SPEECH._themes["mild"]
    tables = [name for name in theme.__struct_fields__ if name not in ("never", "texts")]
    for table in tables:
        assert not NEVER & set("".join(names(getattr(theme, table)))), table
    titles = [SPEECH.title(sheet) + SPEECH.word(sheet) for sheet in MILD.values()]
    assert not NEVER & set("".join(titles))


@pytest.mark.parametrize("key", SHEETS)
@pytest.mark.parametrize("seed", range(3))
def test_games_at_random_say_none_of_them(key: str, seed: int) -> None:
    said = "\n".join(play(MILD[key], seed))
    assert not NEVER & set(said), [line for line in said.splitlines() if NEVER & set(line)]
    assert len(said.splitlines()) > 100


def play(sheet: Sheet, seed: int) -> Iterator[str]:
    """Play a game at random; give all that is said in it, to anybody."""
    rng = Random(seed)
    game = Game()
    players = rng.randint(sheet.players_min, min(sheet.players_max, 12))
    commands: list[c.Command] = [
        c.CreateGame(at=START, game=1, group="9", sheet=sheet.dump(), account="d", name="导"),
        *(c.SignUp(at=START, account=f"a{n}", name=f"甲{n}") for n in range(players)),
        c.Deal(at=START, seed=f"{seed:x}"),
    ]
    yield SPEECH.rules(sheet)
    for turn in range(250):
        for command in commands:
            yield from answers(game, command)
        if game.phase == "over":
            break
        if turn % 10 == 0:
            yield from cards(game)
        commands = [command(game, rng) for command in rng.choices(tried(sheet), k=4)]
        if rng.random() < 0.25 and (alarm := game.next_alarm()) is not None:
            commands = [c.Tick(at=alarm)]
    yield from answers(game, c.EndGame(at=game.now))
    yield from cards(game)
    for event in (e for e in _log if e is not None):
        yield SPEECH.log_line(event, game)


_log: list[Any] = []


def answers(game: Game, command: c.Command) -> Iterator[str]:
    """Let the game handle a command; give all texts that it causes."""
    if isinstance(command, c.CreateGame):
        _log.clear()
    try:
        events = game.handle(command)
    except Refused as refused:
        yield SPEECH.refusal(refused.code, refused.values, game, command)
        return
    _log.extend(events)
    for message in SPEECH.events(game, events):
        yield message.text
    yield SPEECH.reply(game, command, events)


def cards(game: Game) -> Iterator[str]:
    """All that can be looked up now, by anybody."""
    public = view.public_view(game)
    for make in (SPEECH.status, SPEECH.times, SPEECH.roster, SPEECH.tally):
        yield make(public)
    director = view.director_view(game)
    yield SPEECH.director_table(director, public)
    yield SPEECH.todo(view.owed(game), public)
    for number in game.seats:
        seat = view.seat_view(game, number)
        yield SPEECH.role_card(seat, public)
        yield SPEECH.all_told(seat, public)
        yield SPEECH.help("private", public, seat, False)
        yield SPEECH.help("channel", public, seat, False)
    yield SPEECH.help("group", public, None, False)
    yield SPEECH.help("directors", public, None, True)


def _someone(game: Game, rng: Random) -> int:
    return rng.choice(list(game.seats))


def _act(game: Game, rng: Random) -> c.Command:
    seat, target = _someone(game, rng), _someone(game, rng)
    ability = rng.choice([*game.rules.abilities, "faction_kill"])
    return c.Act(at=game.now, seat=seat, ability=ability, target=rng.choice([target, target, None]))


def _seat_command(kind: type[c.Command]) -> Any:
    def make(game: Game, rng: Random) -> c.Command:
        values: dict[str, Any] = {"at": game.now}
        for name in kind.__struct_fields__:
            if name in ("seat", "target", "first", "second", "substitute"):
                values[name] = _someone(game, rng)
            elif name == "heirs":
                values[name] = [_someone(game, rng)]
            elif name in ("text", "reason"):
                values[name] = "因为"
            elif name == "colour":
                values[name] = rng.choice(["blue", "yellow", "red"])
            elif name == "faction":
                values[name] = rng.choice(game.sheet.factions)
            elif name == "ask":
                values[name] = rng.choice(["speed_up", "delay", None])
            elif name == "choice":
                values[name] = rng.choice(["grant", "dictatorship", "constitution", "democracy"])
            elif name == "voice":
                values[name] = rng.choice(["for", "against", None])
            elif name == "people":
                values[name] = []
            elif name in ("count", "minutes"):
                values[name] = rng.choice([1, 60])
        return kind(**values)

    return make


_NOT_TRIED = (
    *(c.CreateGame, c.SignUp, c.SignOff, c.AddDirector, c.Bind, c.Deal, c.Tick, c.EndGame),
    *(
        c.Replace,
        c.Coach,
        c.Act,
        c.RuleOut,
        c.Resign,
        c.CheckRoom,
        c.Unbind,
        c.Watch,
        c.StopWatching,
    ),
    *(c.Rename, c.Lose, c.Regain),
)


def tried(sheet: Sheet) -> list[Any]:
    """What is tried in games by a sheet: orders most of all."""
    mechanics = [*ALWAYS, *(MECHANICS[key] for key in sheet.mechanics)]
    kinds = [kind for m in mechanics for kind in m.handlers if kind not in _NOT_TRIED]
    if sheet.pace == "fixed":
        kinds.remove(c.Ready)
    return [_act] * len(kinds) + [_seat_command(kind) for kind in kinds]


# --- typed words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "seat"),
    [
        ("出手 3", "kill", 3),
        ("出手3", "kill", 3),
        ("刀 3", "kill", 3),
        ("不出手", "no_kill", None),
        ("空刀", "no_kill", None),
        ("用药 3", "poison", 3),
        ("毒 3", "poison", 3),
        ("情侣出手 3", "lovers_kill", 3),
    ],
)
def test_what_is_typed_under_the_mild_theme(text: str, key: str, seat: int | None) -> None:
    line = words.read(text, SPEECH.typed(MILD["m84"]))
    intent = words.understand(line, words.Roll([(3, "a3", "丙")]))
    assert intent is not None and (intent.word.key, intent.seat) == (key, seat)


def test_its_words_are_talk_elsewhere() -> None:
    assert words.read("出手 3", SPEECH.typed(SHEETS["m84"])).word is None


@pytest.mark.parametrize("word", [word for word in words.WORDS if not word.director])
def test_every_word_can_be_shown_and_typed_under_the_mild_theme(word: words.Word) -> None:
    shown = SPEECH.shown(MILD["m84"], word.forms[0], word.key, word.ability)
    assert not NEVER & set(shown)
    found = words.read(shown, SPEECH.typed(MILD["m84"])).word
    assert found is word
    example = word.example.replace(word.forms[0], shown, 1)
    assert not NEVER & set(example)


@pytest.mark.parametrize("key", ["kingmaker", "m84"])
def test_other_themes_show_words_as_they_are(key: str) -> None:
    assert SPEECH.shown(SHEETS[key], "刀", "kill", "faction_kill") == "刀"


# --- a theme's own sentences --------------------------------------------------------------------


def test_a_theme_says_in_its_own_words(tmp_path: Any) -> None:
    from data import TEXTS, THEMES

    for path in THEMES.glob("*.toml"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    kingmaker = tmp_path / "kingmaker.toml"
    before = kingmaker.read_text(encoding="utf-8")
    kingmaker.write_text(f'{before}\n[texts.rule]\nno_half = "一半不算。"\n', encoding="utf-8")
    said = Speech(TEXTS, tmp_path).rules(SHEETS["kingmaker"])
    assert "一半不算。" in said and "一半不算。" not in SPEECH.rules(SHEETS["kingmaker"])


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('[texts.rule]\nno_haf = "x"', "texts.rule.no_haf"),
        ('[texts.rule]\nno_half = "{x}"', "texts.rule.no_half"),
        ("[texts.rule]\nno_half = 1", "rule.no_half"),
        ('[texts]\nx = "y"', "texts.x"),
    ],
)
def test_a_wrong_sentence_of_a_theme_is_named(tmp_path: Any, lines: str, key: str) -> None:
    (tmp_path / "odd.toml").write_text(lines, encoding="utf-8")
    with pytest.raises(TextError) as wrong:
        load_themes(tmp_path, KEYS)
    assert (wrong.value.file, wrong.value.key) == ("odd.toml", key)
