"""Colleagues answer once, all that is asked, and not what is settled; those who asked take the answer."""

from dataclasses import replace
from typing import Any

import pytest

from tests.apps.conversation import BOSS, EXPERT, FACT, HOUR_S, LOST, ME, Play, Room, expert
from tests.company import START
from world.script.coworkers import Coworker, Demand, Rule
from world.script.message_intent import is_courtesy, list_questions, needs_no_reply
from world.script.scenario import Script
from world.script.stage import DayPart
from world.script.thanks import Thanks

CAUSE = ("The name does not resolve.",) * 3
COUNT = ("Forty captures.",) * 3
LATER = ("Not here.",) * 3
THANKED = ("Thanks!", "Thank you!", "Ok, thanks.")


def knowing(**more: Any) -> Coworker:
    """Somebody who knows a cause and a count, reviews nobody's work here, and has a word for the rest."""
    rules = (
        Rule("review", intent=(("review",),), replies=LATER, alone=True),
        Rule("count", intent=(("captures", "twice", "count"),), replies=COUNT),
        Rule("cause", intent=(("cause", "why", "dns"),), replies=CAUSE),
    )
    usual: dict[str, Any] = {"who": lambda w: EXPERT, "rules": rules, "fallback": LOST, "always": True, "delay_s": 60}
    return Coworker(**{**usual, **more})


def account(room: Room, person: str = EXPERT) -> str:
    return room.rows("SELECT external_id FROM account WHERE app = 'slack' AND person_id = ?", person)[0][0]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What is the cause, and were captures sent twice?", [COUNT[0], CAUSE[0]]),
        ("Captures went out twice, I know that. What was the cause?", [CAUSE[0]]),
        ("Captures went out twice, says DNS. What do I tell support?", [COUNT[0], CAUSE[0]]),
        ("Please review #3, which has the cause and the count", [LATER[0]]),
    ],
)
def test_all_that_is_asked_is_answered_in_one_message(play: Play, asked: str, told: list[str]) -> None:
    assert play(knowing()).direct(asked) == "\n".join(told)


def test_what_is_written_before_the_answer_is_answered_with_it(play: Play) -> None:
    room = play(knowing())
    room.direct("Why?", seconds=5)
    room.direct("And how many captures?", seconds=5)
    room.pass_time(HOUR_S)
    assert room.said_by(EXPERT) == [f"{COUNT[0]}\n{CAUSE[0]}"]


def test_a_message_that_was_deleted_is_not_answered_and_one_that_was_changed_as_it_stands(play: Play) -> None:
    room = play(knowing())
    for text in ("Why?", "Hi"):
        sent = room.call("chat.postMessage", channel=account(room), text=text)
        if text == "Hi":
            room.call("chat.update", channel=sent["channel"], ts=sent["ts"], text="How many captures?")
        else:
            room.call("chat.delete", channel=sent["channel"], ts=sent["ts"])
    room.pass_time(HOUR_S)
    assert room.said_by(EXPERT) == [COUNT[0]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I have told the customer about the captures.", ""),
        ("The pull request is merged and traffic has moved", ""),
        ("Have a look at https://quayline.test/x?captures=1 when you want, the captures are in there", ""),
        ("The captures again, how many?", COUNT[0]),
        ("Thanks for the captures. And the cause?", CAUSE[0]),
        ("The captures are noted. The cause is DNS, I hear.", CAUSE[0]),
    ],
)
def test_who_was_answered_and_only_tells_something_gets_no_answer_again(play: Play, text: str, told: str) -> None:
    room = play(knowing())
    room.direct("How many captures?")
    assert room.direct(text) == told


def test_a_question_back_wants_its_answer_to_be_heard(play: Play) -> None:
    room = play(knowing())
    room.direct("How many captures?")
    assert room.direct("Is it about the relay in Dublin?") in LOST
    assert room.direct("It is the relay in Dublin, the second one.") in LOST


def test_what_is_over_is_not_answered(play: Play) -> None:
    room = play(knowing(over=lambda w, heard: "old" in heard.text))
    assert room.direct("Why, in the old case?") == ""
    assert room.direct("Why?") == CAUSE[0]


def test_a_final_demand_is_said_again_only_to_who_asks_again(play: Play) -> None:
    demand = Demand(lambda w, heard: False, LATER, final=True)
    room = play(knowing(rules=(Rule("any", intent=(), replies=COUNT, demands=(demand,)),)))
    assert room.direct("My work is ready for you") == LATER[0]
    assert room.direct("My work is still ready for you") == ""
    assert room.direct("Could you look at it?") == LATER[0]


def test_a_rule_is_about_what_the_message_names(play: Play) -> None:
    def names(word: str) -> Rule:
        return Rule(word, intent=(("long",),), replies=(word,) * 3, about=lambda w, heard: word in heard.text)

    room = play(knowing(rules=(names("Acme"), names("Zeta"))))
    assert room.direct("How long for Zeta?") == "Zeta"
    assert room.direct("Acme is done. How long was it for Zeta?") == "Zeta"
    assert room.direct("How long for both, Acme and Zeta?") == "Acme\nZeta"


