"""Loads a page in a browser, in a process of its own: `python -m world.bench.page_load URL LOGIN PATH WORDS`; prints a JSON
line.

`WORDS` stand in the title of the page that is meant.
"""

import json
import sys
from statistics import median

from playwright.sync_api import Page, sync_playwright

from world.agents.chromium import launch

TIMES, WARM = 25, 3
LOADED = "() => { const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime; }"


def load_ms(page: Page, address: str) -> float:
    """From asking for the page to the end of its load event."""
    page.goto(address, wait_until="load")
    page.wait_for_selector("html[data-busy='0']")
    return float(page.evaluate(LOADED))


def main(url: str, login: str, path: str, words: str) -> None:
    """The median of several loads."""
    with sync_playwright() as playwright, launch(playwright) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/login/{login}?next=/")
        taken = [load_ms(page, url + path) for _ in range(WARM + TIMES)][WARM:]
        shown = page.title()
    if words not in shown:
        raise SystemExit(f"the page loaded is {shown!r}, not {words!r}")
    print(json.dumps({"load_ms": median(taken)}))


if __name__ == "__main__":
    main(*sys.argv[1:5])
