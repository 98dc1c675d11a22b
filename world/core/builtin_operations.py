"""Operations that belong to the employee, not to a vendor: the time, waiting, and saying that the work is done."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import AfterValidator, Field, JsonValue

from world.core.app import App
from world.core.call import Call
from world.core.clock import MINUTE, SECOND, duration, from_datetime, iso, to_datetime
from world.core.errors import OperationError
from world.core.json_types import is_object
from world.core.params import INT64_MAX, INT64_MIN, Int64, NoParams, Params, Text, clean_text

app = App("world", "World")

MAX_FIELDS, MAX_FIELD_NAME = 100, 100  # of an answer
MAX_VALUE, MAX_ANSWER = 10_000, 100_000  # characters of one value, of an answer
MAX_WAIT_S = 7 * 24 * 3600
LONGEST_NEXT = 60 * MINUTE
TEAM = "team"  # where a world keeps the states of several agents
SOURCE = "own choice"
MAX_PLACES = 50  # that one wait looks at
Place = Annotated[Text, Field(min_length=1, max_length=200)]


class Limits(TypedDict):
    """Remaining budget of a limited run."""

    calls_left: NotRequired[int]
    until: NotRequired[str]
    seconds_left: NotRequired[int]
    afterwards: str


class Now(TypedDict):
    """The simulated time, in UTC and in the employee's zone, and the remaining budget of a limited run."""

    utc: str
    local: str
    zone: str
    epoch_s: int
    limits: NotRequired[Limits]


class WakeEvent(TypedDict):
    """Something that ended a wait: its app, its text, and the ids by which the app's tools find it."""

    app: str
    text: str
    ids: dict[str, str]


class WaitResult(TypedDict):
    """Result of a wait: `happened` and `events` are empty when the time ran out.

    `waiting`: it is not over, because other members of a team are at work.
    """

    utc: str
    local: str
    happened: list[str]
    events: list[WakeEvent]
    waiting: NotRequired[bool]


class FinishResult(TypedDict):
    """The accepted end of an episode."""

    status: str
    utc: str


class WaitParams(Params):
    """At most one of the first three; nothing at all means `next`. `on` goes with each of them."""

    seconds: Annotated[Int64, Field(ge=1, le=MAX_WAIT_S)] | None = Field(
        default=None, description="Wait this many simulated seconds, or until something reaches you.", examples=[600]
    )
    until: Annotated[Text, Field(max_length=40)] | None = Field(
        default=None,
        description="Wait until this time: ISO 8601 with offset, or HH:MM today in your zone.",
        examples=["14:30"],
    )
    next: bool | None = Field(default=None, description="Wait for the next thing that reaches you, at most an hour.")
    on: Annotated[list[Place], Field(max_length=MAX_PLACES)] = Field(
        default_factory=list,
        description="Wake for anything new here too: #channel or its id, CHANNEL_ID:thread_ts, issue or project key,"
        " owner/repo or owner/repo#12.",
        examples=[["#incidents", "PAY-12"]],
    )