def asking(place: str, **more: Any) -> Any:
    """The boss asks in a channel, and takes an answer."""

    def begin(s: Script) -> None:
        def ask(w: Any) -> None:
            w.note(channel=place, ts=w.act(BOSS, "chat.postMessage", channel=place, text="When are we back?")["ts"])

        s.at("+1m", ask, name="ask")
        s.coworker(Coworker(who=lambda w: BOSS, thanks=Thanks(events=("ask",), **more), always=True))

    return begin


def shared(room: Room) -> str:
    """A channel of both, looked up in a world that is thrown away."""
    return room.rows(
        "SELECT a.channel_id FROM slack_member a JOIN slack_member b USING (channel_id) JOIN slack_channel c"
        " ON c.id = a.channel_id WHERE a.person_id = ? AND b.person_id = ? AND c.kind = 'public' ORDER BY 1 LIMIT 1",
        ME,
        BOSS,
    )[0][0]


def answer_twice(room: Room, place: str, first: str = "We are back in half an hour, I think.") -> None:
    room.pass_time(120)
    ts = room.rows("SELECT ts FROM slack_message WHERE text = 'When are we back?'")[0][0]
    for text in (first, "It will rather be an hour, says AWS."):
        room.call("chat.postMessage", channel=place, thread_ts=ts, text=text)
        room.pass_time(HOUR_S)


def reactions(room: Room) -> list[Any]:
    return room.rows(
        "SELECT m.text, r.person_id FROM slack_reaction r JOIN slack_message m ON m.id = r.message_id"
        " WHERE r.created_at > (SELECT min(at) FROM _call)"
    )


def test_who_asked_takes_the_answer_once_with_an_emoji_that_is_the_worlds(play: Play) -> None:
    place = shared(play(name="look"))
    room = play(expert(), asking(place, words=0.0))
    answer_twice(room, place)
    assert reactions(room) == [("We are back in half an hour, I think.", BOSS)]
    assert room.said_by(BOSS) == ["When are we back?"]
    [cause] = room.rows("SELECT cause_seq FROM _call WHERE operation = 'reactions.add'")
    assert room.rows("SELECT cause_seq, door FROM _call WHERE seq = ?", *cause) == [(None, "world")]


def test_or_with_a_word_that_nobody_answers(play: Play) -> None:
    place = shared(play(name="look"))
    room = play(knowing(rules=(Rule("x", (), COUNT, once=True, peers=True),)), asking(place, words=1.0))
    answer_twice(room, place, f"We are back in half an hour, says <@{account(room)}>")
    assert reactions(room) == []
    assert [text in THANKED for text in room.said_by(BOSS)] == [False, True]
    assert room.said_by(EXPERT) == [COUNT[0]]


@pytest.mark.parametrize("first", ["On it.", "When do you need it, and for whom is it?"])
def test_a_word_and_a_question_back_are_no_answer(play: Play, first: str) -> None:
    place = shared(play(name="look"))
    room = play(asking(place, words=0.0))
    answer_twice(room, place, first)
    assert reactions(room) == [("It will rather be an hour, says AWS.", BOSS)]


def test_worlds_of_one_seed_thank_alike_and_a_fork_remembers(play: Play) -> None:
    place = shared(play(name="look"))
    rooms = [play(asking(place), name=name) for name in ("w", "v")]
    for room in rooms:
        answer_twice(room, place)
    first, second = ([*reactions(room), *room.said_by(BOSS), *room.rows("SELECT at FROM _call")] for room in rooms)
    assert first == second
    rooms[0].host.fork(rooms[0].host.actors["w"], "f")
    fork = Room(rooms[0].host, "f")
    before = len(reactions(fork)) + len(fork.said_by(BOSS))
    answer_twice(fork, place)
    assert len(reactions(fork)) + len(fork.said_by(BOSS)) == before == 2


def asking_once(ask: Any) -> Any:
    """The boss asks in an app's own way, and takes an answer there."""

    def begin(s: Script) -> None:
        s.at("+1m", ask, name="ask")
        s.coworker(Coworker(who=lambda w: BOSS, thanks=Thanks(events=("ask",)), always=True))

    return begin


def test_who_asked_by_mail_takes_the_answer_in_that_conversation(play: Play) -> None:
    emails = dict(play(name="look").rows("SELECT id, email FROM person WHERE id IN (?, ?)", ME, BOSS))

    def ask(w: Any) -> None:
        w.act(BOSS, "mail.send", to=[emails[ME]], subject="Back?", text="When are we back?")
        w.note(message_id=w.find("gmail_mail", sender_id=BOSS, subject="Back?")["message_id"])

    room = play(asking_once(ask))
    room.pass_time(120)
    room.call("mail.send", to=[emails[BOSS]], subject="Else", text="Something else that nobody asked for")
    room.pass_time(HOUR_S)
    assert room.mailed(ME, "Else", BOSS) == []
    thread, mail = room.rows(
        "SELECT b.thread_id, b.id FROM gmail_message b JOIN gmail_mail m ON m.id = b.mail_id"
        " WHERE b.person_id = ? AND m.subject = 'Back?'",
        ME,
    )[0]
    answer = {"subject": "Re: Back?", "text": "We are back in half an hour, I think."}
    room.call("mail.send", to=[emails[BOSS]], threadId=thread, inReplyTo=mail, **answer)
    room.pass_time(HOUR_S)
    assert [text in THANKED for text in room.mailed(ME, "Back?", BOSS)] == [True]


