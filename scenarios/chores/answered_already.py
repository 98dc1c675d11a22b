"""A colleague did not get to a customer's mail: somebody answered already in another thread, or only half of it."""

from scenarios.office.customer_questions import TOPICS, draw_topic
from scenarios.office.mail import (
    answer,
    expect_mail,
    letter,
    list_address,
    list_contacts,
    nobody_outside,
    own_copy,
    receive,
    team,
)
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import pin
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Answer a customer's mail that may be answered already",
    apps=("gmail", "slack"),
    calls=(3, 12),
    demands=1,
    split="test",
    traps={
        "answered": "hasty: answers once more what a colleague answered in another thread",
        "half": "hasty: sees the colleague's answer and leaves the second question open",
    },
)

REQUESTS = (
    "I never got to the mail of {contact} of {customer}, the one about {one} and {two}. Could you take care of it? Tell me how it stands"
    " afterwards.",
    "{contact} ({customer}) wrote to support about {one} and {two} and it slipped through on my side, sorry. can you answer what needs an"
    " answer? a short word back to me please",
    "There is a mail by {contact}, {customer}, with two questions: {one}, {two}. I promised to answer it and then did not. Would you? And"
    " please let me know what came of it, I want to cross it off.",
    "Please see to {contact}'s two questions ({one}, {two}) for {customer}. They came to our shared address and were meant for me, but I"
    " have no time for them today. I would like a line on where it stands.",
    "can i hand you one? {customer}, {contact}, asked about {two} and {one}. it's been on my list since this morning and i won't manage."
    " tell me when it's settled",
)

SUBJECTS = (
    "Two questions",
    "Two short questions before our release",
    "Questions about limits",
    "A question, or rather two",
)
REMINDERS = ("Still waiting", "Anybody there?", "Our open questions", "Second try", "Reminder: our questions")
NUDGES = (
    "I wrote to your support address earlier and have not heard back. To repeat the first part: {question}",
    "My other mail seems to be lost. What we need most urgently: {question}",
    "May I try it with you directly? I asked this at your support address and nobody has answered: {question}",
)
OPENINGS = (
    "We are planning our next weeks here.",
    "Our auditors ask us things.",
    "Our agency wants to know two things.",
)


def draw(d: Draw) -> Facts:
    """Choose the customer, the questions and the colleague who answered one or both."""
    w = d.w
    me, asker = d.sample(team(d, "Support"), 2, "people in support", me=0)
    support = [one for one in team(d, "Support") if one["id"] not in (me["id"], asker["id"])]
    helper = d.pick([*support, *team(d, "Customer Success")], "helper")
    other_helper = next(one for one in support if one != helper)
    contact, *others = d.sample(list_contacts(w), 3, "contacts")
    first, second, third = (draw_topic(d, name) for name in d.sample(sorted(TOPICS), 3, "topics"))
    pin_answers(d)
    half = d.chance(0.5, "half")
    asked = write(d, contact, f"{first['question']} And one more: {second['question']}", SUBJECTS, "subject")
    for number, other in enumerate(others):
        noise = write(d, other, f"{(third, first)[number]['question']}", SUBJECTS, f"noise {number}")
        if number:
            answer(
                w, other_helper["id"], noise, letter(other["first_name"], first["answer"], other_helper["first_name"])
            )
    nudge = d.pick(NUDGES, "nudge").format(question=first["question"])
    reminder = receive(
        w,
        contact["email"],
        [helper["email"], list_address(w, "Support")],
        d.pick(REMINDERS, "reminder"),
        letter(helper["first_name"], nudge, contact["first_name"]),
    )
    said = first["answer"] if half else f"{first['answer']} As to your other mail: {second['answer']}"
    answer(w, helper["id"], reminder, letter(contact["first_name"], said, helper["first_name"]))
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(
            d, me["id"], asker["id"], (f"{contact['customer']}: open mail", "A mail I owe", "Please take one")
        ),
        "request": d.choose_wording(
            REQUESTS,
            contact=contact["full_name"],
            customer=contact["customer"],
            one=first["called"],
            two=second["called"],
        ),
        "half": half,
        "helper": helper["id"],
        "contact": contact["email"],
        "contact_name": contact["first_name"],
        "mail": asked,
        "said": first["value"],
        "topic": second["words"],
        "other_topics": [word for one in (first, third) for word in one["words"]],
        "open": second["value"],
        "open_answer": second["answer"],
    }


