"""Python predicates: what they may do, what they are shown, which rows they may claim."""

import pytest
from grading_company import ANN, BOB, BOSS, ME, Bench, Desk, share, unclaimed

from world.grading import RubricError

RUBRIC = """
refs: {agent: {employee: self}, pay: {table: ticket, where: {title: Payments time out}}}
expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]
python: [{id: noted, call: predicates.noted, claims: [ticket_comment], weight: 1}]
"""
NOTED = '''
import re
from world.grading import Finding, Run


def noted(run: Run) -> Finding:
    """A comment on the ticket says why."""
    ticket = run.ref("pay")
    mine = [e for e in run.effects if e.table == "ticket_comment" and e.row["ticket_id"] == ticket.pk[0]]
    good = [e for e in mine if re.search("because", run.text(e.row["body"]).plain)]
    return Finding(bool(good), rows=[(e.table, e.pk) for e in good[:1]], why=f"{len(good)} comments")
'''


def _commented(*bodies: str) -> Desk:
    desk = Desk()
    desk.set_ticket(status_id=2)
    for id, body in enumerate(bodies, 1):
        desk.call()
        desk.put("ticket_comment", id=id, ticket_id=11, author="p_0001", body=body, created_at=desk.now)
    return desk


def test_a_predicate_claims_the_rows_it_names(bench: Bench) -> None:
    assert bench.grade(RUBRIC, _commented("because of DNS"), NOTED).passed
    verdict = bench.grade(RUBRIC, _commented("because of DNS", "because again"))
    assert unclaimed(verdict) == ["ticket_comment:2"] and share(verdict, "noted") == 1
    verdict = bench.grade(RUBRIC, _commented("no reason"))
    assert share(verdict, "noted") == 0 and unclaimed(verdict) == ["ticket_comment:1"]
    assert bench.grade(RUBRIC, _commented()).raw_score == 0.5


def test_a_predicate_may_claim_listed_tables_only(bench: Bench) -> None:
    source = NOTED.replace("rows=[(e.table, e.pk) for e in good[:1]]", 'rows=[("ticket", (11,))]')
    verdict = bench.grade(RUBRIC, _commented("because"), source)
    assert verdict.error == "noted claims rows of ticket; its item lists ticket_comment"


def test_a_predicate_cannot_claim_what_did_not_change(bench: Bench) -> None:
    source = NOTED.replace("rows=[(e.table, e.pk) for e in good[:1]]", 'rows=[("ticket_comment", (99,))]')
    assert unclaimed(bench.grade(RUBRIC, _commented("because"), source)) == ["ticket_comment:1"]


@pytest.mark.parametrize(
    ("finding", "share_", "passes"),
    [
        ("Finding(True)", 1, True),
        ("Finding(False)", 0, False),
        ("Finding(False, 0.5)", 0.5, False),
        ("Finding(True, 0.5)", 0.5, False),
        ("Finding(False, 1.0)", 0.99, False),
    ],
)
def test_a_share_is_partial_credit_and_never_a_pass_by_itself(
    bench: Bench, finding: str, share_: float, passes: bool
) -> None:
    source = f'from world.grading import Finding\n\n\ndef noted(run):\n    """It."""\n    return {finding}\n'
    verdict = bench.grade(RUBRIC, _commented(), source)
    assert (share(verdict, "noted"), verdict.passed) == (share_, passes)


@pytest.mark.parametrize("finding", ["None", "True", "Finding(True, 2)"])
def test_a_predicate_returns_a_finding(bench: Bench, finding: str) -> None:
    source = f'from world.grading import Finding\n\n\ndef noted(run):\n    """It."""\n    return {finding}\n'
    assert "noted" in (bench.grade(RUBRIC, _commented(), source).error or "")


def test_a_predicate_waiting_for_an_event_is_not_met(bench: Bench) -> None:
    source = (
        'from world.grading import Finding\n\n\ndef noted(run):\n    """It."""\n    return'
        ' Finding(run.fact("event.outage.at") > 0)\n'
    )
    verdict = bench.grade(RUBRIC, _commented(), source)
    assert verdict.error is None and share(verdict, "noted") == 0


def test_a_predicate_sees_the_whole_run(bench: Bench) -> None:
    source = '''
from world.grading import Finding


def noted(run):
    """Everything is there."""
    seen = [
        len(list(run.seed.rows("ticket"))) == 3, len(list(run.baseline.rows("ticket"))) == 3,
        len(list(run.rows("ticket_comment"))) == 1, [row["id"] for row in run.rows("ticket", title="Rotate keys")] == [12],
        run.final.row("ticket", (11,))["status_id"] == 2, len(run.journal) == 2, len(run.calls) == 2, run.agent == "p_0001",
        run.answer is None, len(run.refs("pay")) == 1, run.person("Bob") == "p_0003",
    ]
    return Finding(all(seen), rows=[("ticket_comment", (1,))], why=str(seen))
'''
    verdict = bench.grade(RUBRIC, _commented("x"), source)
    assert verdict.passed, verdict.items[1].why


