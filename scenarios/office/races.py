"""Functions that read a number from a store and write another one, as right code and with races, for stories."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

RACES = ("plain", "ignored", "late")
"""Forms with a race: nothing between read and write, a swap whose answer is ignored, a lock that is taken too late."""
SOUND = ("locked", "again")
"""Forms without one: a lock around both, a swap that is tried again."""
STORE_PATH = "src/store.py"
STORE = '''\
"""The store of this service. The same file is in all our repositories; it is generated and not changed here.

Our workers are processes on several machines: what a module keeps for itself, the others do not see.
"""

import asyncio
import os
import random


class Store:
    """Numbers by key, 0 at first. Between two calls of one worker, others may call."""

    def __init__(self, values=None, order=None):
        self._values, self._locks = dict(values or {}), {}
        self._random = random.Random(int(os.environ.get("ORDER", "1")) if order is None else order)

    async def _wait(self):
        if self._random.randrange(5) == 0:
            await asyncio.sleep(0)

    async def read(self, key):
        """The number of a key."""
        await self._wait()
        return self._values.get(key, 0)

    async def write(self, key, number):
        """Set the number of a key, whatever it is now."""
        await self._wait()
        self._values[key] = number

    async def swap(self, key, old, new):
        """Set the number of a key if it is still the old one, and say whether it was. Nobody comes in between."""
        await self._wait()
        if self._values.get(key, 0) != old:
            return False
        self._values[key] = new
        return True

    def lock(self, key):
        """`async with store.lock(key):` holds off every other worker that takes the same lock."""
        return self._locks.setdefault(key, asyncio.Lock())
'''


@dataclass(frozen=True, slots=True)
class Counter:
    """A function of a module: what it takes from `now`, the number in the store, and what is reported if it races.

    `refused` is when it gives `no`; else it writes `new` and gives `yes`. `call` are its arguments in tests, of which
    the first is the key, and `start` the number there before.
    """

    module: str
    function: str
    parameters: str
    says: str
    part: str
    refused: str
    no: str
    new: str
    yes: str
    call: str
    start: int
    symptom: str

    @property
    def path(self) -> str:
        """Path of the module."""
        return f"src/{self.module}.py"

    @property
    def test_path(self) -> str:
        """Path of the module's tests."""
        return f"tests/test_{self.module}.py"

    @property
    def key(self) -> str:
        """Name of the parameter that is the key."""
        return self.parameters.split(", ")[0]

    def source(self, form: str) -> str:
        """Text of the module in a form of `RACES` or `SOUND`."""
        head = f'"""{self.module.capitalize()}."""\n\n\nasync def {self.function}(store, {self.parameters}):\n    """{self.says}"""\n'
        return head + "\n".join(f"    {line}" for line in self._list_lines(form)) + "\n"

    def _list_lines(self, form: str) -> list[str]:
        forms = {
            "plain": self._write_plainly,
            "ignored": self._ignore_swap,
            "late": self._lock_late,
            "locked": self._lock_both,
            "again": self._swap_again,
        }
        return forms[form]()

    def _begin(self) -> list[str]:
        return [f"now = await store.read({self.key})", f"if {self.refused}:", f"    return {self.no}"]

    def _write_plainly(self) -> list[str]:
        return [*self._begin(), f"await store.write({self.key}, {self.new})", f"return {self.yes}"]

    def _ignore_swap(self) -> list[str]:
        return [*self._begin(), f"await store.swap({self.key}, now, {self.new})", f"return {self.yes}"]

    def _lock_late(self) -> list[str]:
        write = [f"async with store.lock({self.key}):", f"    await store.write({self.key}, {self.new})"]
        return [*self._begin(), *write, f"return {self.yes}"]

    def _lock_both(self) -> list[str]:
        return [f"async with store.lock({self.key}):", *(f"    {line}" for line in self._write_plainly())]

    def _swap_again(self) -> list[str]:
        last = [f"if await store.swap({self.key}, now, {self.new}):", f"    return {self.yes}"]
        return ["while True:", *(f"    {line}" for line in (*self._begin(), *last))]

    def tests(self, *, together: bool) -> str:
        """Text of the module's tests: one call after the other, and several at the same time."""
        call = f"{self.module}.{self.function}(store, {self.call})"
        first, key = self.call.split(", ")[0], f"store.read({self.call.split(', ')[0]})"
        lines = [
            "import asyncio",
            "import unittest",
            "",
            f"from src import {self.module}",
            "from src.store import Store",
            "",
            "",
            f"class {self.module.capitalize()}Test(unittest.IsolatedAsyncioTestCase):",
            "    async def test_one_after_the_other(self):",
            f"        store = Store({{{first}: {self.start}}})",
            f"        await {call}",
            f"        self.assertEqual(await {key}, {self.after(1)[1]})",
        ]
        if together:
            answers, left = self.after(3)
            lines += [
                "",
                "    async def test_at_the_same_time(self):",
                f"        store = Store({{{first}: {self.start}}})",
                f"        answers = await asyncio.gather(*({call} for _ in range(3)))",
                f"        self.assertEqual((sorted(answers), await {key}), ({answers}, {left}))",
            ]
        else:
            lines.remove("import asyncio")
        return "\n".join(lines) + "\n"

    def after(self, calls: int) -> tuple[list[int], int]:
        """The sorted answers of so many calls in a row, and the number that is left."""
        now, answers = self.start, list[int]()
        given = dict(zip(self.parameters.split(", "), self.call.split(", "), strict=True))
        amounts = {name: int(value) for name, value in given.items() if value.isdigit()}
        for _ in range(calls):
            if _compute(self.refused, now, amounts):
                answers.append(_compute(self.no, now, amounts))
            else:
                answers.append(_compute(self.yes, now, amounts))
                now = int(_compute(self.new, now, amounts))
        return sorted(answers), now


