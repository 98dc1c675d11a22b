"""Each finding of a verdict says what failed: the smallest clause, the run's values, the text, whose doing, the step."""

from collections.abc import Callable

import pytest
from grading_company import ANN, BOB, Bench, Desk, json_text

from world.grading import Verdict
from world.grading.explain import explain
from world.grading.verdict import Reason, Step

REFS = """refs:
  oncall: {employee: {schedule: payments, at: event.outage.start}}
  pay: {table: ticket, where: {title: Payments time out}}
  keys: {table: ticket, where: {title: Rotate keys}}
  page: {fact: event.outage.page}
"""
MAIL = "This is for you: we credit EUR 1,200.00. The outage is over."


def after_outage() -> Desk:
    """A run in which the outage has begun."""
    desk = Desk()
    desk.event("outage", credit=1234.5, page="M-77", minutes=35)
    return desk


def of_item(verdict: Verdict, id: str = "post") -> Reason:
    """The first reason why an item is missing."""
    return next(item for item in verdict.items if item.id == id).reasons[0]


def post(text: str, **more: str) -> str:
    """An expectation of a message."""
    keys = "".join(f"\n    {key}: {value}" for key, value in more.items())
    return f"{REFS}expect:\n  - id: post\n    insert: chat_message\n    where: {{channel: general}}\n    text: {text}{keys}"


CLAUSES = [
    (
        "{field: text, facts: {must: [35 min, {amount: event.outage.credit, currency: EUR}]}}",
        "text.facts.must[1]",
        "text states EUR 1,234.50",
        f"EUR 1,200.00 in “{MAIL.split('. The')[0]}.”",
    ),
    (
        "{field: text, facts: {must: [{ref: oncall}]}}",
        "text.facts.must[0]",
        "text states Robert Hill",
        f"“{MAIL} 35 min.”",
    ),
    (
        "{field: text, facts: {only: [amount]}}",
        "text.facts.only",
        "text states no other amount",
        f"EUR 1,200.00 in “{MAIL.split('. The')[0]}.”",
    ),
    (
        "{field: text, facts: {never: [amount]}}",
        "text.facts.never[0]",
        "text names no amount",
        f"EUR 1,200.00 in “{MAIL.split('. The')[0]}.”",
    ),
    (
        "{field: text, all_of: [{mentions: credit}, {money: {value: event.outage.credit, currency: EUR, tol: 1}}]}",
        "text.all_of[1].money",
        "text states the amount EUR 1,234.50 ± 1",
        f"“{MAIL.split('. The')[0]}.”",
    ),
    (
        "{field: text, any_of: [{all_of: [{mentions: credit}, {mentions: {ref: pay}}]}, {mentions: sorry}]}",
        "text.any_of[0].all_of[1].mentions",
        "text mentions PAY-1 “Payments time out”",
        f"“{MAIL} 35 min.”",
    ),
    (
        "{field: text, any_of: [{mentions: {ref: page}}, {mentions: sorry}]}",
        "text.any_of",
        "text mentions 'M-77' or mentions 'sorry'",
        f"“{MAIL} 35 min.”",
    ),
    (
        "{field: text, none_of: [{mentions: sorry}, {claims: {subject: outage, state: resolved}}]}",
        "text.none_of[1].claims",
        "not: text claims that 'outage' is resolved",
        "“The outage is over.”",
    ),
    ("{field: text, max_chars: 20}", "text.max_chars", "text has at most 20 characters", "68 characters"),
    (
        "{field: text, stance: {on: incident_called_for, is: denied}}",
        "text.stance",
        "text has incident_called_for denied: “The alert is an incident that must be declared.”",
        "asserted (plain) in “The outage is over.”",
    ),
]


@pytest.mark.parametrize(("text", "clause", "expected", "found"), CLAUSES, ids=[clause for _, clause, _, _ in CLAUSES])
def test_a_missing_item_shows_the_smallest_clause(
    bench: Bench, text: str, clause: str, expected: str, found: str
) -> None:
    desk = after_outage()
    desk.say(f"{MAIL} 35 min.", "C0000001A")
    reason = of_item(bench.grade(post(text), desk))
    assert (reason.clause, reason.expected, reason.found) == (clause, expected, found)
    assert reason.line == 12 and reason.origin == "its own call"
    assert reason.step == Step(1, 2, "op", "rest", "2025-10-20T06:42:00+00:00")