def test_who_asked_in_an_issue_takes_the_answer_in_that_issue(play: Play) -> None:
    asked, other = (key for (key,) in play(name="look").rows("SELECT key FROM jira_issue ORDER BY id DESC LIMIT 2"))

    def ask(w: Any) -> None:
        w.act(BOSS, "addComment", issueIdOrKey=asked, body="When are we back?")
        w.note(key=asked)

    room = play(asking_once(ask))
    room.pass_time(120)
    [boss] = room.rows("SELECT external_id FROM account WHERE app = 'jira' AND person_id = ?", BOSS)[0]
    for key in (other, asked):
        room.call("addComment", issueIdOrKey=key, body=f"We are back in half an hour, [~accountid:{boss}].")
        room.pass_time(HOUR_S)
    sql = """SELECT i.key, c.body_text FROM jira_comment c JOIN jira_issue i ON i.id = c.issue_id
        WHERE c.author_id = ? AND c.created_at > ?"""
    start = room.rows("SELECT min(at) FROM _call")[0][0]
    said = room.rows(sql, BOSS, start)
    assert [key for key, _ in said] == [asked, asked] and said[1][1] in THANKED


def test_who_is_told_by_mail_thanks_by_mail_for_what_concerns_them(play: Play) -> None:
    thanks = Thanks(about=lambda w, heard: "Acme" in heard.text)
    room = play(Coworker(who=lambda w: EXPERT, thanks=thanks, always=True))
    email = room.rows("SELECT email FROM person WHERE id = ?", EXPERT)[0][0]
    for subject, text in (
        ("A", "Zeta wants to be called"),
        ("B", "Acme wants to be called"),
        ("C", "Acme, I say again"),
    ):
        room.call("mail.send", to=[email], subject=subject, text=text)
        room.pass_time(HOUR_S)
    assert [bool(room.mailed(ME, subject)) for subject in "ABC"] == [False, True, False]
    assert room.mailed(ME, "B")[0] in THANKED


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I have told the customer 67 minutes", False),
        ("@Daniel the checks are green. It is merged.", False),
        ("When the checks are green, I merge it.", False),
        ("What I did: a branch and a pull request", False),
        ("please tell me if it changes", False),
        ("see https://x.test/a?b=c for more of it", False),
        ("which batch", True),
        ("@Daniel how long was Acme cut off", True),
        ("confirm the batch", True),
        ("and were they sent twice?", True),
        ("I need the number of the batch", True),
    ],
)
def test_a_question_is_known_without_its_mark(text: str, asks: bool) -> None:
    assert bool(list_questions(text)) is asks
    assert needs_no_reply(text) is not asks


def test_a_link_makes_no_question_of_thanks() -> None:
    assert is_courtesy("thanks, as in https://x.test/a?b=c")
    assert not is_courtesy("thanks, and the count?")


def test_an_answer_that_was_told_stays_known_in_the_state_machine(play: Play) -> None:
    room = play(expert())
    room.direct("Hi")
    assert room.direct("The batch of SHOP-1, please") in FACT
    assert room.direct("I wrote the batch of SHOP-1 into the sheet of finance") == ""


def cast_twice(*parts: str, **first: Any) -> list[Coworker]:
    """One person who knows the cause, and one who knows the count and thanks for one thing, in parts of a day."""
    cause = (Rule("cause", intent=(("cause", "why"),), replies=CAUSE),)
    count = (Rule("count", intent=(("captures", "why"),), replies=COUNT),)
    thanks = Thanks(about=lambda w, heard: "Acme" in heard.text, words=1.0)
    made = (knowing(rules=cause, **first), knowing(rules=count, fallback=(), thanks=thanks))
    return [replace(one, part=DayPart(part, START) if part else None) for one, part in zip(made, parts, strict=True)]


def test_outside_days_a_person_plays_the_part_declared_last(play: Play) -> None:
    room = play(*cast_twice("", ""))
    assert (room.direct("What is the cause?"), room.direct("How many captures?")) == ("", COUNT[0])


def test_on_a_day_a_person_plays_the_part_that_has_an_answer_or_owes_thanks(play: Play) -> None:
    room = play(*cast_twice("one", "two"))
    assert (room.direct("What is the cause?"), room.direct("How many captures?")) == (CAUSE[0], COUNT[0])
    assert room.direct("The invoice for Acme is with them now") in THANKED
    assert room.direct("And the weather?") in LOST


def test_a_part_that_is_over_answers_nothing_on_a_day(play: Play) -> None:
    one, two = cast_twice("one", "two")
    room = play(one, replace(two, over=lambda w, heard: True))
    assert room.direct("Why?") == CAUSE[0]
