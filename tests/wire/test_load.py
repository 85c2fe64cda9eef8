"""Many commands in flight, between much chatter: none lost, none reordered, memory flat."""

from __future__ import annotations

import random
from typing import Any

from tests.wire.client import Client, reply
from tests.wire.table import Starting, Table, all_arrived

GROUP = 70003
COMMANDS, CHATTER = 200, 1000

# How much more memory the bot may hold after two further batches of the same size: less than if it
# kept their messages. It keeps their numbers for some days, a twentieth of this; the allocator's
# own ups and downs on a busy machine are half of it, or a little more.
GROWTH = 8 * 1024 * 1024


class Batch:
    """Commands and chatter of several seats, mixed; what the log must then hold, in that order."""

    def __init__(self, table: Table, name: str, seed: int) -> None:
        self.table = table
        self.name = name
        self.chance = random.Random(seed)
        self.expected: list[tuple[Any, ...]] = []
        self.asked = 0
        self.crowned = 0
        self.target = 0
        self.quoted = 0

    async def send(self) -> None:
        """Send everything, without waiting for anything."""
        lines = ["command"] * COMMANDS + ["chatter"] * CHATTER
        self.chance.shuffle(lines)
        for number, line in enumerate(lines):
            await (self._command(number) if line == "command" else self._chat(number))

    async def _chat(self, number: int) -> None:
        table = self.table
        seat = self.chance.choice(self.living)
        await table.says(table.account(seat), f"{self.name}的第{number}句闲话")
        self.expected.append(("posted", seat, f"{self.name}的第{number}句闲话"))

    @property
    def living(self) -> list[int]:
        return [seat for seat in self.table.roles if seat not in self.table.gone]

    async def _command(self, number: int) -> None:
        table, client = self.table, self.table.client
        quoting = [reply(1_000_001 + number)] if self.chance.random() < 0.25 else []
        self.quoted += bool(quoting)
        killer = self.chance.choice(table.having("killer"))
        account = table.account(killer)
        targets = [seat for seat in self.living if seat != self.target]
        match self.chance.randrange(4):
            case 0:
                self.target = self.chance.choice(targets)
                await table.whispers(account, *quoting, f"刀 {self.target}")
                self.expected.append(("kill_named", killer, self.target))
            case 1:
                await table.whispers(account, *quoting, f"密 {self.name}的第{number}句密谈")
                self.expected.append(("whispered", killer, f"{self.name}的第{number}句密谈"))
            case 2:
                (kingmaker,) = table.having("kingmaker")
                named = self.kings[self.crowned % 2 :][:2]
                self.crowned += 1
                words = f"立王 {named[0]} 备 {named[1]}"
                await table.whispers(table.account(kingmaker), *quoting, words)
                self.expected.append(("crown_named", named[0], named[1]))
            case 3:
                seat = self.chance.choice(self.living)
                await client.group(table.group, table.account(seat), *quoting, "状态")
                self.asked += 1

    @property
    def kings(self) -> list[int]:
        return [seat for seat in self.table.having("civilian") if seat not in self.table.gone][1:4]

    async def handled(self, client: Client) -> None:
        """Wait until a command that was sent after all of them is answered."""
        await self.table.asks(self.table.director, "状态", "第1夜")


def _happened(event: dict[str, Any]) -> tuple[Any, ...]:
    match event["event"]:
        case "kill_named":
            return "kill_named", event["seat"], event["target"]
        case "crown_named":
            return "crown_named", event["first"], event["substitute"]
    return event["event"], event["seat"], event["text"]


async def test_commands_in_flight_between_chatter_are_neither_lost_nor_reordered(
    start: Starting,
) -> None:
    bot, client = await start()
    # Whoever is quoted, the client never says.
    client.rule = lambda call: "silence" if call.action == "get_msg" else None
    table = await Table(bot, client, GROUP, players=12).begin()
    civilians = table.having("civilian")
    await table.crowns(civilians[0], civilians[1])
    await table.opens(1)
    await table.orders(civilians[0], civilians[-1])
    table.gone.add(civilians[-1])
    kinds = ("kill_named", "whispered", "crown_named", "posted")
    before = len(await table.log(*kinds))

    batches, memory = [], []
    for number in (1, 2, 3):
        batch = Batch(table, f"批{number}", number)
        mark = table.mark
        await batch.send()
        await batch.handled(client)
        await all_arrived(bot, client)
        memory.append(bot.memory())
        batches.append(batch)
        assert batch.quoted > 20
        answers = [text for text in client.heard(("group", GROUP), after=mark) if "【第" in text]
        assert len(answers) == batch.asked

    happened = [_happened(event) for event in (await table.log(*kinds))[before:]]
    assert happened == [event for batch in batches for event in batch.expected]
    # Each whisper reached every other killer, in the order in which they were said.
    whispers = [text for kind, _, text in happened if kind == "whispered"]
    for killer in table.having("killer"):
        heard = "\n".join(client.heard(("private", table.account(killer))))
        places = [heard.find(whisper) for whisper in whispers]
        assert -1 not in places and places == sorted(places)
    assert "get_msg" not in {call.action for call in client.calls}
    assert memory[-1] - memory[0] < GROWTH, memory
