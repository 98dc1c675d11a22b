"""Expectations and allowances: only, counts, timing, alternatives, gates, bounds, idempotence."""

import pytest
from grading_company import Bench, Desk, at, json_text, share, unclaimed

REFS = """
refs:
  agent: {employee: self}
  channel: {table: chat_channel, where: {name: incidents}}
  pay: {table: ticket, where: {title: Payments time out}}
  keys: {table: ticket, where: {title: Rotate keys}}
  oncall: {employee: {schedule: payments, at: event.outage.start}}
"""
POSTS = REFS + "expect: [{id: posts, insert: chat_message, where: {channel: {ref: channel}}, count: %s}]\n"


def test_another_column_on_the_same_row_fails(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2, priority=1)
    rubric = REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done}%s}]"
    verdict = bench.grade(rubric % "", desk)
    assert unclaimed(verdict) == ["ticket:11"] and verdict.unclaimed[0].why == "also changed priority"
    assert verdict.unclaimed[0].nearest == "fix" and list(verdict.minimal) == ["ticket:11"]
    assert bench.grade(rubric % ", only: [status, priority]", desk).passed


def test_what_was_so_before_the_agent_is_no_effect(bench: Bench, desk: Desk) -> None:
    desk.content["ticket"][0]["status_id"] = 2
    desk.__post_init__()
    desk.set_ticket(status_id=3)
    rubric = REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: {in: [Done, Closed]}}}]"
    verdict = bench.grade(rubric, desk)
    assert not verdict.passed and verdict.unclaimed[0].why == "was so before the agent wrote"


def test_a_part_that_was_so_before_need_not_change(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    assert bench.grade(REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done, priority: 2}}]", desk).passed


@pytest.mark.parametrize(("state", "passed"), [("Open", True), ("Done", False)])
def test_a_readable_name_may_read_another(bench: Bench, desk: Desk, state: str, passed: bool) -> None:
    desk.call()
    desk.put("ticket_comment", id=1, ticket_id=12, author="p_0001", body="x", created_at=desk.now)
    assert (
        bench.grade(f"expect: [{{id: note, insert: ticket_comment, where: {{state: {state}}}}}]", desk).passed is passed
    )


