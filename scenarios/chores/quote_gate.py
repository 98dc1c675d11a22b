"""A quote is to go out: it does if somebody with the authority approved this very version, else the approver is asked."""

from scenarios.office.mail import expect_mail, list_contacts, nobody_outside, send
from scenarios.office.private_messages import asks_nothing_of, describe_reader
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.shared_sheets import members_of
from scenarios.office.tickets import pin
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Send a quote if it is approved",
    apps=("gmail", "slack"),
    calls=(4, 10),
    traps={
        "version": "literal: takes the approval of an earlier version for this one",
        "authority": "hasty: takes the yes of somebody who may not approve so much",
        "needless": "literal: asks once more for what is approved",
    },
)

REQUESTS = (
    "Quote {quote} for {customer}, version {version}: {seats} seats with {discount} % discount, EUR {price} a year. If it is good to go, mail"
    " it to {name}. If it is not, get it moving with whoever must say yes, and tell me who that is.",
    "can {quote} go out? it's version {version} now, {seats} seats at {discount} % discount, EUR {price} per year. goes to {name} at {customer}"
    " if approved, otherwise ask the one who has to approve. let me know which of the two, and whose yes it is",
    "Please send {name} ({customer}) our quote {quote} in version {version}: EUR {price} a year for {seats} seats with {discount} % discount."
    " Only if it is approved, of course; if something is missing, ask for it by mail. Who approved it, or who has to?",
    "{customer} is waiting for {quote}. Version {version} is final: {seats} seats, {discount} % discount, EUR {price} per year. Check the"
    " approval, then it goes to {name} by mail, or else to the approver for a decision. Tell me the approver's name either way.",
    "Good to go? {quote}, version {version}, {customer}, {seats} seats, {discount} % discount, which makes EUR {price} a year. Yes: mail to"
    " {name}. No: mail to whoever decides. And a word to me about whose decision it is.",
)
RULES = (
    "Who may approve a discount: up to 10 % {first}, up to 20 % {second}, above that {third} alone. An approval holds for the version it"
    " names and for no later one. Ask by mail and name the quote and its version.",
    "Discounts need a yes in writing. Up to 10 %: {first}. More, up to 20 %: {second}. More than 20 %: {third}. If the quote gets a new version,"
    " the yes is void. Requests by mail, with number and version of the quote, please.",
)
YES = (
    "{quote}, version {version}: fine with me.",
    "You may send {quote} in version {version}. Approved.",
    "I approve version {version} of {quote}.",
    "Looked at {quote} v{version}, approved.",
)


def draw(d: Draw) -> Facts:
    """Choose the quote, who may approve it, and whether this version has the yes of the right person."""
    w = d.w
    inside = members_of(w, "customers")
    heads = [w.find("team", name=name)["lead_id"] for name in ("Customer Success", "Product & Design", "Leadership")]
    people = [one for one in d.people() if one["id"] in inside and one["id"] not in heads]
    me, asker = d.sample(people, 2, "people of #customers", me=0)
    approvers = d.stream("approvers").shuffled(heads)
    level = d.stream("level").integer(0, 2)
    discount = d.pick(((6, 8, 9), (12, 15, 18), (22, 24, 27))[level], "discount")
    state = d.pick(("approved", "older version", "wrong person"), "state")
    if state == "wrong person" and level == 0:
        state = "older version"
    version, quote = d.stream("version").integer(2, 5), f"Q-{d.stream('quote').integer(310, 989)}"
    seats = d.stream("seats").integer(4, 30) * 10
    price = round(seats * 148 * (100 - discount) / 100)
    contact = d.pick(list_contacts(w), "contact")
    names = {name: w.person(one).full_name for name, one in zip(("first", "second", "third"), approvers, strict=True)}
    pin(w, heads[0], "customers", d.pick(RULES, "rule").format(**names))
    says = approvers[level - 1] if state == "wrong person" else approvers[level]
    said = d.pick(YES, "yes").format(quote=quote, version=version - 1 if state == "older version" else version)
    to = [w.person(one["id"]).email for one in (me, asker)]
    send(w, says, to, f"{quote} for {contact['customer']}", said)
    slots = {"quote": quote, "version": version, "seats": seats, "discount": discount, "price": f"{price:,}"}
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], (f"{quote}", f"Quote for {contact['customer']}", "Good to go?")),
        "request": d.choose_wording(REQUESTS, customer=contact["customer"], name=contact["full_name"], **slots),
        **slots,
        "price": f"{price}.00 EUR",
        "shown": f"EUR {price:,}",
        "share": f"{discount} %",
        "state": state,
        "contact": contact["email"],
        "approver": approvers[level],
        "approver_mail": w.person(approvers[level]).email,
        "approver_reader": describe_reader(w, me["id"], approvers[level]),
        "asker_mail": w.person(asker["id"]).email,
    }


