"""Every row operator, each with a row it accepts and rows it does not."""

from typing import Any

import pytest
from grading_company import ANN, BOB, ME, START, Bench, Desk, json_text

RUBRIC = """
refs:
  agent: {{employee: self}}
  oncall: {{employee: {{schedule: payments, at: event.page.at}}}}
  lead: {{employee: {{lead_of: payments-api}}}}
  pay: {{table: ticket, where: {{title: Payments time out}}}}
  done: {{table: ticket_status, where: {{name: Done}}}}
  deadline: {{time: event.page.at, plus: 30m}}
expect:
  - id: change
    update: {{ref: pay}}
    set: {{{column}: {predicate}}}
    only: [{column}]
"""
NOON = 1_760_961_600_000_000  # 2025-10-20T12:00:00Z
CASES = [
    ("priority", "1", 1, 3),
    ("priority", "{eq: 1}", 1, 3),
    ("priority", "{eq: 1.0}", 1, 3),
    ("points", "5", 5.0, 5.5),
    ("points", "{eq: 5, tol: 0.5}", 5.5, 5.6),
    ("points", "{number: {value: 5, tol: 1}}", 6, 7),
    ("priority", "{ne: 2}", 1, 2),
    ("priority", "{in: [1, 4]}", 4, 3),
    ("priority", "{not_in: [1, 2]}", 3, 1),
    ("priority", "{lt: 2}", 1, 3),
    ("priority", "{le: 1}", 1, 3),
    ("priority", "{gt: 2}", 3, 1),
    ("priority", "{ge: 3}", 3, 1),
    ("priority", "{between: [3, 5]}", 5, 6),
    ("due_on", '"2025-11-01"', "2025-11-01", "2025-11-02"),
    ("due_on", '{gt: "2025-10-31"}', "2025-11-01", "2025-10-30"),
    ("due_on", '{date: "2025-11-01"}', "2025-11-01", "2025-11-02"),
    ("due_on", '{date: {value: "2025-11-01", tol: 1d}}', "2025-11-02", "2025-11-03"),
    ("due_on", "{date: event.page.at}", "2025-10-20", "2025-10-21"),
    ("due_at", '{datetime: {value: "2025-10-20T12:00Z", tol: 1m}}', NOON + 60_000_000, NOON + 61_000_000),
    ("due_at", '"2025-10-20T12:00Z"', NOON, NOON + 1),
    ("due_at", "{eq: event.page.at, tol: 10m}", START + 5 * 60_000_000, START + 12 * 60_000_000),
    ("due_at", "{ref: deadline}", START + 31 * 60_000_000, START + 32 * 60_000_000),
    ("due_at", "{null: false}", NOON, None),
    ("assignee", "{null: true}", None, BOB),
    ("assignee", "null", None, BOB),
    ("assignee", "{ref: oncall}", BOB, ME),
    ("assignee", "{person: {ref: oncall}}", "T00000003X", "T00000001X"),
    ("assignee", "{ref: oncall}", "bob@acme.test", "ann@acme.test"),
    ("assignee", "{ref: oncall}", "Robert Hill <robert@acme.test>", "Robert Hill <robert@evil.test>"),
    ("assignee", "{in: [{ref: oncall}, {ref: agent}]}", ME, "p_0004"),
    ("assignee", "{ne: {ref: lead}}", BOB, "ann@acme.test"),
    ("status_id", "{ref: done}", 2, 3),
    ("labels", "[bug, sev1]", json_text(["sev1", "bug"]), json_text(["bug"])),
    ("labels", "{set_eq: [bug, sev1]}", json_text(["sev1", "bug"]), json_text(["bug", "sev1", "x"])),
    ("labels", "{set_eq: [bug, sev1], ordered: true}", json_text(["bug", "sev1"]), json_text(["sev1", "bug"])),
    ("labels", "{set_eq: [bug, sev1], ordered: true}", json_text(["bug", "sev1"]), json_text(["bug", "ui"])),
    ("labels", "{superset: [sev1]}", json_text(["bug", "sev1"]), json_text(["bug", "ui"])),
    ("labels", "{subset: [sev2, sev1]}", json_text(["sev1"]), json_text(["sev1", "x"])),
    ("labels", "{any: {matches: 'sev\\d'}}", json_text(["bug", "sev2"]), json_text(["bug", "sevx"])),
    ("labels", "{all: {in: [a, b]}}", json_text(["a", "b"]), json_text(["a", "c"])),
    ("labels", "{none: {eq: bug}}", json_text(["ui"]), json_text(["ui", "bug"])),
    ("title", "{matches: '(?i)pay-\\d+ fixed'}", "PAY-12 Fixed", "PAY-12 fixed now"),
    ("title", "{all_of: [{matches: 'a.*'}, {ne: ab}]}", "ac", "ab"),
    ("title", "{any_of: [{eq: x}, {eq: y}]}", "y", "z"),
    ("title", "{none_of: [{eq: x}, {eq: Payments time out}]}", "y", "x"),
    ("budget", "{money: {value: 1200.5, currency: USD}}", "$1,200.50", "€1,200.50"),
    ("budget", "{money: {value: 1200, currency: EUR, tol: 1}}", "1201 EUR", "1202 EUR"),
    ("budget", "{duration: {value: 2h52m, tol: 1m}}", "172 min", "180 min"),
    ("budget", "{number: {value: 3, unit: h}}", "180 min", "181 min"),
    ("budget", "{any_domain_not: acme.test}", "ann@acme.test, x@evil.test", "ann@acme.test"),
]