def test_of_alternatives_the_nearest_is_explained(bench: Bench) -> None:
    said = "text: {field: text, mentions: sorry}"
    rubric = f"{REFS}expect:"
    for channel in ("general", "incidents"):
        rubric += f"\n  - id: in_{channel}\n    insert: chat_message\n    where: {{channel: {channel}}}\n    {said}"
    desk = after_outage()
    desk.say(MAIL, "C0000000A")
    verdict = bench.grade(f"{rubric}\none_of:\n  - [[in_general], [in_incidents]]", desk)
    other = bench.grade(f"{rubric}\none_of:\n  - [[in_incidents], [in_general]]", desk)
    assert {one.items[0].id for one in (verdict, other)} == {"in_incidents"}


def test_what_the_author_takes_back_is_shown(bench: Bench) -> None:
    desk = after_outage()
    desk.say("We credit EUR 1,234.50. Checkout is slow.", "C0000001A")
    desk.say("Scratch that, it is not true that we credit EUR 1,234.50.", "C0000001A")
    reason = of_item(bench.grade(post("{field: text, mentions: credit}"), desk))
    assert (reason.clause, reason.expected) == ("text", "the author stands by text")
    assert reason.found == "“Scratch that, it is not true that we credit EUR 1,234.50.”"
    assert reason.own == "We credit EUR 1,234.50. Checkout is slow."


WHERE = [
    (
        "where: {ticket_id: {ref: pay}}",
        "where.ticket_id",
        "ticket_id is PAY-1 “Payments time out”",
        "PAY-2 “Rotate keys”",
    ),
    (
        "where: {any_of: [{ticket_id: {ref: pay}, author: {ref: oncall}}, {author: {ref: oncall}}]}",
        "where.any_of[0].author",
        "author is Robert Hill",
        "Mia Novak (p_0001)",
    ),
    (
        "where: {none_of: [{ticket_id: {ref: keys}}]}",
        "where.none_of[0].ticket_id",
        "not: ticket_id is PAY-2 “Rotate keys”",
        "PAY-2 “Rotate keys”",
    ),
    (
        "where: {ticket_id: {ref: keys}}\n    before: event.outage.start",
        "before",
        "before 2025-10-20T06:41:00+00:00",
        "2025-10-20T06:42:00+00:00",
    ),
    (
        "where: {ticket_id: {ref: keys}}\n    after: event.outage.start\n    within: 30s",
        "within",
        "from 2025-10-20T06:41:00+00:00 to 2025-10-20T06:41:30+00:00",
        "2025-10-20T06:42:00+00:00",
    ),
    ("by: {ref: oncall}", "by", "by Robert Hill", "Mia Novak"),
]


@pytest.mark.parametrize(("keys", "clause", "expected", "found"), WHERE, ids=[clause for _, clause, _, _ in WHERE])
def test_a_wrong_row_shows_its_value_by_name(bench: Bench, keys: str, clause: str, expected: str, found: str) -> None:
    desk = after_outage()
    desk.call()
    ticket = 11 if "any_of" in keys else 12
    desk.put("ticket_comment", ticket_id=ticket, author="p_0001", body="done", created_at=desk.now)
    reason = of_item(bench.grade(f"{REFS}expect:\n  - id: post\n    insert: ticket_comment\n    {keys}", desk))
    assert (reason.clause, reason.expected, reason.found) == (clause, expected, found)


def test_an_update_shows_what_is_set_and_what_else_was_changed(bench: Bench) -> None:
    desk = after_outage()
    desk.set_ticket(11, status_id=3, priority=1)
    rubric = f"{REFS}expect: [{{id: fix, update: {{ref: pay}}, set: {{status: Done, assignee: {{ref: oncall}}}}}}]"
    reasons = bench.grade(rubric, desk).items[0].reasons
    assert [(one.clause, one.expected, one.found) for one in reasons] == [
        ("set.status", "status is 'Done'", "'Closed'"),
        ("set.assignee", "assignee is Robert Hill", "Ann Lee (p_0002)"),
        ("only", "no change but of assignee, status_id", "priority to 1"),
    ]


def test_an_item_without_any_row_shows_all_it_wants(bench: Bench) -> None:
    text = "{field: text, facts: {must: [{amount: event.outage.credit, currency: EUR}]}}"
    reason = of_item(bench.grade(post(text, after="event.outage.start", within="30m"), after_outage()))
    assert reason.clause == "insert" and reason.found == "no such row" and reason.step is None
    assert reason.expected == (
        "insert chat_message, where channel is 'general', text states EUR 1,234.50 and has at most 2000 characters and "
        "names at most 20 people, ids and amounts, after 2025-10-20T06:41:00+00:00, within 30 min"
    )


