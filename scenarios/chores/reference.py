"""Somebody asks for a reference: of the customers of their trade one may be named, and the others stay unnamed."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from scenarios.office.accounts import date_cell, describe_person, today
from scenarios.office.books import BOOK, cell, make_book, write
from scenarios.office.mail import expect_mail, letter, nobody_outside, not_to_all, own_copy, receive, team
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import post
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Name a reference customer",
    apps=("sheets", "gmail", "slack"),
    calls=(6, 14),
    traps={
        "consent": "hasty: names a customer whose consent has ended or was taken back by mail",
        "renewed": "literal: passes over a customer who has just agreed again",
        "escalation": "hasty: names a customer with an open escalation",
        "noted": "forgetful: does not note the day",
    },
)

REQUESTS = (
    "{name} of {prospect} would like to speak to a customer in {trade}. Could you tell them whom they may call? I was thinking of {guess},"
    " but please go by our rules in {book}. Let me know who it is.",
    "can you answer {prospect} about the reference please? it's in {book} who we can name, {trade} of course. {guess} maybe? tell me which"
    " one you gave them",
    "{prospect}, who are in {trade}, have asked for a reference. Please choose one properly ({book}), write {name} the name, one is enough, and"
    " drop me a line."
    " My first idea would be {guess}.",
    "Would you take care of the reference for {prospect}? They are in {trade}, like {guess}. Look at {book} before you name anybody to"
    " {name}, and let me know your choice.",
    "Please give {name} from {prospect} one customer in {trade} to talk to, according to {book}. Is {guess} possible? Either way tell me"
    " whom you named.",
)
BOOKS = ("References", "Reference customers", "Who may be named", "Customers who speak for us", "Reference list")
TRADES = {
    "health": ("St. Anna Hospital", "Clinic Waldsee", "Northern Care Group"),
    "food": ("Brauhaus Lech", "Morning Mills", "Olive Coast"),
    "fashion": ("Studio Varga", "Loden Ritter", "Blue Hem"),
    "furniture": ("Oakwright", "Casa Nord", "Tischlerei Hahn"),
    "travel": ("Fjordline Tours", "Alpenrad", "Azur Voyages"),
    "books": ("Lesehaus", "Paper Lantern", "Quill and Co"),
}
CUSTOMERS = (
    "Aldersey Brannigan Calderwood Dunmore Grunwald Hallberg Lomax Marchetti Orellana Ostwind Vistula Whitmore".split()
)
PEOPLE = ("Ines Halder", "Marc Oduya", "Petra Simic", "Luis Cardoso", "Hanna Brandl", "Owen Pryce", "Sofia Lindahl")
ASKS = (
    "before we decide we would like to speak to one of your customers in our trade. Whom may we call?",
    "our board wants to hear from somebody who uses you already, in {trade} if possible. Could you give us a name?",
    "could you name a customer in {trade} who would talk to us for a quarter of an hour?",
)
BACK = (
    "we would like to take back our consent to be a reference, as of today.",
    "our management does not want us to be a reference any more. Please take us off the list.",
)
AGAIN = (
    "our consent to be a reference has ended, I see. You may name us for another year, gladly.",
    "yes, we are happy to be a reference again. Our consent holds until the end of next year.",
    "you asked whether we extend our consent to be named: we do, for twelve months from today.",
)
ESCALATIONS = (
    "{shop}: payouts wrong for the third day, their managing director is on the phone",
    "escalation from {shop}, orders of the weekend missing in the ledger. I have promised news twice a day",
    "{shop} is very unhappy: refunds stuck since Thursday, they want to talk to somebody senior",
)
CLOSED = (
    "closed: they have all of it now and said thank you",
    "done, the customer confirmed in writing. I close this one",
)
OPEN = ("still waiting for the bank, I told them so", "no fix yet, next word to them tomorrow morning")
CASES = ("plain", "withdrawn", "renewed", "escalated")
AGES = {"first": (300, 390), "second": (170, 260), "lapsed": (450, 600), "late": (95, 150)}


def draw(d: Draw) -> Facts:
    """Choose the trade, its four customers, and what has happened to one of them."""
    w = d.w
    bosses = list_titled(d, "Chief", "Head of Product", "Head of Customer", "Customer Success", "Product Manager")
    asker, me = (w.person(one) for one in d.sample(bosses, 2, "askers", me=1))
    trade = d.pick(sorted(TRADES), "trade")
    prospect, case = d.pick(TRADES[trade], "prospect"), d.pick(CASES, "case")
    names = d.sample(CUSTOMERS, 10, "customers")
    ours = dict(zip(AGES, names, strict=False))
    rows = list_rows(d, trade, ours, names[4:])
    chosen = {"plain": "first", "renewed": "lapsed"}.get(case, "second")
    guess = ours[d.pick(("first", "lapsed"), "guess")]
    writer, helper = d.sample(PEOPLE, 2, "people outside")
    person = describe_person(writer, prospect)
    asked = receive(
        w,
        person["from"],
        [asker.email, me.email],
        d.pick(("A reference", "Whom may we call?", "Your customers"), "subject"),
        letter(asker.first_name, d.pick(ASKS, "asks").format(trade=trade), f"{writer}\n{prospect}"),
    )
    if case in ("withdrawn", "renewed"):
        who = ours["first" if case == "withdrawn" else "lapsed"]
        text = letter(me.first_name, d.pick(BACK if case == "withdrawn" else AGAIN, "word"), f"{helper}\n{who}")
        receive(
            w,
            describe_person(helper, who)["from"],
            [me.email],
            d.pick(("Being a reference", "Our consent", who), "about"),
            text,
        )
    first, second = d.sample([one["id"] for one in team(d, "Support")], 2, "people in support")
    line = d.pick(ESCALATIONS, "escalation").format(shop=ours["first"])
    thread = post(w, first, "support-escalations", line)
    post(w, second, "support-escalations", d.pick(OPEN if case == "escalated" else CLOSED, "end"), thread=thread)
    title = d.pick(BOOKS, "title")
    named = ours[chosen]
    return {
        "me": me.id,
        "asker": asker.id,
        **choose_place(d, me.id, asker.id, (prospect, "A reference", f"Reference for {prospect}")),
        "request": d.choose_wording(
            REQUESTS, name=writer, prospect=prospect, trade=trade, guess=guess, book=f'"{title}"'
        ),
        "book": make_book(w, w.find("team", name="Customer Success")["lead_id"], title, rows, [me.id, asker.id]),
        "trade": trade,
        "case": case,
        "guess": guess,
        "named": named,
        "row": next(at for at, row in enumerate(rows["Customers"]) if row[0] == named),
        "others": [one for one in names if one != named],
        "address": person["mail"],
        "mail": asked,
        "today": today(d).isoformat(),
    }


def list_rows(d: Draw, trade: str, ours: Mapping[str, str], rest: Sequence[str]) -> dict[str, list[list[str]]]:
    """The list of customers, and the rules."""
    rng = d.stream("rows")
    day = today(d)
    rows = []
    for role, name in [*ours.items(), *(("other", one) for one in rest)]:
        of = trade if role != "other" else rng.choice([one for one in sorted(TRADES) if one != trade])
        until = day + timedelta(days=-rng.integer(10, 70) if role == "lapsed" else rng.integer(60, 400))
        last = day - timedelta(days=rng.integer(*AGES.get(role, (100, 700))))
        rows.append([name, of, until.isoformat(), last.isoformat()])
    return {
        "Customers": [["Customer", "Trade", "Consent until", "Last named"], *rng.shuffled(rows)],
        "Rules": [
            [
                "We name one customer of the same trade whose consent holds. What they write to us counts before this list."
            ],
            ["Nobody is named who has an open escalation in #support-escalations."],
            ["If several are left: the one who was named longest ago."],
            ["Whoever names a customer enters the day under Last named. Other customers are not mentioned outside."],
        ],
    }


def solution(scene: Scene) -> Steps:
    """Name the one, note the day, tell the asker."""
    truth = scene.facts("truth")
    named = truth["named"]
    text = f"You may speak to {named}, they use us every day. Kind regards"
    others = (f"Hi,\n\nplease call {named}. They have agreed to be a reference.\n\nBest",)
    arguments = {"mode": "reply", "inReplyTo": own_copy(scene, truth["mail"]), "text": text}
    yield Step("named", "mail.send", arguments, paraphrases={"text": others})
    yield write("noted", truth["book"], f"Customers!D{truth['row'] + 1}", truth["today"])
    wordings = (f"It is {named}, by the rules.", f"They have {named} now, and the list is up to date.")
    yield reply(scene, f"I have named {named} to them.", wordings=wordings)
    yield Step("finish", "world.finish", {"status": "done"})


WHEN = (
    *("later", "more recently", "most recently", "recently", "last", "since", "after"),
    *("in", "on", "earlier", "this", "less long ago", "not so long ago"),
)
ONLY = ("only", "just", "already", "as late as", "as recently as")
HISTORY = [
    f"{past} named {when}"
    for past in ("was", "were", "has been", "had been", "got")
    for when in (*WHEN, *(f"{only} {when}" for only in ONLY for when in WHEN), "just", "already")
]
"""When a customer was named before, which is no choice of today."""
LABELS = {
    "named": (
        "named, name, gave, given, got, chose, chosen, picked, told them, may call, may speak to, it is, choice, reference, call,"
        " speak to, talk to, can call, offer you, sent"
    ),
    "passed": (
        "only asked, thought of, not possible, not be named, cannot be named, can't be named, left out, first idea, would be possible, did"
        " not name, no consent, not agreed, not call, no reference, not a reference, escalation, withdrawn, taken back, passed over, was"
        " possible, ended, not allowed, before, have an open, has an open, open escalation, escalated, in trouble, trouble, payout trouble, so"
        " not, not them, will not do, would not do, not do, could not be, cannot be, consent is over, is over, is out,"
        " named later, more recently, named last, named since, later than, unhappy, complaint, " + ", ".join(HISTORY)
    ),
}
"""What the texts may call a customer."""
INSIDE = ("escalation", "escalations", "taken back", "took back", "withdrew", "withdrawn", "unhappy", "dissatisfied")
"""Words about other customers, and about the one that is named, which are nobody's business outside."""


