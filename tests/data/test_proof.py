"""The proof of a game: what was changed is found and named, by the story's file alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data import codec, proof, storyfile
from data.catalogue import KEYS
from data.ledger import Ledger
from data.proof import Audit, Written
from data.sentences import Sentences
from data.speech import Speech
from data.store import Store
from engine import commands as c
from engine import events as ev
from engine.rewind import rewind
from tests.data import tales
from tests.data.tales import SHEETS, Table, chained, kept

SPEECH = Speech()


def game(key: str = "m84", seed: int = 2) -> list[Written]:
    """A whole game as it is kept."""
    return kept(Table(key, seed).play().log)


def faults(log: list[Written]) -> list[tuple[int, str]]:
    """What is wrong with a log by itself, as a story's file is checked."""
    audit = Audit(0, "{}", chance=True)
    return [(seq, code) for seq, code, _ in audit.over(log)]


def altered(log: list[Written], seq: int, **values: Any) -> list[Written]:
    """The log with some values of one event set otherwise."""
    body = json.loads(log[seq - 1].body) | values
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return [*log[: seq - 1], log[seq - 1]._replace(body=text), *log[seq:]]


def first(log: list[Written], kind: str, **values: Any) -> int:
    """The number of the first event of a kind with these values."""
    for each in log:
        body = json.loads(each.body)
        if body["event"] == kind and values.items() <= body.items():
            return each.seq
    raise LookupError(kind)


# --- what is whole -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SHEETS)
def test_a_whole_game_is_its_own_proof(key: str) -> None:
    for seed in range(3):
        log = game(key, seed)
        text = storyfile.write(SPEECH, log)
        deal = log[first(log, "dealt") - 1].digest
        codes = [proof.commitment(deal), proof.seal(log[-1].digest)]
        found, right = storyfile.check(SPEECH, text, codes)
        assert right, found
        assert found[-1].startswith(f"没有发现改动：{len(log)} 条")
        copied = [codes[0].lower().replace("-", ""), codes[1].replace("-", " ")]
        assert storyfile.check(SPEECH, text.replace("\n", "\r\n"), copied)[1]


def test_cards_are_drawn_by_the_seed() -> None:
    for seed in range(3):
        log = kept(Table("kingmaker-princeton", seed, kingmaker_by_card=True).play().log)
        assert faults(log) == []
        cards = json.loads(log[first(log, "cards_drawn") - 1].body)["cards"]
        one, other = list(cards)[:2]
        cards[one], cards[other] = cards[other], cards[one]
        seq = first(log, "cards_drawn")
        assert (seq, "decided") in faults(chained(altered(log, seq, cards=cards)))