def test_an_item_that_waits_for_an_event_says_so(bench: Bench) -> None:
    text, desk = "{field: text, mentions: event.outage.page}", Desk()
    nothing = of_item(bench.grade(post(text, after="event.outage.start"), desk))
    assert "mentions event.outage.page (has not happened)" in nothing.expected
    desk.say("hello", "C0000001A")
    waiting = of_item(bench.grade(post(text, after="event.outage.start"), desk))
    assert (waiting.expected, waiting.found) == ("the event of event.outage.page", "it has not happened")


def never(rule: str) -> str:
    """A rubric of one forbidden thing."""
    return f"{REFS}expect: [{{id: post, insert: chat_message}}]\nnever:\n  - {{id: no, {rule}}}"


FORBIDDEN: list[tuple[str, str, str, str]] = [
    (
        "insert: chat_message, text: {field: text, any_of: [{mentions: never}, {mentions: event.outage.page}]}",
        "text.any_of[1].mentions",
        "not: text mentions 'M-77'",
        "“Please see M-77.”",
    ),
    (
        "insert: chat_message, where: {sender: {ref: oncall}}",
        "",
        "",
        "",
    ),
    ("insert: chat_message, where: {channel: general}", "where.channel", "not: channel is 'general'", "'general'"),
    ("insert: chat_message", "insert", "never insert chat_message", "chat_message:1000"),
]


@pytest.mark.parametrize(("rule", "clause", "expected", "found"), FORBIDDEN)
def test_a_breach_shows_what_met_it(bench: Bench, rule: str, clause: str, expected: str, found: str) -> None:
    desk = after_outage()
    desk.say("Hello. Please see M-77.", "C0000001A")
    breaches = bench.grade(never(rule), desk).never
    got = [(one.reasons[0].clause, one.reasons[0].expected, one.reasons[0].found) for one in breaches]
    assert got == ([(clause, expected, found)] if clause else [])
    assert all(one.reasons[0].own == "Hello. Please see M-77." for one in breaches)


def test_a_hasty_retry_shows_its_step(bench: Bench) -> None:
    desk = after_outage()
    desk.say("oh")
    desk.call(status="early_retry", operation="chat.post")
    breach = bench.grade(never("early_retry: any"), desk).never[0].reasons[0]
    assert breach.step is not None and (breach.step.number, breach.step.operation) == (2, "chat.post")
    assert breach.clause == "early_retry" and "before its Retry-After ended" in breach.found


def reacted(desk: Desk) -> None:
    """A colleague answers the agent's message and shares a file because of it."""
    desk.say("Bob, could you share the rota?")
    desk.world(by=BOB, cause=desk.calls[-1].seq, operation="drive.share")
    desk.put("sheet_grant", sheet_id="sh_2b", who="all", role="reader")


def own(desk: Desk) -> None:
    """The agent shares a file itself."""
    desk.call(operation="drive.share")
    desk.put("sheet_grant", sheet_id="sh_2b", who="all", role="reader")


@pytest.mark.parametrize(
    ("act", "origin", "operation", "text"),
    [
        (reacted, "Robert Hill reacted to its call", "op", "Bob, could you share the rota?"),
        (own, "its own call", "drive.share", ""),
    ],
)
def test_a_charge_says_whose_doing_it_is(
    bench: Bench, act: Callable[[Desk], None], origin: str, operation: str, text: str
) -> None:
    desk = after_outage()
    act(desk)
    rubric = f"{REFS}expect: [{{id: post, insert: ticket_comment}}]\nscore: {{unclaimed: degrees}}"
    (charge,) = [one for one in bench.grade(rubric, desk).unclaimed if one.row.startswith("sheet_grant")]
    (reason,) = charge.reasons
    assert charge.degree == "harm" and reason.origin == origin and reason.own == text
    assert reason.step is not None and (reason.step.number, reason.step.operation) == (1, operation)


def test_another_apps_rule_is_told_as_such(bench: Bench) -> None:
    desk = after_outage()
    desk.call()
    desk.told()
    desk.world(cause=desk.calls[-1].seq, operation="automation")
    desk.put("chat_message", channel_id="C0000000A", sender_id=ANN, text="merged", sent_at=desk.now)
    (breach,) = bench.grade(never("insert: chat_message, consequences: true"), desk).never
    assert breach.reasons[0].origin == "automation, another app's rule that its call set off"


