"""Guests answer an invitation by mail, and some change their answer: how many come, and how many eat no meat."""

from collections.abc import Sequence

from scenarios.office.mail import letter, list_contacts, nobody_outside, receive, send
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Count the guests and their meals",
    apps=("gmail",),
    calls=(3, 14),
    traps={
        "late": "hasty: counts somebody who has taken the yes back in a second mail",
        "guest": "hasty: leaves out the colleague whom a guest brings",
        "diet": "forgetful: misses the meal that somebody mentions afterwards",
    },
)

REQUESTS = (
    "I need two numbers for the kitchen: how many guests come to our {event}, and how many of them eat no meat? The answers went to you as"
    " well. Please do not write to the guests again.",
    "who has said yes to the {event}? only numbers please: guests in all, and those without meat (vegans too). the mails are in your box as"
    " well as mine. leave the guests in peace",
    "Could you go through the answers about the {event}? The kitchen wants to know how many people come from outside, and how many meals"
    " without meat that makes. You have got all the mails. No further mails to our guests, please.",
    "For the {event} I must order today. How many guests have we, and how many vegetarians or vegans among them? You were copied on every"
    " answer. Whoever has not answered does not count.",
    "Please count the guests of our {event} for me, and the meatless meals among them. All answers are in your mail. Only a firm yes counts."
    " I do not want them to be asked again.",
)
EVENTS = (
    "customer lunch",
    "open kitchen day",
    "user round",
    "office tour",
    "spring breakfast",
    "product evening",
    "founders' dinner",
)
YES = ("I will be there, and I eat everything.", "Count me in. No wishes as to food.", "Happy to come, anything goes.")
MEATLESS = (
    "I am coming. Vegetarian, please.",
    "Yes, with pleasure. I eat vegan.",
    "Count me in, without meat if you can.",
)
NO = ("Sorry, I am travelling that week.", "I cannot make it this time.", "Thank you, but I have to say no.")
BACK = (
    "I am sorry, I cannot come after all.",
    "Please take me off the list, something has come up here.",
    "My yes was too early, I must stay here.",
)
DIET = (
    "I forgot to say that I do not eat meat.",
    "One more thing: vegetarian for me, please.",
    "By the way, I am a vegan.",
)
BRINGS = (
    "May I bring my colleague {name}? You said that is fine. {name} eats no meat.",
    "{name} of our office comes along with me, as agreed with you. Vegetarian, please.",
)
COUNTED = {
    "count": ["guests", "guest", "people", "visitors", "come", "coming"],
    "others": [
        *(
            "said no",
            "have said no",
            "guests have said no",
            "have not answered",
            "not answered",
            "were invited",
            "invited",
            "guests were invited",
        ),
        *("colleagues of ours", "our own", "of ours", "last year"),
    ],
    "meatless": ["no meat", "without meat", "meatless", "vegetarian", "vegetarians", "vegan", "vegans"],
}
COLLEAGUES = ("Robin Adler", "Sam Osei", "Toni Vesely", "Alex Marin", "Kim Falk", "Jo Lennart")


def draw(d: Draw) -> Facts:
    """Choose the guests and their answers, and let some of them write again."""
    w = d.w
    asker = d.pick(
        [one for one in d.people() if one["title"].startswith(("People", "Head of", "Customer Success"))], "asker"
    )
    me = d.pick([one for one in d.people() if one["id"] != asker["id"]], "me", me=True)
    event = d.pick(EVENTS, "event")
    guests = d.sample(list_contacts(w), 10, "guests")
    numbers = d.stream("numbers")
    yes, meatless = numbers.integer(3, 4), numbers.integer(2, 3)
    eaters, green = guests[:yes], guests[yes : yes + meatless]
    answers = [(one, d.pick(YES, f"yes {one['id']}")) for one in eaters]
    answers += [(one, d.pick(MEATLESS, f"meatless {one['id']}")) for one in green]
    answers += [(one, d.pick(NO, f"no {one['id']}")) for one in guests[yes + meatless : 8]]
    answers = d.stream("order").shuffled(answers)
    counts, later = change(d, eaters, green)
    invite = send(
        w,
        asker["id"],
        [one["email"] for one in guests],
        event.capitalize(),
        f"You are invited to our {event}. Who comes, and what do you eat?",
    )
    for one, text in [*answers, *later]:
        signed = letter(asker["first_name"], text, one["full_name"])
        subject = f"Re: {event.capitalize()}"
        receive(w, one["email"], [asker["email"], w.person(me["id"]).email], subject, signed, inReplyTo=invite)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(
            d, me["id"], asker["id"], ("Two numbers", "For the kitchen", event.capitalize()), places=("dm", "channel")
        ),
        "request": d.choose_wording(REQUESTS, event=event),
        "event": event,
        "guests": {f"g{n}": one["email"] for n, one in enumerate(guests)},
        "later": {f"l{n}": text for n, (_, text) in enumerate(later)},
        "count": counts[0],
        "meatless": counts[1],
    }


def change(d: Draw, eaters: Sequence[Facts], green: Sequence[Facts]) -> tuple[tuple[int, int], list[tuple[Facts, str]]]:
    """What guests write afterwards, and how many come then in all and without meat."""
    come, meatless = len(eaters) + len(green), len(green)
    later: list[tuple[Facts, str]] = []
    kinds = d.sample(("back", "green back", "diet", "brings"), 2, "changes")
    if "back" in kinds:
        later.append((eaters[0], d.pick(BACK, "back")))
        come -= 1
    if "green back" in kinds:
        later.append((green[0], d.pick(BACK, "green back")))
        come, meatless = come - 1, meatless - 1
    if "diet" in kinds:
        later.append((eaters[1], d.pick(DIET, "diet")))
        meatless += 1
    if "brings" in kinds:
        later.append((eaters[2], d.pick(BRINGS, "brings").format(name=d.pick(COLLEAGUES, "colleague"))))
        come, meatless = come + 1, meatless + 1
    return (come, meatless), later


def solution(scene: Scene) -> Steps:
    """Answer with both numbers."""
    truth = scene.facts("truth")
    come, meatless = truth["count"], truth["meatless"]
    yield reply(
        scene,
        f"{come} guests come, {meatless} of them eat no meat.",
        wordings=(
            f"Guests: {come}. Without meat: {meatless}.",
            f"We will have {come} people from outside, and {meatless} vegetarian or vegan meals.",
        ),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Both numbers, in one message or in two, and no mail to the guests."""
    guests, meatless = ({"count": f"event.truth.{one}", "called": one} for one in ("count", "meatless"))
    replied = expect_number(truth, "replied", guests, meatless)
    parts = [expect_number(truth, "told_guests", guests), expect_number(truth, "told_meatless", meatless)]
    return make_rubric(
        [replied, *parts], one_of=[["replied"], ["told_guests", "told_meatless"]], never=[nobody_outside()]
    )


def expect_number(truth: Facts, id: str, *counts: Facts) -> Item:
    """A reply with some of the numbers, each under its own label or under none."""
    return expect_reply(truth, {"facts": {"must": list(counts), "labels": COUNTED}, "max_chars": 1200}, id=id)