def _check_answer(answer: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return an answer if it can be kept; else refuse, by name, a field too long or with no number of JSON."""
    if len(answer) > MAX_FIELDS:
        raise ValueError(f"more than {MAX_FIELDS} fields")
    for name, value in answer.items():
        if len(name) > MAX_FIELD_NAME:
            raise ValueError(f"{name[:40]!r}... is longer than {MAX_FIELD_NAME} characters")
        problem = _value_problem(value)
        if problem:
            raise ValueError(f"{name!r} {problem}")
    if len(str(answer)) > MAX_ANSWER:
        raise ValueError(f"longer than {MAX_ANSWER} characters in all")
    return answer


def _value_problem(value: JsonValue) -> str:
    """Return the reason why a value of an answer cannot be kept; empty for a sound one."""
    if isinstance(value, str):
        return _text_problem(value)
    if isinstance(value, float):  # JSON readers make floats of integers that are too long for them
        return "" if abs(value) < INT64_MAX else "is no finite number of 64 bits; write it as a text"
    if isinstance(value, int):
        return "" if INT64_MIN <= value <= INT64_MAX else "is beyond 64 bits; write it as a text"
    inner = [*value.values(), *value] if isinstance(value, dict) else value or []
    return next((problem for problem in map(_value_problem, inner) if problem), "")


def _text_problem(text: str) -> str:
    if len(text) > MAX_VALUE:
        return f"is longer than {MAX_VALUE} characters"
    try:
        clean_text(text)
    except ValueError as error:
        return str(error)
    return ""


AnswerFields = Annotated[dict[str, JsonValue], AfterValidator(_check_answer)]


class FinishParams(Params):
    """The closing statement; `answer` holds the fields the task asks for."""

    status: Literal["done", "impossible"] = Field(
        default="done", description="done, or impossible with reason and evidence."
    )
    answer: AnswerFields = Field(default_factory=dict, description="Answer fields named by the task.")
    reason: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="Reason code if impossible."
    )
    evidence: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="Reference that proves the reason."
    )


def read_clock(call: Call) -> Now:
    """The clock as the calling employee reads it."""
    zone = call.me.tz
    return {"utc": iso(call.now), "local": iso(call.now, zone), "zone": zone, "epoch_s": call.now // SECOND}


@app.operation("world.now", source=SOURCE, free=True, examples=[{}])
def now(call: Call, params: NoParams) -> Now:
    """Tell the current time of the company, in UTC and in your own zone, and how many calls and how much time are left."""
    return read_clock(call)


@app.operation(
    "world.wait",
    source=SOURCE,
    free=True,
    examples=[{"seconds": 60}],
    raises={"invalid_arguments": "", "idle": "100 waits in a row end the episode"},
)
def wait(call: Call, params: WaitParams) -> WaitResult:
    """Let time pass: some seconds, until a time, or until something reaches you (direct message, mention, mail,
    assignment) or happens in a place named in `on`.

    Time: simulated; returns early at the first thing that reaches you, and says what it was.
    """
    clock = read_clock(call)
    return {"utc": clock["utc"], "local": clock["local"], "happened": [], "events": []}


def wait_end(params: WaitParams, at: int, zone: str) -> int:
    """The simulated time (us) a wait lasts at most. Raises OperationError for an unreadable or past time."""
    if params.seconds is not None:
        return at + params.seconds * SECOND
    if params.until is None:
        return at + LONGEST_NEXT
    end = _moment(params.until, at, zone)
    if not at < end <= at + MAX_WAIT_S * SECOND:
        raise OperationError("invalid_arguments", problems=[("until", "must lie within the next seven days")])
    return end


def _moment(text: str, at: int, zone: str) -> int:
    local = to_datetime(at, zone)
    try:
        if "T" in text or "-" in text:
            parsed = type(local).fromisoformat(text)
            return from_datetime(parsed if parsed.tzinfo else parsed.replace(tzinfo=local.tzinfo))
        if text.startswith("+"):
            return at + duration(text)
        hour, _, minute = text.partition(":")
        return from_datetime(local.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0))
    except (ValueError, OverflowError):
        raise OperationError(
            "invalid_arguments", problems=[("until", "not a time; write 14:30 or 2026-03-02T14:30:00+01:00")]
        ) from None


@app.operation(
    "world.finish",
    source=SOURCE,
    writes=True,
    cost_s=0,
    examples=[{"status": "done"}],
    raises=("already_finished", "not_yours"),
)
def finish(call: Call, params: FinishParams) -> FinishResult:
    """Say that the task is done (or impossible), with the answer the task asks for; nothing can be done afterwards."""
    key = _find_answer_key(call)
    if call.state(key) is not None:
        raise OperationError("already_finished")
    statement: dict[str, Any] = params.model_dump(exclude_none=True)
    call.remember(key, statement)
    return {"status": params.status, "utc": iso(call.now)}


def _find_answer_key(call: Call) -> str:
    """Return where the caller's answer is kept; of a team, the answer of the first member is the graded one."""
    team = call.state(TEAM)
    return "answer" if not is_object(team) or team["lead"] == call.me.id else f"answer:{call.me.id}"
