"""Calls through the actor: transaction, cost, refusal, journal, waiting, events, faults."""

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field
from sqlmodel import Field as Column
from sqlmodel import SQLModel, col, select

from tests.company import START, as_person, host
from world.core.app import App, Facts, Notice
from world.core.call import Call
from world.core.clock import MINUTE, SECOND
from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.journal import changes
from world.core.operation import Pool
from world.core.params import NoParams, Params, Text
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.errors import ScenarioError
from world.script.faults import Backlog, Fault
from world.script.scenario import Script, compile_script, row
from world.script.stage import Stage


class Note(SQLModel, table=True):
    """A note of the test app."""

    __tablename__ = "memo_note"
    id: str = Column(primary_key=True)
    author: str
    text: str
    written_at: int


class WriteNote(Params):
    """A note to write."""

    text: Annotated[Text, Field(min_length=1, max_length=100)]
    to: str | None = None


DESK = Pool("desk", 3, everybody=5)

app = App(
    "memo",
    "Memo",
    units=100,
    pools=lambda operation, writes: DESK if operation in ("memo.count", "memo.clear") else None,
)
app.fault_codes = {"error": "memo_down", "ratelimit": "slow_down"}


@app.operation("memo.write", writes=True, source="own choice", raises=("forbidden_word",))
def write_note(call: Call, params: WriteNote) -> dict[str, str]:
    """Write a note."""
    note = Note(id=call.ids.hex(8), author=call.person, text=params.text, written_at=call.now)
    call.session.add(note)
    if params.text == "forbidden":
        call.session.flush()
        raise OperationError("forbidden_word")
    if params.to:
        call.later("memo.reminder", call.now + MINUTE, note=note.id, to=params.to)
    return {"id": note.id}


@app.operation("memo.list", source="own choice", limit=5)
def list_notes(call: Call, params: NoParams) -> list[str]:
    """List the notes."""
    return [r.text for r in call.all(select(Note.text, Note.id).order_by(col(Note.written_at), col(Note.id)))]


@app.operation("memo.search", source="own choice", units=40)
def search_notes(call: Call, params: NoParams) -> list[str]:
    """Search the notes."""
    return []


@app.operation("memo.export", source="own choice", units=30)
def export_notes(call: Call, params: NoParams) -> list[str]:
    """Export the notes."""
    return []


@app.operation("memo.count", source="own choice")
def count_notes(call: Call, params: NoParams) -> str:
    """Count the notes."""
    return "none" if call.degraded is None else f"behind with {call.degraded or 'everything'}"


@app.operation("memo.clear", writes=True, source="own choice")
def clear_notes(call: Call, params: NoParams) -> None:
    """Clear the notes of others; there is nothing to clear."""


@app.on("memo.reminder")
def remind(call: Call, facts: Facts) -> None:
    call.session.add(
        Note(id=call.ids.hex(8), author=str(facts["to"]), text=f"re: {facts['note']}", written_at=call.now)
    )


@app.notices
def notices(call: Call, change: object) -> list[Notice]:
    after = change.after  # type: ignore[attr-defined]
    return [Notice(after["author"], after["text"])]


@pytest.fixture
def firm(tmp_path: Path) -> Host:
    return host(tmp_path, [app])


def write(firm: Host, who: Principal, text: str, **more: object) -> dict[str, str]:
    return firm.call(who, "rest", "memo.write", {"text": text, **more})


def calls(firm: Host, world: str = "w") -> list[tuple[str, str, str, str]]:
    raw = firm.actors[world].bound.raw
    return raw.execute("SELECT actor, door, operation, status FROM _call ORDER BY seq").fetchall()


def test_a_write_leaves_a_row_a_journal_entry_a_call_and_three_seconds(firm: Host) -> None:
    ada = as_person(firm)
    made = write(firm, ada, "hello")
    actor = firm.actors["w"]
    entries = changes(actor.bound)
    assert [(c.table, c.op, c.after) for c in entries] == [
        ("memo_note", "insert", {"id": made["id"], "author": "p_ada", "text": "hello", "written_at": START})
    ]
    assert calls(firm) == [("p_ada", "rest", "memo.write", "ok")]
    assert actor.now == START + 3 * SECOND


