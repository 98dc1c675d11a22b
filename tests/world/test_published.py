"""What an app tells the others: its cause in journal and record, late deliveries of it, and what is done in somebody's
name.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Field as Column
from sqlmodel import SQLModel

from tests.company import START, as_person, host
from world.core.app import App, Facts
from world.core.call import Call
from world.core.clock import MINUTE
from world.core.params import Params
from world.core.settings import Settings
from world.run.call_record import CallRecord
from world.run.host import Host
from world.script.faults import Backlog, Fault
from world.script.scenario import Script, compile_script


class Slip(SQLModel, table=True):
    """What the register has taken down."""

    __tablename__ = "register_slip"
    id: int | None = Column(default=None, primary_key=True)
    text: str
    by: str


class Stamp(Params):
    """A text to stamp."""

    text: str


mint, register = App("mint", "Mint"), App("register", "Register")


@mint.operation("mint.stamp", writes=True, source="own choice")
def stamp(call: Call, params: Stamp) -> None:
    """Stamp a text."""
    call.publish("mint.stamped", text=params.text, person=call.person)


@mint.operation("mint.forge", writes=True, source="own choice")
def forge(call: Call, params: Stamp) -> None:
    """Write into the register from outside an event."""
    call.act(call.person, "register.file", text=params.text)


@register.operation("register.file", writes=True, source="own choice")
def file(call: Call, params: Stamp) -> str:
    """Take a text down."""
    call.session.add(Slip(text=params.text, by=call.person))
    return params.text


@register.on("mint.stamped", delivery=True)
def stamped(call: Call, facts: Facts) -> None:
    text, person = str(facts["text"]), str(facts["person"])
    answers = [
        call.act(person, "register.file", text=f"own {text}"),
        call.act("p_nobody", "register.file", text="never"),
    ]
    call.session.add(Slip(text=f"{text}: {answers}", by=call.person))


Made = Callable[..., Host]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A host whose world `s` plays a script."""

    def play(*faults: Fault) -> Host:
        firm = host(tmp_path, [mint, register])
        script = Script("told", START)
        for fault in faults:
            script.fault(fault, start="+0s", end="+5m")
        firm.create("s", Settings(limits="off"), compile_script(script, horizon="1h"))
        return firm

    return play


def told(firm: Host) -> list[CallRecord]:
    """What a recorder sees of one stamped text and of what follows within ten minutes."""
    seen: list[CallRecord] = []
    firm.actors["s"].recorders.append(seen.append)
    firm.call(as_person(firm, world="s"), "rest", "mint.stamp", {"text": "a"})
    firm.actors["s"].advance(START + 10 * MINUTE)
    return [one for one in seen if not one.operation.startswith(("event:", "advance"))]


SQL = (
    "SELECT c.operation, c.actor, c.cause_seq FROM _journal j JOIN _call c ON c.seq = j.call_seq WHERE j.table_name ="
    " 'register_slip' ORDER BY j.id"
)


def test_rows_of_another_app_carry_the_call_that_told_it(made: Made) -> None:
    firm = made()
    me = as_person(firm, world="s").person
    record = {one.operation: one for one in told(firm)}
    stamped, news = record["mint.stamp"], record["published:mint.stamped"]
    assert (news.cause, news.actor, stamped.cause) == (stamped.seq, "system:world", None)
    raw = firm.actors["s"].bound.raw
    assert raw.execute(SQL).fetchall() == [
        ("register.file", me, news.seq),
        ("published:mint.stamped", "system:world", stamped.seq),
    ]


def test_what_is_done_in_somebodys_name_is_done_with_their_permissions(made: Made) -> None:
    firm = made()
    me = as_person(firm, world="s").person
    filed = [(one.actor, one.status) for one in told(firm) if one.operation == "register.file"]
    assert filed == [(me, "ok"), ("p_nobody", "account_inactive")]
    rows = firm.actors["s"].bound.raw.execute("SELECT text, by FROM register_slip ORDER BY id").fetchall()
    assert rows == [("own a", me), ("a: ['own a', None]", "system:register")]


def test_news_that_come_late_keep_name_and_cause(made: Made) -> None:
    firm = made(Fault("f", "register", "delay_event", backlog=Backlog(per_minute=6)))
    record = told(firm)
    stamped, *news = (one for one in record if one.operation in ("mint.stamp", "published:mint.stamped"))
    assert [(one.at < START + MINUTE, one.cause) for one in news] == [(True, stamped.seq), (False, stamped.seq)]


def test_nobody_acts_for_others_outside_an_event(made: Made) -> None:
    with pytest.raises(LookupError, match="only a subscriber"):
        firm = made()
        firm.call(as_person(firm, world="s"), "rest", "mint.forge", {"text": "a"})
