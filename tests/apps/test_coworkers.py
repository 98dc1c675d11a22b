"""Colleagues with states, demands, memory and escalation, in every app, over forks, and never for ever."""

from typing import Any

import pytest

from tests.apps.conversation import (
    ASK_BACK,
    BOSS,
    CALLED,
    EXPERT,
    FACT,
    HELLO,
    HOUR_S,
    LOST,
    ME,
    NO,
    Play,
    Room,
    expert,
)
from tests.company import START
from world.core.clock import MINUTE, SECOND, from_datetime, to_datetime
from world.run.host import Host
from world.script.coworker_coverage import misunderstood
from world.script.coworkers import Coworker, Demand, Escalation, Rule, State
from world.script.errors import ScenarioError
from world.script.faults import Backlog, Fault
from world.script.scenario import Script
from world.script.stage import Stage


def test_the_fact_is_told_in_the_right_state_for_the_right_question_with_evidence(play: Play) -> None:
    room = play(expert())
    assert room.direct("Which batch? SHOP-1") in LOST
    assert room.direct("Hi!") in HELLO
    assert room.direct("Which batch?") in ASK_BACK
    assert room.direct("The batch of SHOP-99999") in ASK_BACK
    assert room.direct("The batch of INC-1") in ASK_BACK
    assert room.direct("The batch of https://quayline.atlassian.net/browse/SHOP-1, please") in FACT
    assert room.direct("Which batch? SHOP-1") == "All said."


def test_what_policy_forbids_is_refused_in_every_state(play: Play) -> None:
    room = play(expert())
    assert room.direct("The password?") in NO
    room.direct("Hi")
    assert room.direct("The password, for SHOP-1?") in NO


@pytest.mark.parametrize("text", ["Thanks!", "ok, thank you very much for looking", ":pray:", "got it"])
def test_a_courtesy_is_not_answered_with_a_question(play: Play, text: str) -> None:
    room = play(expert())
    assert room.direct(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Perfect, that explains it. I put the batch of SHOP-1 into the sheet. Thanks for the quick answer!",
        "Nothing more, you have answered it. Only if the batch of SHOP-1 changes, please tell me.",
    ],
)
def test_what_closes_a_conversation_is_not_answered_again(play: Play, text: str) -> None:
    room = play(expert())
    room.direct("Hi!")
    assert room.direct("The batch of SHOP-1, please") in FACT
    assert room.direct(text) == ""
    assert room.direct("And the batch of SHOP-1 is which?") == "All said."


def test_nobody_says_for_ever_that_they_do_not_follow(play: Play) -> None:
    room = play(expert())
    assert [bool(room.direct(f"Well, {number}.")) for number in range(4)] == [True, True, False, False]


def test_a_run_is_equal_to_another(play: Play) -> None:
    rooms = [play(expert(), name=name) for name in ("w", "v")]
    for room in rooms:
        for text in ("Hi", "Which batch?", "What?", "SHOP-1 batch"):
            room.direct(text)
    first, second = ([*room.rows("SELECT at, actor, operation FROM _call"), *room.said_by(EXPERT)] for room in rooms)
    assert first == second and len(rooms[0].said_by(EXPERT)) == 4


def test_a_fork_remembers_and_goes_its_own_way(play: Play, firm: Host) -> None:
    room = play(expert())
    room.direct("Hi")
    firm.fork(firm.actors["w"], "f")
    fork = Room(firm, "f")
    assert fork.direct("Batch, SHOP-1") in FACT
    assert fork.direct("Batch, SHOP-1") == "All said."
    assert room.direct("Batch?") in ASK_BACK


def test_after_a_while_all_is_forgotten(play: Play) -> None:
    room = play(expert(forgets="4h"))
    room.direct("Hi")
    room.pass_time(3 * HOUR_S)
    assert room.direct("Batch?") in ASK_BACK
    room.pass_time(4 * HOUR_S)
    assert room.direct("Batch, SHOP-1") in LOST


@pytest.mark.parametrize("everywhere", [False, True])
def test_one_memory_for_all_places_if_told_so(play: Play, everywhere: bool) -> None:
    room = play(expert(everywhere=everywhere))
    room.direct("Hi")
    email = room.rows("SELECT email FROM person WHERE id = ?", EXPERT)[0][0]
    room.call("mail.send", to=[email], subject="Batch", text="Which batch? SHOP-1")
    room.pass_time(HOUR_S)
    assert room.mailed(ME, "Batch")[0] in (FACT if everywhere else LOST)


def escalating(**more: Any) -> Coworker:
    return expert(escalation=Escalation(to=lambda w: BOSS, replies=CALLED, **more))