def test_a_refused_call_costs_time_and_leaves_nothing_but_its_call_row(firm: Host) -> None:
    with pytest.raises(OperationError, match="forbidden_word"):
        write(firm, as_person(firm), "forbidden")
    assert changes(firm.actors["w"].bound) == []
    assert calls(firm) == [("p_ada", "rest", "memo.write", "forbidden_word")]
    assert firm.actors["w"].now == START + 3 * SECOND


def test_arguments_that_do_not_validate_are_refused_by_field(firm: Host) -> None:
    with pytest.raises(InvalidArguments) as refused:
        write(firm, as_person(firm), "")
    assert [name for name, _ in refused.value.problems] == ["text"]
    with pytest.raises(InvalidArguments):
        write(firm, as_person(firm), "nul \x00")


def test_people_who_have_left_are_refused(firm: Host) -> None:
    with pytest.raises(OperationError, match="account_inactive"):
        write(firm, as_person(firm, "gus"), "hello")


def test_a_peek_costs_nothing_and_leaves_no_trace(firm: Host) -> None:
    ada = as_person(firm)
    write(firm, ada, "one")
    before = (firm.actors["w"].now, calls(firm))
    assert firm.peek(ada, "page", "memo.list", {}) == ["one"]
    assert (firm.actors["w"].now, calls(firm)) == before


def test_a_quota_is_shared_by_the_operations_that_take_from_it(firm: Host) -> None:
    ada, bo = as_person(firm), as_person(firm, "bo")
    for operation in ("memo.search", "memo.export", "memo.export"):
        firm.call(ada, "rest", operation, {})
    with pytest.raises(Outage) as limited:
        firm.call(ada, "rest", "memo.search", {})
    assert (limited.value.kind, limited.value.retry_after_s) == (
        "ratelimit",
        57,
    )  # until the first call is a minute old
    firm.call(ada, "rest", "memo.write", {"text": "takes no units"})
    firm.call(bo, "rest", "memo.search", {})
    firm.actor("w").advance(firm.actor("w").now + 2 * MINUTE)
    firm.call(ada, "rest", "memo.search", {})


def test_a_pool_counts_calls_of_several_operations_for_one_person_and_for_all(firm: Host) -> None:
    ada, bo = as_person(firm), as_person(firm, "bo")
    for operation in ("memo.count", "memo.clear", "memo.count"):
        firm.call(ada, "rest", operation, {})
    with pytest.raises(Outage) as own:
        firm.call(ada, "mcp", "memo.clear", {})
    assert (own.value.kind, own.value.reason, own.value.retry_after_s) == (
        "ratelimit",
        None,
        55,
    )  # three calls took 5 seconds
    firm.call(ada, "rest", "memo.list", {})
    for _ in range(2):
        firm.call(bo, "page", "memo.count", {})
    with pytest.raises(Outage) as shared:
        firm.call(bo, "rest", "memo.count", {})
    assert shared.value.reason == "project"
    firm.actors["w"].advance(START + 2 * MINUTE)
    firm.call(ada, "rest", "memo.clear", {})


def test_what_the_worlds_people_do_is_in_no_pool(tmp_path: Path) -> None:
    def busy(script: Script) -> None:
        for second in range(1, 8):
            script.at(f"+{second}s", lambda stage: stage.act("p_ada", "memo.clear") and None, name=f"clear {second}")

    firm = scripted(tmp_path, busy)
    firm.actors["s"].advance(START + 10 * SECOND)
    statuses = firm.actors["s"].bound.raw.execute("SELECT status FROM _call WHERE operation = 'memo.clear'").fetchall()
    assert statuses == [("ok",)] * 7
    assert firm.call(as_person(firm, world="s"), "rest", "memo.count", {}) == "none"


def test_the_limit_of_a_minute_is_enforced_on_simulated_time(firm: Host) -> None:
    ada = as_person(firm)
    for _ in range(5):
        firm.call(ada, "rest", "memo.list", {})
    with pytest.raises(Outage) as limited:
        firm.call(ada, "rest", "memo.list", {})
    assert (limited.value.code, limited.value.retry_after_s) == ("slow_down", 55)
    with pytest.raises(Outage) as early:
        firm.call(ada, "rest", "memo.list", {})
    assert early.value.reason == "early_retry"
    firm.call(as_person(firm, "bo"), "rest", "memo.list", {})
    firm.actors["w"].advance(START + 2 * MINUTE)
    assert firm.call(ada, "rest", "memo.list", {}) == []