def _run(bench: Bench, column: str, predicate: str, value: Any) -> bool:
    desk = Desk()
    desk.event("page")
    desk.set_ticket(**{column: value})
    return bench.grade(RUBRIC.format(column=column, predicate=predicate), desk).passed


@pytest.mark.parametrize(("column", "predicate", "good", "bad"), CASES, ids=[f"{c}-{p}" for c, p, _, _ in CASES])
def test_an_operator_accepts_and_refuses(bench: Bench, column: str, predicate: str, good: Any, bad: Any) -> None:
    assert _run(bench, column, predicate, good)
    assert not _run(bench, column, predicate, bad)


def test_a_readable_column_stands_for_the_key_behind_it(bench: Bench) -> None:
    rubric = RUBRIC.format(column="status", predicate="Done")
    for status, passes in ((2, True), (3, False)):
        desk = Desk()
        desk.event("page")
        desk.set_ticket(status_id=status)
        assert bench.grade(rubric, desk).passed is passes


def test_a_status_renamed_by_the_agent_keeps_its_seeded_name(bench: Bench) -> None:
    desk = Desk()
    desk.event("page")
    desk.call()
    desk.edit("ticket_status", 3, name="Done")
    desk.set_ticket(status_id=3)
    verdict = bench.grade(RUBRIC.format(column="status", predicate="Done"), desk)
    assert not verdict.passed
    assert [one.row for one in verdict.unclaimed] == ["ticket_status:3", "ticket:11"]


def test_story_selects_the_rows_a_story_owns(bench: Bench) -> None:
    rubric = "expect: [{id: fill, insert: sheet_cell, where: {sheet: {story: payroll}}}]"
    for sheet, passes in (("sh_1a", True), ("sh_2b", False)):
        desk = Desk()
        desk.call()
        desk.put("sheet_cell", sheet_id=sheet, ref="B7", value="1")
        assert bench.grade(rubric, desk).passed is passes


def test_story_of_the_row_itself_selects_it(bench: Bench) -> None:
    rubric = "expect: [{id: fix, update: ticket, where: {story: payments.first_ticket}, set: {priority: 1}}]"
    for id, passes in ((11, True), (12, False)):
        desk = Desk()
        desk.set_ticket(id, priority=1)
        assert bench.grade(rubric, desk).passed is passes


def test_where_takes_combinators_of_whole_rows(bench: Bench) -> None:
    rubric = """
expect:
  - id: post
    insert: chat_message
    where: {any_of: [{text: {eq: one}, channel: incidents}, {text: {eq: two}}], none_of: [{channel: random}]}
"""
    for text, channel, passes in (
        ("one", "C0000000A", True),
        ("one", "C0000001A", False),
        ("two", "C0000001A", True),
        ("two", "C0000002A", False),
    ):
        desk = Desk()
        desk.say(text, channel=channel)
        assert bench.grade(rubric, desk).passed is passes