def test_the_right_change_of_the_wrong_row_fails(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(12, status_id=2)
    verdict = bench.grade(REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]", desk)
    assert unclaimed(verdict) == ["ticket:12"] and "not the row of ref pay" in verdict.unclaimed[0].why


@pytest.mark.parametrize(("room", "passed"), [("C0000000A", True), ("incidents", True), ("C0000001A", False)])
def test_a_readable_name_is_compared_with_a_name_or_a_key(bench: Bench, desk: Desk, room: str, passed: bool) -> None:
    desk.event("page", room=room)
    desk.say("We are on it.")
    rubric = "expect: [{id: post, insert: chat_message, where: {channel_from: event.page.room}}]"
    assert bench.grade(rubric, desk).passed is passed


def test_a_readable_number_is_no_key(bench: Bench, desk: Desk) -> None:
    desk.event("page", ticket=12)
    desk.call()
    desk.put("ticket_comment", id=1, ticket_id=12, author="p_0001", body="x", created_at=desk.now)
    rubric = "expect: [{id: note, insert: ticket_comment, where: {state_from: event.page.ticket}}]"
    assert not bench.grade(rubric, desk).passed


def test_an_update_selected_by_where(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(12, priority=1)
    rubric = REFS + "expect: [{id: fix, update: ticket, where: {title: {matches: 'Rotate.*'}}, set: {priority: 1}}]"
    assert bench.grade(rubric, desk).passed


def test_an_edited_text_needs_its_field_to_change(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS + "expect: [{id: word, update: {ref: pay}, only: [title, priority], text: {field: title, mentions: time}}]"
    )
    desk.set_ticket(priority=1)
    assert bench.grade(rubric, desk).unclaimed[0].why == "title did not change"
    desk.set_ticket(title="Payments: time runs out")
    assert bench.grade(rubric, desk).passed


def test_a_delete_is_claimed_by_a_delete_item_only(bench: Bench, desk: Desk) -> None:
    desk.call()
    desk.drop("ticket", 12)
    assert bench.grade(REFS + "expect: [{id: gone, delete: {ref: keys}}]", desk).passed
    assert bench.grade(REFS + "expect: [{id: gone, delete: ticket, where: {title: Rotate keys}}]", desk).passed
    verdict = bench.grade(REFS + "expect: [{id: fix, update: {ref: keys}, set: {status: Done}}]", desk)
    assert "a row was deleted, not updated" in verdict.unclaimed[0].why


@pytest.mark.parametrize(
    ("count", "posts", "passes", "met"),
    [
        ("2", 1, False, 0.5),
        ("2", 2, True, 1),
        ("2", 3, False, 1),
        ("{min: 1, max: 3}", 0, False, 0),
        ("{min: 1, max: 3}", 3, True, 1),
        ("{min: 1, max: 3}", 4, False, 1),
        ("{min: 2, max: 3}", 1, False, 0.5),
    ],
)
def test_counts_are_exact_or_between_two_bounds(
    bench: Bench, desk: Desk, count: str, posts: int, passes: bool, met: float
) -> None:
    for number in range(posts):
        desk.say(f"update {number}")
    verdict = bench.grade(POSTS % count, desk)
    assert (verdict.passed, share(verdict, "posts")) == (passes, met)


@pytest.mark.parametrize(
    ("rules", "minute", "passes"),
    [
        ("after: event.outage.start", "06:42", False),
        ("after: event.outage.start", "06:50", True),
        ("after: event.outage.start, within: 30m", "07:14", True),
        ("after: event.outage.start, within: 30m", "07:16", False),
        ("before: event.outage.start", "06:42", True),
        ("before: event.outage.start", "06:50", False),
        ("after: event.repair.start", "06:50", False),
    ],
)
def test_time_windows_count_from_events(bench: Bench, desk: Desk, rules: str, minute: str, passes: bool) -> None:
    desk.now = at("06:44")
    desk.event("outage")
    desk.now = at(minute) - 60_000_000
    desk.say("hello")
    rubric = REFS + f"expect: [{{id: post, insert: chat_message, {rules}}}]"
    assert bench.grade(rubric, desk).passed is passes


def test_an_update_is_timed_by_its_set_columns(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done}, only: [status, priority], before:"
        " event.outage.start}]"
    )
    desk.set_ticket(status_id=2)
    desk.event("outage")
    desk.set_ticket(priority=1)
    assert bench.grade(rubric, desk).passed
    desk.set_ticket(status_id=1)
    desk.set_ticket(status_id=2)
    assert "too late" in bench.grade(rubric, desk).unclaimed[0].why


ALTERNATIVES = (
    REFS
    + """
expect:
  - {id: close, update: {ref: pay}, set: {status: Done}}
  - {id: reassign, update: {ref: keys}, set: {assignee: {ref: oncall}}}
  - {id: ask, insert: ticket_comment, where: {ticket: {ref: keys}}, text: {field: body, mentions: {ref: oncall}}}
one_of: [[reassign], [ask]]
"""
)


def test_exactly_one_alternative_is_used(bench: Bench) -> None:
    def run(*parts: str) -> Desk:
        desk = Desk()
        desk.event("outage")
        desk.set_ticket(status_id=2)
        if "reassign" in parts:
            desk.set_ticket(12, assignee="p_0003")
        if "ask" in parts:
            desk.call()
            desk.put(
                "ticket_comment",
                id=1,
                ticket_id=12,
                author="p_0001",
                body="Bob, can you rotate these?",
                created_at=desk.now,
            )
        return desk

    for parts, passes in (((), False), (("reassign",), True), (("ask",), True), (("reassign", "ask"), False)):
        verdict = bench.grade(ALTERNATIVES, run(*parts))
        assert verdict.passed is passes, parts
        assert len(verdict.items) == 2
    assert bench.grade(ALTERNATIVES, run()).raw_score == 0.5


def test_an_alternative_that_passes_goes_before_a_richer_one_that_misses_its_gate(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS
        + "expect: [{id: big, insert: chat_message, weight: 9}, {id: gated, update: {ref: pay}, set: {status: Done},"
        " gate: true}, {id: small, insert: chat_message}, {id: more, update: {ref: keys}, set: {status:"
        " Done}}]\none_of: [[big, gated], [small, more]]\nscore: {threshold: 0.5}\n"
    )
    desk.say("hi")
    verdict = bench.grade(rubric, desk)
    assert verdict.passed and [item.id for item in verdict.items] == ["small", "more"] and verdict.score == 0.5


def test_an_alternative_may_be_to_do_no_more(bench: Bench) -> None:
    rubric = ALTERNATIVES.replace("[[reassign], [ask]]", "[[reassign, ask], []]")
    for both, passes in ((False, True), (True, True)):
        desk = Desk()
        desk.event("outage")
        desk.set_ticket(status_id=2)
        if both:
            desk.set_ticket(12, assignee="p_0003")
            desk.call()
            desk.put("ticket_comment", id=1, ticket_id=12, author="p_0001", body="Bob, please", created_at=desk.now)
        assert bench.grade(rubric, desk).passed is passes


def test_a_missing_item_says_what_came_nearest(bench: Bench, desk: Desk) -> None:
    rubric = REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]"
    assert bench.grade(rubric, desk).items[0].why == "0 of 1 found"
    desk.world(by="p_0002")
    desk.edit("ticket", 13, status_id=2)
    assert bench.grade(rubric, desk).items[0].why == "0 of 1 found"
    desk.set_ticket(12, status_id=2)
    assert bench.grade(rubric, desk).items[0].why == "0 of 1 found; nearest ticket:12: not the row of ref pay"


