"""Errands of a day in every app, done by a person: by coordinates and keys, on a machine six times slower than this one.

What was typed is in the world once, whole, and where it was meant to be. With FIRM_LONG every errand is done with keys
pressed at once, 20 ms and 120 ms apart; without it a few are. Errands that need more than a verb to a line are Python,
the others are in the `*.toml` files (`plans.py`).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Office, Site
from tests.browser.hands import (
    chat_errands,
    code_errands,
    file_errands,
    grid_errands,
    mail_errands,
    tracker_errands,
)
from tests.browser.hands.hand import Errand, Hand
from tests.browser.hands.plans import read_plans
from world.core import discovery
from world.core.settings import Settings
from world.run.host import open_host

WHO = "dkowalski"
SLOWNESS = 6
DELAYS_MS = (0, 20, 120)
BOOKS = (mail_errands, chat_errands, tracker_errands, code_errands, grid_errands, file_errands)
SAMPLE = {
    mail_errands.write_by_keys_alone: 0,
    chat_errands.jump_by_the_switcher: 0,
    tracker_errands.create_by_keys: 0,
    code_errands.comment_twice_in_a_row: 0,
    grid_errands.undo: 20,
    file_errands.share_by_typing_two: 0,
}  # errand -> milliseconds between its keys
PLANNED = ("mail", "chat", "tracker", "code", "grid", "file")  # the apps with a file of errands
PLANNED_SAMPLE = {"transfer_an_issue_by_keys": 20, "write_on_in_a_channel_while_a_thread_is_open": 0}


def list_cases() -> Iterator[object]:
    """The errands, each with the milliseconds between its keys."""
    for book in BOOKS:
        app = book.__name__.rpartition(".")[2].removesuffix("_errands")
        for errand in book.ERRANDS:
            wanted = DELAYS_MS if "FIRM_LONG" in os.environ else (SAMPLE[errand],) if errand in SAMPLE else ()
            yield from (pytest.param(errand, delay, id=f"{delay}-{app}-{errand.__name__}") for delay in wanted)
        if app in PLANNED:
            yield from list_planned_cases(app)


def list_planned_cases(app: str) -> Iterator[object]:
    """The errands of a file; without keys they are done once."""
    for plan in read_plans(app):
        sample = [PLANNED_SAMPLE[plan.name]] if plan.name in PLANNED_SAMPLE else []
        wanted = (DELAYS_MS if plan.types else DELAYS_MS[:1]) if "FIRM_LONG" in os.environ else sample
        for delay in wanted:
            yield pytest.param(plan, delay, id=f"{delay}-{app}-{plan.name}", marks=pytest.mark.full)


@pytest.fixture(scope="module")
def site(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the seed company, with every app."""
    folder = tmp_path_factory.mktemp("hands")
    made = Site(lambda: open_host(company, folder / "worlds"), discovery.app_packages())
    yield made
    made.stop()


@pytest.mark.parametrize(("errand", "delay_ms"), list(list_cases()))
def test_an_errand_leaves_what_was_meant(
    site: Site, office_of: Callable[..., Office], errand: Errand, delay_ms: int
) -> None:
    errand(Hand(office_of(site, Settings(limits="off")), WHO, delay_ms, SLOWNESS))
