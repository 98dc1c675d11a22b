"""One page request: who asks, from where, and the app's operations as that person may call them."""

from collections.abc import Mapping
from typing import Any, Protocol

from jinja2 import Environment
from starlette.requests import Request

from world.core.errors import OperationError, Outage
from world.core.principal import Principal
from world.core.theme import Theme
from world.run.host import Host
from world.script import faults
from world.web.mount import MountPoint
from world.web.page_state import PageState, read_page_state
from world.web.portraits import put_portraits
from world.web.refusals import Failure, Refusal, failure
from world.web.vendor_links import lead_home


class ViewDoor(Protocol):
    """The page door that a view is made by."""

    @property
    def host(self) -> Host: ...

    @property
    def app(self) -> str: ...

    @property
    def theme(self) -> Theme: ...

    @property
    def refusals(self) -> Mapping[str, Refusal]: ...

    @property
    def env(self) -> Environment: ...

    @property
    def own_names(self) -> str: ...

    def context(self, view: "View") -> dict[str, Any]: ...


class View:
    """Handed to a page's handler. `call` is the page's primary operation; `read` is everything else it shows."""

    def __init__(
        self,
        door: ViewDoor,
        request: Request,
        principal: Principal,
        place: MountPoint,
        path: str,
        *,
        is_peek: bool = False,
    ) -> None:
        self.door, self.request, self.principal, self.place, self.path = door, request, principal, place, path
        self.is_peek = is_peek
        self.failure: Failure | None = None
        self.troubles: list[Failure] = []
        self.unread = 0
        self.status = 200
        self.block: str | None = None
        self.query: dict[str, str] = {}
        self.queries: dict[str, list[str]] = {}
        self._page_state: PageState | None = None
        self._answers: dict[str, Any] = {}
        self.notes: dict[str, object] = {}

    @property
    def page_state(self) -> PageState:
        """The reader, the time and the version; read again after a call."""
        if self._page_state is None:
            self._page_state = read_page_state(self.door.host, self.principal)
        return self._page_state

    @property
    def gone(self) -> OperationError | None:
        """The refusal if the reader may see nothing at all any more: they have left, or the world has ended."""
        try:
            _ = self.page_state
        except OperationError as error:
            return error
        return None

    def wants(self, *blocks: str) -> bool:
        """Whether this answer shows one of these blocks: the whole page shows them all."""
        return self.block in (None, "page", *blocks)

    @property
    def now(self) -> int:
        """Simulated time, microseconds since the epoch, UTC."""
        return self.page_state.now

    def call(self, operation: str, **arguments: object) -> Any:
        """The page's primary operation, which costs its time; a live re-fetch and a re-render after a form cost none."""
        if self.is_peek:
            return self.read(operation, **arguments)
        self.is_peek = True
        return self.submit(operation, arguments)

    def submit(self, operation: str, arguments: Mapping[str, object]) -> Any:
        """An operation a form asks for."""
        self._page_state = None
        self._answers.clear()
        self.notes.clear()
        return self.door.host.call(self.principal, "page", operation, arguments, base_url=self.place.base_url)

    def read(self, operation: str, **arguments: object) -> Any:
        """A further reading operation of the same page: no time, no call row. Asked once per page."""
        key = f"{operation}:{sorted(arguments.items())!r}"
        if key not in self._answers:
            self._answers[key] = self.door.host.peek(
                self.principal, "page", operation, arguments, base_url=self.place.base_url
            )
        return self._answers[key]

    def attempt(self, operation: str, **arguments: object) -> Any:
        """Like `read`, for a part that the page can do without: None when refused or down.

        `troubles` names the parts that are down.
        """
        try:
            return self.read(operation, **arguments)
        except Outage as error:
            self.troubles.append(failure(error, self.door.theme, self.door.refusals))
        except OperationError:
            pass
        return None

    def readonly_failure(self, operation: str) -> Failure | None:
        """The failure a write would meet now because the service is read-only; None when it may be tried."""
        host = self.door.host
        actor, wanted = host.actor(self.principal.world), host.operation(operation)
        hit = faults.decide(
            actor.active_faults(), wanted, "page", self.principal.person, actor.now, actor.settings.seed
        )
        if hit.kind != "readonly":
            return None
        return failure(faults.outage(hit, host.apps[wanted.app]), self.door.theme, self.door.refusals)

    def url(self, path: str, **query: object) -> str:
        """An address inside the app; empty values are left out of the query."""
        return self.place.url(path, query)

    def lead_home(self, text: str) -> str:
        """Return a text as HTML whose links to the vendors' sites lead to the same thing here."""
        return lead_home(self.door.host, self.principal.world, self.place, text)

    def put_portraits(self, text: str) -> str:
        """Return a text as HTML with portraits in place of employees' initials."""
        return put_portraits(self.door.host, self.principal.world, self.place, self.door.own_names, text)

    @property
    def here_inner(self) -> str:
        """This page's own path and query."""
        return self.here().removeprefix(self.place.mount)

    def here(self, **changed: object) -> str:
        """This page's address with some query values changed (None removes one)."""
        kept: dict[str, object] = {name: values for name, values in self.queries.items() if name != "live"}
        return self.place.url(self.path, {**kept, **changed})
