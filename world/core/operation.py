"""What an app declares once: operations, rules, subscriptions; every door is derived from it."""

import inspect
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

if TYPE_CHECKING:
    from world.core.access import Principal
    from world.core.call import Call
    from world.core.journal import Change
    from world.run.host import Host
    from world.script.coworkers import Heard

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
MAX_DEPTH = 64  # nesting of a JSON value any door accepts
MAX_TOOL_NAME = 44  # hosts prefix `mcp__<server>__` and cut at 64
_FILLERS = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})

Door = Literal["rest", "mcp", "page", "world", "control"]


def clean_text(value: str) -> str:
    """NFC; NUL and lone surrogates are refused."""
    if "\x00" in value:
        raise ValueError("contains a NUL character")
    if value.isascii():
        return value
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise ValueError("contains a lone surrogate")
    return unicodedata.normalize("NFC", value)


Int64 = Annotated[int, Field(ge=INT64_MIN, le=INT64_MAX)]
Text = Annotated[str, AfterValidator(clean_text)]


class Params(BaseModel):
    """Arguments of one operation: REST validation, MCP schema and form in one. Unknown names are ignored here."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, defer_build=True)


class NoParams(Params):
    """An operation without arguments."""


class OperationError(Exception):
    """A refusal in the vendor's vocabulary: `code` is the vendor's, `detail` fills its message."""

    def __init__(self, code: str, **detail: object) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail

    def __str__(self) -> str:
        return self.code if not self.detail else f"{self.code} {self.detail}"


class InvalidArguments(OperationError):
    """Arguments that the operation's params model does not accept; `problems` is sorted by field."""

    def __init__(self, problems: Iterable[tuple[str, str]]) -> None:
        self.problems = sorted(problems)
        super().__init__("invalid_arguments", problems=self.problems)

    def sentence(self) -> str:
        """`field: message; field: message`, with no input echoed."""
        return "; ".join(f"{name}: {message}" for name, message in self.problems)