def test_who_asks_in_vain_is_handed_on(play: Play) -> None:
    room = play(escalating(asks=3, goes="told"))
    assert room.direct("One") in LOST and room.direct("Two") in LOST
    assert room.direct("Three") == ""
    [called] = [text for text in room.said_by(EXPERT) if "Svenja" in text]
    boss = room.rows("SELECT external_id FROM account WHERE app = 'slack' AND person_id = ?", BOSS)[0][0]
    assert f"<@{boss}>" in called and "Svenja Weber" in called
    assert room.rows(
        "SELECT count(*) FROM slack_member m JOIN slack_message t ON t.channel_id = m.channel_id WHERE t.text = ? AND"
        " m.person_id = ?",
        called,
        BOSS,
    ) == [(1,)]
    assert room.direct("Four") == "All said." and room.direct("Five") == "All said."


def test_an_answer_in_time_keeps_it_between_the_two(play: Play) -> None:
    room = play(escalating(after="30m"))
    room.direct("Hi")
    room.direct("Batch?")
    room.pass_time(HOUR_S // 6)
    assert room.direct("SHOP-1 batch") in FACT
    room.pass_time(2 * HOUR_S)
    assert len(room.said_by(EXPERT)) == 3


def test_a_question_without_an_answer_goes_to_the_one_named(play: Play) -> None:
    room = play(escalating(after="30m"))
    room.direct("Hi")
    room.pass_time(HOUR_S)
    assert len(room.said_by(EXPERT)) == 1
    room.direct("Batch?")
    room.pass_time(2 * HOUR_S)
    assert len(room.said_by(EXPERT)) == 3 and "Svenja Weber" in room.said_by(EXPERT)[-1]
    room.direct("Password?")
    room.pass_time(2 * HOUR_S)
    assert room.said_by(EXPERT)[-1] in NO


def test_a_refusal_waits_for_nothing(play: Play) -> None:
    room = play(escalating(after="30m"))
    room.direct("Password?")
    room.pass_time(2 * HOUR_S)
    assert len(room.said_by(EXPERT)) == 1


def test_they_answer_comments_of_issues_and_bring_others_in_there(play: Play) -> None:
    room = play(escalating(asks=2))
    account, boss = (
        room.rows("SELECT external_id FROM account WHERE app = 'jira' AND person_id = ?", who)[0][0]
        for who in (EXPERT, BOSS)
    )
    for text in ("One", "Two"):
        room.call("addComment", issueIdOrKey="SHOP-1", contentFormat="wiki", body=f"[~accountid:{account}] {text}")
        room.pass_time(HOUR_S // 4)
    told = room.rows("SELECT body, body_text FROM jira_comment WHERE author_id = ? ORDER BY id DESC LIMIT 2", EXPERT)
    assert told[1][1] in LOST and boss in told[0][0] and "Svenja Weber" in told[0][1]


def test_they_answer_mail_and_copy_others_in(play: Play) -> None:
    room = play(escalating(asks=1))
    email = room.rows("SELECT email FROM person WHERE id = ?", EXPERT)[0][0]
    room.call("mail.send", to=[email], subject="Help", text="One")
    room.pass_time(HOUR_S)
    assert room.mailed(BOSS, "Help") == room.mailed(ME, "Help")
    [told] = room.mailed(BOSS, "Help")
    assert "Piotr" in told and "Svenja Weber" in told


def test_they_answer_on_the_code_host_and_in_the_drive(play: Play) -> None:
    room = play(escalating(asks=1))
    login, boss = (
        room.rows("SELECT login FROM github_account WHERE person_id = ?", who)[0][0] for who in (EXPERT, BOSS)
    )
    where = {"owner": "quayline", "repo": "payments"}
    made = room.call("issues/create", **where, title="Help", body=f"@{login} help")
    room.pass_time(HOUR_S)
    [comment] = room.call("issues/list-comments", **where, issue_number=made["number"])
    assert comment["user"]["login"] == login and f"@{boss}" in comment["body"]
    email, other = (room.rows("SELECT email FROM person WHERE id = ?", who)[0][0] for who in (EXPERT, BOSS))
    file = room.call("drive.files.create", name="Notes", mimeType="application/vnd.google-apps.spreadsheet")["id"]
    room.call("drive.permissions.create", fileId=file, type="user", role="writer", emailAddress=email)
    room.call("drive.comments.create", fileId=file, content=f"+{email} help", fields="*")
    room.pass_time(HOUR_S)
    [answer] = room.call("drive.comments.list", fileId=file, fields="*")["comments"][0]["replies"]
    assert f"+{other}" in answer["content"]


def test_who_is_not_to_be_disturbed_answers_afterwards(play: Play) -> None:
    room = play(expert())
    room.call("dnd.setSnooze", EXPERT, num_minutes=90)
    assert room.direct("Hi") == ""
    room.pass_time(2 * HOUR_S)
    [ts] = [
        ts for (ts,) in room.rows("SELECT ts FROM slack_message WHERE person_id = ? ORDER BY ts DESC LIMIT 1", EXPERT)
    ]
    assert float(ts) * SECOND >= START + 90 * MINUTE


def test_an_answer_waits_for_the_morning_of_whose_it_is(play: Play) -> None:
    room = play(expert(always=False))
    evening = from_datetime(to_datetime(START, "Europe/Berlin").replace(hour=20, minute=0))
    room.pass_time((evening - room.host.actors["w"].now) // SECOND)
    assert room.direct("Hi", seconds=12 * HOUR_S) == ""
    room.pass_time(2 * HOUR_S)
    assert room.said_by(EXPERT)[-1] in HELLO


def test_what_an_outage_held_back_is_said_afterwards(play: Play) -> None:
    def outage(s: Script) -> None:
        s.fault(
            Fault("down", "slack", "error", backlog=Backlog(per_minute=4), code="internal_error"),
            start="+10s",
            end="+20m",
        )

    room = play(expert(), outage)
    assert room.direct("Hi") == ""
    room.pass_time(HOUR_S)
    assert [text in HELLO for text in room.said_by(EXPERT)] == [True]


def talker(who: str, **more: Any) -> Coworker:
    rule = Rule("ball", intent=(("ball",),), replies=("ball {to}",) * 3, slots=lambda w: {"to": "back"}, **more)
    return Coworker(who=lambda w: who, rules=(rule,), fallback=LOST, always=True, delay_s=60)


@pytest.mark.parametrize(("peers", "answers"), [(False, 2), (True, 4)])
def test_colleagues_answer_one_another_only_by_rules_for_it_and_three_deep(
    play: Play, peers: bool, answers: int
) -> None:
    room = play(talker(EXPERT, peers=peers), talker(BOSS, peers=peers))
    ids = [
        room.rows("SELECT external_id FROM account WHERE app = 'slack' AND person_id = ?", who)[0][0]
        for who in (EXPERT, BOSS)
    ]
    opened = room.call("conversations.open", users=",".join(ids))["channel"]["id"]
    room.call("chat.postMessage", channel=opened, text="ball")
    room.pass_time(5 * HOUR_S)
    assert len(room.rows("SELECT ts FROM slack_message WHERE channel_id = ? AND person_id <> ?", opened, ME)) == answers


def test_one_call_is_answered_once(play: Play) -> None:
    room = play(expert())
    login = room.rows("SELECT login FROM github_account WHERE person_id = ?", EXPERT)[0][0]
    where = {"owner": "quayline", "repo": "payments", "pull_number": 70}
    room.call("pulls/request-reviewers", **where, reviewers=[login], team_reviewers=["platform"])
    room.pass_time(HOUR_S)
    assert len(room.rows("SELECT * FROM github_review_request WHERE requester_id <> account_id")) >= 1
    assert [one["user"]["login"] for one in room.call("pulls/list-reviews", **where)].count(login) == 1


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (Coworker(who=lambda w: ME, fallback=("One.", "Two.")), "fallback: 2 wordings, 3 are needed"),
        (
            Coworker(who=lambda w: ME, rules=(Rule("a", (), HELLO, goes="nowhere"),)),
            "rule 'a' goes to 'nowhere', which is no state",
        ),
        (
            Coworker(who=lambda w: ME, rules=(Rule("a", (), HELLO, needs=("b",)),)),
            "rule 'a' needs 'b', which is no rule",
        ),
        (
            Coworker(who=lambda w: ME, rules=(Rule("a", (), HELLO, demands=(Demand(lambda w, h: True, ("No.",)),)),)),
            "a demand of rule 'a': 1 wordings",
        ),
        (Coworker(who=lambda w: ME, escalation=Escalation(lambda w: BOSS, CALLED)), "neither after nor asks"),
        (
            Coworker(who=lambda w: ME, escalation=Escalation(lambda w: BOSS, CALLED, asks=1, goes="x")),
            "the escalation goes to 'x'",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(made: Coworker, why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        Script("people", 0).coworker(made)


GREETINGS = [
    f"{word} {whom}" for word in ("hi", "hello", "Hi,", "Hello!") for whom in ("there", "Miriam", "you", "again", "all")
]


def test_a_corpus_says_what_is_not_understood() -> None:
    assert misunderstood(expert(), {"hello": GREETINGS, "": ["good morning"]}) == []
    assert misunderstood(expert(), {"hello": [*GREETINGS, "moin", "hi, the password?"]}) == [
        "hello: 'moin' is understood as nothing"
    ]
    assert misunderstood(expert(), {"hello": GREETINGS[:2] * 20}) == ["hello: 2 phrasings, 20 are needed"]
    assert misunderstood(expert(), {"batch": GREETINGS}) == ["batch: no such rule"]
    assert misunderstood(expert(), {"batch": ["Batch?"], "": ["the password"]}, state="met", enough=1) == [
        "nothing: 'the password' is understood as password"
    ]


def test_a_rule_may_ask_and_lead_on(play: Play) -> None:
    done: list[str] = []

    def note(w: Stage) -> None:
        done.append(w.call.directory.full_name(EXPERT))

    room = play(
        expert(
            states=(State("fresh", (Rule("hello", intent=(("hi",),), replies=HELLO, asks=True),)),),
            escalation=Escalation(lambda w: BOSS, CALLED, after="10m", then=note),
        )
    )
    room.direct("hi")
    room.pass_time(HOUR_S)
    assert len(room.said_by(EXPERT)) == 2 and done == ["Miriam Hartmann"]