MAIL = """
refs: {ann: {employee: {alias: ann@acme.test}}, bob: {employee: {alias: Bob}}}
expect: [{id: mail, insert: mail_message, where: {recipients: {set_eq: [{ref: ann}, {ref: bob}, vera@vendor.test]}}}]
"""


@pytest.mark.parametrize(
    ("to", "cc", "bcc", "passes"),
    [
        (["ann@acme.test", "bob@acme.test", "vera@vendor.test"], [], [], True),
        (["Vera Stone <VERA@vendor.test>"], ["robert@acme.test", "ann@acme.test"], [], True),
        (["ann@acme.test", "bob@acme.test"], [], ["vera@vendor.test"], False),
        (["ann@acme.test", "bob@acme.test", "vera@vendor.test", "x@evil.test"], [], [], False),
        (["ann@acme.test", "bob@acme.test", "vera@vendor.test"], [], ["x@evil.test"], False),
        (["ann@acme.test", "bob@acme.test", "vera@vendor.test"], [], ["mia@acme.test"], True),
    ],
)
def test_recipients_are_to_and_cc_by_person_and_nobody_hides_in_bcc(
    bench: Bench, desk: Desk, to: list[str], cc: list[str], bcc: list[str], passes: bool
) -> None:
    desk.call()
    desk.put(
        "mail_message",
        id=1,
        sender="mia@acme.test",
        to=json_text(to),
        cc=json_text(cc),
        bcc=json_text(bcc),
        subject="s",
        body="b",
    )
    assert bench.grade(MAIL, desk).passed is passes


@pytest.mark.parametrize(
    ("address", "passes"),
    [
        ("bob@acme.test", True),
        ("Robert <ROBERT@acme.test>", True),
        ("ann@acme.test", False),
        ("bob@vendor.test", False),
    ],
)
@pytest.mark.parametrize("wanted", ["bob@acme.test", "robert@acme.test"])
def test_two_addresses_of_one_colleague_are_the_same_recipient(
    bench: Bench, desk: Desk, wanted: str, address: str, passes: bool
) -> None:
    desk.call()
    desk.put(
        "mail_message", id=1, sender="mia@acme.test", to=json_text([address]), cc="[]", bcc="[]", subject="s", body="b"
    )
    rubric = f"expect: [{{id: m, insert: mail_message, where: {{recipients: [{wanted}]}}}}]"
    assert bench.grade(rubric, desk).passed is passes


def test_bcc_is_compared_where_it_is_named(bench: Bench) -> None:
    rubric = MAIL.replace("vera@vendor.test]}}", "vera@vendor.test]}, bcc: [x@evil.test]}")
    for bcc, passes in ((["x@evil.test"], True), ([], False)):
        desk = Desk()
        desk.call()
        to = json_text(["ann@acme.test", "bob@acme.test", "vera@vendor.test"])
        desk.put(
            "mail_message", id=1, sender="mia@acme.test", to=to, cc="[]", bcc=json_text(bcc), subject="s", body="b"
        )
        assert bench.grade(rubric, desk).passed is passes


def test_a_list_of_people_equals_a_ref_to_many(bench: Bench) -> None:
    rubric = """
refs: {team: {table: person, where: {full_name: {matches: 'Ann .*'}}, many: true}}
expect: [{id: fix, update: ticket, set: {labels: {set_eq: {ref: team}}}}]
"""
    for people, passes in (([ANN, "p_0005"], True), ([ANN], False), ([ANN, "p_0005", BOB], False)):
        desk = Desk()
        desk.set_ticket(labels=json_text(people))
        assert bench.grade(rubric, desk).passed is passes


def test_a_person_is_never_matched_by_a_name_two_people_share(bench: Bench) -> None:
    desk = Desk()
    desk.event("page")
    desk.set_ticket(assignee="Ann")
    assert not bench.grade(RUBRIC.format(column="assignee", predicate="{ref: lead}"), desk).passed
    assert ANN == "p_0002"