def rubric(truth: Facts) -> RubricSource:
    """The one name to the prospect and the asker, the day in the list, and no other name outside."""
    named = {"must": [{"text": "event.truth.named", "called": "named"}], "labels": LABELS}
    name = {"facts": {**named, "asked": True}, "none_of": [{"mentions": one} for one in INSIDE], "max_chars": 2000}
    sent = expect_mail("event.truth.address", name, id="named", weight=2, gate=True)
    noted = cell("noted", "Customers", "event.truth.row", 3, date_cell(truth["today"]))
    place = {"file_id": {"ref": "book"}, "sheet": "Customers", "row_from": "event.truth.row", "col": 2}
    later = {"input": {"any_of": [{"matches": r"20\d\d-\d\d-\d\d"}, {"matches": r"4[6-9]\d{3}"}]}}
    consent = {"update": "sheets_cell", "where": place, "set": later, "only": ["input", "kind", "format"], "max": 1}
    never = [{"text": one, "called": "named"} for one in truth["others"]]
    told = {"facts": {**named, "never": never}, "max_chars": 2000}
    others = {
        "id": "others_named",
        "insert": "gmail_mail",
        "where": {"sender": {"ref": "agent"}, "recipients": {"any": "event.truth.address"}},
        "text": {"field": ["subject", "text"], "any_of": [{"mentions": one} for one in truth["others"]]},
    }
    return make_rubric(
        [sent, noted, expect_reply(truth, told)],
        refs={"book": BOOK},
        allow=[consent] if truth["case"] == "renewed" else [],
        never=[nobody_outside("event.truth.address"), not_to_all(), others],
    )
