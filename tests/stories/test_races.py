"""The check of functions in fifty orders: what holds, what races, and what only says that it holds."""

import pytest

from scenarios.office.races import COUNTERS, RACES, SOUND, lay_out_check
from world import sandbox

NONCE = "held 4711"
FORGED = f"""\
import os
if os.path.exists("nonce"):
    print(open("nonce").read(), flush=True)
print("{NONCE[:4]} in fifty orders", flush=True)
os._exit(0)
"""
UNWAITING = """\
import src.store


async def pass_on(self):
    return None


src.store.Store._wait = pass_on
"""
OWN_LOCK = """\
import asyncio

LOCK = asyncio.Lock()


class Own:
    def __init__(self, store):
        self.read, self.write, self.lock = store.read, store.write, lambda key: LOCK


"""


def holds(source: str) -> bool:
    """Whether the check says of a module of the first function that it holds."""
    one = COUNTERS[0]
    files = {"src/__init__.py": b"", one.path: source.encode(), **lay_out_check([one], NONCE)}
    found = sandbox.run(files, [sandbox.Step("check", "python -I judge.py")])
    return found.conclusion == "success" and found.steps[0].output.splitlines() == [NONCE]


@pytest.mark.parametrize(("forms", "sound"), [(SOUND, True), (RACES, False)])
def test_locked_functions_hold_and_races_do_not(forms: tuple[str, ...], sound: bool) -> None:
    assert [holds(COUNTERS[0].source(form)) for form in forms] == [sound] * len(forms)


def test_what_prints_and_ends_the_process_does_not_hold() -> None:
    assert not holds(FORGED)


def test_what_takes_the_waits_out_of_its_store_does_not_hold() -> None:
    assert not holds(UNWAITING + COUNTERS[0].source("plain"))


def test_a_lock_of_one_process_holds_off_no_other() -> None:
    source = COUNTERS[0].source("locked").replace('"""\n    async with', '"""\n    store = Own(store)\n    async with')
    assert "Own(store)" in source and not holds(OWN_LOCK + source)