SAID = '''
from world.grading import Finding


def noted(run):
    """What was said, and by which calls of the agent."""
    said = ["/".join(str(one.after.get(name)) for name in ("text", "body") if one.after.get(name)) for one in MESSAGES]
    return Finding(False, why=f"{sorted(run.own_calls)} {said}")
'''


def _talked() -> Desk:
    """Ann writes before the agent's first call and after it; others write, or change what was written."""
    desk = Desk()
    desk.say("too early", by=ANN)
    desk.call()
    desk.say("which one?")
    desk.say("the second", by=ANN)
    desk.call(by=ANN)
    desk.edit("chat_message", 1, text="edited")
    desk.world(by=BOB)
    desk.put("mail_message", sender=BOB, from_email="bob@acme.test", to=["mia@acme.test"], body="by mail")
    desk.world(by=ME)
    desk.put("chat_reaction", message_id=1, name="ok", user=ANN)
    return desk


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ("run.messages()", ["which one?", "the second", "by mail"]),
        ("run.messages(run.agent)", ["which one?"]),
        (f"run.messages({ANN!r})", ["the second"]),
        (f"run.messages({BOB!r})", ["by mail"]),
        (f"run.messages({BOSS!r})", []),
    ],
)
def test_a_predicate_reads_who_wrote_what_since_the_first_call(bench: Bench, messages: str, said: list[str]) -> None:
    verdict = bench.grade(RUBRIC, _talked(), SAID.replace("MESSAGES", messages))
    assert (verdict.error, verdict.items[1].why) == (None, f"[2, 3] {said}")


def test_without_a_call_of_the_agent_there_are_no_messages(bench: Bench) -> None:
    desk = Desk()
    desk.say("hello?", by=ANN)
    verdict = bench.grade(RUBRIC, desk, SAID.replace("MESSAGES", "run.messages()"))
    assert (verdict.error, verdict.items[1].why) == (None, "[] []")


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("import os\n", "may not import os", 1),
        ("import os.path\n", "may not import os.path", 1),
        ("from os import path\n", "may not import from os", 1),
        ("from . import x\n", "may not import from .", 1),
        ("import re\nimport random\n", "may not import random", 2),
        ("import time\n", "may not import time", 1),
        ("x = open('f')\n", "may not use open", 1),
        ("x = eval('1')\n", "may not use eval", 1),
        ("x = __import__('os')\n", "may not use __import__", 1),
        ("x = getattr(1, 'a')\n", "may not use getattr", 1),
        ("x = ().__class__\n", "may not use .__class__", 1),
        ("x = hash('a')\n", "may not use hash", 1),
        ("import re\nx = re.enum.sys\n", "may not use .", 2),
        ("from datetime import datetime\nx = datetime.now()\n", "may not use .now", 2),
        ("async def noted(run):\n    pass\n", "plain functions", 1),
        ("def noted(run):\n    global x\n", "plain functions", 2),
        ("def noted(run):\n    return 1\n", "noted needs a docstring", 1),
        ("def noted(\n", "not Python", 1),
    ],
)
def test_a_predicate_outside_the_allowed_language_does_not_load(
    bench: Bench, source: str, message: str, line: int
) -> None:
    with pytest.raises(RubricError, match=r"predicates\.py") as raised:
        bench.rubric(RUBRIC, source)
    assert message in str(raised.value) and raised.value.line == line


def test_the_rubrics_digest_covers_its_predicates(bench: Bench) -> None:
    first = bench.rubric(RUBRIC, NOTED).digest
    assert bench.rubric(RUBRIC, NOTED + "\n# changed\n").digest != first


@pytest.mark.parametrize(
    ("told", "held"),
    [
        ("It is a fake, please ignore that mail.", 1),
        ("That is false.", 1),
        ("It is genuine.", 0),
        ("Is it a fake?", 0),
    ],
)
def test_a_predicate_may_ask_for_a_stance(bench: Bench, told: str, held: int) -> None:
    asked = """run.stance([e.row["body"]], "mail_genuine", yes="asserted", service="Planora") == "denied\""""
    source = NOTED.replace('re.search("because", run.text(e.row["body"]).plain)', asked)
    assert share(bench.grade(RUBRIC, _commented(told), source), "noted") == held


def test_a_stance_on_what_is_no_proposition_is_an_error(bench: Bench) -> None:
    source = NOTED.replace('re.search("because", run.text(e.row["body"]).plain)', 'run.stance([""], "mail_is_blue")')
    assert "no proposition 'mail_is_blue'" in (bench.grade(RUBRIC, _commented("x"), source).error or "")


def test_a_predicate_may_ask_what_a_text_states(bench: Bench) -> None:
    source = NOTED.replace('re.search("because", run.text(e.row["body"]).plain)', 'run.states(e.row["body"], "amount")')
    assert bench.grade(RUBRIC, _commented("it cost EUR 312.40"), source).passed
    assert share(bench.grade(RUBRIC, _commented("it took 312 min"), source), "noted") == 0
