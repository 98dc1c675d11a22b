"""An event, a trigger or a colleague that fails does so once: the world says so, and its next call works."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlmodel import Field as Column
from sqlmodel import SQLModel

from tests.company import START, as_person, host
from world.core import event_queue, journal
from world.core.app import App, Facts, Notice
from world.core.call import Call
from world.core.clock import MINUTE, SECOND
from world.core.journal import Change
from world.core.params import Params
from world.core.settings import Settings
from world.run.failures import Failure, list_failures, tell_mistakes
from world.run.host import Host
from world.script.errors import ScenarioError
from world.script.loader import locate_error
from world.script.scenario import Script, compile_script
from world.script.stage import Stage


class Slip(SQLModel, table=True):
    """A row of the test app."""

    __tablename__ = "frail_slip"  # type: ignore[assignment]
    id: str = Column(primary_key=True)
    text: str


class SlipNew(Params):
    """A slip to write, and what to have done later."""

    text: str = ""
    later: str = ""


app = App("frail", "Frail", units=100)


def add(call: Call, text: str) -> None:
    call.session.add(Slip(id=call.ids.hex(8), text=text))


@app.operation("frail.write", writes=True, source="own choice")
def write_slip(call: Call, params: SlipNew) -> None:
    """Write a slip."""
    add(call, params.text)
    if params.later:
        call.later(f"frail.{params.later}", call.now + SECOND, text=params.text)


@app.operation("frail.list", source="own choice")
def list_slips(call: Call, params: Params) -> list[str]:
    """List the slips."""
    return [text for (text,) in call.all("SELECT text FROM frail_slip ORDER BY rowid")]


@app.on("frail.raises")
def divide(call: Call, facts: Facts) -> None:
    add(call, "half done")
    call.flush()
    raise ZeroDivisionError(f"in {__file__} at 0x7f00dead")


@app.on("frail.recurses")
def recurse(call: Call, facts: Facts) -> None:
    recurse(call, facts)


@app.on("frail.floods")
def flood(call: Call, facts: Facts) -> None:
    for _ in range(30):
        add(call, "flood")


@app.on("frail.storms")
def storm(call: Call, facts: Facts) -> None:
    call.later("frail.storms", call.now)


@app.on("frail.raises.failed")
def show(call: Call, facts: Facts) -> None:
    add(call, f"sorry for {facts['text']}")


@app.on("frail.floods.failed")
def show_worse(call: Call, facts: Facts) -> None:
    add(call, "never seen")
    call.flush()
    raise RuntimeError("twice")


@app.notices
def notices(call: Call, change: Change) -> list[Notice]:
    if change.after and change.after["text"] == "unspeakable":
        raise KeyError("unspeakable")
    return []


@pytest.fixture
def firm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host as it is served: what fails is kept."""
    monkeypatch.setattr(Host, "strict", False)
    made = host(tmp_path, [app])
    yield made
    made.store.close()


def say(firm: Host, text: str, later: str = "", world: str = "w") -> None:
    firm.call(as_person(firm, world=world), "rest", "frail.write", {"text": text, "later": later})


def slips(firm: Host, world: str = "w") -> list[str]:
    return firm.call(as_person(firm, world=world), "rest", "frail.list", {})


def failed(firm: Host, world: str = "w") -> list[tuple[str, str, str]]:
    return [(one.event, one.error, one.cause) for one in list_failures(firm.actors[world].bound)]


def statuses(firm: Host, world: str = "w") -> list[str]:
    raw = firm.actors[world].bound.raw
    return [text for (text,) in raw.execute("SELECT status FROM _call WHERE operation LIKE 'event:%' ORDER BY seq")]


