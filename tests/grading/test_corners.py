"""Rare paths: what happens at the edges of texts, refs and evidence."""

from dataclasses import replace

import pytest
from grading_company import BOB, START, TABLES, Bench, Desk, json_text, share

from world.grading import explain, grade
from world.grading.claims.assertions import asserts
from world.grading.claims.clauses import sentences
from world.grading.text import MAX_CHARS, adf_text, normalise_text, read_text

REFS = """
refs:
  agent: {employee: self}
  bob: {employee: {alias: Bob}}
  open: {table: ticket, where: {status: Open}, many: true}
  pay: {table: ticket, where: {title: Payments time out}}
  mail: {table: mail_message, where: {subject: old}}
  react: {table: chat_reaction, where: {name: eyes}}
  row: {table: person, where: {full_name: Robert Hill}}
  words: {text: the quarterly planning meeting moved to the big room on the second floor}
"""


def test_an_undescribed_table_is_a_grader_error(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    rubric = bench.rubric("expect: [{id: post, insert: chat_message}]")
    odd = [replace(desk.changes[0], table="odd")]
    assert "no app describes" in (grade(rubric, replace(desk.evidence(), changes=odd)).error or "")


def test_changes_of_control_tables_are_outside_the_graded_world(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    desk.put("story_ref", table_name="ticket", row_id="1")
    assert bench.grade(
        "expect: [{id: post, insert: chat_message}]\nnever: [{id: n, write: any, table: ticket}]", desk
    ).passed


def test_a_moment_that_is_no_time_is_a_grader_error(bench: Bench, desk: Desk) -> None:
    desk.event("outage", code="red")
    desk.say("hi")
    verdict = bench.grade("expect: [{id: post, insert: chat_message, after: event.outage.code}]", desk)
    assert verdict.error == "'red' is not a time"


def test_an_updated_row_that_is_gone_at_the_end_does_not_count(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(priority=1)
    desk.world(by=BOB)
    desk.drop("ticket", 11)
    rubric = "expect: [{id: fix, update: ticket, set: {priority: 1}%s}]"
    assert bench.grade(rubric % "", desk).unclaimed[0].why == "gone at the end"
    assert bench.grade(rubric % ", at: write", desk).passed


def test_by_may_be_a_name_the_world_uses(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    desk.world(by="system:chat", cause=1)
    desk.put("ticket_comment", id=1, ticket_id=11, author="p_0003", body="auto", created_at=desk.now)
    rubric = "expect: [{id: post, insert: chat_message}, {id: auto, insert: ticket_comment, by: 'system:chat'}]"
    assert bench.grade(rubric, desk).passed


def test_several_operators_on_one_cell_all_hold(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(priority=3)
    for low, passes in ((3, True), (4, False)):
        assert (
            bench.grade(f"expect: [{{id: fix, update: ticket, set: {{priority: {{ge: {low}, le: 5}}}}}}]", desk).passed
            is passes
        )


def test_comparisons_of_words_and_of_nothing(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(title="beta", budget=None, points=None)
    rubric = "expect: [{id: fix, update: ticket, set: {title: {gt: alpha}}, only: [title, points]}]"
    assert bench.grade(rubric, desk).passed
    for predicate in (
        "{points: {gt: 1}}",
        "{title: {date: '2025-10-20'}}",
        "{labels: {ordered: true, set_eq: [x]}}",
        "{points: {date: '2025-10-20'}}",
    ):
        assert not bench.grade(
            f"expect: [{{id: fix, update: ticket, set: {predicate}, only: [title, points]}}]", desk
        ).passed


def test_a_choice_may_be_a_ref_to_many(bench: Bench, desk: Desk) -> None:
    desk.call()
    desk.put("ticket_comment", id=1, ticket_id=12, author="p_0001", body="x", created_at=desk.now)
    rubric = REFS + "expect: [{id: note, insert: ticket_comment, where: {ticket_id: {in: {ref: open}}}}]"
    assert bench.grade(rubric, desk).passed
    wrong = rubric.replace("ticket_id: {in: {ref: open}}", "ticket: {ref: row}")
    assert not bench.grade(wrong, desk).passed


def test_a_list_an_event_states_is_compared_as_a_set(bench: Bench, desk: Desk) -> None:
    desk.event("plan", labels=["a", "b"])
    desk.set_ticket(labels=json_text(["b", "a"]))
    assert bench.grade("expect: [{id: fix, update: ticket, set: {labels: event.plan.labels}}]", desk).passed


def test_a_name_without_any_letter_is_nobodys(bench: Bench, desk: Desk) -> None:
    next(person for person in desk.content["person"] if person["id"] == BOB)["display_name"] = "--"
    desk.say("-- hello")
    assert not bench.grade(
        REFS + "expect: [{id: post, insert: chat_message, text: {field: text, mentions: {ref: bob}}}]", desk
    ).passed


def test_a_nested_value_is_compared_whole(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(body=json_text({"a": [1]}))
    assert not bench.grade("expect: [{id: fix, update: ticket, set: {body: {eq: x}}}]", desk).passed


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("{sender: {ref: open}}", None),
        ("{channel: {ref: open, field: key}}", None),
        ("{text: {gt: {ref: open, field: key}}}", "names 3 things"),
        ("{text: {eq: {ref: react}}}", "a key of several columns"),
    ],
)
def test_refs_to_many_and_to_rows_with_wide_keys(bench: Bench, desk: Desk, predicate: str, message: str | None) -> None:
    desk.content["chat_reaction"] = [{"message_id": 1, "name": "eyes", "user": "p_0001"}]
    desk.__post_init__()
    desk.say("hi")
    verdict = bench.grade(REFS + f"expect: [{{id: post, insert: chat_message, where: {predicate}}}]", desk)
    assert not verdict.passed and (message is None) is (verdict.error is None)
    assert message is None or message in (verdict.error or "")


def test_a_person_row_is_mentioned_like_the_person_and_claimed_of(bench: Bench, desk: Desk) -> None:
    desk.say("Bob is running late")
    rubric = (
        REFS
        + "expect: [{id: post, insert: chat_message, text: {field: text, mentions: {ref: row}, claims: {subject: {ref:"
        " bob}, state: delayed}}}]"
    )
    assert bench.grade(rubric, desk).passed


def test_a_plain_text_can_be_quoted(bench: Bench, desk: Desk) -> None:
    rubric = REFS + "expect: [{id: post, insert: chat_message, text: {field: text, quotes: {ref: words}}}]"
    desk.say("so the quarterly planning meeting moved to the big room now")
    assert bench.grade(rubric, desk).passed


def test_a_row_without_key_is_named_by_its_title_and_by_its_number(bench: Bench, desk: Desk) -> None:
    desk.content["mail_message"] = [
        {
            "id": 5,
            "sender": "a",
            "to": "[]",
            "cc": "[]",
            "bcc": "[]",
            "subject": "old",
            "body": "b",
            "sent_at": 0,
            "number": 44,
        }
    ]
    desk.__post_init__()
    rubric = REFS + "expect: [{id: post, insert: chat_message, text: {field: text, mentions: {ref: mail}}}]"
    for text, passes in (
        ("the old mail", True),
        ("see #44", True),
        ("pull/44", True),
        ("see #445", False),
        ("44", False),
    ):
        run = Desk(content=desk.content)
        run.say(text)
        assert bench.grade(rubric, run).passed is passes, text


def test_a_text_past_the_limit_meets_no_predicate(bench: Bench, desk: Desk) -> None:
    desk.say("word " * (MAX_CHARS // 5 + 1))
    verdict = bench.grade(
        "expect: [{id: post, insert: chat_message, text: {field: text, none_of: [{mentions: secret}], max_chars:"
        " 999999}}]",
        desk,
    )
    assert "longer than 100000 characters" in verdict.unclaimed[0].why


def test_a_missing_event_behind_the_evidence_of_an_answer(bench: Bench, desk: Desk) -> None:
    rubric = (
        "refs: {inc: {table: ticket, where: {key_from: event.outage.key}}}\nanswer: {status: impossible, reason: a,"
        " reasons: [a, b], evidence: {ref: inc}, fields: {x: {type: text, value: y}}}"
    )
    desk.finish("impossible", "a", "PAY-1", x="y")
    verdict = bench.grade(rubric, desk)
    assert verdict.error is None and share(verdict, "answer.status") == 0 and share(verdict, "answer.x") == 0


def test_a_predicate_asking_for_the_one_of_many(bench: Bench, desk: Desk) -> None:
    source = (
        'from world.grading import Finding\n\n\ndef one(run):\n    """It."""\n    return Finding(run.ref("open") is not'
        " None)\n"
    )
    verdict = bench.grade(
        REFS + "expect: [{id: post, insert: chat_message}]\npython: [{id: one, call: predicates.one}]", desk, source
    )
    assert "names 3 things" in (verdict.error or "")


def test_a_company_without_its_row_and_a_person_who_left_the_seed(bench: Bench, desk: Desk) -> None:
    desk.content["company"] = []
    desk.say("hi")
    rubric = "refs: {ours: {company: domain}}\nexpect: [{id: post, insert: chat_message, where: {text: {ref: ours}}}]"
    assert bench.grade(rubric, desk).error == "the seed has no company row"
    ghost = bench.rubric(
        "refs: {me: {employee: self}}\nexpect: [{id: post, insert: chat_message, text: {field: text, mentions: {ref:"
        " me, field: email}}}]"
    )
    assert "there is no person 'p_9'" in (
        grade(ghost, replace(desk.evidence(), agent="p_9", calls=[replace(desk.calls[0], actor="p_9")])).error or ""
    )


def test_a_field_of_a_plain_ref_is_refused_even_through_an_alias(bench: Bench) -> None:
    with pytest.raises(Exception, match="it has no fields"):
        bench.rubric(
            "refs: {a: {text: x}, b: {alias: a}}\nexpect: [{id: p, insert: chat_message, where: {text: {ref: b, field:"
            " y}}}]"
        )
    with pytest.raises(Exception, match="did you mean 'email'"):
        bench.rubric(
            "refs: {a: {employee: self}}\nexpect: [{id: p, insert: chat_message, where: {text: {ref: a, field:"
            " emial}}}]"
        )


def test_a_readable_column_of_nothing_is_nothing(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=None)
    assert bench.grade("expect: [{id: fix, update: ticket, set: {status: null}}]", desk).passed
    desk.set_ticket(status_id=99)
    assert bench.grade("expect: [{id: fix, update: ticket, set: {status: null}}]", desk).passed


def test_recipients_in_a_plain_column(bench: Bench, desk: Desk) -> None:
    desk.call()
    desk.put("mail_message", id=1, sender="a", to='["Ann <ann@acme.test>"]', cc="", bcc=None, subject="s", body="b")
    assert TABLES["mail_message"].sent_to == ("to", "cc")
    text = {
        **TABLES,
        "mail_message": replace(
            TABLES["mail_message"],
            columns={**TABLES["mail_message"].columns, "to": "text", "cc": "text", "bcc": "text"},
        ),
    }
    rubric = bench.rubric("expect: [{id: m, insert: mail_message, where: {recipients: [ann@acme.test]}}]", tables=text)
    assert grade(rubric, replace(desk.evidence(), tables=text)).passed


def test_explaining_a_broken_guard(bench: Bench, desk: Desk) -> None:
    source = (
        'from world.grading import Finding\n\n\ndef kept(run):\n    """It."""\n    return'
        ' Finding(run.final.row("ticket", (13,)) is not None)\n'
    )
    rubric = (
        "expect: [{id: post, insert: chat_message}]\nallow: [{delete: ticket, max: 1}]\npython: [{id: kept, call:"
        " predicates.kept}]"
    )
    desk.say("hi")
    desk.call()
    desk.drop("ticket", 13)
    verdict = bench.grade(rubric, desk, source)
    lines = "\n".join(explain(verdict))
    assert "guard kept was broken" in lines and "allowed allow[0]  <- ticket:13" in lines
    assert b'"allowed":{"allow[0]":["ticket:13"]}' in verdict.to_json()


def test_a_verdict_with_breaches_or_an_error_is_json_too(bench: Bench, desk: Desk) -> None:
    desk.say("hi")
    rubric = bench.rubric("expect: [{id: post, insert: chat_message}]\nnever: [{id: quiet, insert: chat_message}]")
    found = grade(rubric, desk.evidence()).to_json()
    assert b'"never":[{"id":"quiet","journal":[1],"reasons":[{' in found and b'"row":"chat_message:1000"' in found
    broken = grade(rubric, replace(desk.evidence(), state_hashes=("a", "b"))).to_json()
    assert b'"error":{"kind":"grader_error"' in broken and b'"score":null' in broken


def test_a_rubric_of_guards_only_scores_zero(bench: Bench) -> None:
    source = 'from world.grading import Finding\n\n\ndef kept(run):\n    """It."""\n    return Finding(True)\n'
    verdict = bench.grade("python: [{id: kept, call: predicates.kept}]", Desk(), source)
    assert not verdict.passed and verdict.score == 0.0 and verdict.items[0].kind == "guard"


def test_texts_at_their_edges() -> None:
    assert list(read_text("a").find(read_text("!!!"))) == []
    assert list(read_text("us-east-1").find(read_text("us.east.1"))) == []
    assert list(read_text("us, east").find(read_text("us east"))) == []
    assert list(read_text("us  east").find(read_text("us.east"))) == []
    assert normalise_text("<p>a</span></p><a href='x'>b</a></b>c") == "a\nbc"
    assert normalise_text("<blockquote><b>x</blockquote>y") == "y"
    assert normalise_text("<div hidden>x</div><br>y<img src=x>") == "y"
    assert adf_text({"type": "date", "attrs": {"timestamp": "soon"}}) == "" and adf_text(5) == ""
    assert [sentence.clauses for sentence in sentences("")] == [()]
    assert not asserts(read_text("it is down"), ["-"], "down")
    long = "the outage " + "very " * 300 + "is resolved"
    assert isinstance(asserts(read_text(long), ["outage"], "resolved"), bool)
    assert START > 0
