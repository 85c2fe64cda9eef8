"""The words people type: text in, an :class:`Intent` out. No game is known here.

Reading goes in two steps, because names can be resolved only once the game is known:
:func:`read` finds the command word, and :func:`understand` reads what follows it with the
:class:`Roll` of those who can be named.

A board has names of its own for abilities; they are words beside the general ones, and only in its
own games: :func:`read` is given them.

Words that are no command are talk, and talk must never become an order. So what follows a word
directly, with no space between, counts only if it is exactly what the word takes: "刀3" is an
order, "刀法很好" and "投票3个人就够了" are talk. After a space a command was meant, and one that
can't be read is refused (:class:`Misread`), with an example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from data.names import fold as fold

# --- the table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A command word.

    ``forms``: how it is typed. ``takes``: what follows it, a key of the readers below.
    ``example``: one right way to type it. ``secret``: belongs in private, never in the public
    group. ``channel``: a word in a secret channel too, where every other is talk. ``director``: a
    director's word. ``ability``: the engine's key of the ability that it uses. ``mechanic``: what
    it is a word of; in the public group of a game without it, it is talk. ``private``: in the
    public group it is talk in every game.
    """

    key: str
    forms: tuple[str, ...]
    takes: str = "nothing"
    example: str = ""
    secret: bool = False
    channel: bool = False
    director: bool = False
    ability: str = ""
    mechanic: str = ""
    private: bool = False


def _order(
    key: str, form: str, ability: str, mechanic: str, *, takes: str = "seat", channel: bool = False
) -> Word:
    """A word for an order of the night."""
    example = f"{form} 3" if takes == "seat" else form
    return Word(key, (form,), takes, example, True, channel, False, ability, mechanic)


