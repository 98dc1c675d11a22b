"""Loads a page in a browser, in a process of its own: `python -m world.bench.page_load URL LOGIN PATH WORDS`; prints a JSON
line.

`WORDS` stand in the title of the page that is meant. Without a figure the process fails, and its last line of stderr is
the reason.
"""

import json
import sys
from statistics import median

from playwright.sync_api import Error, Page, sync_playwright

from world.agents.chromium import NoBrowser, launch

TIMES, WARM = 25, 3
STEP_LIMIT_MS = 120_000  # a busy machine takes over 30 s, the default, for a first page
LOADED = "() => { const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime; }"


def load_ms(page: Page, address: str) -> float:
    """From asking for the page to the end of its load event."""
    page.goto(address, wait_until="load")
    page.wait_for_selector("html[data-busy='0']")
    return float(page.evaluate(LOADED))


def measure(url: str, login: str, path: str, words: str) -> float:
    """The median of several loads."""
    with sync_playwright() as playwright, launch(playwright) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(STEP_LIMIT_MS)
        page.goto(f"{url}/login/{login}?next=/")
        loads = [load_ms(page, url + path) for _ in range(WARM + TIMES)][WARM:]
        title = page.title()
    if words not in title:
        raise SystemExit(f"the page loaded is {title!r}, not {words!r}")
    return median(loads)


def main(url: str, login: str, path: str, words: str) -> None:
    """Print the figure, or fail with one line of reason: Playwright's own errors end with its log of calls."""
    try:
        print(json.dumps({"load_ms": measure(url, login, path, words)}))
    except (Error, NoBrowser) as error:
        raise SystemExit(str(error).splitlines()[0]) from None


if __name__ == "__main__":
    main(*sys.argv[1:5])