def _compute(expression: str, now: int, amounts: dict[str, int]) -> int | bool:
    """The value of an expression of `COUNTERS`: one name or number, or two with an operator between."""
    names: dict[str, int | bool] = {"now": now, "True": True, "False": False, **amounts}
    values = [names[one] if one in names else int(one) for one in expression.split()[::2]]
    match expression.split()[1:2]:
        case ["+"]:
            return values[0] + values[1]
        case ["-"]:
            return values[0] - values[1]
        case ["<"]:
            return values[0] < values[1]
        case [">="]:
            return values[0] >= values[1]
        case _:
            return values[0]


COUNTERS = (
    Counter(
        module="stock",
        function="reserve_stock",
        parameters="item, count",
        says="Take pieces out of stock if there are enough.",
        part="reservations of stock",
        refused="now < count",
        no="False",
        new="now - count",
        yes="True",
        call='"red chair", 2',
        start=5,
        symptom="sold two chairs more than it had",
    ),
    Counter(
        module="vouchers",
        function="redeem_voucher",
        parameters="code",
        says="Use a voucher, which counts how often it may still be used.",
        part="vouchers",
        refused="now < 1",
        no="False",
        new="now - 1",
        yes="True",
        call='"SPRING"',
        start=2,
        symptom="took a voucher three times that is good for two",
    ),
    Counter(
        module="numbers",
        function="next_number",
        parameters="series",
        says="The next number of a series of invoices.",
        part="invoice numbers",
        refused="now < 0",
        no="0",
        new="now + 1",
        yes="now + 1",
        call='"2026-A"',
        start=41,
        symptom="has two invoices with the same number",
    ),
    Counter(
        module="slots",
        function="book_slot",
        parameters="hour",
        says="Book one of eight places of an hour for collection.",
        part="collection slots",
        refused="now >= 8",
        no="False",
        new="now + 1",
        yes="True",
        call='"14:00"',
        start=6,
        symptom="has nine people at its counter for an hour that takes eight",
    ),
    Counter(
        module="points",
        function="collect_points",
        parameters="account, points",
        says="Add points of an account, and say how many it has.",
        part="bonus points",
        refused="points < 1",
        no="now",
        new="now + points",
        yes="now + points",
        call='"anna", 10',
        start=20,
        symptom="misses the points of one of two orders",
    ),
    Counter(
        module="cards",
        function="spend_from",
        parameters="card, amount",
        says="Spend from what is left on a gift card.",
        part="gift cards",
        refused="now < amount",
        no="False",
        new="now - amount",
        yes="True",
        call='"GIFT-7", 30',
        start=70,
        symptom="let somebody spend 90 from a gift card of 70",
    ),
    Counter(
        module="couriers",
        function="assign_courier",
        parameters="route",
        says="Give a route to one of its free couriers.",
        part="courier routes",
        refused="now < 1",
        no="False",
        new="now - 1",
        yes="True",
        call='"north"',
        start=2,
        symptom="gave a route to three couriers though two were free",
    ),
    Counter(
        module="samples",
        function="send_sample",
        parameters="product",
        says="Send one of the free samples of a product.",
        part="free samples",
        refused="now < 1",
        no="False",
        new="now - 1",
        yes="True",
        call='"tea"',
        start=2,
        symptom="promised a free sample that was gone",
    ),
)

