"""One request of an agent at a door: what it asked, what it saw, and who wants to know of it."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import TypedDict


class ToolRequest(TypedDict):
    """A tool call as it was made; `surface` is the list that the tool is on, such as `world-employee`."""

    surface: str
    tool: str
    arguments: Mapping[str, object]


class ToolBlock(TypedDict):
    """One block of a tool's result; the tools here answer in text."""

    type: str
    text: str


class ToolResponse(TypedDict):
    """A tool's result as it was sent; `code` is set for an error of the protocol, such as an unknown tool."""

    is_error: bool
    code: int | None
    content: Sequence[ToolBlock]


class HttpRequest(TypedDict):
    """A request of the REST door or of a page, without its headers; `path` is whole, `type` the content type."""

    method: str
    path: str
    query: str
    type: str
    body: bytes


class HttpResponse(TypedDict):
    """An answer of the REST door or of a page. `cut` is set when the kept body ends before the one that was sent."""

    status: int
    type: str
    body: bytes
    cut: bool


Request = ToolRequest | HttpRequest
Response = ToolResponse | HttpResponse


@dataclass(slots=True, eq=False)
class Exchange:
    """One request under way. `request` and `response` are set when it closes, and only if somebody listens."""

    request: Request | None = None
    response: Response | None = None
    is_open: bool = True
    _listeners: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])

    @property
    def is_heard(self) -> bool:
        """Whether a call inside was recorded by somebody who waits for the answer."""
        return bool(self._listeners)

    def listen(self, listener: Callable[[], None]) -> bool:
        """Have `listener` called once, when the answer has been sent; False if it listens already."""
        if listener in self._listeners:
            return False
        self._listeners.append(listener)
        return True

    def close(self, request: Request, response: Response) -> None:
        """Note what was asked and answered, and tell those who listen."""
        self.request, self.response, self.is_open = request, response, False
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()


_CURRENT: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def get_exchange() -> Exchange | None:
    """The request that the running call belongs to; None for a call without a door of its own."""
    return _CURRENT.get()


def enter_exchange() -> tuple[Exchange, Token[Exchange | None]]:
    """Begin a request in this context; `leave_exchange` takes the token back."""
    made = Exchange()
    return made, _CURRENT.set(made)


def leave_exchange(token: Token[Exchange | None]) -> None:
    """End the request in this context; calls that follow belong to the one before, if any."""
    _CURRENT.reset(token)