def test_a_patient_world_waits_out_the_retry_after(tmp_path: Path) -> None:
    firm = host(tmp_path, [app])
    firm.create("patient", Settings(retry="patient"))
    ada = as_person(firm, world="patient")
    for _ in range(5):
        firm.call(ada, "rest", "memo.list", {})
    with pytest.raises(Outage):
        firm.call(ada, "rest", "memo.list", {})
    assert firm.call(ada, "rest", "memo.list", {}) == []


def test_a_wait_ends_at_the_first_thing_visible_to_the_caller(firm: Host) -> None:
    ada = as_person(firm)
    made = write(firm, ada, "ask", to="p_ada")
    waited = firm.call(ada, "mcp", "world.wait", {"seconds": 600})
    assert waited["happened"] == [f"re: {made['id']}"]
    assert firm.actors["w"].now == START + MINUTE + 1


def test_a_wait_passes_over_what_others_get(firm: Host) -> None:
    ada = as_person(firm)
    write(firm, ada, "ask", to="p_bo")
    waited = firm.call(ada, "mcp", "world.wait", {"seconds": 600})
    assert waited["happened"] == []
    assert firm.call(ada, "rest", "memo.list", {})[0] == "ask"


def test_waits_to_a_time_of_day_are_read_in_the_callers_zone(firm: Host) -> None:
    waited = firm.call(as_person(firm), "page", "world.wait", {"until": "09:30"})
    assert waited["local"] == "2026-03-02T09:30:00+01:00"
    with pytest.raises(OperationError):
        firm.call(as_person(firm), "page", "world.wait", {"until": "08:30"})


def test_a_hundred_waits_in_a_row_end_the_episode_as_idle(firm: Host) -> None:
    ada = as_person(firm)
    for _ in range(100):
        firm.call(ada, "mcp", "world.wait", {"seconds": 1})
    with pytest.raises(OperationError, match="idle"):
        firm.call(ada, "mcp", "world.wait", {"seconds": 1})
    assert firm.actors["w"].ended == "idle"


def test_after_finish_nothing_can_be_done(firm: Host) -> None:
    ada = as_person(firm)
    firm.call(ada, "mcp", "world.finish", {"answer": {"cause": "dns"}})
    with pytest.raises(OperationError, match="token_revoked"):
        write(firm, ada, "late")


def story(s: Script) -> None:
    def first(stage: Stage) -> None:
        stage.act("p_bo", "memo.write", text="first")
        stage.note(seen=7)

    def second(stage: Stage) -> None:
        stage.act("p_bo", "memo.write", text=f"second {stage.fact('first', 'seen')}")

    def answered(stage: Stage) -> None:
        stage.act("p_bo", "memo.write", text=f"got {stage.trigger['row']['text']}")

    def nagging(stage: Stage) -> None:
        stage.act("p_bo", "memo.write", text="still waiting")

    opened = s.at("+1m", first)
    s.after(opened, "30s", second)
    s.on(row("memo_note", author="p_ada"), answered, deadline="5m", otherwise=nagging)


def scripted(tmp_path: Path, *scripts: object, **settings: object) -> Host:
    firm = host(tmp_path, [app])
    script = Script("test", START)
    for tell in scripts:
        tell(script)  # type: ignore[operator]
    firm.create("s", Settings(**settings), compile_script(script, horizon="2h"))  # type: ignore[arg-type]
    return firm


def texts(firm: Host) -> list[str]:
    return firm.peek(as_person(firm, world="s"), "rest", "memo.list", {})


def test_events_fire_in_order_before_the_next_call_and_leave_facts(tmp_path: Path) -> None:
    firm = scripted(tmp_path, story)
    firm.actors["s"].advance(START + 2 * MINUTE)
    assert texts(firm) == ["first", "second 7"]
    raw = firm.actors["s"].bound.raw
    causes = raw.execute(
        "SELECT operation, cause_seq FROM _call WHERE operation IN ('event:1', 'memo.write') ORDER BY seq"
    ).fetchall()
    assert [name for name, _ in causes] == ["memo.write", "event:1", "memo.write"]
    assert all(cause is not None for _, cause in causes)


