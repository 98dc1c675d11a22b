"""Errands written down as a person would tell them: `*.toml` beside this module, one verb to a line.

    press ROLE: NAME @ WITHIN      the middle of what the accessibility tree calls so, in a part of the screen
    on SELECTOR has WORDS          the middle of what looks so; `twice on`, `right on`, `hover` for other gestures
    text WORDS @ WITHIN            words that are read on the screen
    type TEXT / keys NAMES         on the keyboard; \\n in a text is a line break
    fill ROLE: NAME = TEXT         over what a field holds
    choose NAME = OPTION           one line of a list
    drag SELECTOR to SELECTOR
    cell NAME                      of a spreadsheet, by the name box; `menu NAME > ITEM` of its menu bar
    sees WORDS @ WITHIN / wait SELECTOR / gone SELECTOR / go PATH / back / rests

`at` is where an errand begins; `{}` in it is what `find` finds. Both may stand once above all errands. `holds` asks the
world afterwards: a query of the file's `[queries]` and its values, or SQL; `rows` is what it has to tell, 1 unless told.
In SQL `:me` is who does the errand, `:began` when, `:began_ts` the same in the chat service's words.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.hands.hand import Hand

TYPING = re.compile(r"^\s*(type|fill) ", re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """One errand of a file."""

    words: str
    at: str
    does: str
    holds: str | list[Any] = ""
    rows: list[list[Any]] = field(default_factory=lambda: [[1]])
    find: str = ""
    queries: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """The words as part of a test's name."""
        return re.sub(r"[^a-z0-9]+", "_", self.words.lower()).strip("_")

    @property
    def types(self) -> bool:
        """Whether anything is typed: only then does it matter how fast."""
        return TYPING.search(self.does) is not None

    def __call__(self, hand: Hand) -> None:
        hand.open(self.at.replace("{}", str(hand.row(*_ask(hand, self.find))) if self.find else ""))
        for line in self.does.strip().splitlines():
            verb, _, rest = line.strip().partition(" ")
            VERBS[verb](hand, rest)
        if self.holds:
            sql, *values = self._question(hand)
            hand.finds(sql, [tuple(row) for row in self.rows], *values)
        hand.rests()

    def _question(self, hand: Hand) -> tuple[Any, ...]:
        asked = [self.holds] if isinstance(self.holds, str) else self.holds
        return _ask(hand, self.queries.get(asked[0], asked[0]), *asked[1:])


def read_plans(name: str) -> list[Plan]:
    """The errands of a file."""
    given = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf-8"))
    usual = {name: given[name] for name in ("at", "find") if name in given}
    return [Plan(**usual | one, queries=given.get("queries", {})) for one in given["errand"]]


def _ask(hand: Hand, sql: str, *values: Any) -> tuple[Any, ...]:
    known = {":began_ts": f"'{hand.began_ts}'", ":began": str(hand.began), ":me": f"'{hand.person}'"}
    for name, value in known.items():
        sql = sql.replace(name, value)
    return (sql, *values)


def _within(rest: str) -> tuple[str, str]:
    words, _, place = rest.partition(" @ ")
    return words.strip(), place.strip()


def _role(rest: str) -> tuple[str, str, str]:
    words, place = _within(rest)
    role, _, name = words.partition(": ")
    return role, name, place


def _thing(hand: Hand, rest: str) -> Locator:
    selector, _, words = rest.partition(" has ")
    found = hand.page.locator(selector.strip())
    return (found.filter(has_text=words.strip()) if words else found).first


def _press(hand: Hand, rest: str) -> None:
    role, name, place = _role(rest)
    hand.press(role, name, within=place)


def _text(hand: Hand, rest: str) -> None:
    words, place = _within(rest)
    hand.press_text(words, within=place)


def _fill(hand: Hand, rest: str) -> None:
    place, _, text = rest.partition(" = ")
    role, name, within = _role(place)
    hand.fill(role, name, text, within=within)


def _choose(hand: Hand, rest: str) -> None:
    name, _, option = rest.partition(" = ")
    hand.choose("combobox", name.strip(), option.strip())


def _drag(hand: Hand, rest: str) -> None:
    one, _, other = rest.partition(" to ")
    hand.drag(_thing(hand, one), _thing(hand, other))


def _sees(hand: Hand, rest: str) -> None:
    words, place = _within(rest)
    hand.sees(words, within=place or "body")


def _gone(hand: Hand, rest: str) -> None:
    expect(_thing(hand, rest)).to_be_hidden()


def _cell(hand: Hand, name: str) -> None:
    hand.press("textbox", "Name box")
    hand.keys("Control+a")
    hand.type(name)
    hand.keys("Enter")


def _menu(hand: Hand, path: str) -> None:
    first, *items = path.split(" > ")
    hand.press("menuitem", first)
    for item in items:
        hand.press_on(hand.page.locator("[role=menu] [role^=menuitem]", has_text=item).first)


VERBS: dict[str, Callable[[Hand, str], object]] = {
    "press": _press,
    "on": lambda hand, rest: hand.press_on(_thing(hand, rest)),
    "twice": lambda hand, rest: hand.press_on(_thing(hand, rest.removeprefix("on ")), clicks=2),
    "right": lambda hand, rest: hand.press_on(_thing(hand, rest.removeprefix("on ")), button="right"),
    "hover": lambda hand, rest: hand.hover(_thing(hand, rest)),
    "text": _text,
    "type": lambda hand, rest: hand.type(rest.replace("\\n", "\n")),
    "keys": lambda hand, rest: hand.keys(*rest.split()),
    "fill": _fill,
    "choose": _choose,
    "drag": _drag,
    "cell": _cell,
    "menu": _menu,
    "sees": _sees,
    "wait": lambda hand, rest: _thing(hand, rest).wait_for(),
    "gone": _gone,
    "go": lambda hand, rest: hand.go(rest),
    "back": lambda hand, _: hand.page.go_back(),
    "rests": lambda hand, _: hand.rests(),
}
