"""Customers wrote that they want a feature: each firm counts once, and who took it back does not count."""

from apps.gmail.external_people import write_mail
from scenarios.office.books import BOOK, cell, make_book, word, write
from scenarios.office.mail import nobody_outside
from scenarios.office.people import list_titled
from scenarios.office.private_messages import describe_reader
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Count the customers who want a feature",
    apps=("gmail", "slack", "sheets"),
    calls=(7, 24),
    traps={
        "firm": "hasty: counts mails, not firms",
        "back": "hasty: counts a wish that was taken back",
        "similar": "literal: counts a wish for something with a similar name",
        "owner": "forgetful: leaves out what an account owner was told",
    },
)

REQUESTS = (
    "How many customers want {feature}? They wrote to you, as far as I know. Please enter it in {book} the way it is kept there, and give me"
    " the number.",
    "could you put the wishes for {feature} into {book}? mails are with you, somebody may have told you in chat too. number of customers at"
    " the end please",
    "I have to decide about {feature}. Would you go through what customers and colleagues sent you, mark it in {book} and tell me how many"
    " firms ask for it?",
    "For the roadmap talk I need one figure: customers who want {feature}. Please bring that column in {book} up to date from your messages"
    " and let me know.",
    "{feature}: everybody says that all customers want it. Count them please, from your inbox and chat, note them in {book} and tell me the"
    " truth in one number.",
)
FEATURES = (
    ("SSO groups", "SSO login", "Audit export"),
    ("split refunds", "split payments", "Refund reasons"),
    ("scheduled payouts", "payout reports", "Second currency"),
    ("webhook retries", "webhook signatures", "Sandbox users"),
    ("saved carts", "saved cards", "Gift cards"),
    ("invoice templates", "invoice reminders", "Own domain"),
    ("bulk upload", "bulk export", "Dark mode"),
    ("role templates", "role reports", "Time zones"),
)
BOOKS = ("Wishes of customers", "Feature wishes", "Who wants what", "Votes for the roadmap")
RULES = (
    ("An x stands for a customer who wants the feature. A customer is a firm, however many of its people write.",),
    ("What an account owner was told counts as if the customer had written.",),
    ("Who takes a wish back has none. Wishes of our own people do not count.",),
)
WISHES = (
    "Hello {me},\n\nwe would really need {feature} this year. Is that planned?\n\n{name}",
    "Hi,\n\nquick vote from us for {feature}. It would save us hours.\n\nBest\n{name}",
    "Dear {me},\n\nas asked in your survey: our wish is {feature}, nothing else.\n\nRegards\n{name}",
    "Hi {me},\n\n{feature} please! The team asks for it every week.\n\n{name}",
)
BACK = (
    "Hello again,\n\nplease forget our wish for {feature}, we have solved it otherwise.\n\n{name}",
    "Hi {me},\n\nabout {feature}: we talked it over and do not need it any more. Please take us off the list.\n\n{name}",
)
CALLS = (
    "{customer} told me on the phone that they want {feature}. Can you keep that in mind?",
    "fyi, had {customer} on the line, they asked for {feature}",
)
OWN = ("I'd love to have {feature} myself, by the way", "my vote for {feature}, it would make demos so much nicer")
COUNTED = {
    "wanted": ["want", "wants", "wanted", "ask for", "asked for", "votes", "customers", "firms"],
    "others": [
        *("not want", "don't want", "not ask", "took back", "taken back", "without", "by mail", "mails", "messages"),
        *("our own people", "own people", "colleagues", "staff", "of us", "similar"),
    ],
}
SUBJECTS = ("A wish", "{feature}", "Feature request", "Your survey", "Question about the roadmap")