class Outage(OperationError):
    """An emulated failure of a service. `kind` is the fault's kind; doors render it in the vendor's shape.

    `until` is the time at which a limited caller may come again, once the call is on record.
    """

    until: int | None = None

    def __init__(
        self, kind: str, code: str, *, app: str, retry_after_s: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(code)
        self.kind, self.app, self.retry_after_s, self.reason = kind, app, retry_after_s, reason


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that became visible to a person: wakes `wait` and rings the bell."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Pool:
    """A quota of calls that several operations share: so many in `window_s` by one person, and by `everybody` together.

    What the world's people do counts in none; their calls come by no API.
    """

    name: str
    limit: int
    everybody: int | None = None
    window_s: int = 60


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing an employee can do. `limit` is the vendor's number of calls per `window_s` simulated seconds, if any;
    `units` is what a call takes of the app's common quota, `pool` the quota it is counted in together with others.

    `raises` maps each code the operation refuses with to a remark, which may be empty.
    `examples` are arguments in any seeded company: a text `$operation:path` stands for that part of what the named
    operation answers to its own first example; `after` names operations whose first example must be done before.
    """

    id: str
    app: str
    run: Callable[["Call", Any], Any]
    params: type[Params]
    writes: bool
    source: str
    scope: str = ""
    examples: tuple[Mapping[str, Any], ...] = ()
    after: tuple[str, ...] = ()
    limit: int | None = None
    window_s: int = 60
    cost_s: float | None = None
    free: bool = False
    units: int = 0
    pool: Pool | None = None
    raises: Mapping[str, str] = field(default_factory=dict)

    @property
    def codes(self) -> frozenset[str]:
        """The codes the operation refuses with."""
        return frozenset(self.raises)

    @property
    def summary(self) -> str:
        """First paragraph of the docstring on one line: what an agent reads."""
        return " ".join((inspect.getdoc(self.run) or "").split("\n\n", 1)[0].split())

    @property
    def snake(self) -> str:
        """The id as a tool name: `chat.postMessage` -> `chat_post_message`, `getURLExternal` -> `get_url_external`;
        shortened if too long.
        """
        return _shortened(re.sub(r"[^a-z0-9]", "_", _NEXT_WORD.sub("_", self.id).lower()))

    def validate(self, arguments: Mapping[str, Any]) -> Params:
        """The params model of raw arguments. Raises InvalidArguments."""
        if _too_deep(arguments, MAX_DEPTH):
            raise InvalidArguments([("arguments", f"nested deeper than {MAX_DEPTH}")])
        try:
            return self.params.model_validate(_ordered(arguments))
        except ValidationError as error:
            raise InvalidArguments(_problems(error)) from None


def _shortened(name: str) -> str:
    """A name too long for a tool loses its small words, then ends of its longest ones."""
    words = name.split("_")
    if len(name) > MAX_TOOL_NAME:
        words = [word for word in words if word not in _FILLERS]
    while len("_".join(words)) > MAX_TOOL_NAME:
        longest = max(range(len(words)), key=lambda at: len(words[at]))
        words[longest] = words[longest][:-1]
    return "_".join(words)


def _ordered(value: Any) -> Any:
    """Objects with their keys sorted: the order in which a caller wrote them must not show in what happens."""
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def _problems(error: ValidationError) -> Iterable[tuple[str, str]]:
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        yield ".".join(str(part) for part in item["loc"]) or "arguments", item["msg"]


def _too_deep(value: object, left: int) -> bool:
    level: list[object] = [value]
    for _ in range(left + 1):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return [v for v in value.values() if isinstance(v, (Mapping, list, tuple))]
    if isinstance(value, (list, tuple)):
        return [v for v in value if isinstance(v, (Mapping, list, tuple))]
    return ()


Facts = Mapping[str, JsonValue]
Involving = Callable[["Call", str, dict[str, Any]], tuple[str, dict[str, Any]]]


@dataclass(slots=True)
class App:
    """A mock service: its operations, permission rules, subscriptions to world events, and notices.

    `limit` holds for every operation that declares none of its own; `units` is a quota one person's calls of all
    operations share; `window_s` is what limits and quota count in. `pools` says of an operation without a limit of its
    own, by id and whether it writes, in which pool it is counted. `hosts` are the vendor's own host names, `*.x` for
    every name below x, `x/path` for what lies below a path of a host that several apps answer. `credentials` are
    further kinds of credential the vendor hands out (a refresh token, a key file), made for a person, those it may also
    speak for, and the app's address.
    """

    name: str
    title: str
    limit: int | None = None
    window_s: int = 60
    units: int | None = None
    pools: Callable[[str, bool], Pool | None] = lambda id, writes: None
    hosts: tuple[str, ...] = ()
    operations: dict[str, Operation] = field(default_factory=dict)
    rules: dict[str, Callable[["Call", Any], str | None]] = field(default_factory=dict)
    topics: dict[str, Callable[["Call", Facts], None]] = field(default_factory=dict)
    deliveries: set[str] = field(default_factory=set)
    ddl: list[str] = field(default_factory=list)
    fault_codes: dict[str, str] = field(default_factory=dict)
    token_forms: dict[str, str] = field(default_factory=dict)
    credentials: "dict[str, Callable[[Host, Principal, list[Principal], str], dict[str, Any]]]" = field(
        default_factory=dict
    )
    predicates: dict[str, Callable[..., bool]] = field(default_factory=dict)
    notice: "Callable[[Call, Change], Iterable[Notice]] | None" = None
    hears: "Callable[[Call, Change], Iterable[Heard]] | None" = None
    involves: "Involving | None" = None
    quiet: "Callable[[Call, str], int] | None" = None

    def operation(
        self,
        id: str,
        *,
        source: str,
        writes: bool = False,
        scope: str = "",
        examples: Iterable[Mapping[str, Any]] = (),
        after: Iterable[str] = (),
        limit: int | None = None,
        cost_s: float | None = None,
        free: bool = False,
        units: int = 0,
        raises: Iterable[str] | Mapping[str, str] = (),
    ) -> Callable[[Callable[["Call", Any], Any]], Callable[["Call", Any], Any]]:
        """Declare an operation; its second parameter's annotation is the params model.

        `raises` lists the codes it refuses with, or maps them to remarks ("over 40,000 characters"). The docstring's
        `Raises:` paragraph is written from it.
        """
        codes = dict(raises) if isinstance(raises, Mapping) else dict.fromkeys(raises, "")

        def declare(run: Callable[["Call", Any], Any]) -> Callable[["Call", Any], Any]:
            if id in self.operations:
                raise ValueError(f"{self.name}: {id} is declared twice")
            self.operations[id] = Operation(
                id,
                self.name,
                run,
                _params_of(run),
                writes,
                source,
                scope,
                tuple(examples),
                tuple(after),
                self.limit if limit is None else limit,
                self.window_s,
                cost_s,
                free,
                units,
                self.pools(id, writes) if limit is None else None,
                codes,
            )
            run.__doc__ = _document(run, codes)
            return run

        return declare

    def on(
        self, topic: str, *, delivery: bool = False
    ) -> Callable[[Callable[["Call", Facts], None]], Callable[["Call", Facts], None]]:
        """Subscribe to a world event; the handler runs in a call of its own as `system:<app>`.

        A `delivery` can be delayed, lost or repeated by a fault; when it is delayed, `<topic>.held` is told if
        subscribed to.
        """

        def declare(run: Callable[["Call", Facts], None]) -> Callable[["Call", Facts], None]:
            if topic in self.topics:
                raise ValueError(f"{self.name} already subscribes to {topic}")
            self.topics[topic] = run
            if delivery:
                self.deliveries.add(topic)
            return run

        return declare

    def rule(self, name: str) -> Callable[[Callable[["Call", Any], str | None]], Callable[["Call", Any], str | None]]:
        """Declare a permission rule: None allows, a string is the refusal's code."""

        def declare(run: Callable[["Call", Any], str | None]) -> Callable[["Call", Any], str | None]:
            self.rules[name] = run
            return run

        return declare

    def predicate(self, name: str) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
        """Declare what graders may ask of the rows at the end of a run: `run.holds("app.name", ...)` in a rubric's
        predicates.
        """

        def declare(run: Callable[..., bool]) -> Callable[..., bool]:
            self.predicates[name] = run
            return run

        return declare

    def notices(
        self, run: "Callable[[Call, Change], Iterable[Notice]]"
    ) -> "Callable[[Call, Change], Iterable[Notice]]":
        """Declare what a row change makes visible, and to whom."""
        self.notice = run
        return run

    def hearing(self, run: "Callable[[Call, Change], Iterable[Heard]]") -> "Callable[[Call, Change], Iterable[Heard]]":
        """Declare who was told something by a row change, and which operation answers it in the same place."""
        self.hears = run
        return run

    def involving(self, run: Involving) -> Involving:
        """Declare how somebody is brought into a conversation: how a text calls a person, and an answer's arguments
        with them among its readers.
        """
        self.involves = run
        return run

    def quieting(self, run: "Callable[[Call, str], int]") -> "Callable[[Call, str], int]":
        """Declare until when a person is not to be disturbed, in us; 0 if they may be."""
        self.quiet = run
        return run


def _params_of(run: Callable[..., Any]) -> type[Params]:
    hints = list(inspect.get_annotations(run, eval_str=True).items())
    names = [name for name in inspect.signature(run).parameters]
    if len(names) < 2:
        return NoParams
    model = dict(hints).get(names[1])
    if not (isinstance(model, type) and issubclass(model, Params)):
        raise TypeError(f"{run.__name__}: the second parameter must be annotated with a Params model")
    return model


def _document(run: Callable[..., Any], codes: Mapping[str, str]) -> str:
    """The docstring with its `Raises:` paragraph."""
    listed = ", ".join(f"{code} ({remark})" if remark else code for code, remark in codes.items())
    return "\n\n".join(part for part in (inspect.getdoc(run), listed and f"Raises: {listed}.") if part)