def test_a_recorded_log_tells_that_its_deal_was_set_by_hand() -> None:
    for path in sorted((Path(__file__).parents[1] / "logs").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        events = [codec.decode(line["version"], json.dumps(line["event"])) for line in lines]
        log = kept(events)
        assert {code for _, code in faults(log)} <= {"roles", "orders", "fixed", "draw"}
        plain = Audit(len(log), codec.facts(tales.state_of(events)))
        assert list(plain.over(log)) == []


def led_back(to: int, seed: str = f"{5:032x}", *, other: bool = False) -> Table:
    """A game of M84 in which all is drawn, led back to an event, and dealt or drawn again.

    ``seed``: of the second deal. ``other``: its seats are others.
    """
    table = Table("m84", 5)
    for _ in range(8):
        table.now = table.game.next_alarm() or table.now
        table.do(c.Tick(at=table.now))
    command = c.Rewind(at=table.now, to=to, by="d")
    table.log.append(rewind(tales.state_of(table.log[:to]), command, taken=None))
    table.game = tales.state_of(table.log)
    if other:
        account = table.game.signups[0].account
        table.do(c.SignOff(at=table.now, account=account))
        table.do(c.SignUp(at=table.now, account=account, name="甲"))
    if not table.game.seats:
        table.do(c.Deal(at=table.now, seed=seed))
    if table.game.paused_at is not None:
        table.do(c.Resume(at=table.now))
    for _ in range(12):
        table.now = table.game.next_alarm() or table.now
        table.do(c.Tick(at=table.now))
    table.do(c.EndGame(at=table.now))
    return table


def test_a_game_that_was_led_back_is_its_own_proof() -> None:
    dealt = len(Table("m84", 5).log)
    for to in (13, dealt):
        table = led_back(to)
        assert any(isinstance(event, ev.Rewound) for event in table.log)
        log = kept(table.log)
        drawn = [seq for seq, event in enumerate(table.log, 1) if isinstance(event, ev.Drawn)]
        assert len(drawn) > 4
        found, right = storyfile.check(SPEECH, storyfile.write(SPEECH, log))
        assert right, found
        deals = [e.digest for e in log if '"event":"dealt"' in e.body]
        assert len(deals) == (2 if to == 13 else 1)
        codes = [proof.commitment(digest) for digest in deals]
        assert storyfile.check(SPEECH, storyfile.write(SPEECH, log), codes)[1]
        assert any("作废" in line for line in found) is (to == 13)
        for seq in drawn:
            value = 1 + int(json.loads(log[seq - 1].body)["value"]) % 12
            assert (seq, "draw") in faults(chained(altered(log, seq, value=value)))


def test_the_same_seats_are_dealt_to_by_the_same_seed() -> None:
    log = kept(led_back(13, "ab" * 16).log)
    again = [each.seq for each in log if '"event":"dealt"' in each.body][1]
    assert (again, "reseeded") in faults(log)
    found, right = storyfile.check(SPEECH, storyfile.write(SPEECH, log))
    assert not right and any("却换了种子" in line for line in found)
    assert faults(kept(led_back(13, "ab" * 16, other=True).log)) == []


def test_each_code_is_said_to_be_of_its_own_deal() -> None:
    text = storyfile.write(SPEECH, log := kept(led_back(13, "ab" * 16, other=True).log))
    first_code, second = (proof.commitment(e.digest) for e in log if '"event":"dealt"' in e.body)
    end = proof.seal(log[-1].digest)
    found, right = storyfile.check(SPEECH, text, [first_code, second, end])
    assert right, found
    said = "\n".join(found)
    assert f"{first_code} 对得上，但它是第 1 次发身份的，那次后来退回了，存证作废。" in said
    assert f"{second} 对得上：是作数的那次（第 2 次）发身份时的存证。" in said
    assert f"{end} 对得上：是终局存证。" in said
    for codes in ([second, first_code], [end, second], [second, second]):
        found, right = storyfile.check(SPEECH, text, codes)
        assert not right and any("次序不对" in line for line in found)


def test_the_tale_tells_of_every_deal_and_of_what_was_led_back() -> None:
    table = led_back(13, "ab" * 16, other=True)
    prose, _, _ = storyfile.write(SPEECH, kept(table.log)).partition("```zhifatuan")
    assert "第 1 次发身份（后来退回，那次的身份和存证作废）" in prose
    assert prose.count("退回到第 13 条之后") == 1
    # A step back that was taken back itself is told as well.
    table = Table("six", 1)
    for to in (len(table.log), 6):
        if to != 6:
            table.do(c.Extend(at=table.now, minutes=5, by="d"))
        command = c.Rewind(at=table.now, to=to, by="d")
        table.log.append(rewind(tales.state_of(table.log[:to]), command, taken=None))
        table.game = tales.state_of(table.log)
    table.do(c.EndGame(at=table.now))
    prose, _, _ = storyfile.write(SPEECH, kept(table.log)).partition("```zhifatuan")
    assert len(re.findall(r"退回到第 \d+ 条之后.*已撤销", prose)) == 1
    assert len(re.findall(r"退回到第 6 条之后", prose)) == 1


# --- what was changed ----------------------------------------------------------------------------


def test_any_event_that_was_changed_is_named() -> None:
    log = game("six")
    for seq in range(1, len(log) + 1):
        at = json.loads(log[seq - 1].body)["at"].replace("2026", "2025")
        assert (seq, "changed") in faults(altered(log, seq, at=at))


def test_any_event_that_is_gone_is_named() -> None:
    log = game("six")
    for seq in range(1, len(log)):
        assert faults([*log[: seq - 1], *log[seq:]])[-1] == (seq, "missing")
    text = storyfile.write(SPEECH, log)
    found, right = storyfile.check(SPEECH, re.sub(r'\n\{"seq":\d+[^\n]*\n```\n$', "\n```\n", text))
    assert not right
    assert any(line.startswith(f"第 {len(log) - 1} 条：") for line in found)


def test_events_in_another_order_are_named() -> None:
    log = game("six")
    for seq in range(1, len(log)):
        swapped = [*log[: seq - 1], log[seq], log[seq - 1], *log[seq + 1 :]]
        assert faults(swapped)[0] == (seq, "missing")
        renumbered = [each._replace(seq=n) for n, each in enumerate(swapped, 1)]
        assert faults(renumbered)[0] == (seq, "changed")


def test_another_version_of_a_body_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.UPCASTS, 0, lambda plain: plain)
    log = game()
    log[4] = log[4]._replace(version=0)
    assert faults(log) == [(5, "changed")]