JUDGE = '''
import json, os, random, select, subprocess, sys

HELD = open("nonce").read()
os.remove("nonce")  # before anything of the repository runs
CALLS, ORDERS, STEPS, SECONDS = 5, 50, 5000, 20


class Worker:
    """A process that imports the modules, and asks for every step at the store."""

    def __init__(self):
        given = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([sys.executable, "worker.py"], text=True, bufsize=1, **given)

    def tell(self, what):
        self.process.stdin.write(json.dumps(what) + "\\n")
        self.process.stdin.flush()

    def hear(self):
        assert select.select([self.process.stdout], [], [], SECONDS)[0], "too late"
        return json.loads(self.process.stdout.readline())


class Round:
    """Calls of one function on one store, which is kept here; one call after the other, or in a random order of steps."""

    def __init__(self, one, order):
        self.one, self.values, self.locked = one, {one["given"][0]: one["start"]}, set()
        self.random = None if order is None else random.Random(order)

    def play(self, workers):
        answers, waiting = {}, {}
        for at, worker in enumerate(workers):
            worker.tell([self.one["module"], self.one["function"], self.one["given"]])
            waiting[at] = worker.hear()
            if self.random is None:
                self.go_on(workers, waiting, answers)
        self.go_on(workers, waiting, answers)
        return sorted(answers.values()), self.values[self.one["given"][0]]

    def go_on(self, workers, waiting, answers):
        for _ in range(STEPS):
            for at in [at for at, asked in waiting.items() if asked[0] == "done"]:
                answers[at] = waiting.pop(at)[1]
            if not waiting:
                return
            free = [at for at, asked in waiting.items() if not (asked[0] == "acquire" and asked[1] in self.locked)]
            at = free[0] if self.random is None else self.random.choice(free)
            workers[at].tell(self.step(*waiting[at]))
            waiting[at] = workers[at].hear()
        raise AssertionError("no end")

    def step(self, kind, key, *numbers):
        now = self.values.get(key, 0)
        if kind == "read":
            return now
        if kind == "acquire":
            return self.locked.add(key)
        if kind == "release":
            return self.locked.remove(key)
        if kind == "locked":
            return key in self.locked
        assert kind in ("write", "swap"), kind
        if kind == "swap" and now != numbers[0]:
            return False
        self.values[key] = numbers[-1]
        return True


workers = [Worker() for _ in range(CALLS)]
for one in json.load(open("counters.json")):
    for order in (None, *range(ORDERS)):
        found = Round(one, order).play(workers)
        assert list(found) == one["wanted"], (one["module"], order, found)
print(HELD)
'''
"""A program that has functions called at the same time in fifty orders, each call in a process of its own.

It keeps the store and compares the answers, and imports nothing of the repository. It prints what stands in `nonce`, a
file that it removes before a module is imported: so no module can print it instead.
"""
WORKER = """
import asyncio, importlib, json, os, sys

given, told = sys.stdin, os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a module prints is no answer
sys.path.insert(0, ".")


def ask(*what):
    told.write(json.dumps(what) + "\\n")
    told.flush()
    return json.loads(given.readline())


class Lock:
    def __init__(self, key):
        self.key = key

    async def acquire(self):
        ask("acquire", self.key)
        return True

    def release(self):
        ask("release", self.key)

    def locked(self):
        return ask("locked", self.key)

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, *error):
        self.release()


class Store:
    async def read(self, key):
        return ask("read", key)

    async def write(self, key, number):
        ask("write", key, number)

    async def swap(self, key, old, new):
        return ask("swap", key, old, new)

    def lock(self, key):
        return Lock(key)


loop, line = asyncio.new_event_loop(), given.readline()
while line:
    module, function, values = json.loads(line)
    call = getattr(importlib.import_module(f"src.{module}"), function)
    answer = loop.run_until_complete(call(Store(), *values))
    told.write(json.dumps(["done", answer]) + "\\n")
    told.flush()
    line = given.readline()
"""
"""A process of `JUDGE`: it calls functions with a store that lies there."""


def lay_out_check(counters: Sequence[Counter], nonce: str) -> dict[str, bytes]:
    """The files of `judge.py`, which prints the nonce if all functions hold, to lie beside those of a repository."""
    given = {
        "judge.py": JUDGE,
        "worker.py": WORKER,
        "nonce": nonce,
        "counters.json": json.dumps(describe_checks(counters)),
    }
    return {path: text.encode() for path, text in {**given, STORE_PATH: STORE}.items()}


def describe_checks(counters: Sequence[Counter]) -> list[dict[str, object]]:
    """What `JUDGE` reads from `counters.json`: the functions, their arguments, and what five calls in a row give."""
    return [
        {
            "module": one.module,
            "function": one.function,
            "start": one.start,
            "given": [int(part) if part.isdigit() else part.strip('"') for part in one.call.split(", ")],
            "wanted": one.after(5),
        }
        for one in counters
    ]