def solution(scene: Scene) -> Steps:
    """Mail the quote, or ask the approver; then answer with the name."""
    truth = scene.facts("truth")
    quote, version, name = truth["quote"], truth["version"], scene.find("person", id=truth["approver"])["full_name"]
    offer = f"{truth['seats']} seats with {truth['share']} discount, {truth['shown']} a year"
    if truth["state"] == "approved":
        text = f"Our quote {quote}, version {version}: {offer}. Kind regards"
        mail = {"to": [truth["contact"]], "subject": f"Quote {quote}", "text": text}
        others = (f"Hello,\n\nthis is our offer {quote} in version {version}: {offer}.\n\nBest regards",)
        yield Step("quote", "mail.send", mail, paraphrases={"text": others})
        told, more = f"{name} had approved version {version}, and it is out.", (f"Sent. The yes came from {name}.",)
    else:
        text = f"Quote {quote}, version {version}, needs your approval: {offer}."
        mail = {"to": [truth["approver_mail"]], "subject": f"Approval of {quote}", "text": text}
        others = (f"Hi,\n\nmay {quote} go out in version {version}? It is {offer}.",)
        yield Step("quote", "mail.send", mail, paraphrases={"text": others})
        told, more = (
            f"{name} has to approve version {version} first, I have asked.",
            (f"Not yet, it waits for {name}.",),
        )
    yield reply(scene, told, after=("quote",), wordings=more)
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """The quote to the customer, or the question to the approver; the approver's name to the asker."""
    refs = {"approver": {"employee": {"fact": "event.truth.approver"}}}
    facts = {"facts": {"must": [{"ref": "approver"}]}}
    if truth["state"] == "approved":
        sent = expect_mail("event.truth.contact", offer_everything(), id="sent", weight=2, gate=True)
        never = [nobody_outside("event.truth.contact"), *(ask_nobody() if truth["asker"] != truth["approver"] else [])]
        told = expect_reply(truth, {**facts, "none_of": [says_sent("denied")]})
        return make_rubric([sent, told], refs=refs, never=never)
    done = claim_done()
    told = expect_reply(truth, {**facts, "none_of": done})
    version = {"facts": {"must": [{"count": "event.truth.version"}], "asked": True}}
    discount = [
        {"facts": {"must": ["event.truth.share"], "asked": True}},
        {"none_of": [{"facts": {"some": ["percentage"]}}]},
    ]
    text = {
        "field": ["subject", "text"],
        "all_of": [
            {"mentions": "event.truth.quote"},
            version,
            {"any_of": discount},
            {"any_of": [{"mentions": one} for one in ASKING]},
        ],
        "none_of": [*done, *({"mentions": one} for one in ASKING_NOTHING)],
        "max_chars": 2000,
    }
    asked = expect_mail("event.truth.approver_mail", text, id="asked", weight=2, gate=True)
    asked["where"]["recipients"]["subset"] = ["event.truth.approver_mail", "event.truth.asker_mail"]
    return make_rubric([asked, told], refs=refs, never=[nobody_outside()])


def offer_everything() -> Item:
    """What the customer reads: the quote and its version, seats, discount and price."""
    facts = ["event.truth.price", "event.truth.share", {"count": "event.truth.version"}, {"count": "event.truth.seats"}]
    return {"field": ["subject", "text"], "mentions": "event.truth.quote", "facts": {"must": facts}, "max_chars": 2000}


ASKING = (
    *("approve", "approval", "approved", "approves", "yes", "ok", "okay", "agree", "sign off", "go-ahead", "decision"),
    *("decide", "confirm", "green light", "fine with you", "go out", "may", "can", "could", "allow"),
)
ASKING_NOTHING = (
    "do not have to",
    "don't have to",
    "do not approve",
    "don't approve",
    "please refuse",
    "please reject",
    "no action",
    "nothing to do",
    "nothing for you to do",
    "need not do anything",
    "no need to answer",
)
"""Words of somebody who asks for a yes, and of somebody who asks for nothing."""


def says_sent(how: str) -> Item:
    """That a text says that the quote is with the customer, or denies it."""
    slots = {"quote": "event.truth.quote", "approver": "event.truth.approver_reader.name"}
    return {"stance": {"on": "quote_sent", "with": slots, "is": how}}


def claim_done() -> list[Item]:
    """Statements that the quote is approved, or with the customer."""
    subjects, states = ("quote", "event.truth.quote", "it"), ("sent", "out", "with the customer", "approved")
    claims = [{"claims": {"subject": subject, "state": state}} for subject in subjects for state in states]
    return [*claims, says_sent("asserted")]


def ask_nobody() -> list[Item]:
    """The prohibition to ask the approver again: in a mail other than a copy of the quote, or in a direct message."""
    where = {"sender": {"ref": "agent"}, "recipients": {"any": "event.truth.approver_mail"}}
    other = {"field": "text", "none_of": [{"facts": {"must": ["event.truth.price"]}}]}
    alone = asks_nothing_of("again", "event.truth.approver_reader")[0]
    return [{"id": "asked_again", "insert": "gmail_mail", "where": where, "text": other}, alone]
