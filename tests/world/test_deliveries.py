"""Deliveries of an app under faults: late, lost, twice; what people do meanwhile is not held back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Field as Column
from sqlmodel import SQLModel

from tests.company import START, as_person, host
from world.core.app import App, Facts
from world.core.call import Call
from world.core.clock import MINUTE, SECOND
from world.core.journal import changes
from world.core.params import Params
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Backlog, Fault
from world.script.scenario import Script, compile_script


class Letter(SQLModel, table=True):
    """A letter that arrived, or a note that one is late."""

    __tablename__ = "post_letter"
    id: int | None = Column(default=None, primary_key=True)
    text: str
    at: int


class Post(Params):
    """A letter to post."""

    text: str


app = App("post", "Post")
other = App("desk", "Desk")


@app.operation("post.send", writes=True, source="own choice")
def post(call: Call, params: Post) -> None:
    """Post a letter."""
    call.later("post.brought", call.now, text=params.text)


def _keep(call: Call, text: str) -> None:
    call.session.add(Letter(text=text, at=call.now))


@app.on("post.brought", delivery=True)
def bring(call: Call, facts: Facts) -> None:
    _keep(call, str(facts["text"]))


@app.on("post.brought.held")
def held(call: Call, facts: Facts) -> None:
    assert set(facts) == {"text"}
    call.later("post.late", call.now + MINUTE, **facts)


@app.on("post.late")
def late(call: Call, facts: Facts) -> None:
    _keep(call, f"late: {facts['text']}")


@other.on("post.brought")
def filed(call: Call, facts: Facts) -> None:
    call.session.add(Letter(text=f"filed {facts['text']}", at=call.now))


Made = Callable[..., Host]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A host whose world `s` plays a script."""

    def play(*parts: Callable[[Script], object]) -> Host:
        firm = host(tmp_path, [app, other])
        script = Script("late", START)
        for part in parts:
            part(script)
        firm.create("s", Settings(limits="off"), compile_script(script, horizon="1h"))
        return firm

    return play


def post_some(firm: Host, *texts: str) -> None:
    for text in texts:
        firm.call(as_person(firm, world="s"), "rest", "post.send", {"text": text})


def arrived(firm: Host) -> list[tuple[str, int]]:
    """Letters with the second they came in."""
    rows = [c.after for c in changes(firm.actors["s"].bound) if c.after]
    return [
        (str(row["text"]), (int(row["at"]) - START) // SECOND)
        for row in rows
        if not str(row["text"]).startswith("filed")
    ]


def fault(kind: str, **more: object) -> Callable[[Script], object]:
    return lambda s: s.fault(Fault("f", "post", kind, **more), start="+0s", end="+5m")  # type: ignore[arg-type]


def test_delayed_deliveries_arrive_once_in_order_at_the_rate_of_the_backlog(made: Made) -> None:
    firm = made(fault("delay_event", backlog=Backlog(per_minute=6)))
    post_some(firm, "a", "b", "c")
    firm.actors["s"].advance(START + 4 * MINUTE)
    assert arrived(firm) == [("late: a", 60), ("late: b", 63), ("late: c", 66)]
    firm.actors["s"].advance(START + 10 * MINUTE)
    assert arrived(firm)[3:] == [("a", 310), ("b", 320), ("c", 330)]


def test_other_apps_hear_in_time_and_once_of_what_is_delayed_in_one(made: Made) -> None:
    firm = made(fault("delay_event"))
    post_some(firm, "a")
    firm.actors["s"].advance(START + 20 * MINUTE)
    rows = [c.after for c in changes(firm.actors["s"].bound) if c.after]
    assert [(row["text"], row["at"] - START) for row in rows if row["text"] == "filed a"] == [("filed a", 0)]


def test_what_is_held_back_keeps_its_cause(made: Made) -> None:
    firm = made(fault("delay_event"))
    post_some(firm, "a")
    actor = firm.actors["s"]
    actor.advance(START + 10 * MINUTE)
    sent, brought = (
        actor.bound.raw.execute(
            f"SELECT seq, cause_seq FROM _call WHERE operation = '{name}' ORDER BY seq DESC"
        ).fetchall()[0]
        for name in ("post.send", "event:-1")
    )
    assert brought[1] == sent[0]


def test_colleagues_write_in_time_while_an_app_delivers_late(made: Made) -> None:
    firm = made(
        fault("delay_event"), lambda s: s.at("+1m", lambda w: w.act("p_bo", "post.send", text="from bo"), name="bo")
    )
    firm.actors["s"].advance(START + 2 * MINUTE)
    raw = firm.actors["s"].bound.raw
    assert raw.execute("SELECT at, status FROM _call WHERE actor = 'p_bo'").fetchall() == [(START + MINUTE, "ok")]
    assert arrived(firm) == [("late: from bo", 120)]


@pytest.mark.parametrize(("kind", "times"), [("drop_event", 0), ("dup_event", 2)])
def test_deliveries_are_lost_or_come_twice(made: Made, kind: str, times: int) -> None:
    firm = made(fault(kind))
    post_some(firm, "a")
    firm.actors["s"].advance(START + 20 * MINUTE)
    post_some(firm, "b")
    firm.actors["s"].advance(START + 21 * MINUTE)
    assert [text for text, _ in arrived(firm)] == ["a"] * times + ["b"]


def test_the_share_of_lost_deliveries_is_drawn_alike_in_every_run(made: Made) -> None:
    firm = made(fault("drop_event", rate=0.5))
    post_some(firm, *map(str, range(40)))
    firm.actors["s"].advance(START + 4 * MINUTE)
    got = [int(text) for text, _ in arrived(firm)]
    assert 10 <= len(got) <= 30 and got == sorted(got)


def test_a_fault_of_other_deliveries_or_another_app_delays_nothing(made: Made) -> None:
    firm = made(
        fault("delay_event", operations=("post.parcel*",)),
        lambda s: s.fault(Fault("g", "desk", "delay_event"), start="+0s"),
    )
    post_some(firm, "a")
    firm.actors["s"].advance(START + MINUTE)
    assert arrived(firm) == [("a", 0)]