def test_several_groups_multiply(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS
        + "expect: [{id: a, update: {ref: pay}, set: {priority: 1}}, {id: b, update: {ref: pay}, set: {priority: 3}}, "
        "{id: c, update: {ref: keys}, set: {priority: 1}}, {id: d, update: {ref: keys}, set: {priority: 3}}]\n"
        "one_of: [[[a], [b]], [[c], [d]]]\n"
    )
    desk.set_ticket(priority=3)
    desk.set_ticket(12, priority=1)
    verdict = bench.grade(rubric, desk)
    assert verdict.passed and [item.id for item in verdict.items] == ["b", "c"]


def test_a_missed_gate_fails_whatever_the_score(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS
        + "expect: [{id: post, insert: chat_message, weight: 9}, {id: fix, update: {ref: pay}, set: {status: Done},"
        " gate: true}]\nscore: {threshold: 0.5}\n"
    )
    desk.say("hi")
    verdict = bench.grade(rubric, desk)
    assert (verdict.passed, verdict.score, list(verdict.minimal)) == (False, 0.9, ["fix"])
    desk.set_ticket(status_id=2)
    assert bench.grade(rubric, desk).passed


def test_the_threshold_decides_between_weights(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS + "expect: [{id: post, insert: chat_message, weight: 3}, {id: fix, update: {ref: pay}, set: {status:"
        " Done}}]\nscore: {threshold: 0.75%s}\n"
    )
    desk.say("hi")
    assert bench.grade(rubric % "", desk).passed
    whole = bench.grade(rubric % ", partial: none", desk)
    assert (whole.passed, whole.score) == (False, 0.0)


def test_a_penalty_replaces_the_veto_in_training(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    desk.set_ticket(12, priority=1)
    rubric = REFS + "expect: [{id: post, insert: chat_message}]\nscore: {unclaimed: {penalty: 0.25}}\n"
    verdict = bench.grade(rubric, desk)
    assert (verdict.passed, verdict.score) == (False, 0.75)


def test_allowances_are_bounded(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS
        + "expect: [{id: post, insert: chat_message}]\nallow: [{insert: chat_reaction, where: {user: {ref: agent}},"
        " max: 2}, {update: ticket, only: [labels], max: 1}]\n"
    )
    desk.say("hi")
    desk.call()
    for name in ("eyes", "tada"):
        desk.put("chat_reaction", message_id=1, name=name, user="p_0001")
    desk.set_ticket(labels=json_text(["bug", "x"]))
    assert bench.grade(rubric, desk).passed
    desk.put("chat_reaction", message_id=1, name="wave", user="p_0001")
    assert unclaimed(bench.grade(rubric, desk)) == ["chat_reaction:1.wave.p_0001"]
    desk.drop("chat_reaction", 1, "wave", "p_0001")
    desk.set_ticket(12, labels=json_text([]), priority=1)
    assert unclaimed(bench.grade(rubric, desk)) == ["ticket:12"]


def test_short_lived_rows_are_bounded_where_an_allowance_says_so(bench: Bench, desk: Desk) -> None:
    rubric = (
        REFS + "expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]\nallow: [{insert: sheet_grant, max: 1,"
        " gone_by_end: true}]\n"
    )
    desk.set_ticket(status_id=2)
    for id in (1, 2):
        desk.call()
        desk.put("sheet_grant", id=id, sheet_id="sh_2b", who="x", role="read")
        if id == 1:
            assert unclaimed(bench.grade(rubric, desk)) == ["sheet_grant:1"]
        desk.drop("sheet_grant", id)
        assert unclaimed(bench.grade(rubric, desk)) == ([] if id == 1 else ["sheet_grant:2"])


def test_repeats_are_tolerated_only_where_declared(bench: Bench, desk: Desk) -> None:
    rubric = REFS + "expect: [{id: note, insert: ticket_comment, where: {ticket: {ref: pay}}%s}]"
    for id in (1, 2):
        desk.call()
        desk.put("ticket_comment", id=id, ticket_id=11, author="p_0001", body="Looking", created_at=desk.now)
    assert not bench.grade(rubric % "", desk).passed
    assert bench.grade(rubric % ", idempotent_ok: true", desk).passed
    desk.call()
    desk.put("ticket_comment", id=3, ticket_id=11, author="p_0001", body="Looking closer", created_at=desk.now)
    assert unclaimed(bench.grade(rubric % ", idempotent_ok: true", desk)) == ["ticket_comment:3"]


def test_too_many_effects_stop_without_matching(bench: Bench, desk: Desk) -> None:
    desk.call()
    for id in range(501):
        desk.put("ticket_comment", id=id, ticket_id=11, author="p_0001", body="spam", created_at=desk.now)
    verdict = bench.grade(REFS + "expect: [{id: note, insert: ticket_comment, count: {min: 1, max: 500}}]", desk)
    assert not verdict.passed and verdict.raw_score == 0 and "501 changed rows" in verdict.unclaimed[0].why
    assert len(verdict.unclaimed) == 50
