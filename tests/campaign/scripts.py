"""Payloads of scripts, foreign resources and markup in every field for text, and the markup of every page that shows them."""

from collections.abc import Callable
from pathlib import Path

from tests.browser import test_status_scripts
from tests.browser.crawl import complaints
from tests.browser.github import test_github_scripts
from tests.browser.gmail import test_gmail_scripts
from tests.browser.jira import test_jira_scripts
from tests.browser.payloads import PAYLOADS
from tests.browser.scripts import Hostile
from tests.browser.slack import test_slack_scripts
from tests.campaign.part import Figures, Ground, Part, Tally

SAID = "\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>²"
SITES: dict[str, Callable[[Path], Hostile]] = {
    "status": test_status_scripts.build_hostile,
    "mail": test_gmail_scripts.build_hostile,
    "chat": test_slack_scripts.build_hostile,
    "tracker": test_jira_scripts.build_hostile,
    "code_host": test_github_scripts.build_hostile,
}


def run(ground: Ground) -> Figures:
    """One app's fields and pages after the other; below scale 1 fewer apps."""
    tally, taken = Tally(), set[str]()
    for name in list(SITES)[: ground.share(len(SITES))]:
        folder = ground.scratch / name
        folder.mkdir()
        hostile = SITES[name](folder)
        try:
            judge(hostile, tally)
            taken |= set().union(*hostile.harvest.taken.values())
        finally:
            hostile.stop()
    counts = ("fields", "fields_that_took_payloads", "pages", "complaints")
    return {"done": tally.counts["apps"], **{one: tally.counts[one] for one in counts}, "payloads": len(taken)}


def judge(hostile: Hostile, tally: Tally) -> None:
    """Look at the markup of every page, and of the pages that repeat what their address says."""
    tally.counts["apps"] += 1
    tally.counts["fields"] += len(hostile.harvest.accepted | hostile.harvest.refused)
    tally.counts["fields_that_took_payloads"] += len(hostile.harvest.taken)
    tally.counts["pages"] += len(hostile.pages)
    for found in (complaints(hostile.pages.items()), complaints(hostile.crawler.reflected(SAID))):
        for complaint in test_github_scripts.but_own(found):
            tally.note("complaints", complaint)


part = Part("scripts", len(SITES), f"apps with {len(PAYLOADS)} payloads in their fields", ("complaints",), run)