def pin_answers(d: Draw) -> None:
    """Pin the answers to all topics in #support, as its head does."""
    notes = [draw_topic(d, name)["note"] for name in d.stream("notes").shuffled(sorted(TOPICS))]
    head = d.w.find("team", name="Support")["lead_id"]
    pin(d.w, head, "support", "Limits that customers ask for, as of today:\n" + "\n".join(f"- {one}" for one in notes))


def write(d: Draw, contact: Facts, questions: str, subjects: tuple[str, ...], what: str) -> str:
    """A contact asks the support address. Returns the Message-ID."""
    text = f"{d.pick(OPENINGS, f'opening of {what}')} {questions}"
    to = [list_address(d.w, "Support")]
    return receive(d.w, contact["email"], to, d.pick(subjects, what), letter("all", text, contact["first_name"]))


def solution(scene: Scene) -> Steps:
    """Answer the open question if there is one, then tell the asker who answered what."""
    truth = scene.facts("truth")
    name = scene.find("person", id=truth["helper"])["full_name"]
    if truth["half"]:
        text = f"{truth['open_answer']} That was the part of your mail that was still open, {truth['contact_name']}."
        copy = own_copy(scene, truth["mail"])
        yield Step(
            "answer",
            "mail.send",
            {"mode": "reply", "inReplyTo": copy, "text": text},
            paraphrases={
                "text": (f"Hello {truth['contact_name']}, to your other question: {truth['open_answer']} Regards",)
            },
        )
        yield reply(
            scene,
            f"{name} took care of the first question, the second was open. I have answered it: {truth['open_answer']}",
            after=("answer",),
            wordings=(f"Half of it was answered by {name}. I sent the other half: {truth['open']}.",),
        )
    else:
        yield reply(
            scene,
            f"It is answered: {name} replied to both questions in another thread, so I wrote nothing.",
            wordings=(f"Nothing left to do, {name} answered the reminder with both values.",),
        )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "answered": "answered, replied, wrote back, has written, sent, took care, dealt with, settled, answer of, reply of, answer by, from",
    "owing": (
        "owes, still owes, not answer, not answered, not reply, never answered, never replied, forgot, missed, waiting for, hand it to, "
        "should answer, has to answer, must answer, on holiday"
    ),
}
"""What the answer may call a person."""
LEFT_OPEN = [
    {"claims": {"subject": subject, "state": state}}
    for subject in ("question", "questions", "both", "both questions", "one", "second", "it", "nothing")
    for state in ("open", "waiting", "unanswered")
]
"""What the answer may not say where nothing is open any more."""
LEFT_NOW = [
    *(
        {"claims": {"subject": subject, "state": state}}
        for subject in ("questions", "both", "both questions")
        for state in ("open", "waiting", "unanswered")
    ),
    {"claims": {"subject": "nothing", "state": "answered"}},
]
"""What the answer may not say where one question was open and has been answered."""
VOID = "forget, ignore, disregard, not true, no longer true, instead of, wrong"
"""Words for a value that does not hold."""
POINTERS = (
    "other question",
    "second question",
    "second part",
    "second one",
    "still open",
    "was open",
    "missing",
    "left open",
    "other half",
)
"""Words for the open question that do not name its topic."""


def rubric(truth: Facts) -> RubricSource:
    """The open half to the customer, or nothing; and to the asker who has answered."""
    refs = {one: {"employee": {"fact": f"event.truth.{one}"}} for one in ("helper", "asker")}
    if not truth["half"]:
        helper = {
            "must": [{"ref": "helper", "called": "answered"}],
            "only": [{"kind": "person", "called": "answered"}],
            "labels": LABELS,
        }
        text = {"facts": helper, "none_of": LEFT_OPEN, "max_entities": 8}
        return make_rubric([expect_reply(truth, text, gate=True)], refs=refs, never=[nobody_outside()])
    told = expect_reply(truth, {"answers": True, "none_of": LEFT_NOW}, gate=True)
    value = {"fact": "event.truth.open", "called": "topic"}
    labels = {"topic": list(truth["topic"]), "others": list(truth["other_topics"]), "void": VOID}
    text = {"facts": {"must": [value], "labels": labels}, "any_of": name_topic(truth)}
    answered = expect_mail("event.truth.contact", text, id="answered", weight=2, gate=True)
    return make_rubric([answered, told], refs=refs, never=[nobody_outside("event.truth.contact")])


def name_topic(truth: Facts) -> list[Item]:
    """Ways to say what a value is for: the open question is named by its topic, or pointed at and no other one is named."""
    others = {"none_of": [{"mentions": word} for word in truth["other_topics"]]}
    pointed = {"any_of": [{"mentions": one} for one in POINTERS], **others}
    return [*({"mentions": word} for word in truth["topic"]), pointed]
