"""Controls of a page that are out of the order of Tab, that keep the focus, or are called like another of their row."""

from pathlib import Path

from playwright.sync_api import Page

SWEEP = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").partition("\n")[2]
PRESSES = 40  # of Tab on each page, to find what keeps the focus
STAYED = """() => {
  const before = window.sweepFocus;
  window.sweepFocus = document.activeElement;
  return before === document.activeElement && before !== document.body;
}"""


def sweep_page(page: Page) -> list[str]:
    """Return what is wrong with the controls of a page, and the one that keeps the focus when Tab is pressed."""
    wrong: list[str] = page.evaluate(SWEEP)
    page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    for _ in range(PRESSES):
        page.keyboard.press("Tab")
        if page.evaluate(STAYED):
            return [*wrong, f"keeps the focus: {page.evaluate('() => document.activeElement.outerHTML.slice(0, 120)')}"]
    return wrong