FORGED: dict[str, tuple[str, str, Callable[[list[Written]], list[Written]]]] = {
    "another seed": (
        "dealt",
        "roles",
        lambda log: altered(log, first(log, "dealt"), seed="ff" * 16),
    ),
    "a role given to another": (
        "dealt",
        "roles",
        lambda log: altered(log, first(log, "dealt"), roles=_swapped(log)),
    ),
    "fixed draws": (
        "dealt",
        "fixed",
        lambda log: altered(log, first(log, "dealt"), random=[3]),
    ),
    "a draw": (
        "drawn",
        "draw",
        lambda log: altered(log, first(log, "drawn"), value=_another(log)),
    ),
    "what was decided by a draw": (
        "sheriff_took",
        "decided",
        lambda log: altered(log, first(log, "sheriff_took", how="drawn"), seat=12),
    ),
    "a draw that was none": (
        "sheriff_took",
        "decided",
        lambda log: [each for each in log if '"drawn","what":"sheriff"' not in each.body],
    ),
}


def _swapped(log: list[Written]) -> dict[str, str]:
    roles: dict[str, str] = json.loads(log[first(log, "dealt") - 1].body)["roles"]
    other = next(seat for seat, role in roles.items() if role != roles["1"])
    return {**roles, "1": roles[other], other: roles["1"]}


def _another(log: list[Written]) -> int:
    return 1 + int(json.loads(log[first(log, "drawn") - 1].body)["value"]) % 12


def drawn_game() -> list[Written]:
    """A game of M84 in which nobody names lovers or votes: all is drawn."""
    table = Table("m84", 5)
    while table.game.phase != "over" and table.game.day < 3:
        table.now = table.game.next_alarm() or table.now
        table.do(c.Tick(at=table.now))
    table.do(c.EndGame(at=table.now))
    return kept(table.log)


@pytest.mark.parametrize("what", FORGED)
def test_a_forger_who_makes_the_chain_anew_is_found_by_the_seed(what: str) -> None:
    log = drawn_game()
    assert faults(log) == []
    kind, code, forge = FORGED[what]
    forged = chained(forge(log))
    how = {"how": "drawn"} if kind == "sheriff_took" else {}
    assert (first(forged, kind, **how), code) in faults(forged)


def test_a_forger_who_keeps_to_the_seed_is_found_by_the_codes() -> None:
    log = game()
    seq = first(log, "posted")
    forged = chained(altered(log, seq, text="我什么也没说"))
    deal = proof.commitment(log[first(log, "dealt") - 1].digest)
    text = storyfile.write(SPEECH, forged)
    assert storyfile.check(SPEECH, text)[1], "by itself it is whole"
    assert storyfile.check(SPEECH, text, [deal])[1], "the deal is the same"
    found, right = storyfile.check(SPEECH, text, [deal, proof.seal(log[-1].digest)])
    assert not right and "对不上" in found[-2]
    early = chained(altered(log, 2, name="别人"))
    found, right = storyfile.check(SPEECH, storyfile.write(SPEECH, early), [deal])
    assert not right and deal in found[-2]


def test_what_is_told_must_be_what_happened() -> None:
    text = storyfile.write(SPEECH, game())
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines) if "出局：" in line) + 1
    lines[number - 1] = lines[number - 1].replace("出局：", "升天：")
    found, right = storyfile.check(SPEECH, "\n".join(lines) + "\n")
    assert not right and found[0].startswith(f"正文第 {number} 行")


def test_the_head_must_be_what_the_log_comes_to() -> None:
    log = game()
    text = storyfile.write(SPEECH, log)
    found, right = storyfile.check(SPEECH, text.replace('"game":1,"digest"', '"game":2,"digest"'))
    assert not right and found[0].startswith(f"第 {len(log)} 条：局号")
    found, right = storyfile.check(SPEECH, text.replace('"phase":"over"', '"phase":"day"', 1))
    assert not right and found[0].startswith(f"第 {len(log)} 条：和记下的结局不一样（phase）")


@pytest.mark.parametrize(
    "text", ["", "# 第1局", "x\n```zhifatuan\n```\n", "x\n```zhifatuan\n{}\n```\n"]
)
def test_a_file_without_a_story(text: str) -> None:
    with pytest.raises(storyfile.NoStory):
        storyfile.check(SPEECH, text)


def test_a_story_is_told_when_the_game_is_over() -> None:
    log = game()
    before = log[: first(log, "game_over") - 1]
    with pytest.raises(storyfile.NotOver):
        storyfile.write(SPEECH, before)
    whole = storyfile.write(SPEECH, log)
    cut = whole.replace("\n".join(whole.splitlines()[-1 - len(log) + len(before) : -1]) + "\n", "")
    found, right = storyfile.check(SPEECH, cut)
    assert not right and any("这一局没有结束" in line for line in found)