def test_a_wrong_field_of_the_answer_shows_both_values(bench: Bench) -> None:
    desk = after_outage()
    desk.call(operation="world.finish")
    desk.finish(credit="EUR 1,200.00", who="Ann Lee", at="06:50")
    fields = """answer:
  status: done
  fields:
    credit: {type: money, currency: EUR, value: event.outage.credit}
    who: {type: person, value: {ref: oncall}}
    start: {type: datetime, value: event.outage.start, tol: 1m}
"""
    verdict = bench.grade(REFS + fields, desk)
    reasons = [item.reasons[0] for item in verdict.items if item.reasons]
    assert [(one.clause, one.expected, one.found) for one in reasons] == [
        ("answer.fields.credit", "credit is EUR 1,234.50", "'EUR 1,200.00'"),
        ("answer.fields.who", "who is Robert Hill", "'Ann Lee'"),
        ("answer.fields.start", "start is 2025-10-20T06:41:00+00:00 ± 1m", "nothing"),
    ]
    assert all(one.step is not None and one.step.operation == "world.finish" for one in reasons)
    assert [one.line for one in reasons] == [11, 12, 13]


def test_an_answer_that_was_not_given_shows_what_was_wanted(bench: Bench) -> None:
    rubric = f"{REFS}answer:\n  status: done\n  fields: {{credit: {{type: money, currency: EUR, value: event.outage.credit}}}}"
    status, credit = bench.grade(rubric, after_outage()).items
    assert status.reasons[0].expected == "status is done" and status.reasons[0].found == "no answer was submitted"
    assert credit.reasons[0].expected == "credit is EUR 1,234.50" and credit.reasons[0].step is None


def test_a_predicate_says_what_it_proves_and_found(bench: Bench) -> None:
    source = (
        "from world.grading import Finding\n\n\ndef linked(run):\n"
        '    """Proves that PAY-1 is linked."""\n    return Finding(False, why="no link from PAY-1")\n'
    )
    desk = after_outage()
    desk.call()
    desk.put("ticket_comment", ticket_id=11, author="p_0001", body="done", created_at=desk.now)
    rubric = f"{REFS}python: [{{id: linked, call: predicates.linked, claims: [ticket_comment]}}]"
    reason = of_item(bench.grade(rubric, desk, source), "linked")
    assert (reason.clause, reason.expected, reason.found) == (
        "call",
        "Proves that PAY-1 is linked.",
        "no link from PAY-1",
    )
    assert reason.origin == "the last change of what it is about" and reason.step is not None


def test_a_broken_guard_shows_what_broke_it(bench: Bench) -> None:
    quiet = Desk()
    quiet.world()
    quiet.edit("ticket", 11, labels=json_text(["bug", "seen"]))
    desk = Desk(quiet=quiet)
    desk.world()
    desk.edit("ticket", 11, labels=json_text(["bug", "seen"]))
    desk.set_ticket(11, labels=json_text([]))
    rubric = (
        f"{REFS.replace('event.outage.start', 'event.x.start')}expect:\n"
        "  - {id: kept, update: {ref: pay}, set: {labels: {superset: [seen]}}, by: {ref: world}}\n"
        "  - {id: post, insert: chat_message}"
    ).replace("refs:\n", "refs:\n  world: {text: system:world}\n")
    verdict = bench.grade(rubric, desk)
    assert list(verdict.guards) == ["kept"]
    assert of_item(verdict, "kept").expected == "labels holds all of 'seen'"


def test_the_verdict_line_by_line_holds_it_all(bench: Bench) -> None:
    desk = after_outage()
    desk.say(MAIL, "C0000001A")
    text = "{field: text, facts: {must: [{amount: event.outage.credit, currency: EUR}]}}"
    said = "\n".join(explain(bench.grade(post(text), desk)))
    assert "text.facts.must[0], line 12: expected text states EUR 1,234.50; found EUR 1,200.00 in" in said
    assert "step 1, op (rest) at 2025-10-20T06:42:00+00:00: its own call" in said
    assert "event.outage.credit" not in said.split("text.facts.must[0]")[1].split("\n")[0]


def test_reasons_are_the_same_bytes_each_time(bench: Bench) -> None:
    desk = after_outage()
    desk.say(MAIL, "C0000001A")
    text = "{field: text, any_of: [{mentions: sorry}, {mentions: {ref: oncall}}]}"
    one, two = (bench.grade(post(text), desk).to_json() for _ in range(2))
    assert one == two and b'"reasons":[{"asks"' in one