@pytest.mark.parametrize(
    ("topic", "error", "cause", "left"),
    [
        ("raises", "ZeroDivisionError", "in test_failures.py at 0x", ["one", "sorry for one"]),
        ("recurses", "RecursionError", "recursion without end", ["one"]),
    ],
)
def test_what_an_app_is_told_fails_once(firm: Host, topic: str, error: str, cause: str, left: list[str]) -> None:
    say(firm, "one", later=topic)
    assert slips(firm) == left
    assert slips(firm) == left
    assert failed(firm) == [("event:-1", error, cause)]
    assert statuses(firm) == ["failed"]
    assert event_queue.find_due_event(firm.actors["w"].bound, 2 * START) is None


def test_an_event_that_changes_too_much_fails_once(firm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_ROWS", 20)
    say(firm, "one", later="floods")
    assert slips(firm) == ["one"]
    assert slips(firm) == ["one"]
    assert [(event, error) for event, error, _ in failed(firm)] == [
        ("event:-1", "TooManyRows"),
        ("frail.floods.failed", "RuntimeError"),
    ]


def test_a_storm_ends_and_the_call_goes_on(firm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("world.run.event_loop.STORM", 50)
    say(firm, "one", later="storms")
    assert slips(firm) == ["one"]
    assert failed(firm) == [("event:-1", "EventStorm", "more than 50 events fired during one call")]
    before = firm.actors["w"].version
    assert slips(firm) == ["one"]
    assert firm.actors["w"].version == before + 1


def test_a_failing_notice_spoils_neither_the_event_nor_the_wait(firm: Host) -> None:
    script = Script("test", START)
    script.at("+10s", lambda stage: stage.act("p_bo", "frail.write", text="unspeakable") and None)
    script.at("+20s", lambda stage: stage.act("p_bo", "frail.write", text="plain") and None, name="plain")
    firm.create("s", Settings(), compile_script(script, horizon="2h"))
    firm.call(as_person(firm, world="s"), "rest", "world.wait", {"seconds": 60})
    assert slips(firm, "s") == ["unspeakable", "plain"]
    assert [(event, error) for event, error, _ in failed(firm, "s")] == [("reaction:frail_slip", "KeyError")]


def scripted(firm: Host, act: Callable[[Stage], None]) -> None:
    script = Script("test", START)
    script.at("+1m", act, name="bad")
    script.at("+2m", lambda stage: stage.act("p_bo", "frail.write", text="good") and None, name="good")
    firm.create("s", Settings(), compile_script(script, horizon="2h"))


def mistaken(stage: Stage) -> None:
    stage.act("p_bo", "frail.write", text="half done")
    try:
        stage.person("nobody")
    except ScenarioError as error:
        raise locate_error(Path(__file__), error) from error


def test_an_authors_mistake_is_kept_without_paths_and_told_in_full_on_request(firm: Host) -> None:
    scripted(firm, mistaken)
    firm.actors["s"].advance(START + 3 * MINUTE)
    assert slips(firm, "s") == ["good"]
    (kept,) = list_failures(firm.actors["s"].bound)
    assert kept.of_author and kept.cause.startswith("test_failures.py:") and "nobody has the handle" in kept.cause
    with pytest.raises(ScenarioError, match=f"{__file__}:"):
        tell_mistakes(firm.actors["s"])


def test_where_authors_work_a_failing_event_is_raised_at_once(firm: Host) -> None:
    firm.strict = True
    scripted(firm, mistaken)
    with pytest.raises(ScenarioError, match="nobody has the handle"):
        firm.actors["s"].advance(START + 3 * MINUTE)
    say(firm, "one", later="raises")
    with pytest.raises(ZeroDivisionError):
        slips(firm)


def test_a_failure_is_the_same_in_every_world(firm: Host) -> None:
    for world in ("a", "b"):
        firm.create(world, Settings())
        say(firm, "one", later="recurses", world=world)
        say(firm, "two", later="raises", world=world)
        slips(firm, world)
    assert firm.actors["a"].world.record_digest().hexdigest() == firm.actors["b"].world.record_digest().hexdigest()
    assert [type(one) for one in list_failures(firm.actors["a"].bound)] == [Failure, Failure]