def test_markdown_in_a_name_is_a_name() -> None:
    table = Table("six", 1).play()
    events = [
        ev.SignedUp(at=e.at, account=e.account, name="*a*[b](c)<i>`d`|#_")
        if isinstance(e, ev.SignedUp)
        else e
        for e in table.log
    ]
    text = storyfile.write(SPEECH, kept(events))
    assert r"\*a\*\[b\](c)\<i\>\`d\`\|\#\_" in text
    assert storyfile.check(SPEECH, text)[1]


# --- what the group is told ----------------------------------------------------------------------


def test_the_group_is_told_both_codes_and_the_seed() -> None:
    store = Store("sqlite://")
    store.migrate()
    now = tales.play.START
    ledger = Ledger(store, SPEECH, SHEETS, clock=lambda: now)
    ledger.create(at=now, group="9", sheet="six", parameters={}, account="50", name="主持")
    for account in range(1, 7):
        ledger.act(1, c.SignUp(at=now, account=str(account), name=f"玩家{account}"))
    seed = "0123456789abcdef" * 2
    ledger.act(1, c.Deal(at=now, seed=seed))
    ledger.act(1, c.EndGame(at=now + timedelta(minutes=1)))
    ledger.commit()
    log = [Written(r.seq, r.version, r.body, r.digest) for r in store.load_events(1)]
    said = [row for row in store.messages() if "存证" in row.text]
    assert [row.audience for row in said] == ["public", "public"]
    deal, over = (row.text for row in said)
    codes = re.findall(r"存证：([0-9A-Z-]+)", deal + over)
    assert [len(code) for code in codes] == [29, 39]
    assert seed in over and seed not in "".join(row.text for row in store.messages()[:-1])
    found, right = storyfile.check(SPEECH, storyfile.write(SPEECH, log), codes)
    assert right, found


def test_a_game_that_never_began_has_no_codes() -> None:
    store = Store("sqlite://")
    store.migrate()
    now = tales.play.START
    ledger = Ledger(store, SPEECH, SHEETS, clock=lambda: now)
    ledger.create(at=now, group="9", sheet="six", parameters={}, account="50", name="主持")
    ledger.act(1, c.EndGame(at=now))
    ledger.commit()
    assert not [row for row in store.messages() if "存证" in row.text]
    log = [Written(r.seq, r.version, r.body, r.digest) for r in store.load_events(1)]
    assert storyfile.check(SPEECH, storyfile.write(SPEECH, log))[1]


def test_codes_hold_all_their_bits() -> None:
    digest = "ff" * 32
    assert proof.commitment(digest) == "-".join(["ZZZZ"] * 6)
    assert proof.seal("00" * 31 + "01") == "-".join(["0000"] * 8)
    assert proof.seal(codec.chain("", 1, "x")).startswith(proof.commitment(codec.chain("", 1, "x")))
    assert proof.same("oill-0000-0000-0000", "0111-0000-0000-0000")


def test_every_fault_has_its_sentence_and_every_sentence_its_fault() -> None:
    root = Path(__file__).parents[2]
    sources = [
        (root / room / "proof.py").read_text(encoding="utf-8") for room in ("engine", "data")
    ]
    codes = set(re.findall(r'yield "(\w+)"', "".join(sources))) | {"unfinished", "head"}
    assert {f"proof.wrong_at.{code}" for code in codes} == {
        key for key in KEYS if key.startswith("proof.wrong_at.")
    }


def test_every_other_sentence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    fill = Sentences.fill

    def recording(self: Sentences, key: str, values: Any) -> Any:
        said.add(key)
        return fill(self, key, values)

    monkeypatch.setattr(Sentences, "fill", recording)
    test_a_whole_game_is_its_own_proof("m84")
    test_the_group_is_told_both_codes_and_the_seed()
    test_a_forger_who_keeps_to_the_seed_is_found_by_the_codes()
    test_what_is_told_must_be_what_happened()
    test_the_head_must_be_what_the_log_comes_to()
    test_a_game_that_was_led_back_is_its_own_proof()
    test_each_code_is_said_to_be_of_its_own_deal()
    deal = next(e for e in Table("six", 1).log if isinstance(e, ev.Dealt))
    for former in ([deal.seed], ["other"]):
        assert "第 2 次发身份" in SPEECH.code(Table("six", 1).game, deal, "ff" * 32, former)
    left = {key for key in KEYS if key.startswith("proof.") and key.count(".") == 1} - said
    # Who says the first is tested with the command; a draw is rare.
    assert left <= {"proof.no_story", "proof.draw"}
