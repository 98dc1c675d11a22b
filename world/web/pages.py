"""Declaration of an app's pages: addresses, templates, shortcuts, refusals, and the operations its forms lead to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.responses import Response

from world.web.refusals import Refusal
from world.web.view import View

PageContext = dict[str, Any]  # what a template is given, by name
Handler = Callable[..., PageContext | Response]
Compose = Callable[[View, dict[str, Any]], dict[str, Any]]
Interpret = Callable[[View, dict[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Page:
    """One address. `free` names blocks that show nothing new (menus, pickers): fetching only such a block costs no
    time.
    """

    path: str
    template: str
    run: Handler
    free: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A key, or keys pressed one after the other (`g i`), and what they do; shown by `?`."""

    keys: str
    does: str


COMMON_SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("/", "Go to search"),
    Shortcut("Escape", "Close a dialog"),
)


@dataclass(slots=True)
class Pages:
    """The browser UI of one app."""

    app: str
    shortcuts: tuple[Shortcut, ...] = COMMON_SHORTCUTS
    refusals: Mapping[str, Refusal] = field(default_factory=dict[str, Refusal])
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict[str, Callable[..., object]])
    lost: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  # operation -> what to say when an outage swallowed it
    search_path: str = "/search"
    search_label: str = "Search"
    pages: list[Page] = field(default_factory=list[Page])
    actions: dict[str, Handler] = field(default_factory=dict[str, Handler])
    composers: dict[str, Compose] = field(default_factory=dict[str, Compose])
    interpreters: dict[str, Interpret] = field(default_factory=dict[str, Interpret])
    lent: Path | None = None  # folder of another app whose templates and static files lie below this app's own
    own_names: str = ""  # a statement: a JSON list of the app's own names of people -> name and directory id of each
    site_folders: tuple[str, ...] = ()  # below them the vendor's own site shows what stands at the root of this one
    shared: "Callable[[View], PageContext] | None" = None

    def page(self, path: str, *, template: str, free: tuple[str, ...] = ()) -> Callable[[Handler], Handler]:
        """Declare the page at an address; the handler returns what its template needs."""

        def declare(run: Handler) -> Handler:
            self.pages.append(Page(path, template, run, frozenset(free)))
            return run

        return declare

    def action(self, path: str) -> Callable[[Handler], Handler]:
        """Declare a form target that takes several operations (an upload); the handler returns an answer."""

        def declare(run: Handler) -> Handler:
            self.actions[path] = run
            return run

        return declare

    def compose(self, *operations: str) -> Callable[[Compose], Compose]:
        """Declare how text typed by a person becomes an operation's argument: `@ann` -> her mention."""

        def declare(run: Compose) -> Compose:
            for operation in operations:
                self.composers[operation] = run
            return run

        return declare

    def interpret(self, operation: str) -> Callable[[Interpret], Interpret]:
        """Declare what a form of an operation may mean instead (`/topic` in a message): its answer, or None for the
        operation itself.
        """

        def declare(run: Interpret) -> Interpret:
            self.interpreters[operation] = run
            return run

        return declare

    def every_page(self, run: "Callable[[View], PageContext]") -> "Callable[[View], PageContext]":
        """Declare what all templates of the app get: the side bar."""
        self.shared = run
        return run