WORDS: tuple[Word, ...] = (
    # signing up
    Word("open", ("开局",), "sheet", "开局 拥王者 12人"),
    Word("sign_up", ("报名",), "name", "报名 小明"),
    Word("sign_off", ("退出",)),
    Word("roster", ("名单",)),
    Word("start", ("开始",), "force", "开始", director=True),
    Word("bind", ("绑定",), "bind", "绑定 导演 12", director=True),
    Word("unbind", ("解绑",), director=True),
    # looking things up
    Word("help", ("帮助", "菜单", "help", "Help"), channel=True),
    Word("rules", ("规则",), "sheet", "规则 拥王者", channel=True),
    Word("status", ("状态",), "plainly", channel=True),
    Word("times", ("时间",), channel=True),
    Word("tally", ("票型",), "plainly"),
    Word("my_role", ("我的身份",)),
    Word("my_notices", ("我的信息",)),
    Word("held", ("待收",)),
    Word("choose_game", ("切换",), "game", "切换 12"),
    # watching
    Word("watch", ("观战",), "watch", "观战 @小明"),
    Word("stop_watching", ("退出观战",)),
    Word("record", ("战绩",), "someone", "战绩 @小明"),
    # While a game is on, these are said for other reasons.
    Word("again", ("再来一局",), private=True),
    Word("forget", ("忘记我",), private=True),
    # People ask why all day; a game that is over is told in its group.
    Word("why", ("为什么", "为何", "为啥"), "cause", "为什么 3", private=True),
    Word("retell", ("复盘",)),
    # what a seat does
    Word("say", ("密",), "text", "密 今晚怎么办", secret=True),
    _order("kill", "刀", "faction_kill", "kill", channel=True),
    _order("no_kill", "空刀", "faction_kill", "kill", takes="nothing", channel=True),
    _order("lovers_kill", "解体", "lovers_kill", "lovers", channel=True),
    _order("charm", "吹", "charm", "charm"),
    _order("guard", "守", "guard", "guard"),
    _order("ward", "护", "ward", "guard"),
    _order("save", "救", "save", "witch"),
    _order("poison", "毒", "poison", "witch"),
    _order("inspect", "验", "inspect", "inspect"),
    Word("link", ("恋",), "link", "恋 3 5", secret=True, ability="link", mechanic="lovers"),
    Word("withdraw", ("放弃",), "withdraw", "放弃", secret=True, channel=True, mechanic="kill"),
    Word("crown", ("立王",), "crown", "立王 3 备 5", secret=True, mechanic="crown"),
    Word("order", ("处决",), "seat", "处决 3"),
    Word("confirm", ("确认",)),
    Word("dictatorship", ("独裁",)),
    Word("constitution", ("立宪",)),
    Word("grant", ("神赐",)),
    Word("republic", ("共和",)),
    Word("democracy", ("民主",)),
    Word("abdicate", ("退位",)),
    Word("depose", ("罢黜",), "voice", "罢黜 赞成"),
    Word("vote", ("投票", "改票"), "ballot", "投票 3 他很可疑"),
    Word("abstain", ("弃权",), "abstain", "弃权"),
    Word("speed_up", ("加速",), mechanic="petition"),
    Word("delay", ("延时",), mechanic="petition"),
    Word("no_petition", ("撤回申请",), mechanic="petition"),
    Word("stand", ("参选", "上警"), mechanic="election"),
    Word("stand_down", ("退水",), mechanic="election"),
    Word("shoot", ("开枪",), "seat", "开枪 3", mechanic="hunter"),
    Word("explode", ("自爆",), mechanic="explode"),
    # A night's "过" and a seer's "警徽流" are said in public all day.
    Word("ready", ("过",), private=True),
    Word("heirs", ("继任",), "heirs", "继任 3 5", secret=True, mechanic="sheriff"),
    Word("badge", ("移交警徽",), "heirs", "移交警徽 3", mechanic="sheriff"),
    Word("badge_flow", ("警徽流",), "heirs", "警徽流 3 5", mechanic="sheriff", private=True),
    Word("no_badge", ("撕警徽",), mechanic="sheriff"),
    Word("last_words", ("遗言",), "text", "遗言 我是好人", secret=True, mechanic="last_words"),
    # directors
    Word("table", ("身份表",), director=True),
    Word("todo", ("待办",), director=True),
    Word("log", ("记录",), "phase", "记录 第2夜", director=True),
    Word("warn", ("警告",), "seat_reason", "警告 3 贴脸", director=True),
    Word("blue_card", ("蓝牌",), "seat_reason", "蓝牌 3 贴脸", director=True),
    Word("yellow_card", ("黄牌",), "seat_reason", "黄牌 3 贴脸", director=True),
    Word("red_card", ("红牌",), "seat_reason", "红牌 3 贴脸", director=True),
    Word("take_card", ("撤牌",), "card", "撤牌 3 警告", director=True),
    Word("rule_lost", ("判负",), "faction_reason", "判负 狼人 红牌累计", director=True),
    Word("reinstate", ("撤判",), "seat", "撤判 3", director=True),
    Word("undo", ("撤销", "撤消"), director=True),
    Word("rewind", ("回到",), "game", "回到 12", director=True),
    Word("rule_out", ("判出局",), "seat_reason", "判出局 3 场外", director=True),
    Word("add_posts", ("加水",), "seat_count", "加水 3 2", director=True),
    Word("take_posts", ("扣水",), "seat_count", "扣水 3 2", director=True),
    Word("mute", ("禁言",), "seat_span", "禁言 3 2小时", director=True),
    Word("unmute", ("解禁",), "seat", "解禁 3", director=True),
    Word("proxy", ("代投",), "proxy", "代投 3 投 5", director=True),
    Word("replace", ("替补",), "seat_person", "替补 3 @小明", director=True),
    Word("coach", ("场助",), "seat_person", "场助 3 @小明", director=True),
    Word("add_director", ("副导演",), "person", "副导演 @小明", director=True),
    Word("resign", ("卸任",), director=True),
    Word("close_day", ("截票",), director=True),
    Word("open_day", ("开楼",), director=True),
    Word("settle_night", ("结算",), director=True),
    Word("extend", ("延长",), "span", "延长 30分", director=True),
    Word("pause", ("暂停",), director=True),
    Word("resume", ("继续",), director=True),
    Word("announce", ("公告",), "text", "公告 今晚八点开楼", director=True),
    Word("end", ("终局",), director=True),
)

CHANNELS = {
    "导演": "directors",
    "导演群": "directors",
    "杀手": "killers",
    "杀手群": "killers",
    "狼": "wolves",
    "狼群": "wolves",
    "情侣": "lovers",
    "情侣群": "lovers",
    "黑手党": "mafia",
    "观战": "spectators",
    "观战群": "spectators",
    "密谈": "pack",
}
"""How a channel is named when a QQ group is bound to it; ``pack``: the first one of the sheet's."""

