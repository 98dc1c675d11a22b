"""Refs name exactly one thing, from the seed and from what events stated; the agent cannot move them."""

import pytest
from grading_company import ANN, BOB, BOSS, ME, START, Bench, Desk, share

from world.grading import GraderError, PersonRef, RowRef
from world.grading.effects import change_set
from world.grading.errors import EventNotFired
from world.grading.grading_context import build_context


def resolve(bench: Bench, desk: Desk, spec: str, name: str = "x", more: str = "") -> tuple:
    rubric = bench.rubric(f"refs:\n  {name}: {spec}\n{more}expect: [{{id: post, insert: chat_message}}]\n")
    return build_context(rubric, desk.evidence(), change_set(desk.evidence())).scope.ref(name)


@pytest.mark.parametrize(
    ("spec", "person"),
    [
        ("{employee: self}", ME),
        ("{employee: {schedule: payments, at: event.page.at}}", BOB),
        ("{employee: {schedule: Payments on call, at: event.page.at}}", BOB),
        ("{employee: {schedule: payments-api, at: event.page.at}}", BOB),
        ("{employee: {schedule: payments, at: {ref: later}}}", ANN),
        ("{employee: {lead_of: Payments}}", ANN),
        ("{employee: {lead_of: payments-api}}", ANN),
        ("{employee: {lead_of: {ref: team}}}", ANN),
        ("{employee: {manager_of: {ref: me}}}", BOSS),
        ("{employee: {alias: Bob}}", BOB),
        ("{employee: {fact: event.page.who}}", ANN),
        ("{employee: {where: {full_name: Ada King}}}", BOSS),
        ("{alias: me}", ME),
    ],
)
def test_people_are_found_by_role(bench: Bench, desk: Desk, spec: str, person: str) -> None:
    desk.event("page", who=ANN)
    more = (
        "  me: {employee: self}\n  later: {time: event.page.at, plus: 11h}\n  team: {table: team, where: {name:"
        " Payments}}\n"
    )
    assert resolve(bench, desk, spec, more=more) == (PersonRef(person),)


def test_rows_times_and_texts(bench: Bench, desk: Desk) -> None:
    desk.event("page", code="red", nested={"deep": 5})
    (row,) = resolve(bench, desk, "{table: ticket, where: {title: Rotate keys}}")
    assert isinstance(row, RowRef) and row.pk == (12,)
    assert len(resolve(bench, desk, "{table: ticket, where: {status: Open}, many: true}")) == 3
    assert resolve(bench, desk, "{time: event.page.at, plus: -1m}") == (START,)
    assert resolve(bench, desk, "{time: event.page.start}") == resolve(bench, desk, "{time: event.page}")
    assert resolve(bench, desk, "{text: plain}") == ("plain",)
    assert resolve(bench, desk, "{fact: event.page.code}") == ("red",)
    assert resolve(bench, desk, "{fact: event.page.nested.deep}") == (5,)
    assert resolve(bench, desk, "{company: domain}") == ("acme.test",)


def test_a_row_made_by_an_event_is_found_by_the_fact_that_names_it(bench: Bench, desk: Desk) -> None:
    desk.event("outage", ticket="PAY-9")
    desk.put("ticket", id=19, key="PAY-9", title="New", status_id=1)
    (row,) = resolve(bench, desk, "{table: ticket, where: {key_from: event.outage.ticket}}")
    assert row.pk == (19,)
    desk.world(by=BOB)
    desk.edit("ticket", 19, key="PAY-10")
    assert resolve(bench, desk, "{table: ticket, where: {key_from: event.outage.ticket}}")[0].pk == (19,)


