"""A person at the screen: looks where things are, moves the mouse there, presses, and types key by key.

Nothing is waited for but what can be seen. What is pressed is a point of the screen: it has to belong to the thing that
was looked for, as it stands, without help from the page's scripts.
"""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Office, settled

Name = str | re.Pattern[str]
TURNS = 60
LOOKS = 20  # at something that is drawn again or moves meanwhile


class Hand:
    """One person's hands on one page."""

    def __init__(self, office: Office, who: str, delay_ms: int, slowness: int) -> None:
        self.office, self.who, self.delay_ms = office, who, delay_ms
        self._slowness = slowness
        self.person: str = office.rows("SELECT id FROM person WHERE handle = ?", who)[0][0]
        self.began = office.site.do(lambda: office.site.host.actor(office.world).now)
        self.told: list[tuple[Any, ...]] = []  # what the world held when it was last asked
        self.page: Page

    @property
    def began_ts(self) -> str:
        """When the errand began, as the chat service counts."""
        return f"{self.began // 1_000_000}.{self.began % 1_000_000:06}"

    def open(self, path: str) -> None:
        """Sign in and open a page, on a machine that many times slower."""
        self.page = self.office.open(self.who, path)
        session = self.page.context.new_cdp_session(self.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": self._slowness})

    def go(self, path: str) -> None:
        """Type an address into the browser."""
        self.page.goto(self.office.base + path)

    def find(self, role: str, name: Name, *, within: str = "", nth: int = 0) -> Locator:
        """What the accessibility tree calls so; `within` is a selector of the part of the screen that is looked at."""
        place = self.page.locator(within) if within else self.page
        return place.get_by_role(role, name=name, exact=True).nth(nth)  # type: ignore[arg-type]

    def press(self, role: str, name: Name, *, within: str = "", nth: int = 0, clicks: int = 1) -> None:
        """Move to the middle of something and press."""
        self.press_on(self.find(role, name, within=within, nth=nth), clicks=clicks)

    def press_text(self, text: Name, *, within: str = "", nth: int = 0, clicks: int = 1) -> None:
        """Press words that are read on the screen."""
        place = self.page.locator(within) if within else self.page
        self.press_on(place.get_by_text(text, exact=True).nth(nth), clicks=clicks)

    def press_on(self, thing: Locator, *, clicks: int = 1, button: Any = "left", keys: str = "") -> None:
        """Press at the middle of something that can be seen."""
        x, y = self.point(thing)
        if keys:
            self.page.keyboard.down(keys)
        self.page.mouse.click(x, y, click_count=clicks, button=button)
        if keys:
            self.page.keyboard.up(keys)

    def hover(self, thing: Locator) -> None:
        """Rest the mouse over something."""
        self.page.mouse.move(*self.point(thing))

    def drag(self, thing: Locator, to: Locator) -> None:
        """Take something to the middle of something else."""
        self.page.mouse.move(*self.point(thing))
        self.page.mouse.down()
        self.page.mouse.move(*self.point(to), steps=5)
        self.page.mouse.up()

    def point(self, thing: Locator) -> tuple[float, float]:
        """The middle of something on the screen; the wheel is turned until it is in view. It has to be its own: only what
        has moved meanwhile is looked at again.
        """
        thing.wait_for(state="visible")
        for _ in range(LOOKS):
            self._wheel_to(thing)
            box = thing.bounding_box()
            if box is None:
                continue
            x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], self._height()) / 2
            over = thing.evaluate(BELONGS, [x, y])
            if over == "":
                return x, y
            assert thing.bounding_box() != box, f"{thing} lies under {over}"
        raise AssertionError(f"{thing} does not stand still")

    def type(self, text: str) -> None:
        """Press the keys of a text; a line break is Shift+Enter."""
        for part in re.split(r"(\n)", text):
            if part == "\n":
                self.page.keyboard.press("Shift+Enter")
            elif part:
                self.page.keyboard.type(part, delay=self.delay_ms)

    def keys(self, *names: str) -> None:
        """Press named keys, one after the other."""
        for name in names:
            self.page.keyboard.press(name, delay=self.delay_ms)

    def fill(self, role: str, name: Name, text: str, *, within: str = "") -> None:
        """Press into a field, take what stands there, type over it."""
        self.press(role, name, within=within)
        self.keys("Control+a")
        self.type(text)

    def choose(self, role: str, name: Name, option: Name, *, within: str = "") -> None:
        """Open a list and press one of its lines."""
        self.press(role, name, within=within)
        self.press_on(self.page.locator(".listbox [role=option]").get_by_text(option, exact=True).first)

    def sees(self, text: Name, *, within: str = "body") -> None:
        """Wait until words are read on the screen."""
        expect(self.page.locator(within).get_by_text(text).locator("visible=true").first).to_be_visible()

    def rests(self) -> None:
        """Wait until the page has answered everything."""
        settled(self.page)

    def finds(self, sql: str, wanted: list[tuple[Any, ...]], *values: Any) -> None:
        """Wait until the world holds these rows, and no others."""

        def read() -> list[tuple[Any, ...]]:
            self.told = self.office.rows(sql, *values)
            return self.told

        self.office.until(read, wanted)

    def row(self, sql: str, *values: Any) -> Any:
        """The first value of a query on the world."""
        return self.office.rows(sql, *values)[0][0]

    def _height(self) -> int:
        size = self.page.viewport_size
        assert size
        return size["height"]

    def _wheel_to(self, thing: Locator) -> None:
        """Turn the wheel over the pane that holds something until its middle is in view."""
        for _ in range(TURNS):
            way: list[float] = thing.evaluate(WAY)
            if not way[2] and not way[3]:
                return
            self.page.mouse.move(way[0], way[1])
            self.page.mouse.wheel(way[2], way[3])
            painted = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
            self.page.evaluate(painted)
        raise AssertionError(f"{thing} cannot be brought into view with the wheel")


# [x, y, dx, dy]: where the wheel is to be turned, and how far, until the middle of an element is in view.
WAY = """(element) => {
  const box = element.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + Math.min(box.height, innerHeight) / 2;
  for (let pane = element.parentElement; pane; pane = pane.parentElement) {
    const style = getComputedStyle(pane), root = pane === document.documentElement;
    const scrolls = root || /auto|scroll/.test(style.overflowY) && pane.scrollHeight > pane.clientHeight;
    const moves = !root && /auto|scroll/.test(style.overflowX) && pane.scrollWidth > pane.clientWidth;
    if (!scrolls && !moves) continue;
    const at = root ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : pane.getBoundingClientRect();
    const top = Math.max(at.top, 0), bottom = Math.min(at.bottom, innerHeight);
    const left = Math.max(at.left, 0), right = Math.min(at.right, innerWidth);
    const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
    const dy = scrolls && y < top + 2 ? y - cy : scrolls && y > bottom - 2 ? y - cy : 0;
    const dx = moves && x < left + 2 ? x - cx : moves && x > right - 2 ? x - cx : 0;
    if (dx || dy) return [cx, cy, dx, dy];
  }
  return [0, 0, 0, 0];
}"""

# "" where what lies at a point belongs to an element, otherwise what lies there.
BELONGS = """(element, [x, y]) => {
  const found = document.elementFromPoint(x, y);
  if (found && (element.contains(found) || found.contains(element))) return "";
  if ([...(element.labels || [])].some((label) => label.contains(found))) return "";
  return found ? `${found.outerHTML.slice(0, 120)} at ${x},${y}` : `nothing at ${x},${y}`;
}"""

Errand = Callable[[Hand], None]
