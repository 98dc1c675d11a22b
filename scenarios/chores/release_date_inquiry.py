"""A customer wants a date for a feature: the announced one if there is one, and none otherwise."""

from collections.abc import Mapping

from scenarios.office.answers import any_answer
from scenarios.office.mail import expect_mail, letter, list_contacts, nobody_outside, own_copy, receive
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.shared_sheets import members_of, share_sheet
from scenarios.office.tickets import pin
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Tell a customer when a feature is coming",
    apps=("gmail", "sheets", "slack"),
    calls=(5, 12),
    traps={
        "internal": "hasty: gives the date of the internal delivery plan",
        "none": "literal: gives a date although none is announced",
        "older": "hasty: gives the date of the older announcement",
    },
)

REQUESTS = (
    "{name} of {customer} wants a date for {feature}. Would you answer? I am copied, but tell me here what we told them.",
    "can you take the mail from {name} ({customer})? they ask when {feature} is coming. give them what we can give and let me know",
    "{customer} asks for a date: {feature}. {name} wrote to both of us, please reply to it, and say to me afterwards what the answer was.",
    "Please answer {name}, who would like to know when {customer} can have {feature}. A short note to me about what you wrote would be good.",
    "We owe {name} from {customer} an answer on {feature}. When is it due, or what may we say? Please write to them and tell me.",
)
FEATURES = (
    "offline mode",
    "single sign-on groups",
    "bulk refunds",
    "dark mode",
    "split shipments",
    "the mobile app",
    "custom invoice fields",
    "the second warehouse",
    "price lists by region",
    "scheduled exports",
)
SUBJECTS = ("A date for {feature}?", "When can we have {feature}?", "{feature}: when?", "Our planning, and {feature}")
QUESTIONS = (
    "We plan our next half year. When will {feature} be there?",
    "Our board asks me for a date: {feature}. What can I tell them?",
    "Is there a date for {feature} by now? We would train our people then.",
)
RULES = (
    "Dates for customers: only what the last tab of {book} says at the time of asking. What has no date there gets no date from us, not"
    " even a month, whatever {plan} says; that one is for us.",
    "Please remember before you write to customers: {book} is public, its newest tab counts. {plan} is not, and no date of it leaves the"
    " house. Nothing announced means we say that there is no date yet.",
)
MONTHS = ("April", "May", "June", "July", "August", "September", "October", "November")


def draw(d: Draw) -> Facts:
    """Choose customer and feature, write both plans, and let the customer ask."""
    w = d.w
    inside = members_of(w, "customers")
    me, asker = d.sample([one for one in d.people() if one["id"] in inside], 2, "people of #customers", me=0)
    contact = d.pick(list_contacts(w), "contact")
    feature = d.pick(FEATURES, "feature")
    announced = d.chance(0.55, "announced")
    dates = {name: [some_day(d, f"{name} {n}") for n in range(3)] for name in FEATURES}
    public = {name: d.chance(0.5, f"public {name}") for name in FEATURES} | {feature: announced}
    book, plan = (
        d.pick(("Roadmap for customers", "What is coming", "Announcements"), "book"),
        d.pick(("Delivery plan", "Engineering plan", "Release planning"), "plan"),
    )
    write_plans(d, book, plan, dates, public)
    note = d.pick(RULES, "rule").format(book=book, plan=plan)
    pin(w, w.find("team", name="Product & Design")["lead_id"], "customers", note)
    question = d.pick(QUESTIONS, "question").format(feature=feature)
    asked = receive(
        w,
        contact["email"],
        [asker["email"], me["email"]],
        d.pick(SUBJECTS, "subject of mail").format(feature=feature).capitalize(),
        letter(asker["first_name"], question, contact["first_name"]),
    )
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], (f"{contact['customer']} asks", "Please answer this one", "A date")),
        "request": d.choose_wording(REQUESTS, name=contact["full_name"], customer=contact["customer"], feature=feature),
        "feature": feature,
        "contact": contact["email"],
        "mail": asked,
        "announced": announced,
        "date": dates[feature][2],
        "internal": dates[feature][0],
        "book": book,
    }


def some_day(d: Draw, what: str) -> str:
    """A day of the coming months: `14 June 2026`."""
    day = d.stream("day", what)
    return f"{day.integer(13, 28)} {day.choice(MONTHS)} 2026"


def write_plans(d: Draw, book: str, plan: str, dates: Mapping[str, list[str]], public: Mapping[str, bool]) -> None:
    """The internal plan, and the announced dates of last year and of now."""
    w = d.w
    head = w.find("team", name="Product & Design")["lead_id"]
    names = d.stream("features").shuffled(FEATURES)
    inner = [("Feature", "Planned for", "Sure?"), *((one, dates[one][0], "likely") for one in names)]
    old = [("Feature", "Announced for"), *((one, dates[one][1]) for one in names[:7] if public[one])]
    new = [("Feature", "Announced for"), *((one, dates[one][2] if public[one] else "no date") for one in names)]
    share_sheet(w, w.find("team", name="Engineering")["lead_id"], plan, {"Plan": inner})
    share_sheet(w, head, book, {"January": old, "March": new})


def solution(scene: Scene) -> Steps:
    """Answer the customer with the announced date or with none, then tell the asker."""
    truth = scene.facts("truth")
    feature, date = truth["feature"], truth["date"]
    copy = own_copy(scene, truth["mail"])
    if truth["announced"]:
        text = f"The announced date for {feature} is {date}. Best regards"
        others = (f"Hello,\n\nwe have announced {feature} for {date}.\n\nKind regards",)
        told, more = f"I told them {date}, as announced.", (f"They know now that it is {date}.",)
    else:
        text = f"There is no date for {feature} that we can give you yet. We will write as soon as there is one."
        others = (f"Hello,\n\nI am sorry, we have not announced a date for {feature}.\n\nKind regards",)
        told, more = (
            f"I wrote that there is no announced date for {feature} yet.",
            ("No date, since none is announced.",),
        )
    answer = {"mode": "reply", "inReplyTo": copy, "text": text}
    yield Step("answer", "mail.send", answer, paraphrases={"text": others})
    yield reply(scene, told, after=("answer",), wordings=more)
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """The announced date and no other to the customer, or no date at all."""
    date = {"date": "event.truth.date"}
    rule = {"must": [date], "only": ["date"]} if truth["announced"] else {"never": ["date"]}
    answered = expect_mail("event.truth.contact", {"facts": rule, "min_chars": 20}, id="answered", weight=2, gate=True)
    told = expect_reply(truth, {"facts": {"must": [date]}}) if truth["announced"] else any_answer(truth)
    leak = {"facts": {"must": [{"date": "event.truth.internal"}]}}
    told_plan = {"id": "plan_told", "insert": "gmail_mail", "where": {"recipients": {"any": "event.truth.contact"}}}
    never = [nobody_outside("event.truth.contact"), {**told_plan, "text": {"field": "text", **leak}}]
    return make_rubric([answered, told], never=never)