def test_acts_of_one_person_in_one_event_have_ids_of_their_own(tmp_path: Path) -> None:
    def act(stage: Stage) -> None:
        for text in ("one", "two", "three"):
            stage.act("p_bo", "memo.write", text=text)

    def tell(s: Script) -> None:
        s.at("+1m", act, name="first")
        s.at("+1m", act, name="second")

    firm = scripted(tmp_path, tell)
    firm.actors["s"].advance(START + 2 * MINUTE)
    ids = firm.actors["s"].bound.raw.execute("SELECT id FROM memo_note").fetchall()
    assert len(texts(firm)) == len(set(ids)) == 6


def test_a_refused_act_is_the_authors_mistake_until_somebody_works_in_the_world(tmp_path: Path) -> None:
    def act(stage: Stage) -> None:
        stage.act("p_bo", "memo.write", text="forbidden")
        stage.act("p_bo", "memo.write", text="allowed")

    def tell(s: Script) -> None:
        s.at("+1m", act, name="early")
        s.at("+5m", act, name="late")

    firm = scripted(tmp_path, tell)
    firm.strict = True
    with pytest.raises(ScenarioError, match=r"test_actor.py:\d+: Bo .*may not memo.write: forbidden_word"):
        firm.actors["s"].advance(START + 2 * MINUTE)
    firm.strict = False
    firm.actors["s"].advance(START + 2 * MINUTE)
    assert texts(firm) == [] and len(firm.actors["s"].events.mistakes) == 1
    firm.call(as_person(firm, world="s"), "rest", "memo.list", {})
    firm.strict = True
    firm.actors["s"].advance(START + 6 * MINUTE)
    assert texts(firm) == ["allowed"]


def test_a_deadline_counts_from_the_start_of_the_story(tmp_path: Path) -> None:
    firm = host(tmp_path, [app])
    script = Script("test", START + 30 * MINUTE)
    story(script)
    firm.create("s", Settings(), compile_script(script, horizon="2h"))
    firm.actors["s"].advance(START + 34 * MINUTE)
    assert texts(firm) == ["first", "second 7"]
    firm.actors["s"].advance(START + 36 * MINUTE)
    assert texts(firm) == ["first", "second 7", "still waiting"]


def test_a_trigger_fires_on_a_matching_row_and_withdraws_its_deadline(tmp_path: Path) -> None:
    firm = scripted(tmp_path, story)
    write(firm, as_person(firm, world="s"), "hi")
    firm.actors["s"].advance(START + 20 * MINUTE)
    assert texts(firm) == ["hi", "got hi", "first", "second 7"]


def test_without_a_match_the_deadline_fires_instead(tmp_path: Path) -> None:
    firm = scripted(tmp_path, story)
    firm.actors["s"].advance(START + 20 * MINUTE)
    write(firm, as_person(firm, world="s"), "too late")
    firm.actors["s"].advance(START + 30 * MINUTE)
    assert texts(firm) == ["first", "second 7", "still waiting", "too late"]


def outage(s: Script) -> None:
    s.fault(Fault("down", "memo", "error", backlog=Backlog(per_minute=6)), start="+10s", end="+5m")


def test_an_outage_refuses_everybody_and_the_backlog_drains_in_order(tmp_path: Path) -> None:
    firm = scripted(tmp_path, story, outage)
    actor = firm.actors["s"]
    actor.advance(START + 11 * SECOND)
    with pytest.raises(Outage, match="memo_down"):
        write(firm, as_person(firm, world="s"), "hello")
    actor.advance(START + 4 * MINUTE + 59 * SECOND)
    actor.advance(START + 6 * MINUTE)
    assert texts(firm) == ["first", "second 7", "still waiting"]
    entries = [c.after["written_at"] for c in changes(actor.bound) if c.after]
    assert entries == [START + 5 * MINUTE + n * 10 * SECOND for n in (1, 2, 3)]


def test_write_then_error_commits_behind_the_error(tmp_path: Path) -> None:
    firm = scripted(tmp_path, lambda s: s.fault(Fault("odd", "memo", "write_then_error"), start="+0s"))
    with pytest.raises(Outage):
        write(firm, as_person(firm, world="s"), "sent")
    assert texts(firm) == ["sent"]


