"""Which controls of a page a hand cannot press: what lies at a control's middle belongs to something else."""

from pathlib import Path

from playwright.sync_api import Page

SWEEP = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").partition("\n")[2]


def list_covered(page: Page) -> list[str]:
    """The controls that something else covers, as the page stands and when each is scrolled into view."""
    found: list[str] = page.evaluate(SWEEP, False) + page.evaluate(SWEEP, True)
    return found
