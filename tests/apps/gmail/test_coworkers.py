"""Who is woken by a mail, whom it speaks to, and how they answer."""

import pytest

from apps.gmail import external_people
from apps.gmail.notifications import strip_quotation
from tests.apps.gmail.conftest import Play
from tests.apps.gmail.post import headers, inbox, pass_time, receive, said, send, subjects
from tests.company import START, as_person
from world.core.clock import MINUTE
from world.run.host import Host
from world.script.coworkers import Coworker, Rule
from world.script.scenario import Script
from world.script.stage import Stage

HOUR_S = 3600
TOLD = "Batch seven."


def bo(s: Script) -> None:
    """Bo knows the batch and says so once asked."""
    rule = Rule("batch", intent=(("batch",),), replies=(TOLD, TOLD, TOLD))
    s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), fallback=("What do you need?",) * 3, always=True))


def waited(host: Host, who: str = "ada") -> list[str]:
    return host.call(as_person(host, who), "rest", "world.wait", {"seconds": HOUR_S})["happened"]


def coming(subject: str, sender: str = "zoe@acme.example", **more: object) -> object:
    def write(w: Stage) -> None:
        external_people.write_mail(w, sender, ["ada@tiny.example"], subject, "text", **more)

    return lambda s: s.at("+5m", write)


def test_new_mail_wakes_who_waits_with_sender_and_subject(play: Play) -> None:
    host = play(coming("Refund"))
    assert waited(host) == ["Mail from Zoe Quist: Refund"]
    assert host.actors["w"].now // MINUTE == START // MINUTE + 5


def test_mail_without_name_or_subject_is_called_by_what_there_is(play: Play) -> None:
    host = play(coming("", sender="jo@else.example"))
    assert waited(host) == ["Mail from jo@else.example: (no subject)"]


def test_others_mail_and_ones_own_wake_nobody_else(play: Play) -> None:
    host = play(
        lambda s: s.at("+5m", lambda w: w.act("p_ada", "mail.send", to=["bo@tiny.example"], text="x"), name="one")
    )
    assert waited(host) == []
    assert subjects(host, "bo") == [""]


@pytest.mark.parametrize("action", [{"removeLabelIds": ["INBOX"]}, {"addLabelIds": ["TRASH"]}])
def test_what_a_filter_keeps_out_of_the_inbox_wakes_nobody(play: Play, action: dict[str, list[str]]) -> None:
    host = play(coming("Refund"))
    said(host, "users.settings.filters.create", criteria={"from": "zoe@acme.example"}, action=action)
    assert waited(host) == []


def test_mail_of_a_sender_reported_as_spam_wakes_nobody(play: Play) -> None:
    host = play(coming("Refund"))
    receive(host, to=["ada@tiny.example"])
    said(host, "users.messages.modify", id=inbox(host)[0]["id"], addLabelIds=["SPAM"])
    assert waited(host) == [] and subjects(host, label="SPAM") == ["Refund", "Hello"]


def test_a_muted_thread_wakes_nobody(play: Play) -> None:
    host = play(bo)
    sent = said(host, "mail.send", to=["bo@tiny.example"], subject="Batch?", text="which?")
    said(host, "mail.mute", ids=[sent["threadId"]])
    assert waited(host) == []
    assert (
        len(host.actors["w"].bound.raw.execute("SELECT id FROM gmail_message WHERE person_id = 'p_ada'").fetchall())
        == 2
    )


def test_a_colleague_answers_a_mail_in_its_thread(play: Play) -> None:
    host = play(bo)
    sent = said(host, "mail.send", to=["Bo <bo@tiny.example>"], subject="Double charge", text="Which batch was it?")
    assert waited(host) == ["Mail from Bo Lindqvist: Re: Double charge"]
    (answer,) = inbox(host)
    original = headers(said(host, "users.messages.get", id=sent["id"]))["Message-ID"]
    assert answer["threadId"] == sent["threadId"] and answer["snippet"] == TOLD
    assert (headers(answer)["To"], headers(answer)["In-Reply-To"]) == ("ada@tiny.example", original)
    assert len({one["threadId"] for one in [*inbox(host, "bo"), *inbox(host, "bo", "SENT")]}) == 1