def test_the_agents_rows_and_renames_never_count(bench: Bench, desk: Desk) -> None:
    desk.call()
    desk.put("chat_channel", id="C9", name="incidents")
    desk.edit("chat_channel", "C0000001A", name="incidents")
    desk.edit("person", ANN, full_name="Robert Hill", handle="bob")
    (row,) = resolve(bench, desk, "{table: chat_channel, where: {name: incidents}}")
    assert row.pk == ("C0000000A",)
    assert resolve(bench, desk, "{employee: {alias: Bob}}") == (PersonRef(BOB),)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{table: ticket, where: {title: Nothing}}", "names nothing"),
        ("{table: ticket, where: {status: Open}}", "3 rows of ticket"),
        ("{table: ticket, where: {status: Done}, many: true}", "names nothing"),
        ("{employee: {alias: Nobody}}", "names nobody"),
        ("{employee: {where: {title: Engineer}}}", "people meet"),
        ("{employee: {lead_of: Nowhere}}", "names nobody"),
        ("{employee: {schedule: nights, at: event.page.at}}", "no rota"),
        ("{fact: event.page.missing}", "states no 'missing'"),
        ("{employee: {schedule: payments, at: {ref: late}}}", "names nobody"),
        ("{employee: {manager_of: {ref: boss}}}", "names nobody"),
    ],
)
def test_a_ref_that_names_none_or_two_is_a_grader_error(bench: Bench, desk: Desk, spec: str, message: str) -> None:
    desk.event("page")
    more = "  late: {time: event.page.at, plus: 30d}\n  boss: {employee: {where: {full_name: Ada King}}}\n"
    with pytest.raises(GraderError, match=message):
        resolve(bench, desk, spec, more=more)
    rubric = f"refs:\n  x: {spec}\n{more}expect: [{{id: post, insert: chat_message, where: {{sender: {{ref: x}}}}}}]\n"
    desk.say("hi")
    verdict = bench.grade(rubric, desk)
    assert message in (verdict.error or "") and verdict.score is None


def test_refs_in_a_circle_are_a_grader_error(bench: Bench, desk: Desk) -> None:
    with pytest.raises(GraderError, match="refers to itself"):
        resolve(bench, desk, "{employee: {manager_of: {ref: x}}}")


def test_before_its_event_a_ref_is_merely_not_met(bench: Bench, desk: Desk) -> None:
    with pytest.raises(EventNotFired):
        resolve(bench, desk, "{fact: event.page.code}")
    desk.say("hi")
    rubric = (
        "refs: {x: {employee: {fact: event.page.who}}}\nexpect: [{id: post, insert: chat_message, where: {sender: {ref:"
        " x}}}]\n"
    )
    verdict = bench.grade(rubric, desk)
    assert verdict.error is None and share(verdict, "post") == 0
    assert verdict.unclaimed[0].why == "the event of event.page.who has not happened"
    rubric = rubric.replace("{sender: {ref: x}}", "{sender: {ne: {ref: x}}}")
    assert not bench.grade(rubric, desk).passed


def test_what_waits_for_an_event_does_not_hold_among_alternatives(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    rubric = (
        "expect: [{id: post, insert: chat_message, where: {channel: incidents}, text: {field: text, any_of: [%s]}}]\n"
    )
    waits, met = "{facts: {must: [event.page.code]}}", "{mentions: hi}"
    assert share(bench.grade(rubric % f"{waits}, {met}", desk), "post") == 1
    assert share(bench.grade(rubric % f"{waits}, {{mentions: ho}}", desk), "post") == 0


def test_a_field_of_a_ref(bench: Bench, desk: Desk) -> None:
    rubric = (
        "refs: {pay: {table: ticket, where: {title: Payments time out}}, ann: {employee: {lead_of: Payments}}}\n"
        "expect: [{id: post, insert: chat_message, text: {field: text, "
        "all_of: [{mentions: {ref: pay, field: status}}, {mentions: {ref: ann, field: email}}]}}]\n"
    )
    desk.say("Open, says ann@acme.test")
    assert bench.grade(rubric, desk).passed


def test_one_of_many_rows_will_do(bench: Bench, desk: Desk) -> None:
    rubric = (
        "refs: {open: {table: ticket, where: {status: Open}, many: true}}\nexpect: [{id: fix, update: {ref: open}, set:"
        " {status: Done}}]\n"
    )
    desk.set_ticket(13, status_id=2)
    assert bench.grade(rubric, desk).passed


def test_dotted_event_names_are_found_longest_first(bench: Bench, desk: Desk) -> None:
    desk.event("page", at="wrong")
    desk.event("page.otherwise", note="right")
    assert resolve(bench, desk, "{fact: event.page.otherwise.note}") == ("right",)
    assert resolve(bench, desk, "{fact: event.page.at}") == ("wrong",)
