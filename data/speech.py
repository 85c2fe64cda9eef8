"""What the bot says, in the players' words: the only maker of text.

Sentences lie in ``texts/``, a board's names in ``themes/``. Nothing here knows where a text goes:
events are told by their own audience (:mod:`data.telling`), cards are made of views
(:mod:`engine.view`), and whoever asked gets what his own view holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec

from data import TEXTS, THEMES, pictures, proof, rooms
from data.catalogue import KEYS, REFUSALS
from data.message import Message
from data.pictures import Picture
from data.records import Record, Tally
from data.sentences import Rendered, Sentences, TextError, Theme, Voice, block, line, load_themes
from data.telling import (
    SILENT,
    Telling,
    actions,
    deadlines,
    does,
    electable,
    example_of,
    examples,
    filled,
    held_cards,
    losing_way,
    muted,
    offered,
    open_deadlines,
    people,
    phase_name,
    role_text,
    tally_lines,
    votable,
    winning_way,
)
from engine import commands as cm
from engine import events as ev
from engine import view
from engine.game import Game
from engine.mechanics.ballot import VOTED
from engine.mechanics.base import Owed
from engine.mechanics.rooms import is_right
from engine.rewind import live, overdue
from engine.ruleset import Sheet, SheetError
from engine.sheetcheck import ABILITIES

__all__ = ["Speech", "TextError"]

View = Mapping[str, Any]
Where = Literal["group", "private", "channel", "directors"]

# What a sheet's mechanics need of its theme.
_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "": {
        "phases": ("setup", "first_night", "night", "day", "over"),
        "deadlines": ("open", "close"),
        "causes": ("ruled",),
    },
    "kill": {"causes": ("kill",)},
    "witch": {"causes": ("poison",)},
    "inspect": {"answers": ("town", "not_town")},
    "charm": {"terms": ("charmed",)},
    "lovers": {
        "causes": ("lover",),
        "deadlines": ("link",),
        "channels": ("lovers",),
        "terms": ("lover",),
    },
    "sheriff": {
        "deadlines": ("heir",),
        "owed": ("heir",),
        "decides": ("sheriff",),
        "terms": ("sheriff",),
    },
    "petition": {"deadlines": ("petition",), "asks": ("speed_up", "delay")},
    "cards": {"causes": ("red_card",), "colours": ("blue", "yellow", "red")},
    "last_words": {"owed": ("last_words",)},
    "crown": {"owed": ("crown",)},
    "king": {
        "causes": ("order",),
        "owed": ("order", "confirm"),
        "decides": ("order", "nobody"),
    },
    "regime": {
        "deadlines": ("choice", "depose"),
        "owed": ("choice", "depose"),
        "voices": ("for", "against", "abstain"),
        "regimes": ("monarchy", "dictatorship", "constitution", "democracy"),
    },
    "hero": {"causes": ("reflected",)},
    "election": {
        "deadlines": ("election",),
        "owed": ("election",),
        "decides": ("election",),
    },
    "hunter": {"causes": ("shot",), "deadlines": ("shot",), "owed": ("shot",)},
    "explode": {"causes": ("exploded",)},
    "ballot": {"causes": ("vote",), "owed": ("ballot",), "decides": ("ballot",)},
    "attendance": {"owed": ("posts",)},
    "warnings": {"causes": ("warnings",)},
}


# What an own channel is told, and what the asker is told in private: receipts enough.
_TOGETHER = (cm.Say, cm.Act, cm.Withdraw)
_CONFIRMED = (
    *(ev.Acted, ev.Withdrawn, ev.CrownNamed, ev.HeirsNamed, ev.LastWordsLeft, ev.ReadySaid),
)


class Speech:
    """All that the bot says. Raises :class:`TextError` for a wrong text or theme (file, key)."""

    def __init__(self, texts: Path = TEXTS, themes: Path = THEMES) -> None:
        self._sentences = Sentences.load(texts, KEYS)
        self._themes = load_themes(themes, KEYS)
        self._spoken = {
            key: self._sentences.over(theme.texts) for key, theme in self._themes.items()
        }
        self._plain = Voice(self._sentences, _NO_THEME, "UTC", {})

    @property
    def themes(self) -> Mapping[str, Theme]:
        """The themes, by key."""
        return self._themes

    def check(self, sheet: Sheet) -> None:
        """See that every name and sentence that games by this sheet need is there.

        Raises TextError.
        """
        for file, key in self.lacks(sheet):
            raise TextError(file, key, "a name or a sentence; the key is missing")

    def lacks(self, sheet: Sheet) -> list[tuple[str, str]]:
        """Return the names and sentences that games by this sheet need: (file, key) each."""
        theme = self._themes.get(sheet.theme)
        if theme is None:
            return [(f"{sheet.theme}.toml", "theme")]
        needed: list[tuple[str, str]] = [("roles", role) for role in sheet.roles]
        needed += [("factions", faction) for faction in sheet.factions]
        needed += [("channels", channel) for channel in sheet.channels]
        needed += [("choices", choice) for choice in sheet.choices]
        if "republic" in sheet.choices:
            needed.append(("regimes", "republic"))
        if "sheriff" in sheet.mechanics and sheet.sheriff_election == "candidates":
            needed += [("deadlines", "candidacy"), ("decides", "candidacy")]
        if sheet.tie == "runoff" and "ballot" in sheet.mechanics:
            needed.append(("decides", "runoff"))
        if sheet.pace == "ready":
            needed.append(("owed", "ready"))
        own = [key for role in sheet.roles.values() for key in role.abilities]
        own += sheet.channel_abilities.values()
        needed += [("abilities", key) for key in own]
        if "attendance" in sheet.mechanics and sheet.posts_until == "scheduled_close":
            needed.append(("deadlines", "attendance"))
        if sheet.night_minutes:
            needed += [("deadlines", "night"), ("deadlines", "witch")]
        for mechanic in ("", *sheet.mechanics):
            for table, keys in _NAMES.get(mechanic, {}).items():
                needed += [(table, key) for key in keys]
        lacking = [
            (f"{sheet.theme}.toml", f"{table}.{key}")
            for table, key in dict.fromkeys(needed)
            if key not in getattr(theme, table)
        ]
        sentences = [f"ability.{key}.does" for key in own]
        for choice in sheet.choices:
            sentences += [f"rule.{choice}", f"events.choice_opened.{choice}"]
        for key in dict.fromkeys(sentences):
            if key not in self._sentences:
                stem, _, path = key.partition(".")
                lacking.append((f"{stem}.toml", path))
        return lacking

    # --- what has happened ----------------------------------------------------------------------

    def events(self, game: Game, events: Sequence[ev.Event]) -> list[Message]:
        """Return what is said because of these events: one text an audience, in order.

        ``game`` is the state after the last of them. Things other than text to be done (a mute)
        come after the texts.
        """
        watched = rooms.watched(game, events)
        if all(type(event) in SILENT for event in events) and not (game.bound or watched):
            return []
        voice = self._voice(game)
        told = [
            *rooms.leaving(voice, game, events),
            *Telling(voice, game, events).messages(),
            *rooms.looking(game, events),
        ]
        if watched:
            text = "\n".join(self.log_line(event, game) for event in watched)
            told.append(Message(ev.SPECTATORS, text))
        return told

    def rewound(self, before: Game, after: Game, log: Sequence[ev.Event]) -> list[Message]:
        """Return what is said when a game was led back: to each only what it had known.

        ``log``: the whole log; its last event is the :class:`~engine.events.Rewound`.
        """
        event = log[-1]
        assert isinstance(event, ev.Rewound)
        undone, restored = _branches(log[:-1], event.to)
        old, new = self._voice(before), self._voice(after)
        values = {"at": log[event.to - 1].at, "phase": phase_name(new, after.phase, after.day)}
        told: dict[str, list[str]] = {ev.PUBLIC: []}
        for key, voice, game, branch in (
            ("undone", old, before, undone),
            ("restored", new, after, restored),
        ):
            lines: dict[str, list[str]] = {}
            for _, happened in branch:
                # That a kill is void again or is not: by what stands now that is plainer.
                if isinstance(happened, (ev.Posted, ev.Rewound, ev.KillVoided, *_SEEN)):
                    continue
                line = self._known(game, happened)
                for audience in _rewound_audiences(before, after, game, happened.audience):
                    lines.setdefault(audience, []).append(line)
            for audience, known in lines.items():
                text = voice(f"events.rewound.{key}", lines=Rendered("\n".join(known)))
                told.setdefault(audience, []).append(text)
        if void := self._void(log[:-1], event.to):
            told[ev.PUBLIC].append(void)
        for audience, known in self._anew(before, after).items():
            text = new("events.rewound.now", lines=Rendered("\n".join(known)))
            told.setdefault(audience, []).append(text)
        messages = []
        then = self._then(after, still=event.paused is not None)
        for audience, parts in told.items():
            if audience == ev.PUBLIC:
                head = new("events.rewound.public", **values)
                parts += then
            else:
                head = new("events.rewound.private", game=after.id, **values)
            messages.append(Message(audience, "\n".join([head, *parts])))
        seated = {seat.account for seat in after.seats.values()}
        for number, seat in before.seats.items() if after.seats else ():
            if seat.account not in seated:
                text = old("events.rewound.unseated", game=after.id, number=number)
                messages.append(Message(f"person:{seat.account}", text))
        lines_of_all = self._branch_lines(before, undone, after, restored)
        text = new(
            "events.rewound.directors",
            game=after.id,
            number=str(event.to),
            back=str(len(log) - 1),
            lines=Rendered("\n".join([*lines_of_all, *then])),
            **values,
        )
        messages.append(Message(ev.DIRECTORS, text))
        was, now = _silenced(before, log[:-1]), _silenced(after, log)
        for account in sorted(was.keys() | now.keys()):
            ends = [max(until.get(account, event.at), event.at) for until in (was, now)]
            if ends[0] != ends[1]:
                left = math.ceil((ends[1] - event.at).total_seconds())
                messages.append(muted(account, left))
        return [*messages, *rooms.looking(after, [event])]

    def _void(self, log: Sequence[ev.Event], to: int) -> Rendered | None:
        """Return what becomes of the deal's code when ``log`` is led back to its event ``to``."""
        deals = [n for n, event in enumerate(log, 1) if isinstance(event, ev.Dealt)]
        now, then = (
            next((n for n, event in reversed(live(lived)) if isinstance(event, ev.Dealt)), None)
            for lived in (log, log[:to])
        )
        if now == then:
            return None
        if then is None:
            return self._plain("events.rewound.deal_void")
        return self._plain("events.rewound.deal_holds", number=str(deals.index(then) + 1))

    def _anew(self, before: Game, after: Game) -> dict[str, list[str]]:
        """Return, by audience, what holds after ``回到`` and did not before it."""
        if not after.seats or after.phase == "over":
            return {}
        old, new = view.public_view(before), view.public_view(after)
        voice = self._voice(after)

        def told(public: View) -> list[str]:
            return [*self._rule_of(voice, public), *self._marked(voice, public)]

        found = {ev.PUBLIC: _added(told(old) if before.seats else [], told(new))}
        for number, seat in after.seats.items():
            was = before.seats.get(number)
            lines: list[str] = []
            if was is not None and was.account == seat.account:
                lines = self._standing(voice, view.seat_view(before, number), old)
            else:
                found[f"person:{seat.account}"] = [voice("events.rewound.reseated", number=number)]
            if seat.alive:
                now = self._standing(voice, view.seat_view(after, number), new)
                found.setdefault(f"person:{seat.account}", []).extend(_added(lines, now))
        return {audience: lines for audience, lines in found.items() if lines}

    def _then(self, game: Game, *, still: bool) -> list[str]:
        """Return what comes after ``回到``: the game stands ``still``, or its deadlines run."""
        voice = self._voice(game)
        if still:
            return [voice("events.rewound.paused")]
        due = open_deadlines(game.deadlines())
        return [voice("events.rewound.due", deadlines=deadlines(voice, due))] if due else []

    def rewind_asked(
        self, before: Game, past: Game, log: Sequence[ev.Event], to: int, at: datetime
    ) -> str:
        """Return what a director is shown before ``回到``: what would be undone, and how to do it.

        ``past``: the game as it was after event ``to`` of ``log``; ``at``: now.
        """
        undone, restored = _branches(log, to)
        new = self._voice(past)
        lines = self._branch_lines(before, undone, past, restored)
        if void := self._void(log, to):
            lines.append(void)
        lines += self._then(past, still=overdue(past, at))
        return new(
            "events.rewound.asked",
            game=before.id,
            number=str(to),
            at=log[to - 1].at,
            phase=phase_name(new, past.phase, past.day),
            lines=Rendered("\n".join(lines)),
        )

    def _branch_lines(
        self,
        before: Game,
        undone: Sequence[tuple[int, ev.Event]],
        after: Game,
        restored: Sequence[tuple[int, ev.Event]],
    ) -> list[str]:
        lines: list[str] = []
        for key, game, branch in (("undone", before, undone), ("restored", after, restored)):
            voice = self._voice(game)
            numbered = [
                voice("events.rewound.line", number=str(number), line=self._known(game, event))
                for number, event in branch
                if not isinstance(event, _UNLISTED)
            ]
            if numbered or key == "undone":
                listed = numbered[-_LISTED:] or [voice("events.rewound.nothing")]
                if len(numbered) > _LISTED:
                    listed.insert(0, voice("events.rewound.more", count=len(numbered) - _LISTED))
                lines.append(voice(f"events.rewound.{key}", lines=Rendered("\n".join(listed))))
        return lines

    def _known(self, game: Game, event: ev.Event) -> Rendered:
        """Return one line on an event, as whoever knew of it is reminded of it."""
        voice = self._voice(game)
        if isinstance(event, ev.Told):
            return self._notice(voice, event.notice)
        key, values = self._logged(voice, event, game)
        for name in {"text", "reason"} & values.keys():
            # A reminder, not the text again.
            values[name] = line(getattr(event, name), _QUOTED)
        if "text" in values:
            values["text"] = voice("format.quote", text=values["text"])
        return voice(key, **{name: values[name] for name in voice.sentences.fields(key)})

    def reply(self, game: Game, command: cm.Command, events: Sequence[ev.Event]) -> str:
        """Return the receipt for whoever asked: what was understood, what now stands.

        Empty when the events' own messages reach the asker in private anyhow. What it repeats of
        a public text is of use only in another place than the one where that text is said.
        """
        voice = self._voice(game)
        if isinstance(command, (cm.Post, cm.Tick)):
            return ""
        if not events:
            return voice("reply.unchanged")
        for event in events:
            if isinstance(event, ev.OrderAsked):
                return voice("reply.order_asked", **examples(game, event.seat))
            if isinstance(event, ev.Bound):
                about = {"game": game.id, "room": rooms.room(voice, event.channel)}
                if is_right(game, event.channel):
                    return voice("reply.bound_open", **about)
                pack = event.channel not in (ev.DIRECTORS, ev.SPECTATORS)
                if pack and game.phase == "setup" and "lovers" in game.sheet.mechanics:
                    # Who belongs there is settled only with the set-up (M84-06).
                    return voice("reply.bound_early", **about)
                later = pack and not game.seats
                return voice(f"reply.bound_{'later' if later else 'checked'}", **about)
            if isinstance(event, ev.Watching):
                return voice("reply.watching", name=event.name)
            if isinstance(event, ev.WatchingEnded):
                return voice("reply.watching_ended", name=event.name)
            if isinstance(event, ev.Rewound):
                return voice("reply.rewound") if is_right(game, ev.DIRECTORS) else ""
            if isinstance(event, ev.Linked):
                both = {"first": event.first, "second": event.second}
                return voice("reply.linked", bond="lover", **both)
            if isinstance(event, ev.RuledLost):
                return voice("reply.ruled_lost", faction=event.faction)
            if isinstance(event, ev.ToChannel) and isinstance(command, _TOGETHER):
                if not is_right(game, event.channel):
                    return ""
                relayed = voice("reply.relayed", channel=event.channel)
                if isinstance(command, cm.Say):
                    return relayed
                said = (m.text for m in self.events(game, events) if m.audience == event.audience)
                return "\n".join([relayed, *said])
            at_once = game.sheet.words_published == "at_once"
            if isinstance(event, _CONFIRMED) and not (
                at_once and isinstance(event, ev.LastWordsLeft)
            ):
                return ""
        told = self.events(game, events)
        public = next((m.text for m in told if m.audience == ev.PUBLIC and m.text), "")
        if not public:
            return voice("reply.unchanged")
        parts = [voice("reply.published", text=Rendered(public))]
        if isinstance(command, cm.Vote) and game.decides != "election" and not game.accelerated:
            cutoff = _change_ends(game)
            # An early count may be over already.
            stands = command.seat in game.ballot.cast and command.seat not in game.ballot.changed
            if stands and cutoff is not None and command.at < cutoff:
                some = votable(game, view.public_view(game), command.seat, command.target)
                parts.append(voice("reply.change_left", cutoff=cutoff, **some))
        return "\n".join(parts)

    def refusal(
        self,
        code: str,
        values: Mapping[str, Any],
        game: Game | None = None,
        command: cm.Command | None = None,
        example: str = "",
    ) -> str:
        """Return why something was turned down, and one right example.

        ``values``: those of the :class:`~engine.commands.Refused`. ``command``: what was turned
        down, for a better example; or that ``example`` itself. Raises KeyError for an unknown code
        or a missing value.
        """
        if code not in REFUSALS:
            raise KeyError(code)
        seat = values.get("seat")
        asker = command.seat if isinstance(command, cm.SeatCommand) else None
        last_king = game.crown.last_king if isinstance(command, cm.NameCrown) and game else None
        some = examples(game, seat, asker, last_king)
        if isinstance(command, cm.Vote) and game is not None and game.id:
            some = votable(game, view.public_view(game), seat, asker)
        voice = self._plain if game is None or not game.id else self._voice(game)
        filled: dict[str, Any] = {
            **values,
            **some,
            "word": example or self._word(voice, game, command, some),
            "board": self._board(voice),
            "number": str(seat),
        }
        if game is not None and game.id:
            filled["phase"] = phase_name(voice, game.phase, game.day)
        if "need" in filled:
            filled["need"] = voice(f"format.by_{filled['need']}")
        why, example = (
            voice(key, **{name: filled[name] for name in voice.sentences.fields(key)})
            for key in (f"refused.{code}.why", f"refused.{code}.example")
        )
        return voice("refused.both", why=why, example=example)

    def _word(
        self,
        voice: Voice,
        game: Game | None,
        command: cm.Command | None,
        some: Mapping[str, str],
    ) -> Rendered:
        key = "example.default"
        if command is not None:
            own = f"example.{_snake(command)}"
            if isinstance(command, cm.Act):
                own += f".{command.ability}"
            key = own if own in self._sentences else key
            if isinstance(command, cm.Choose) and (game is None or not game.sheet.choices):
                key = "example.default"
        elif game is not None and game.seats:
            # The command is not known: what is typed most at this hour.
            key = "example.act.faction_kill"
            if game.phase == "day" and game.decides == "order":
                key = "example.order"
            elif game.phase == "day" and game.decides in VOTED:
                key = "example.vote"
        fields = voice.sentences.fields(key)
        number = str(game.id if game is not None else 1)
        filled = {**some, "game": number}
        if "choice" in fields:
            assert game is not None
            filled["choice"] = voice.value("choice", offered(game.sheet)["choice"])
        return voice.sentences.fill(key, {name: filled[name] for name in fields})

    def say(self, key: str, about: Game | None = None, /, **values: Any) -> str:
        """Return any other sentence; ``about``: the game whose names and hours it uses.

        Values are data: only what came from :class:`Speech` itself is put in as it is. Raises
        KeyError for an unknown key or a missing value.
        """
        return (self._plain if about is None else self._voice(about))(key, **values)

    def mistake(self, mistake: SheetError) -> str:
        """Return what was expected where a sheet or a scenario is wrong."""
        key = f"mistake.{mistake.code}"
        values = dict(mistake.values)
        if "about" in self._sentences.fields(key):
            # What a mechanic or a step is, in the guide's words.
            name = values["needed"]
            about = f"guide.mechanic.{name}"
            values["about"] = self.say(about if about in KEYS else f"guide.step.{name}")
        expected = self.say(key, **values)
        if mistake.base:
            expected = self.say("mistake.of_base", expected=Rendered(expected), base=mistake.base)
        return expected

    def has_theme(self, key: str) -> bool:
        """Return whether there is a theme of that key."""
        return key in self._themes

    def title(self, sheet: Sheet) -> Rendered:
        """Return the board's name."""
        return Rendered(self._themes[sheet.theme].called(sheet.title).title)

    def word(self, sheet: Sheet) -> Rendered:
        """Return the word by which the board is named when a game is opened."""
        return Rendered(self._themes[sheet.theme].called(sheet.title).word)

    def roles(self, sheet: Sheet) -> dict[str, str]:
        """Return role → the theme's name for it, as people type it."""
        return {role: self._themes[sheet.theme].roles[role] for role in sheet.roles}

    def factions(self, sheet: Sheet) -> dict[str, str]:
        """Return faction → the theme's name for it."""
        return {faction: self._themes[sheet.theme].factions[faction] for faction in sheet.factions}

    def channels(self, sheet: Sheet) -> dict[str, str]:
        """Return secret channel → the theme's name for it."""
        return dict(self._themes[sheet.theme].channels)

    def theme(self, name: str) -> str | None:
        """Return the key of the theme that people call so: by its key, its word or its title."""
        for key, theme in self._themes.items():
            if name.casefold() in (key, theme.word.casefold(), theme.title.casefold()):
                return key
        return None

    def shown(self, sheet: Sheet, form: str, *keys: str) -> str:
        """Return how a word's general form is shown: by the theme's own if it never says that.

        ``keys``: under which the theme may have its own words.
        """
        theme = self._themes[sheet.theme]
        if not set(form) & set(theme.never):
            return form
        return next((theme.words[key][0] for key in keys if key in theme.words), form)

    def typed(self, sheet: Sheet) -> dict[str, str]:
        """Return the theme's own words, as people type them → the key of the ability or word."""
        words = self._themes[sheet.theme].words
        return {name: ability for ability, names in words.items() for name in names}

    def shown_names(self, sheet: Sheet) -> dict[str, str]:
        """Return the names that abilities are shown by → the ability's key."""
        names = self._themes[sheet.theme].abilities
        return {name: key for key, name in names.items() if key in sheet.abilities()}

    def phase(self, public: View) -> Rendered:
        """Return the name of the phase that a game is in, with its number: ``第2天``."""
        return phase_name(self._voice_of(public), public["phase"], public["day"])

    def phase_of(self, game: Game, phase: str, day: int) -> Rendered:
        """Return the name of a phase that a game has or had: of night 2, ``第2夜``."""
        return phase_name(self._voice(game), phase, day)

    def names(self, names: Sequence[str]) -> Rendered:
        """Return people's names as a list."""
        return self._plain.join(self._plain.value("name", name) for name in names)

    def templates(self, stem: str) -> dict[str, str]:
        """Return the sentences of one file, by their keys in it, with what is to be filled in."""
        return self._sentences.of(stem)

    # --- proof ----------------------------------------------------------------------------------

    def code(self, game: Game, event: ev.Event, digest: str, former: Sequence[str] = ()) -> str:
        """Return what the group is told with an event so that it can be proved later.

        ``digest``: that of the log up to the event. Of a deal its commitment, and what became of
        those of ``former`` deals, whose seeds are given in their order; of the end the code of the
        whole game, and the seed; empty of anything else.
        """
        if isinstance(event, ev.Dealt):
            code = proof.commitment(digest)
            if not former:
                return self._plain("proof.dealt", code=code)
            key = "proof.dealt_same" if event.seed in former else "proof.dealt_anew"
            return self._plain(key, code=code, number=len(former) + 1)
        if isinstance(event, ev.GameOver) and game.seats:
            return self._plain("proof.over", code=proof.seal(digest), seed=game.seed)
        return ""

    def address(self, game: Game, event: ev.Event, pages: str) -> str:
        """Return what the group is told with an event of the game's page: at the deal and the end.

        ``pages``: under which address there are pages. Empty of anything else, or without one.
        """
        if pages and game.seats:
            url = Rendered(f"{pages}/games/{game.id}/{proof.page_key(game.seed)}")
            if isinstance(event, ev.Dealt):
                return self._plain("storypage.dealt", url=url)
            if isinstance(event, ev.GameOver):
                return self._plain("storypage.over", url=url)
        return ""

    # --- cards: what anybody may see ------------------------------------------------------------

    def status(self, public: View) -> str:
        """Return where the game stands, from :func:`engine.view.public_view`."""
        voice = self._voice_of(public)
        phase = phase_name(voice, public["phase"], public["day"])
        head = voice("card.status.head", game=public["game"], title=voice.theme.title, phase=phase)
        lines: list[str] = [head, *self.standing(public)]
        if not public["dealt"]:
            lines.append(
                voice(
                    "card.status.signups",
                    count=len(public["signups"]),
                    people=people(voice, public),
                )
            )
            return "\n".join(lines)
        if public["phase"] == "over":
            if public["winner"] == "draw":
                lines.append(voice("card.status.draw"))
            elif public["winner"]:
                lines.append(voice("card.status.winner", winner=public["winner"]))
        living = [seat["number"] for seat in public["seats"] if not seat["out"]]
        lines.append(voice("card.status.living", count=len(living), seats=living))
        out = [seat for seat in public["seats"] if seat["out"]]
        if out:
            shown = voice.join(self._out(voice, seat, "card.status.out_item") for seat in out)
            lines.append(voice("card.status.out", count=len(out), seats=shown))
        held = {seat: cards for seat, cards in public["cards"].items() if any(cards.values())}
        if held:
            shown = voice.join(
                voice("card.status.cards_item", seat=seat, held=held_cards(voice, cards))
                for seat, cards in held.items()
            )
            lines.append(voice("card.status.cards", seats=shown))
        if public["deadlines"]:
            due = deadlines(voice, public["deadlines"])
            lines.append(voice("card.status.next", deadlines=due))
        return "\n".join(lines)

    def standing(self, public: View) -> list[str]:
        """Return what holds now, without who is alive and what falls due: a line each."""
        voice = self._voice_of(public)
        lines: list[str] = [voice("card.status.paused")] if public["paused"] else []
        if public["phase"] != "over":
            lines += [*self._rule_of(voice, public), *self._marked(voice, public)]
        return lines

    def _length(self, voice: Voice, public: View) -> list[str]:
        """Return why the day is longer than usual, or that it is accelerated."""
        lines: list[str] = []
        if public["longer"]:
            lines.append(voice(f"card.times.{public['longer']}"))
        if public["accelerated"]:
            if public["sped_up"]:
                lines.append(voice("card.times.sped_up"))
            else:
                alive = public["rules"].accelerate_at_alive
                lines.append(voice("card.times.few", accelerate_at_alive=alive))
            lines.append(voice("card.times.accelerated"))
        return lines

    def _rule_of(self, voice: Voice, public: View) -> list[str]:
        lines: list[str] = []
        regime, king = public["regime"], public["king"]
        decides = public["decides"]
        if king is not None:
            office = "president" if regime == "republic" else "king"
            lines.append(voice(f"card.status.{office}", regime=regime, king=king))
        elif regime in ("monarchy", "dictatorship"):
            lines.append(voice("card.status.no_king", regime=regime))
        elif regime is not None:
            lines.append(voice("card.status.regime", regime=regime))
        if decides == "runoff":
            lines.append(voice("card.status.runoff", seats=public["runoff"]))
        elif decides == "sheriff" and public["rules"].sheriff_election == "candidates":
            lines.append(voice("card.status.electing", office="sheriff"))
        elif decides is not None:
            lines.append(filled(voice, f"card.status.{decides}"))
        if decides in ("candidacy", "sheriff", "election") and public["candidates"]:
            lines.append(voice("card.status.candidates", seats=public["candidates"]))
        if public["idiots"]:
            lines.append(voice("card.status.idiots", seats=public["idiots"]))
        if public["chooser"] is not None:
            lines.append(voice("card.status.chooser", seat=public["chooser"]))
        if public["depose"] is not None:
            lines.append(self._deposing(voice, public["depose"]))
        if public["phase"] == "day":
            lines += self._length(voice, public)
        return lines

    def _marked(self, voice: Voice, public: View) -> list[str]:
        """Return who holds an office and who is charmed."""
        lines: list[str] = []
        if public["phase"] == "day":
            # By night, who holds an office or is charmed could tell who has gone unseen.
            if public["sheriff"] is not None:
                seat = public["sheriff"]
                lines.append(voice("card.status.office", office="sheriff", seat=seat))
            if public["charmed"]:
                seats = public["charmed"]
                lines.append(voice("card.status.charmed", status="charmed", seats=seats))
        return lines

    def _deposing(self, voice: Voice, depose: View) -> Rendered:
        """Return how the vote on the dictator stands."""
        return voice(
            "card.status.depose",
            votes_for=depose["for"],
            votes_against=depose["against"],
            abstain=depose["abstain"],
            needed=depose["living"] // 2 + 1,
        )

    def _out(self, voice: Voice, seat: View, key: str, bare: str | None = None) -> str:
        shown = [
            voice.name(table, seat[name])
            for table, name in (("roles", "role"), ("causes", "cause"))
            if seat[name]
        ]
        if not shown:
            return voice(bare, seat=seat["number"]) if bare else voice.seat(seat["number"])
        between = voice("card.status.between")
        return voice(key, seat=seat["number"], shown=Rendered(between.join(shown)))

    def times(self, public: View) -> str:
        """Return what falls due when."""
        voice = self._voice_of(public)
        if not public["deadlines"]:
            setup = public["phase"] == "setup"
            return voice("card.times.setup" if setup else "card.times.none")
        lines: list[str] = [voice("card.times.head")]
        lines += [
            voice("card.times.line", due=due, deadline=kind)
            for due, kind in open_deadlines(public["deadlines"])
        ]
        if public["phase"] == "day":
            lines += self._length(voice, public)
            minutes = public["rules"].change_cutoff_minutes
            closes = next((due for due, kind in public["deadlines"] if kind == "close"), None)
            changes = minutes and not public["accelerated"] and public["decides"] in VOTED
            if closes is not None and changes and public["decides"] != "election":
                cutoff = closes - timedelta(minutes=minutes)
                lines.append(voice("card.times.change", cutoff=cutoff))
            asks = public["petitions"]
            if any(asks.values()):
                living = sum(not seat["out"] for seat in public["seats"])
                lines.append(voice("card.times.petitions", needed=(living + 1) // 2, **asks))
        if public["paused"]:
            lines.append(voice("card.times.paused"))
        return "\n".join(lines)

    def roster(self, public: View) -> str:
        """Return who plays: the seats, or before the deal those who signed up."""
        voice = self._voice_of(public)
        lines: list[str] = [voice("card.roster.head")]
        lines.append(voice("card.roster.directors", names=self.names(public["directors"])))
        if public["dealt"]:
            for seat in public["seats"]:
                if seat["out"]:
                    lines.append(self._out(voice, seat, "card.roster.out", "card.roster.gone"))
                else:
                    lines.append(voice.seat(seat["number"]))
            return "\n".join(lines)
        for number, person in enumerate(public["signups"], 1):
            lines.append(voice("card.roster.signup", number=number, name=person["name"]))
        if not public["signups"]:
            lines.append(voice("card.roster.empty"))
        return "\n".join(lines)

    def queue(self, names: Sequence[str]) -> str:
        """Return who waits for the next game, in order."""
        voice = self._plain
        lines = [voice("card.roster.queue")]
        for number, name in enumerate(names, 1):
            lines.append(voice("card.roster.signup", number=number, name=name))
        return "\n".join(lines)

    def record(self, name: str, record: Record) -> str:
        """Return what somebody's games have come to; ``name``: what he is called."""
        voice, lines = self._plain, list[str]()

        def add(what: str, **values: Any) -> None:
            lines.append(voice(f"card.record.{what}", **values))

        def items(table: str, tallies: Mapping[tuple[str, str], Tally]) -> Rendered:
            # Boards that call it the same count together.
            named: dict[str, Tally] = {}
            for (theme, key), tally in tallies.items():
                shown = self._called(theme, table, key)
                before = named.get(shown, Tally(0, 0))
                named[shown] = Tally(before.games + tally.games, before.won + tally.won)
            return voice.join(
                voice("card.record.item", key=Rendered(shown), count=tally.games, won=tally.won)
                for shown, tally in sorted(named.items(), key=lambda entry: -entry[1].games)
            )

        games = record.games
        if games.games:
            add("head", name=name, count=games.games, won=games.won)
        else:
            add("none", name=name)
        if record.drawn:
            add("drawn", count=record.drawn)
        if record.roles:
            add("alive", count=record.alive)
            add("factions", items=items("factions", record.factions))
            add("roles", items=items("roles", record.roles))
        if record.coached.games:
            add("coached", count=record.coached.games, won=record.coached.won)
        if record.marks:
            shown = [voice(f"card.record.{what}", count=n) for what, n in record.marks.items()]
            add("marks", items=voice.join(shown))
        for what in ("replaced", "stopped"):
            if count := getattr(record, what):
                add(what, count=count)
        return "\n".join(lines)

    def _called(self, theme: str, table: str, key: str) -> str:
        """Return a theme's name for a role or faction, or its key where it has none any more."""
        if not key:
            return self._plain("format.no_faction")
        names: dict[str, str] = getattr(self._themes.get(theme, _NO_THEME), table)
        return names.get(key, key)

    def tally(self, public: View) -> str:
        """Return how today's vote stands, ballot by ballot."""
        voice = self._voice_of(public)
        if public["depose"] is not None:
            return self._deposing(voice, public["depose"])
        if public["decides"] not in VOTED:
            return voice("card.tally.off")
        if not public["ballots"]:
            return voice("card.tally.none")
        weights, ballots = _ballots(public)
        lines: list[str] = [*tally_lines(voice, weights, ballots), *self._weighed(voice, public)]
        return "\n".join(lines)

    def _weighed(self, voice: Voice, public: View) -> list[str]:
        """Return whose ballot counts otherwise than the others."""
        sheriff = public["sheriff"]
        if public["ballots"].get(sheriff, "abstain") == "abstain":
            return []
        return [voice("card.tally.sheriff", office="sheriff", seat=sheriff)]

    def picture(self, what: str, public: View) -> Picture | None:
        """Return what a picture shows of :meth:`status` or :meth:`tally` (``what``), if anything.

        It goes with a line in place of the text.
        """
        voice = self._voice_of(public)
        phase = phase_name(voice, public["phase"], public["day"])
        picture: Picture | None = None
        if what == "status" and public["dealt"]:
            picture = self._seats(voice, public, phase)
        elif what == "tally" and public["ballots"] and public["depose"] is None:
            head = voice("picture.tally", phase=phase)
            weighed = self._weighed(voice, public)
            picture = pictures.tally(voice, public, head, *_ballots(public), weighed)
        if picture is None:
            return None
        caption = voice(f"picture.caption.{what}", game=public["game"], phase=phase)
        return msgspec.structs.replace(picture, caption=caption)

    def _seats(self, voice: Voice, public: View, phase: Rendered) -> Picture:
        if public["phase"] == "over":
            return pictures.disclosure(voice, public)
        lines: list[str] = [pictures.living(voice, public)]
        if public["paused"]:
            lines.append(voice("card.status.paused"))
        due = [
            voice("format.deadline", due=due, deadline=kind)
            for due, kind in open_deadlines(public["deadlines"])
        ]
        lines += self._rule_of(voice, public)
        return pictures.board(voice, public, phase, lines, due)

    def rules(self, sheet: Sheet) -> str:
        """Return the sheet in plain words: what is printed is what is played."""
        theme = self._themes[sheet.theme].called(sheet.title)
        voice = Voice(self._spoken[sheet.theme], theme, sheet.zone, {}, short=sheet.clock == "span")
        values = {name: getattr(sheet, name) for name in KEYS["rule.clock"]}
        rules = set(sheet.mechanics)
        without = voice("rule.without_cards" if "cards" in rules else "rule.without")
        lines: list[str] = []

        def add(name: str, **more: Any) -> None:
            lines.append(filled(voice, f"rule.{name}", **values, **more))

        def go_on(name: str, **more: Any) -> None:
            lines[-1] += filled(voice, f"rule.{name}", **values, **more)

        add("head", title=theme.title)
        if sheet.players is not None or sheet.players_min == sheet.players_max:
            add("players_fixed", count=sheet.players or sheet.players_max)
        else:
            add("players", min=sheet.players_min, max=sheet.players_max)
        for role, rule in sheet.roles.items():
            add("role", role=role, faction=rule.faction, count=self._count(voice, sheet, role))
            for key in rule.abilities:
                add("ability", ability=key, does=does(voice, sheet, key))
        if sheet.clock == "span":
            add("clock_span")
        elif sheet.day_length:
            add("clock_days")
            if sheet.holidays:
                add("holidays", dates=self._dates(voice, sheet.holidays))
        else:
            add("clock")
        add(f"first_{sheet.first_phase}")
        if sheet.accelerate_at_alive:
            add("accelerate")
        if "petition" in rules:
            add("petition")
        if "lovers" in rules:
            self._lovers(voice, sheet, add, go_on)
        if "sheriff" in rules:
            add("sheriff" if sheet.sheriff_election == "ballot" else "sheriff_candidates")
            go_on("sheriff_weight")
            when = filled(voice, f"rule.heir_{sheet.clock}", **values)
            go_on(f"heir_{sheet.heir_silent}", heir_when=when, without=without)
        if sheet.night_minutes:
            add("night" if sheet.witch_minutes else "night_short")
            known = [f"rule.step.{step}" for step in sheet.night_steps]
            steps = [voice(key) for key in known if key in self._sentences]
            add("night_order", steps=voice.join(steps))
        if sheet.pace == "ready":
            add("pace")
        packs = voice.join(voice.name("roles", role) for role in sheet.channels.values())
        if "kill" in rules:
            add("kill", roles=packs)
            holds = sheet.abilities() & {"guard", "save"}
            if len(holds) == 2:
                go_on("night_held")
                go_on(f"held_{sheet.save_and_guard}")
            elif holds:
                go_on("night_guarded" if "guard" in holds else "night_saved")
        if "charm" in rules:
            add("charm" if sheet.charmed_sounds else "charm_free")
            go_on("night_charm")
        if "hunter" in rules:
            causes = voice.join(voice.name("causes", cause) for cause in sheet.shot_after)
            add("hunter", role="hunter", causes=causes)
            if "witch" in rules and "poison" not in sheet.shot_after:
                go_on("hunter_poison")
            if sheet.pace == "ready":
                go_on("hunter_waits")
        if "idiot" in rules:
            add("idiot", role="idiot")
        if "explode" in rules:
            add("explode", roles=packs)
            if "sheriff" in rules:
                go_on("explode_sheriff")
        if "crown" in rules:
            add("crown")
            if sheet.repeat_lifted_at:
                add("repeat")
            if sheet.no_crown_warnings:
                add("crown_missing")
        if "king" in rules:
            add("king")
            add("king_missing")
        if "hero" in rules:
            add("hero")
            if sheet.hero_uses:
                go_on("hero_uses")
            if not sheet.hero_told:
                go_on("hero_untold")
            if sheet.killers_told_of_hero:
                go_on("hero_known")
        if "crown" in rules and sheet.kingmaker_by_card:
            add("by_card")
        elif "crown" in rules and sheet.succession == "random":
            add("succession")
        elif "regime" in rules and sheet.choices:
            choices = sheet.choices
            if sheet.on_kingmaker_out == "king_decides":
                add("choice", choice=sheet.default_regime)
            else:
                choices = [sheet.on_kingmaker_out]
                add("fixed", choice=sheet.on_kingmaker_out)
            for choice in choices:
                add(choice)
            if "constitution" in choices and sheet.constitution_chooses_again:
                add("choose_again")
            if "dictatorship" in choices:
                add("depose")
        if "ballot" in rules:
            add("ballot")
            if sheet.change_cutoff_minutes:
                go_on("ballot_cutoff")
            if "cards" in rules:
                go_on("ballot_carded", colour="yellow")
            elif "warnings" in rules:
                go_on("ballot_warned")
            go_on("ballot_dropped" if sheet.drop_ballots_of_out else "ballot_kept")
            go_on(f"ballot_{sheet.execution_needs}")
            go_on(f"tie_{sheet.tie}")
        if "attendance" in rules and sheet.posts_min:
            add("attendance_carded" if "cards" in rules else "attendance", colour="yellow")
            if "cards" in rules and sheet.posts_streak:
                go_on("streak", colour="yellow")
        if "warnings" in rules:
            add("warnings")
        if "cards" in rules:
            blue, yellow, red = (voice.name("colours", key) for key in ("blue", "yellow", "red"))
            add("cards", blue=blue, yellow=yellow, red=red)
            if sheet.red_cards_lose:
                go_on("cards_lose", red=red)
        add("show_role" if sheet.show_role else "hide_role")
        if sheet.show_roles_of and not sheet.show_role:
            shown = [voice.name("roles", role) for role in sheet.show_roles_of]
            go_on("show_roles_of", roles=voice.join(shown))
        if sheet.announce_order == "seat" and "announce_out" in sheet.open_steps:
            go_on("announce_seat")
        if not sheet.last_words:
            add("no_last_words")
        else:
            add("last_words", without=without)
            if sheet.words_for:
                ways = voice.join(voice(f"rule.words_{when}") for when in sheet.words_for)
                go_on("words_for", ways=ways)
            go_on(f"words_{sheet.words_published}")
        self._victory(voice, sheet, add)
        if sheet.reminders:
            spans = [voice.span(60 * minutes) for minutes in sorted(sheet.reminders, reverse=True)]
            add("reminders", reminders=voice.join(spans))
        add("people")
        add(f"spectators_{sheet.spectators_see}")
        add("private")
        if not sheet.clauses:
            add("no_clauses")
        return "\n".join(lines)

    def _lovers(
        self, voice: Voice, sheet: Sheet, add: Callable[..., None], go_on: Callable[..., None]
    ) -> None:
        add("setup", role="cupid")
        add("link_self" if sheet.link_self else "link_other")
        add("lovers", role="cupid", faction="lovers")
        go_on(f"follower_{sheet.follower_announced}")
        for channel, role in sheet.channels.items():
            if channel in sheet.channel_abilities:
                add("lone", roles=voice.name("roles", role))
        if sheet.lovers_kill_after:
            lost = voice.name("factions", sheet.lovers_kill_after)
            add("lovers_kill", lost=lost, faction="lovers", ability="lovers_kill")

    def _victory(self, voice: Voice, sheet: Sheet, add: Callable[..., None]) -> None:
        """Say how each faction loses and wins, as the sheet has it."""

        either = voice("rule.either")
        for faction, losings in sheet.lose.items():
            ways = either.join(losing_way(voice, losing) for losing in losings)
            add("lose", faction=faction, ways=Rendered(ways))
        for faction, winnings in sheet.win.items():
            ways = either.join(winning_way(voice, sheet, winning) for winning in winnings)
            add("win", faction=faction, ways=Rendered(ways))
        if not any(winning.half for winnings in sheet.win.values() for winning in winnings):
            add("no_half")
        add("last_one")
        if len(sheet.factions) > 2:
            add("lost_quietly")
        if sheet.victory_order:
            factions = voice.join(voice.name("factions", key) for key in sheet.victory_order)
            add("victory_order", factions=factions)

    def _dates(self, voice: Voice, days: Sequence[str]) -> Rendered:
        """Return dates, with those that follow one another as one."""
        runs: list[list[date]] = []
        for day in sorted(date.fromisoformat(day) for day in days):
            if runs and day - runs[-1][-1] == timedelta(days=1):
                runs[-1].append(day)
            else:
                runs.append([day])
        shown = [
            [voice("format.date", year=d.year, month=d.month, day=d.day) for d in (run[0], run[-1])]
            for run in runs
        ]
        return voice.join(
            first if first == last else voice("format.dates", first=first, last=last)
            for first, last in shown
        )

    def _count(self, voice: Voice, sheet: Sheet, role: str) -> Rendered:
        count = sheet.roles[role].count
        if sheet.players is not None:
            return voice("rule.role_count", count=sheet.counts(sheet.players)[role])
        if isinstance(count, int):
            return voice("rule.role_count", count=count)
        if isinstance(count, str):
            return voice("rule.role_rest")
        steps: list[tuple[int, int]] = []
        for players in range(sheet.players_min, sheet.players_max + 1):
            dealt = sheet.counts(players)[role]
            if not steps or steps[-1][1] != dealt:
                steps.append((players, dealt))
        return voice.join(voice("rule.role_step", players=p, count=n) for p, n in steps)

    def help(self, where: Where, public: View | None, seat: View | None, director: bool) -> str:
        """Return what can be typed here and now.

        ``public``: of the game in question, if there is one. ``seat``: the asker's own view, if
        he is seated; in a group it is best left out, since abilities are a secret: there only
        what is no secret is used of it. ``director``: whether he directs the game.
        """
        if public is None:
            board = self._board(self._plain)
            first = "help.no_game" if where == "group" else "help.stranger"
            return "\n".join([self._plain(first, board=board), *self._past(self._plain)])
        voice = self._voice_of(public)
        phase = public["phase"]
        if phase == "over":
            return "\n".join([voice("help.over", board=voice.theme.word), *self._past(voice)])
        lines: list[str] = [voice("help.head")]
        if phase == "setup" and not public["dealt"]:
            lines.append(voice("help.setup"))
            if director:
                lines += [voice("help.setup_director"), *self._directing(voice, public)]
            return "\n".join(lines)
        lines += self._help_now(voice, where, public, seat)
        lines += [voice("help.general"), voice("help.records")]
        if director and where in ("private", "directors"):
            lines += self._directing(voice, public)
        return "\n".join(lines)

    def _past(self, voice: Voice) -> list[str]:
        """Say what can be typed about games that are over."""
        return [voice("help.records"), voice("help.forget")]

    def _directing(self, voice: Voice, public: View) -> list[str]:
        rules = public["rules"].mechanics
        keys = ["director"]
        if "attendance" in rules:
            keys.append("director_posts")
        marks = next((key for key in ("cards", "warnings") if key in rules), "bind")
        keys += [f"director_{marks}", "director_clock"]
        return [voice(f"help.{key}") for key in keys]

    def _help_now(self, voice: Voice, where: Where, public: View, seat: View | None) -> list[str]:
        but = [] if seat is None else [seat["number"]]
        free = [s["number"] for s in public["seats"] if not s["out"] and s["number"] not in but]
        some = dict(zip(("someone", "other"), map(str, [*free, 3, 5]), strict=False))
        rules: Sheet = public["rules"]
        secret = where in ("private", "channel") and seat is not None and seat["alive"]
        alive = seat is None or seat["alive"]
        lines: list[str] = [voice("help.channel")] if where == "channel" else []
        keys: list[str] = []
        owed = set() if seat is None else {what for what, _ in seat["owed"]}
        if secret and seat is not None:
            can = {*seat["usable"], "link"}
            own = [key for key in seat["abilities"] if key in can]
            orders = [key for key in own if f"ability.{key}.how" in self._sentences]
            for key in orders:
                example = example_of(voice, key, some)
                how = voice(f"ability.{key}.how")
                lines.append(voice("help.ability", skill=key, how=how, example=example))
            rules_of = {key: ABILITIES[key][1] for key in orders}
            again = [key for key, rule in rules_of.items() if rule and not rule.binding]
            if again and public["phase"] == "night":
                keys.append("withdraw" if len(again) == 1 else "withdraw_one")
                some["order"] = example_of(voice, again[-1], some).split()[0]
            if public["phase"] == "night" and "crown" in seat["abilities"] and where == "private":
                keys.append("crown")
            if "confirm" in owed:
                keys.append("confirm")
        if where == "private" and "ready" in owed:
            keys.append("ready")
        if where == "private" and "shot" in owed:
            keys.append("shoot")
        rights = [] if seat is None else seat["rights"]
        if where == "private" and "heir" in rights:
            keys.append("badge" if rules.heir_silent == "none" else "heir")
        if where == "private" and "last_words" in rights:
            keys.append("last_words")
        mine = seat is None or seat["number"] == public["king"]
        if alive and where != "directors":
            if public["decides"] == "order" and mine:
                keys.append("order")
            if public["decides"] in VOTED:
                keys.append("ballot")
            if public["decides"] == "election":
                keys.append("stand")
            if public["decides"] == "candidacy":
                keys.append("stand_sheriff")
            if public["phase"] == "day" and "petition" in rules.mechanics:
                keys.append("petition")
            chooser = public["chooser"]
            if chooser is not None and (seat is None or seat["number"] == chooser):
                keys.append("choice")
            if public["regime"] == "dictatorship":
                if public["phase"] == "night":
                    keys.append("depose")
                if mine and seat is not None:
                    keys.append("abdicate")
        explodes = "explode" in rules.mechanics and public["phase"] == "day"
        if explodes and secret and seat is not None and "faction_kill" in seat["abilities"]:
            keys.append("explode")
        if secret and seat is not None and where == "private" and len(seat["members"]) > 1:
            keys.append("say")
        if seat is not None and where == "private":
            keys.append("seat")
        if where == "group":
            keys += ["watch", "private"]
        only = [str(number) for number in electable(public)]
        for key in keys:
            filling: dict[str, Any] = {"office": "sheriff", **some, **offered(rules)}
            if key == "ballot" and only:
                filling["someone"] = only[0]
            fields = voice.sentences.fields(f"help.{key}")
            lines.append(voice(f"help.{key}", **{field: filling[field] for field in fields}))
        return lines

    # --- cards: what one seat may see -----------------------------------------------------------

    def card_picture(self, seat: View, public: View) -> Picture:
        """Return what a picture shows of :meth:`role_card`, beside all its text."""
        voice = self._voice_of(public)
        role, card = self._role(voice, seat, public)
        return pictures.card(voice, public, seat, role, card)

    def _role(self, voice: Voice, seat: View, public: View) -> tuple[Rendered, Rendered]:
        """Return what a seat's role is called, and what it is about."""
        living = [s["number"] for s in public["seats"] if not s["out"]]
        free = [number for number in living if number != seat["number"]] + [3, 5]
        some = {"someone": str(free[0]), "other": str(free[1])}
        role = voice.name("roles", seat["role"])
        crowns = ["kingmaker"] in seat["told"] and "crown" in seat["abilities"]
        if crowns and seat["alive"] and seat["role"] != "kingmaker":
            # What his first role says of its nights holds no more.
            return voice("card.role.heir", role=role), voice("told.kingmaker", **some)
        return role, role_text(voice, public["rules"], seat, some)

    def role_card(self, seat: View, public: View) -> str:
        """Return a seat's own card, from :func:`engine.view.seat_view`: for its player alone."""
        voice = self._voice_of(public)
        living = [s["number"] for s in public["seats"] if not s["out"]]
        role, card = self._role(voice, seat, public)
        lines: list[str] = [
            voice(
                "told.role",
                game=public["game"],
                title=voice.theme.title,
                seat=seat["number"],
                role=role,
                faction=seat["faction"],
                card=card,
            )
        ]
        if not seat["alive"]:
            lines.append(voice("card.role.out"))
            return "\n".join(lines)
        lovers = [notice[1] for notice in seat["told"] if notice[0] == "lover"]
        if lovers:
            lines.append(voice("told.lover", target=lovers[-1], bond="lover"))
        if seat["channel"] is not None:
            # Of the channel, those announced out are gone: who has gone unseen is not told here.
            told = [notice[1] for notice in seat["told"] if notice[0] == "partners"]
            others = [number for number in (told[-1] if told else lovers) if number in living]
            lines.append(voice("card.role.members", channel=seat["channel"], seats=others))
        rules: Sheet = public["rules"]
        if rules.pace == "ready":
            lines.append(voice("told.ready"))
        if "attendance" in rules.mechanics:
            posts = {"posts": seat["posts"], "posts_min": seat["posts_min"]}
            lines.append(voice("card.role.posts", **posts))
        if seat["warnings"]:
            lines.append(voice("card.role.warnings", warnings=seat["warnings"]))
        cards = public["cards"].get(seat["number"], {})
        if any(cards.values()):
            lines.append(voice("card.role.cards", held=held_cards(voice, cards)))
        lines += self._standing(voice, seat, public)
        lines += self._owed(voice, seat)
        if public["deadlines"]:
            phase = phase_name(voice, public["phase"], public["day"])
            due = deadlines(voice, public["deadlines"])
            lines.append(voice("told.now", phase=phase, deadlines=due))
        return "\n".join(lines)

    def _standing(self, voice: Voice, seat: View, public: View) -> list[str]:
        standing, lines = seat["standing"], list[str]()
        if seat["number"] in public["charmed"]:
            lines.append(voice("card.role.charmed", status="charmed"))
        night = public["phase"] == "night"
        orders = [key for key in seat["abilities"] if f"ability.{key}.how" in self._sentences]
        for ability in orders if night else ():
            if ability not in standing:
                lines.append(voice("card.role.order_none", ability=ability))
            elif standing[ability] is None:
                lines.append(voice("card.role.order_empty", ability=ability))
            else:
                target = standing[ability]
                lines.append(voice("card.role.order", ability=ability, target=target))
        if night and "crown" in seat["abilities"]:
            if "crown" not in standing:
                lines.append(voice("card.role.crown_none"))
            else:
                lines.append(self._crown(voice, "card.role", standing["crown"]))
        if "ballot" in standing:
            target = standing["ballot"]
            shown = voice("format.abstain") if target is None else voice.seat(target)
            lines.append(voice("card.role.ballot", target=shown))
        if "depose" in standing:
            lines.append(voice("card.role.depose", voice=standing["depose"]))
        return lines

    def _crown(self, voice: Voice, where: str, crown: Sequence[int | None]) -> str:
        first, substitute = crown
        if substitute is None:
            return voice(f"{where}.crown_alone", first=first)
        return voice(f"{where}.crown", first=first, substitute=substitute)

    def _owed(self, voice: Voice, seat: View) -> list[str]:
        if not seat["owed"]:
            return []
        lines: list[str] = [voice("card.role.owed_head")]
        for what, due in seat["owed"]:
            if due is None:
                lines.append(voice.owed(what))
            else:
                lines.append(voice("card.role.owed", what=what, due=due))
        return lines

    def all_told(self, seat: View, public: View) -> str:
        """Return all that a seat was told in private, in order: for its player alone."""
        voice = self._voice_of(public)
        lines: list[str] = [voice("card.told.head")]
        told: list[Sequence[Any]] = seat["told"]
        factions = [place for place, notice in enumerate(told) if notice[0] == "faction"]
        for place, notice in enumerate(told):
            if notice[0] == "faction" and len(factions) > 1:
                which = "now" if place == factions[-1] else "before"
                lines.append(voice(f"card.told.faction_{which}", faction=notice[1]))
            else:
                lines.append(self._notice(voice, notice))
        if any(notice[0] == "inspected" for notice in told):
            # The theme's answers may be words of its own.
            shown = does(voice, public["rules"], "inspect")
            lines.append(voice("format.ability_bare", ability="inspect", does=shown))
        return "\n".join(lines)

    def _notice(self, voice: Voice, notice: Sequence[Any]) -> Rendered:
        kind, *about = notice
        key = f"card.told.{kind}"
        if kind in ("role", "faction"):
            return voice(key, **{kind: about[0]})
        if kind == "partners":
            return voice(key, seats=about[0])
        if kind == "card":
            return voice(key, count=about[0])
        if kind == "lover":
            return voice(key, target=about[0], bond="lover")
        if kind == "inspected":
            return voice(key, ability="inspect", target=about[0], answer=about[1])
        if kind == "victims":
            return voice(key, skill="victim_report", seats=about[0])
        if kind in ("lost_ability", "gained_ability"):
            return voice(key, ability=about[0])
        if notice == ["void", "ballot"]:
            return voice("card.told.void_ballot")
        if kind == "void":
            return voice("card.told.void_ability", ability=about[0])
        return filled(voice, key)

    # --- cards for directors --------------------------------------------------------------------

    def director_table(self, director: View, public: View) -> str:
        """Return every role and secret, from :func:`engine.view.director_view`: directors only."""
        voice = self._voice_of(public)
        head = "over" if public["phase"] == "over" else "head"
        lines: list[str] = [voice(f"card.table.{head}", game=public["game"])]
        if not director["roles"]:
            return "\n".join([*lines, voice("card.table.undealt")])
        causes = dict(director["out"])
        for number, role in director["roles"].items():
            faction = director["factions"].get(number, "")
            if number in causes:
                lines.append(
                    voice(
                        "card.table.out",
                        seat=number,
                        role=role,
                        faction=faction,
                        cause=causes[number],
                    )
                )
            elif not {"attendance", "cards", "warnings"} & set(public["rules"].mechanics):
                lines.append(voice("card.table.plain", seat=number, role=role, faction=faction))
            else:
                lines.append(
                    voice(
                        "card.table.seat",
                        seat=number,
                        role=role,
                        faction=faction,
                        marks=self._marks(voice, director, number),
                        posts=director["posts"].get(number, 0),
                    )
                )
        lines += self._secrets(voice, director)
        return "\n".join(lines)

    def _marks(self, voice: Voice, director: View, number: int) -> Rendered:
        """Return the warnings or cards of a seat."""
        cards = director["cards"].get(number, {})
        if voice.theme.colours:
            return held_cards(voice, cards)
        return voice("card.table.warnings", warnings=director["warnings"].get(number, 0))

    def _secrets(self, voice: Voice, director: View) -> list[str]:
        lines: list[str] = []
        if director["throne"]:
            lines.append(voice("card.table.throne", seats=director["throne"]))
            lines.append(voice("card.table.numbers", seats=director["numbers"]))
            if director["kingmaker"] is None:
                lines.append(voice("card.table.no_kingmaker"))
            else:
                lines.append(voice("card.table.kingmaker", seat=director["kingmaker"]))
        if director["lovers"]:
            lines.append(voice("card.table.pair", bond="lover", seats=director["lovers"]))
        if director["sheriff"] is not None:
            lines.append(voice("card.table.office", office="sheriff", seat=director["sheriff"]))
        if director["charmed"]:
            seats = director["charmed"]
            lines.append(voice("card.table.charmed", status="charmed", seats=seats))
        if director["lost"]:
            factions = voice.join(voice.name("factions", key) for key in director["lost"])
            lines.append(voice("card.table.lost", factions=factions))
        if director["waiting_red"]:
            seats = director["waiting_red"]
            lines.append(voice("card.table.waiting_red", colour="red", seats=seats))
        if director["orders"] and director["phase"] == "night":
            done = actions(voice, director["orders"])
            lines.append(voice("card.table.orders", actions=done))
        if director["crown"] is not None and director["phase"] == "night":
            lines.append(self._crown(voice, "card.table", director["crown"]))
        if director["choice_owed"]:
            lines.append(voice("card.table.choice_owed"))
        return lines

    def todo(self, owed: Sequence[Owed], public: View) -> str:
        """Return who still owes or may still give what, from :func:`engine.view.owed`."""
        voice = self._voice_of(public)
        lines: list[str] = [voice("card.todo.head")]
        whos: dict[tuple[str, datetime | None, bool], list[str]] = {}
        for entry in owed:
            who = (
                voice.seat(entry.who)
                if isinstance(entry.who, int)
                else voice.name("channels", entry.who)
            )
            whos.setdefault((entry.what, entry.due, entry.expected), []).append(who)
        for (what, due, expected), who_owe in whos.items():
            key = "card.todo.expected" if expected else "card.todo.may"
            text = voice(key, who=voice.join(who_owe), what=what)
            lines.append(text + (voice("card.todo.due", due=due) if due is not None else ""))
        if not whos:
            lines.append(voice("card.todo.none"))
        return "\n".join(lines)

    # --- the director's record ------------------------------------------------------------------

    def log_line(self, event: ev.Event, game: Game) -> str:
        """Return one line on an event, its secret included: directors, and all after the end."""
        return self._voice(game)("log.line", at=event.at, text=self.log_text(event, game))

    def log_text(self, event: ev.Event, game: Game) -> Rendered:
        """Return what the record says of an event, with its clause, without the moment."""
        voice = self._voice(game)
        key, values = self._logged(voice, event, game)
        fields = voice.sentences.fields(key)
        text = voice(key, **{name: values[name] for name in fields})
        return voice("log.clause", text=text, clause=event.clause) if event.clause else text

    def _logged(self, voice: Voice, event: ev.Event, game: Game) -> tuple[str, dict[str, Any]]:
        """Return the key of an event's line and what fills it."""
        terms = {"office": "sheriff", "status": "charmed"}
        own = {f: getattr(event, f) for f in event.__struct_fields__}
        values: dict[str, Any] = {**terms, **own}
        key = f"log.{_snake(event)}"
        if "text" in values:
            values["text"] = voice("format.quote", text=block(values["text"]))
        if isinstance(event, (ev.Bound, ev.Unbound, ev.RoomChecked, ev.RoomOpened, ev.RoomClosed)):
            values["room"] = rooms.room(voice, event.channel)
        if isinstance(event, ev.RoomChecked):
            key += "" if event.known else "_unknown"
            values["strangers"] = rooms.strangers(voice, game, event.strangers)
            values["missing"] = rooms.missing(voice, game, event.missing)
        elif isinstance(event, ev.Replaced):
            # The seat's name is by now the new player's.
            values["number"] = event.seat
        elif isinstance(event, (ev.PlayerLost, ev.PlayerBack)):
            key += f"_{event.how}"
        elif isinstance(event, ev.Dealt):
            values["roles"] = voice.join(
                Rendered(f"{voice.seat(seat)} {voice.name('roles', role)}")
                for seat, role in event.roles.items()
            )
            key += "_throne" if "crown" in game.sheet.mechanics else ""
        elif isinstance(event, ev.Drawn):
            values["what"] = Rendered(event.what)
        elif isinstance(event, ev.Told):
            values["notice"] = self._notice(voice, event.notice)
        elif isinstance(event, ev.Scheduled) and event.due is None:
            key += "_none"
        elif isinstance(event, ev.Reminded):
            values["owed"] = voice.join(self._reminded(voice, who) for who in event.owed)
        elif isinstance(event, (ev.NightFell, ev.DayOpened, ev.DayClosed)):
            phase = "night" if isinstance(event, ev.NightFell) else "day"
            values["phase"] = phase_name(voice, phase, event.day)
        elif isinstance(event, (ev.Forced, ev.Reported)):
            key += f"_{event.what}"
        elif isinstance(event, ev.Muted) and not event.minutes:
            key += "_lifted"
        elif isinstance(event, ev.GameOver) and event.winner in ("", "draw"):
            key += "_draw" if event.winner else "_stopped"
        elif isinstance(event, ev.KillNamed) and event.target is None:
            values["target"] = voice("format.empty_kill")
        elif isinstance(event, ev.NightSettled):
            values["actions"] = actions(voice, event.actions)
        elif isinstance(event, ev.ChannelOpened):
            values["members"] = voice.join(voice.seat(seat) for seat in event.members)
        elif isinstance(event, ev.Linked) and event.drawn:
            key += "_drawn"
        elif isinstance(event, ev.SheriffVacated) and event.until is not None:
            key += "_until"
        elif isinstance(event, ev.HeirsNamed):
            values["heirs"] = voice.join(voice.seat(seat) for seat in event.heirs)
        elif isinstance(event, ev.Petitioned) and not event.ask:
            key += "_none"
        elif isinstance(event, ev.PetitionChecked) and event.result:
            key += f"_{event.result}"
        elif isinstance(event, ev.StreaksCounted):
            values["seats"] = voice.join(
                voice("events.warned.item", seat=seat, total=count)
                for seat, count in event.streaks.items()
                if count
            )
        elif isinstance(event, (ev.CrownSettled, ev.SheriffTook)):
            key += f"_{event.how}"
        elif isinstance(event, ev.Chosen) and event.by_default:
            key += "_default"
        elif isinstance(event, ev.PresidentElected) and event.seat is None:
            key += "_nobody"
        elif isinstance(event, ev.CardsDrawn):
            values["seats"] = voice.join(
                voice("events.warned.item", seat=seat, total=card)
                for seat, card in event.cards.items()
            )
        elif isinstance(event, ev.DeposeClosed):
            key += f"_{event.result}"
        elif isinstance(event, ev.BallotCast):
            key += "_change" if event.change else ""
            if event.target is None:
                values["target"] = voice("format.abstain")
        elif isinstance(event, ev.Tallied):
            _, *lines = tally_lines(voice, event.tally, event.ballots)
            values["votes"] = voice.join(lines)
        elif isinstance(event, ev.BallotDropped) and event.void:
            key += "_void"
        elif isinstance(event, (ev.Warned, ev.Carded)):
            key += f"_{event.why}"
        if isinstance(event, (ev.Directed, ev.Rewound)):
            values["name"] = game.directors.get(event.account, event.account)
        if "ability" in values:
            values["skill"] = values["ability"]
        return key, values

    def _reminded(self, voice: Voice, owed: Sequence[str | int]) -> Rendered:
        who, what = owed
        named = voice.seat(who) if isinstance(who, int) else voice.name("channels", who)
        return Rendered(f"{named} {voice.owed(str(what))}")

    def _board(self, voice: Voice) -> str:
        return voice.theme.word or next(iter(self._themes.values())).word

    # --- voices ---------------------------------------------------------------------------------

    def _voice(self, game: Game) -> Voice:
        names = {number: seat.name for number, seat in game.seats.items()}
        theme = self._themes[game.sheet.theme].called(game.sheet.title)
        short = game.sheet.clock == "span"
        return Voice(self._spoken[game.sheet.theme], theme, game.sheet.zone, names, short=short)

    def _voice_of(self, public: View) -> Voice:
        names = {seat["number"]: seat["name"] for seat in public["seats"]}
        theme = self._themes[public["theme"]].called(public["title"])
        short = public["rules"].clock == "span"
        return Voice(self._spoken[public["theme"]], theme, public["zone"], names, short=short)


_SEEN = (
    *(ev.Renamed, ev.PlayerLost, ev.PlayerBack),
    *(ev.RoomChecked, ev.RoomOpened, ev.RoomClosed),
)
"""What was seen of people, and is so whatever is undone."""

_UNLISTED = (
    *(ev.Posted, ev.Scheduled, ev.Drawn, ev.Directed, ev.Told, ev.Reminded, ev.Rewound),
    *_SEEN,
)
"""Events that a director is not shown before 回到: they follow from others, or can be read."""

_LISTED = 40

_QUOTED = 40


def _branches(
    log: Sequence[ev.Event], to: int
) -> tuple[list[tuple[int, ev.Event]], list[tuple[int, ev.Event]]]:
    """Return what holds after ``log`` and not after its event ``to``, and the other way round."""
    now, then = live(log), live(log[:to])
    kept = {number for number, _ in now} & {number for number, _ in then}
    return [e for e in now if e[0] not in kept], [e for e in then if e[0] not in kept]


def _silenced(game: Game, log: Sequence[ev.Event]) -> dict[str, datetime]:
    """Return until when the accounts that were silenced in a game's ``log`` are, or were."""
    held = {number: [*seat.former, seat.account][0] for number, seat in game.seats.items()}
    until = {}
    for _, event in live(log):
        if isinstance(event, ev.Replaced):
            held[event.seat] = event.account
        elif isinstance(event, ev.Muted):
            until[held[event.seat]] = event.at + timedelta(minutes=event.minutes)
    return until


def _added(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the lines that are only there afterwards."""
    return [text for text in after if text not in before]


def _rewound_audiences(before: Game, after: Game, game: Game, audience: str) -> list[str]:
    """Return whom to tell, though it may have no seat any more: what that audience had known."""
    kind, _, which = audience.partition(":")
    if kind == "seat":
        return [f"person:{game.seats[int(which)].account}"]
    if kind == "channel":
        left = set(before.members(which)) - set(after.members(which))
        told = [f"person:{before.seats[number].account}" for number in sorted(left)]
        return [*told, *([audience] if after.members(which) else [])]
    return [audience] if kind == ev.PUBLIC else []


def _ballots(public: View) -> tuple[dict[int, str], dict[int, int | None]]:
    """Return today's ballots as they stand: target → how many, and seat → target or None."""
    ballots = {
        voter: None if target == "abstain" else target
        for voter, target in public["ballots"].items()
    }
    named = Counter(target for target in ballots.values() if target is not None)
    return {target: str(count) for target, count in named.items()}, ballots


def _change_ends(game: Game) -> datetime | None:
    """Return from when the ballots of now can't be changed any more, None if there are none."""
    cutoff = timedelta(minutes=game.sheet.change_cutoff_minutes)
    ends = [game.due["election"]] if "election" in game.due else []
    ends += [game.due["close"] - cutoff] if "close" in game.due else []
    return min(ends, default=None)


def _snake(thing: object) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(thing).__name__).lower()


_NO_THEME = Theme(
    title="", word="", roles={}, factions={}, phases={}, causes={}, deadlines={}, owed={}
)