CARDS = {
    "警告": "warning",
    "蓝": "blue",
    "蓝牌": "blue",
    "黄": "yellow",
    "黄牌": "yellow",
    "红": "red",
    "红牌": "red",
}
"""What a director can take back with 撤牌."""

RESERVED = {"主持", "主持人", "导演", "副导演", "法官", "机器人"}
"""What nobody may be called: the words for who leads a game."""

PARAMETERS = {
    "人数": "players",
    "发言": "posts_min",
    "截票": "close",
    "开楼": "open",
    "警告": "warnings_out",
    "提醒": "reminders",
    "主题": "theme",
}
"""Short names of a sheet's parameters, as typed after 开局. A role's own name sets its number."""

VOICES = {
    "赞成": "for",
    "支持": "for",
    "同意": "for",
    "反对": "against",
    "弃权": "abstain",
}

_TRADITIONAL = (
    "開开報报單单強强狀状態态時时間间規规則则幫帮權权棄弃罷罢贊赞讚赞對对獨独憲宪賜赐處处決决"
    "遺遗確确認认備备換换辦办記记錄录結结樓楼長长暫暂繼继續续導导場场補补殺杀戀恋侶侣護护綁绑號号"
    "選选鐘钟鍾钟絀黜條条個个數数發发眾众廢废裡里裏里換换終终臺台玩玩員员見见"
    "參参戰战績绩來来為为爲为麼么麽么復复覆复盤盘過过槍枪驗验藍蓝黃黄紅红負负請请無无"
    "輪轮聖圣體体驕骄貓猫頭头鷹鹰軟软愛爱"
)

# One character to one character, so that a place in the flattened text is one in the text itself.
_FLAT = {
    **dict(zip(map(ord, _TRADITIONAL[::2]), _TRADITIONAL[1::2], strict=True)),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys([0x3000, 0x00A0, 0x200B, 0x2060, 0xFEFF], " "),
}

_AND = "和跟与"
_STOPS = ",.:;!、。~ \t\r\n"
_ENDS = ".!。~… \t\r\n"
"""What may end a command and says nothing."""

ALONE = {
    *("nothing", "plainly", "force", "sheet", "voice", "name", "abstain", "withdraw"),
    *("someone", "phase", "watch"),
}
"""What words take that may stand alone: what ends them then is no part of the talk."""

_PLAIN = {*(*ALONE, "game", "bind", "card", "seat_count", "seat_span", "span", "cause")} - {
    "name",
    "abstain",
    "watch",
}
"""What words take that never ends so itself."""

_ASKED = {
    *("help", "rules", "status", "times", "tally", "my_role", "my_notices", "held", "roster"),
    *("record", "why"),
}
"""Words that may be asked, with a question mark; of any other, that would be a doubt."""


def flatten(text: str) -> str:
    """The text, as long as before, in half width and with simplified forms of command words."""
    return text.translate(_FLAT)


# --- who can be named ----------------------------------------------------------------------------


class Roll:
    """Those who can be named: (seat number, account, name) each."""

    def __init__(self, players: Iterable[tuple[int, str, str]] = ()) -> None:
        self.numbers: set[int] = set()
        self._accounts: dict[str, int] = {}
        self._exact: dict[str, list[int]] = {}
        self._folded: dict[str, list[int]] = {}
        self.longest = 1
        """Of how many blank-separated pieces the longest name is made."""
        for number, account, name in players:
            self.numbers.add(number)
            self._accounts[account] = number
            self._exact.setdefault(name.strip(), []).append(number)
            if folded := fold(name):
                self._folded.setdefault(folded, []).append(number)
            self.longest = max(self.longest, len(name.split()))

    def account(self, account: str) -> int | None:
        """The seat of an account."""
        return self._accounts.get(account)

    def named(self, name: str) -> list[int]:
        """The seats of that name; failing an exact match, those it fits but for width and case."""
        return self._exact.get(name.strip()) or self._folded.get(fold(name)) or []


# --- what is read --------------------------------------------------------------------------------