def test_a_colleague_remembers_the_thread(play: Play) -> None:
    host = play(
        lambda s: s.coworker(
            Coworker(
                who=lambda w: "p_bo",
                always=True,
                rules=(
                    Rule("who", intent=(("who",),), replies=("Me.",) * 3),
                    Rule("batch", intent=(("batch",),), needs=("who",), replies=(TOLD,) * 3),
                ),
            )
        )
    )
    sent = said(host, "mail.send", to=["bo@tiny.example"], subject="Batch", text="who did the batch?")
    waited(host)
    said(
        host, "mail.send", inReplyTo=inbox(host)[0]["id"], mode="reply", text="which batch?", threadId=sent["threadId"]
    )
    waited(host)
    assert [one["snippet"] for one in inbox(host)] == [TOLD, "Me."]


@pytest.mark.parametrize(
    "mail",
    [
        {"to": "eve@tiny.example", "Cc": "bo@tiny.example"},
        {"to": "core@tiny.example"},
        {"to": "bo@tiny.example", "Auto_Submitted": "auto-generated"},
        {"to": "bo@tiny.example", "List_Id": "<x.example>"},
    ],
)
def test_a_copy_a_list_and_a_machine_speak_to_nobody(play: Play, mail: dict[str, str]) -> None:
    host = play(bo)
    send(host, subject="Batch", text="which batch?", **mail)
    assert waited(host) == [] and len(inbox(host, "bo")) == 1


def test_what_a_colleague_has_as_spam_speaks_to_nobody(play: Play) -> None:
    host = play(
        bo,
        lambda s: s.at(
            "+5m",
            lambda w: external_people.write_mail(w, "zoe@acme.example", ["bo@tiny.example"], "Batch", "Which batch?"),
            name="ask",
        ),
    )
    receive(host, to=["bo@tiny.example"], headers={"Precedence": "bulk"})
    said(host, "users.messages.modify", "bo", id=inbox(host, "bo")[0]["id"], addLabelIds=["SPAM"])
    pass_time(host, HOUR_S)
    assert subjects(host, "bo", "SPAM") == ["Batch", "Hello"] and inbox(host, "bo", "SENT") == []


def test_two_colleagues_do_not_go_on_for_ever(play: Play) -> None:
    def eve(s: Script) -> None:
        s.coworker(
            Coworker(
                who=lambda w: "p_eve", rules=(Rule("any", intent=(("batch",),), replies=("batch?",) * 3),), always=True
            )
        )

    host = play(bo, eve)
    send(host, "bo@tiny.example, eve@tiny.example", "Batch", "which batch?")
    pass_time(host, 3 * HOUR_S)
    assert len(inbox(host)) == 2 and len(inbox(host, "eve")) == 1


def test_a_customer_is_answered_by_mail(play: Play) -> None:
    host = play(
        bo,
        lambda s: s.at(
            "+5m",
            lambda w: external_people.write_mail(w, "zoe@acme.example", ["bo@tiny.example"], "Batch", "Which batch?"),
            name="ask",
        ),
    )
    pass_time(host, HOUR_S)
    (sent,) = inbox(host, "bo", "SENT")
    assert headers(sent)["To"] == "zoe@acme.example" and headers(sent)["Subject"] == "Re: Batch"
    assert host.actors["w"].bound.raw.execute("SELECT address, contact_id FROM gmail_outbound").fetchall() == [
        ("zoe@acme.example", "c_zoe")
    ]


def test_a_colleague_hears_the_new_words_alone(play: Play) -> None:
    host = play(bo)
    quoted = (
        "I see it now!\n\nOn Mon, Mar 2, 2026 at 9:00 AM Bo <bo@tiny.example> wrote:\n\n> the batch was done\n> twice"
    )
    send(host, "bo@tiny.example", "Done", quoted)
    waited(host)
    assert inbox(host)[0]["snippet"] == "What do you need?"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("plain\nlines", "plain\nlines"),
        ("new\n\nOn Mon, Ann Lee\n<ann@x.example> wrote:\n\n> old\n>> older", "new"),
        ("On Monday I wrote:\nthis", "On Monday I wrote:\nthis"),
        ("> old\nbelow it", "below it"),
        ("On Tue, Bo wrote:\n> old", ""),
    ],
)
def test_quotations_are_cut(text: str, own: str) -> None:
    assert strip_quotation(text) == own