def test_latency_is_charged_to_the_clock(tmp_path: Path) -> None:
    firm = scripted(
        tmp_path, lambda s: s.fault(Fault("slow", "memo", "latency", latency_ms=60_000, sigma=0.0), start="+0s")
    )
    write(firm, as_person(firm, world="s"), "slow")
    assert firm.actors["s"].now == START + 63 * SECOND


def test_stale_reads_answer_from_the_start_of_the_fault(tmp_path: Path) -> None:
    firm = scripted(
        tmp_path,
        lambda s: s.fault(Fault("stale", "memo", "stale_read", doors=frozenset({"rest"})), start="+5s", end="+10m"),
    )
    ada = as_person(firm, world="s")
    write(firm, ada, "early")
    firm.actors["s"].advance(START + MINUTE)
    write(firm, ada, "late")
    assert firm.call(ada, "rest", "memo.list", {}) == ["early"]
    assert firm.call(ada, "mcp", "memo.list", {}) == ["early", "late"]
    firm.actors["s"].advance(START + 11 * MINUTE)
    assert firm.call(ada, "rest", "memo.list", {}) == ["early", "late"]


def test_a_degraded_service_answers_without_what_it_computes(tmp_path: Path) -> None:
    def faults(s: Script) -> None:
        s.fault(Fault("part", "memo", "degraded", reason="totals"), start="+5s", end="+10m")
        s.fault(
            Fault("all", "memo", "degraded", people=frozenset({"p_bo"}), backlog=Backlog()), start="+5s", end="+10m"
        )

    firm = scripted(tmp_path, faults)
    firm.actors["s"].advance(START + 10 * SECOND)
    assert firm.call(as_person(firm, world="s"), "rest", "memo.count", {}) == "behind with totals"
    assert firm.call(as_person(firm, "bo", world="s"), "mcp", "memo.count", {}) == "behind with everything"
    assert firm.peek(as_person(firm, "bo", world="s"), "page", "memo.count", {}) == "behind with everything"
    write(firm, as_person(firm, "bo", world="s"), "written all the same")
    firm.actors["s"].advance(START + 11 * MINUTE)
    assert firm.call(as_person(firm, world="s"), "rest", "memo.count", {}) == "none"
    assert texts(firm) == ["written all the same"]


def test_a_fork_goes_on_from_any_call_and_the_parent_is_untouched(tmp_path: Path) -> None:
    firm = scripted(tmp_path, story)
    ada = as_person(firm, world="s")
    for text in ("a", "b", "c"):
        write(firm, ada, text)
    own = "SELECT seq FROM _call WHERE operation = 'memo.write' AND actor = 'p_ada' ORDER BY seq"
    second = firm.actors["s"].bound.raw.execute(own).fetchall()[1][0]
    firm.fork(firm.actors["s"], "child", at=second)
    child = as_person(firm, world="child")
    write(firm, child, "z")
    assert [t for t in firm.peek(child, "rest", "memo.list", {}) if len(t) == 1] == ["a", "b", "z"]
    assert [t for t in texts(firm) if len(t) == 1] == ["a", "b", "c"]


def test_the_same_calls_give_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        firm = scripted(tmp_path / name, story, outage)
        ada = as_person(firm, world="s")
        write(firm, ada, "a")
        firm.actors["s"].advance(START + 20 * MINUTE)
        digests.append(firm.actors["s"].world.record_digest().hexdigest())
    assert digests[0] == digests[1]


def test_the_horizon_and_the_budget_end_the_episode(tmp_path: Path) -> None:
    firm = scripted(tmp_path, max_calls=2)
    ada = as_person(firm, world="s")
    write(firm, ada, "1")
    write(firm, ada, "2")
    with pytest.raises(OperationError, match="token_revoked"):
        write(firm, ada, "3")
    assert firm.actors["s"].ended == "budget"
    given = firm.call(ada, "rest", "world.finish", {"answer": {"notes": 2}})
    assert given["status"] == "done" and firm.actors["s"].ended == "budget"
    for operation in ("world.finish", "world.now"):
        with pytest.raises(OperationError, match="token_revoked"):
            firm.call(ada, "rest", operation, {})