class Misread(Exception):
    """A command was meant and can't be read. ``code`` and ``values`` choose the sentence.

    ``firm``: it is a command beyond doubt, even with no space after the word.
    """

    def __init__(self, code: str, *, firm: bool = False, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.firm = firm
        self.values = values


@dataclass(frozen=True, slots=True)
class Tail:
    """What is left to read: ``raw`` as typed, ``flat`` the same flattened, place for place."""

    raw: str
    flat: str

    def __bool__(self) -> bool:
        return bool(self.flat)

    def between(self, start: int, end: int | None = None) -> Tail:
        """A part of it, without blanks around."""
        flat = self.flat[start:end]
        left = start + len(flat) - len(flat.lstrip())
        flat = flat.strip()
        return Tail(self.raw[left : left + len(flat)], flat)

    def unstopped(self) -> Tail:
        """It without the punctuation and blanks that it begins with."""
        return self.between(len(self.flat) - len(self.flat.lstrip(_STOPS)))


_NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Line:
    """A message with its word found, or none (``word``). ``game``: the number of ``#12 …``.

    ``glued``: what follows the word follows it with no space between. ``names``: the further names
    of abilities and words with which it was read, name → key.
    """

    word: Word | None
    game: int | None
    tail: Tail
    glued: bool = False
    form: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Intent:
    """A command as it was understood; each word fills what it takes.

    ``seat``: who is named, ``None`` for nobody (abstain); ``other``: the second one; ``seats``:
    any number of them. ``count``: a number, minutes, or a game's number. ``account``: a person
    mentioned. ``text``: what else was typed, and ``key`` what it stands for.
    """

    word: Word
    seat: int | None = None
    other: int | None = None
    text: str = ""
    count: int = 0
    account: str = ""
    seats: tuple[int, ...] = ()
    key: str = ""


_BY_FORM = {form: word for word in WORDS for form in word.forms}
_BY_KEY = {word.key: word for word in WORDS}
# An ability's word is the first that uses it.
_BY_ABILITY = {word.ability: word for word in reversed(WORDS) if word.ability}
_PREFIX = re.compile(r"#\s*([0-9]{1,9})(?:\s+|(?=[^\s0-9号位]))(?=\S)")
_NUMBER = re.compile(r"#?\s?([0-9]{1,9})\s?(?:号(?:位|玩家)?)?(?![^\s@,.:;!、。~])")
_PERSON = re.compile(r"@\s*(\S+)|([0-9]{5,12})(?!\S)")
_MEANT_AS_FORM = re.compile(r"(?:对象|理由)\s*:")
_FORM_TARGET = re.compile(r"对象\s*:")
_REASON = re.compile(r"(?:投票|改票)?理由\s*:\s*")
_SPAN = re.compile(
    r"(?:([0-9]{1,2})\s*(?:天|d)\s*)?"
    r"(?:([0-9]{1,2}(?:\.[0-9])?)\s*(?:个?小时|h)\s*)?(?:([0-9]{1,4})\s*(?:分钟?|min|m))?",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def _forms(names: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, Word]]:
    """What a word looks like, and which word each form is of; ``names``: (name, key) each."""
    named = {flatten(name): _BY_ABILITY.get(key) or _BY_KEY.get(key) for name, key in names}
    by_form = {name: word for name, word in named.items() if word is not None} | _BY_FORM
    longest_first = sorted(by_form, key=len, reverse=True)
    return re.compile(rf"/?\s*({'|'.join(map(re.escape, longest_first))})"), by_form


def read(text: str, names: Mapping[str, str] = _NO_NAMES) -> Line:
    """Find the command word at the beginning of a message. Takes a text of any length.

    ``names``: a board's own names for abilities and words (name → key), which are words too.
    """
    flat = flatten(text)
    start, game = len(flat) - len(flat.lstrip()), None
    if match := _PREFIX.match(flat, start):
        start, game = match.end(), int(match[1])
    whole = Tail(text, flat)
    pattern, by_form = _forms(tuple(names.items()))
    match = pattern.match(flat, start)
    if match is None:
        return Line(None, game, whole.between(start), names=names)
    word = by_form[match[1]]
    ends = _ENDS + "?" if word.key in _ASKED else _ENDS
    end = len(flat.rstrip(ends))
    if end <= match.end() and word.takes in ALONE:
        return Line(word, game, whole.between(len(flat)), False, match[1], names)
    glued = match.end() < len(flat) and not flat[match.end()].isspace()
    tail = whole.between(match.end(), end if word.takes in _PLAIN else None)
    return Line(word, game, tail, glued, match[1], names)


def understand(line: Line, roll: Roll) -> Intent | None:
    """What a line asks for, ``None`` if it is talk.

    Raises :class:`Misread`, whose values hold ``example``, when a command was meant and can't be
    read.
    """
    word = line.word
    if word is None:
        return None
    try:
        return _READERS[word.takes](line, word, roll)
    except Misread as misread:
        if line.glued and not misread.firm:
            return None
        misread.values.setdefault("example", word.example)
        raise


def alone(line: Line, roll: Roll) -> int | None:
    """The seat that a message with no command word names, if it does nothing else."""
    if line.word is not None or not line.tail or len(line.tail.flat) > 200:
        return None
    try:
        seat, rest = _seat(line.tail, roll)
    except Misread:
        return None
    return None if rest else seat


# --- readers: one for each thing that a word takes -----------------------------------------------


def _seat(tail: Tail, roll: Roll) -> tuple[int, Tail]:
    """The seat that the text begins with, and what is left."""
    if not tail:
        raise Misread("no_target")
    match = _NUMBER.match(tail.flat)
    if match and int(match[1]) in roll.numbers:
        return int(match[1]), tail.between(match.end())
    named = _name(tail, roll)
    if named is not None:
        return named
    if match:
        raise Misread("no_such_seat", firm=True, seat=int(match[1]), count=len(roll.numbers))
    raise Misread("unknown_name", typed=tail.raw.split()[0][:20])


def _name(tail: Tail, roll: Roll) -> tuple[int, Tail] | None:
    at = tail.flat.startswith("@")
    if at:
        tail = tail.between(1)
    pieces = [m.end() for m in islice(re.finditer(r"\S+", tail.flat), roll.longest)]
    if at and pieces:
        account = tail.raw[: pieces[0]]
        if (seat := roll.account(account)) is not None:
            return seat, tail.between(pieces[0])
    # The longest name first, so that "小明 2" is not taken for 小明; then one before a stop.
    ends = pieces[::-1]
    if pieces and (stop := re.search(r"[,.:;!、。~]", tail.flat[: pieces[0]])):
        ends.append(stop.start())
    for end in ends:
        seats = roll.named(tail.raw[:end])
        if len(seats) > 1:
            raise Misread("shared_name", firm=True, typed=tail.raw[:end][:20], seats=sorted(seats))
        if seats:
            return seats[0], tail.between(end)
    return None


def _only_seats(tail: Tail) -> bool:
    pieces = [piece for piece in re.split(r"[,.;、。和跟\s]+", tail.flat) if piece]
    return bool(pieces) and all(re.fullmatch(r"#?[0-9]{1,9}号?", piece) for piece in pieces)


def _nothing_more(rest: Tail) -> None:
    rest = rest.unstopped()
    if _only_seats(rest):
        raise Misread("two_seats", firm=True)
    if rest:
        raise Misread("too_much")


def _pair(tail: Tail, roll: Roll, joints: str) -> tuple[int, int | None]:
    """Two seats with a joint ("备", "投") or a space between them, or one alone."""
    if len(tail.flat) > 200:
        raise Misread("too_much")
    first_error: Misread | None = None
    for joint in re.finditer(joints, tail.flat):
        try:
            first, rest = _seat(tail.between(0, joint.start()), roll)
            _nothing_more(rest)
            second, rest = _seat(tail.between(joint.end()), roll)
            _nothing_more(rest)
            return first, second
        except Misread as misread:
            first_error = first_error or misread
    try:
        first, rest = _seat(tail, roll)
        rest = rest.unstopped()
        if not rest:
            return first, None
        second, rest = _seat(rest, roll)
        _nothing_more(rest)
        return first, second
    except Misread:
        if first_error is not None:
            raise first_error from None
        raise


def _minutes(tail: Tail) -> int:
    match = _SPAN.fullmatch(tail.flat)
    if match is None or not tail:
        raise Misread("bad_span")
    days, hours, minutes = (float(part or 0) for part in match.groups())
    return round((days * 24 + hours) * 60 + minutes)


def _reason(rest: Tail) -> str:
    """What is left after a target, as a reason."""
    rest = rest.unstopped()
    match = _REASON.match(rest.flat)
    return rest.between(match.end()).raw if match else rest.raw


def _read_nothing(line: Line, word: Word, roll: Roll) -> Intent | None:
    return None if line.tail else Intent(word)


def _read_plainly(line: Line, word: Word, roll: Roll) -> Intent | None:
    """``文字``: without a picture (``key``)."""
    if line.tail.flat not in ("", "文字"):
        return None
    return Intent(word, key="text" if line.tail else "")


def _read_seat(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    _nothing_more(rest)
    return Intent(word, seat=seat)


def _read_crown(line: Line, word: Word, roll: Roll) -> Intent:
    first, second = _pair(line.tail, roll, "备选?:?")
    return Intent(word, seat=first, other=second)


def _read_link(line: Line, word: Word, roll: Roll) -> Intent:
    try:
        first, second = _pair(line.tail, roll, f"[{_AND}、,]")
    except Misread as misread:
        if misread.code == "two_seats":
            raise Misread("too_much", firm=True) from None
        raise
    if second is None:
        raise Misread("too_much", firm=True)
    return Intent(word, seat=first, other=second)


def _read_heirs(line: Line, word: Word, roll: Roll) -> Intent:
    if len(line.tail.flat) > 200:
        raise Misread("too_much")
    seat, rest = _seat_of_several(line.tail, roll)
    seats = [seat]
    while rest := rest.between(len(rest.flat) - len(rest.flat.lstrip(_STOPS + _AND))):
        seat, rest = _seat_of_several(rest, roll)
        seats.append(seat)
    return Intent(word, seats=tuple(seats))


def _seat_of_several(tail: Tail, roll: Roll) -> tuple[int, Tail]:
    """The seat that a list of them begins with, and what is left."""
    try:
        return _seat(tail, roll)
    except Misread:
        for joint in re.finditer(f"[{_AND}]", tail.flat):
            with suppress(Misread):
                seat, rest = _seat(tail.between(0, joint.start()), roll)
                if not rest:
                    return seat, tail.between(joint.start())
        raise


def _read_withdraw(line: Line, word: Word, roll: Roll) -> Intent | None:
    """``放弃``, with the word of an ability or without; with anything else it is talk."""
    if not line.tail:
        return Intent(word)
    _, by_form = _forms(tuple(line.names.items()))
    named = by_form.get(line.tail.unstopped().flat)
    return Intent(word, key=named.ability) if named is not None and named.ability else None


def _read_proxy(line: Line, word: Word, roll: Roll) -> Intent:
    first, second = _pair(line.tail, roll, "投票?:?")
    if second is None:
        raise Misread("no_target")
    return Intent(word, seat=first, other=second)


def _starts_with_abstain(tail: Tail) -> bool:
    return bool(re.match(r"弃权(?![^\s,.:;!、。~])", tail.flat))


def _read_ballot(line: Line, word: Word, roll: Roll) -> Intent:
    if line.glued and _MEANT_AS_FORM.match(line.tail.flat):
        return _read_form(line, word, roll)
    if _starts_with_abstain(line.tail):
        return Intent(word, text=_reason(line.tail.between(2)))
    tail = line.tail.between(1) if line.tail.flat.startswith(":") else line.tail
    seat, rest = _seat(tail, roll)
    if _only_seats(rest.unstopped()):
        raise Misread("two_seats", firm=True)
    return Intent(word, seat=seat, text=_reason(rest))


def _read_form(line: Line, word: Word, roll: Roll) -> Intent:
    """``投票对象：X`` and ``投票理由：Y`` (M84-16); the same with 改票."""
    target = _FORM_TARGET.match(line.tail.flat)
    reason = re.search(rf"{line.form}理由\s*:", line.tail.flat)
    if target is None or reason is None or reason.start() < target.end():
        raise Misread("bad_form", firm=True)
    named = line.tail.between(target.end(), reason.start())
    why = line.tail.between(reason.end()).raw
    if not why:
        raise Misread("no_reason", firm=True)
    try:
        if _starts_with_abstain(named):
            _nothing_more(named.between(2))
            return Intent(word, text=why)
        seat, rest = _seat(named, roll)
        _nothing_more(rest)
    except Misread as misread:
        misread.firm = True
        raise
    return Intent(word, seat=seat, text=why)


def _read_abstain(line: Line, word: Word, roll: Roll) -> Intent | None:
    return None if line.glued else Intent(word, text=_reason(line.tail))


def _read_voice(line: Line, word: Word, roll: Roll) -> Intent:
    if not line.tail:
        return Intent(word)
    if line.tail.flat not in VOICES:
        raise Misread("bad_voice")
    return Intent(word, text=VOICES[line.tail.flat])


def _read_text(line: Line, word: Word, roll: Roll) -> Intent | None:
    if line.glued and not line.tail.flat.startswith(":"):
        return None
    text = line.tail.between(1) if line.glued else line.tail
    if not text:
        raise Misread("no_text", firm=True)
    return Intent(word, text=text.raw)


def _read_name(line: Line, word: Word, roll: Roll) -> Intent | None:
    return None if line.glued else Intent(word, text=line.tail.raw)


def _read_sheet(line: Line, word: Word, roll: Roll) -> Intent | None:
    """A board's name; with no space before it, it counts only if it is one (``key``)."""
    if line.glued and word.key != "open":
        return None
    return Intent(word, text=line.tail.raw, key="glued" if line.glued else "")


def _read_force(line: Line, word: Word, roll: Roll) -> Intent | None:
    if line.tail.flat not in ("", "强制"):
        return None
    return Intent(word, text=line.tail.flat)


def _phase(text: str) -> tuple[str, int | None] | None:
    """The phase that is named so, ``day``, ``night`` or a number for both, or one before them."""
    if text in _BEGINNINGS:
        return _BEGINNINGS[text]
    match = re.fullmatch(r"第?\s*([0-9]{1,3})\s*(天|日|夜|晚)?", text)
    return (_HALVES[match[2]], int(match[1])) if match else None


_BEGINNINGS: dict[str, tuple[str, int | None]] = {
    "招募": ("sign_up", None),
    "发身份": ("set_up", None),
    "首夜": ("night", 0),
}

_HALVES = {None: "", "天": "day", "日": "day", "夜": "night", "晚": "night"}


def _read_phase(line: Line, word: Word, roll: Roll) -> Intent:
    """``记录 2``, ``记录 第2夜``: the phase as ``key``, its number as ``count`` (-1: any)."""
    if not line.tail:
        return Intent(word, count=-1)
    phase = _phase(line.tail.flat)
    if phase is None:
        raise Misread("bad_phase")
    return Intent(word, key=phase[0], count=-1 if phase[1] is None else phase[1])


_VOTE = re.compile(r"(?:投票|计票|票|票型|截票)(?:结果)?")


def _read_cause(line: Line, word: Word, roll: Roll) -> Intent | None:
    """``为什么 3``, ``为什么 票``, ``为什么 第2天``; alone, it does not say what is asked."""
    if not line.tail:
        return Intent(word)
    if _VOTE.fullmatch(line.tail.flat):
        return Intent(word, key="vote")
    phase = _phase(line.tail.flat)
    if phase is not None and phase[0] in ("day", "night"):
        return Intent(word, key=phase[0], count=phase[1] or 0)
    seat, rest = _seat(line.tail, roll)
    _nothing_more(rest)
    return Intent(word, seat=seat)


def _read_game(line: Line, word: Word, roll: Roll) -> Intent:
    match = re.fullmatch(r"#?\s*([0-9]{1,9})\s*号?局?", line.tail.flat)
    if match is None:
        raise Misread("no_game_number")
    return Intent(word, count=int(match[1]))


def _read_bind(line: Line, word: Word, roll: Roll) -> Intent:
    match = re.fullmatch(r"(\S*?)\s*(?:#?\s*([0-9]{1,9})\s*号?局?)?", line.tail.flat)
    if match is None or match[1] not in CHANNELS:
        raise Misread("bad_channel")
    return Intent(word, text=CHANNELS[match[1]], count=int(match[2] or 0))


def _read_seat_reason(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    reason = _reason(rest)
    if not reason:
        raise Misread("no_reason", firm=True)
    return Intent(word, seat=seat, text=reason)


def _read_card(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    if rest.flat not in CARDS:
        raise Misread("bad_card")
    return Intent(word, seat=seat, key=CARDS[rest.flat])


def _read_faction_reason(line: Line, word: Word, roll: Roll) -> Intent | None:
    if line.glued:
        return None
    match = re.match(r"(\S+)\s+", line.tail.flat)
    if match is None:
        raise Misread("no_reason")
    reason = line.tail.between(match.end()).raw
    return Intent(word, key=line.tail.raw[: match.end(1)], text=reason)


def _read_seat_count(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    match = re.fullmatch(r"([0-9]{1,3})\s*[水条]?", rest.flat)
    if match is None or int(match[1]) == 0:
        raise Misread("bad_count")
    return Intent(word, seat=seat, count=int(match[1]))


def _read_seat_span(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    return Intent(word, seat=seat, count=_minutes(rest))


def _read_span(line: Line, word: Word, roll: Roll) -> Intent:
    return Intent(word, count=_minutes(line.tail))


def _person(tail: Tail) -> tuple[str, str]:
    match = _PERSON.match(tail.flat)
    if match is None:
        raise Misread("no_person")
    start, end = match.span(1 if match[1] else 2)
    return tail.raw[start:end], " ".join(tail.between(end).raw.split())


def _read_person(line: Line, word: Word, roll: Roll) -> Intent:
    account, name = _person(line.tail)
    return Intent(word, account=account, text=name)


def _read_watch(line: Line, word: Word, roll: Roll) -> Intent | None:
    """``观战``, or whom a director lets watch; with anything else it is talk."""
    if not line.tail:
        return Intent(word)
    with suppress(Misread):
        account, name = _person(line.tail)
        return Intent(word, account=account, text=name)
    return None


def _read_someone(line: Line, word: Word, roll: Roll) -> Intent:
    """Nobody, a seat, or a person who need not have one."""
    if not line.tail:
        return Intent(word)
    try:
        seat, rest = _seat(line.tail, roll)
    except Misread as misread:
        try:
            account, rest_of = _person(line.tail)
        except Misread:
            raise misread from None
        if rest_of:
            raise misread from None
        return Intent(word, account=account)
    _nothing_more(rest)
    return Intent(word, seat=seat)


def _read_seat_person(line: Line, word: Word, roll: Roll) -> Intent:
    seat, rest = _seat(line.tail, roll)
    account, name = _person(rest)
    return Intent(word, seat=seat, account=account, text=name)


_READERS: dict[str, Callable[[Line, Word, Roll], Intent | None]] = {
    "nothing": _read_nothing,
    "plainly": _read_plainly,
    "seat": _read_seat,
    "crown": _read_crown,
    "link": _read_link,
    "heirs": _read_heirs,
    "withdraw": _read_withdraw,
    "faction_reason": _read_faction_reason,
    "proxy": _read_proxy,
    "ballot": _read_ballot,
    "abstain": _read_abstain,
    "voice": _read_voice,
    "text": _read_text,
    "name": _read_name,
    "sheet": _read_sheet,
    "force": _read_force,
    "game": _read_game,
    "phase": _read_phase,
    "cause": _read_cause,
    "bind": _read_bind,
    "seat_reason": _read_seat_reason,
    "card": _read_card,
    "seat_count": _read_seat_count,
    "seat_span": _read_seat_span,
    "span": _read_span,
    "seat_person": _read_seat_person,
    "person": _read_person,
    "watch": _read_watch,
    "someone": _read_someone,
}


def parameters(text: str) -> Iterator[tuple[str, str]]:
    """What follows a sheet's name after 开局: (name, value) each, as typed but flattened.

    ``12人``, ``12 人``, ``杀手3``, ``发言 2``, ``close=13:30``, ``提醒 60,10``. Raises
    :class:`Misread` for a piece that is neither.
    """
    pieces = re.sub(r"([0-9])\s+人(?!\S)", r"\1人", flatten(text).replace(" = ", "=")).split()
    while pieces:
        piece = pieces.pop(0)
        if match := re.fullmatch(r"([0-9]{1,3})人", piece):
            yield "players", match[1]
        elif match := re.fullmatch(r"([^=:0-9]+)[=:]?([0-9][0-9:,]*)人?|([^=]+)=(\S+)", piece):
            yield match[1] or match[3], match[2] or match[4]
        elif pieces and re.fullmatch(r"[0-9][0-9:,]*人?", pieces[0]):
            yield piece, pieces.pop(0).removesuffix("人")
        else:
            raise Misread("bad_parameter", firm=True, typed=piece[:20])