def draw(d: Draw) -> Facts:
    """Let customers and colleagues tell the agent what they want."""
    w = d.w
    me = d.pick(
        list_titled(d, "Product Manager", "Head of Product", "Product Designer", "Customer Success"), "agent", me=True
    )
    askers = list_titled(d, "Chief", "Head of", "Engineering Manager", "Product Manager")
    asker = d.pick([one for one in askers if one != me], "asker")
    feature, similar, other = d.pick(FEATURES, "feature")
    customers = d.stream("customers").shuffled(w.rows("organisation", kind="customer"))[:9]
    back = d.chance(2 / 3, "back")
    plain = [f"plain {number}" for number in range(d.stream("plain").integer(1, 4))]
    kinds = dict(zip(("twice", "back", "similar", "owner", *plain), customers, strict=False))
    for kind, customer in kinds.items():
        if kind != "owner":
            send_wish(d, me, customer, kind, similar if kind == "similar" else feature, back=back)
    owner = kinds["owner"]["owner_id"]
    speaker = owner if owner != me else asker
    rng = d.stream("calls")
    tell_agent(d, me, speaker, rng.choice(CALLS).format(customer=kinds["owner"]["name"], feature=feature))
    staff = d.pick([one["id"] for one in d.people() if one["id"] not in (me, asker, speaker)], "colleague")
    tell_agent(d, me, staff, rng.choice(OWN).format(feature=feature))
    wanted = [one["name"] for kind, one in kinds.items() if kind != "similar" and not (kind == "back" and back)]
    names = sorted(one["name"] for one in customers)
    rows = [[name, "", rng.choice(("", "x")), rng.choice(("", "", "x"))] for name in names]
    rows[names.index(kinds["similar"]["name"])][2] = "x"
    sums = ["Customers", *[f'=COUNTIF({col}2:{col}{len(names) + 1},"x")' for col in "BCD"]]
    title = d.pick(BOOKS, "title")
    tabs = {
        "Wishes": [
            ["Customer", feature[0].upper() + feature[1:], similar[0].upper() + similar[1:], other],
            *rows,
            sums,
        ],
        "How": RULES,
    }
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("A number", feature, "Wishes", "Roadmap")),
        "request": d.choose_wording(REQUESTS, feature=feature, book=f'"{title}"'),
        "book": make_book(w, asker, title, tabs, [me]),
        "feature": feature,
        "wanted": {f"w{names.index(name)}": {"row": names.index(name) + 1, "name": name} for name in wanted},
        "count": len(wanted),
    }


def send_wish(d: Draw, me: str, customer: Facts, kind: str, feature: str, *, back: bool) -> None:
    """Let the people of a customer write; two of them, or one who takes it back."""
    rng, whom = d.stream("wish", kind), d.w.person(me)
    contacts = rng.shuffled(d.w.rows("contact", organisation_id=customer["id"]))
    writers = contacts[:2] if kind == "twice" else contacts[:1]
    texts = [(one, WISHES) for one in writers] + ([(writers[0], BACK)] if kind == "back" and back else [])
    for one, variants in texts:
        text = rng.choice(variants).format(me=whom.first_name, feature=feature, name=one["full_name"])
        write_mail(d.w, one["email"], [whom.email], rng.choice(SUBJECTS).format(feature=feature), text)


def tell_agent(d: Draw, me: str, speaker: str, text: str) -> None:
    """Let a colleague write a direct message."""
    reader = describe_reader(d.w, me, speaker)
    d.w.act(speaker, "chat.postMessage", channel=reader["dm"], text=text)


def solution(scene: Scene) -> Steps:
    """Mark each firm, tell the number."""
    truth = scene.facts("truth")
    for name, one in truth["wanted"].items():
        yield write(name, truth["book"], f"Wishes!B{one['row'] + 1}", "x")
    count, feature = truth["count"], truth["feature"]
    yield reply(
        scene, f"{count} customers want {feature}.", wordings=(f"It is {count} firms, all marked in the sheet.",)
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """An x for each firm, and the number."""
    marks = [
        cell(f"marked_{name}", "Wishes", f"event.truth.wanted.{name}.row", 1, word("x"), empty=True)
        for name in truth["wanted"]
    ]
    answer = expect_reply(
        truth, {"facts": {"must": [{"count": "event.truth.count", "called": "wanted"}], "labels": COUNTED}}, weight=2
    )
    return make_rubric([*marks, answer], refs={"book": BOOK}, never=[nobody_outside()])
