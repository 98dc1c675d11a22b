"""Accounts change hands from a day on: each gets its next owner, except those that stay, and its tickets go along."""

from collections.abc import Sequence
from datetime import date, timedelta

from scenarios.office.accounts import SHOPS, date_cell, today
from scenarios.office.answers import state_count
from scenarios.office.books import BOOK, cell, make_book, say_day, word, write
from scenarios.office.mail import answer, nobody_outside, send
from scenarios.office.people import account, list_titled, software_engineers
from scenarios.office.private_messages import describe_reader, expect_private_message, join_told, tell
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import open_ticket, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Hand accounts over to a colleague from a day on",
    apps=("sheets", "jira", "gmail", "slack"),
    calls=(8, 22),
    traps={
        "stays": "hasty: passes on an account that stays, by a remark or by a mail",
        "ahead": "literal: changes the owner of today though the day has not come",
        "due": "forgetful: passes on a ticket that is due before the day",
    },
)

REQUESTS = (
    "From {day} {name} takes over my accounts in {book}, as far as agreed. Could you enter that and pass on the tickets by our rules? Please"
    " write {first} which accounts it is, and me how many.",
    "can you do my handover to {name}? starts on {day}. accounts are in {book}, what stays with me you know from the mail, and the open"
    " tickets go along as usual. {first} should hear the names from you, i only need the number",
    "I hand my accounts over to {name} on {day}. Please put it into {book} the way we always do, tickets included, and send {first} the"
    " names of the accounts. How many are they in the end?",
    "{name} becomes the owner of most of my accounts ({book}) on {day}. Would you prepare it, list and tickets, and tell {first} which ones"
    " they are? Answer me with the count.",
    "My accounts go to {name} with effect from {day}, apart from what I keep. {book} and the tickets have to say so. Let {first} know the"
    " names in a message, and tell me the number, thanks!",
)
BOOKS = ("Pilot shops", "Partner accounts", "Small accounts", "Accounts of the pilot", "Reseller accounts")
WORK = (
    "{shop}: second location in the dashboard",
    "{shop}: import of the old price list",
    "{shop}: card terminal shows the wrong name",
    "{shop}: training for the new staff",
    "{shop}: statement goes to the wrong address",
    "{shop}: test orders are still visible",
)
REMARKS = (
    "stays with {first}, agreed with the shop",
    "{first} keeps this one (family ties)",
    "not to be moved: {first}",
)
KEEPS = (
    "just so that we all have it in writing: {shop} stays with {first} until their renewal is signed. The others come to me.",
    "as agreed on the phone, I take the accounts, but not {shop}: {first} finishes the talks there first.",
    "one exception to our plan, {shop} is {first}'s for the time being, they have asked for that.",
)
FREED = (
    "{shop} can go too. They signed this morning, nothing keeps it any longer.",
    "Good news: no need for the exception, {shop} is fine with the change. Please move it with the rest.",
)
STILL = (
    "Makes sense to me, {shop} has been waiting for that contract long enough.",
    "Thanks. I would not touch {shop} now either.",
)


def draw(d: Draw) -> Facts:
    """Choose who hands over to whom, what stays, and the tickets of moving and staying accounts."""
    w = d.w
    outside = list_titled(d, "Customer Success", "Product Manager", "Support", "Senior Support", "Head of", "Finance")
    asker, successor, me, chief, *owners = (w.person(one) for one in d.sample(outside, 6, "owners of accounts", me=2))
    day = (today(d) + timedelta(days=d.stream("day").integer(31, 95))).replace(day=1)
    shops = d.sample(SHOPS, 11, "shops")
    mine, others = shops[:5], shops[5:]
    freed = d.chance(1 / 3, "freed")
    names = {"first": asker.first_name, "shop": mine[1]}
    subject = d.pick(("Your accounts", "Handover", "The list", "Accounts from {day}"), "subject")
    subject = subject.format(day=say_day(day))
    text = f"Hi both,\n\n{d.pick(KEEPS, 'keeps').format(**names)}\n\n{successor.first_name}"
    mail = send(w, successor.id, [asker.email, me.email, chief.email], subject, text)
    answer(w, chief.id, mail, d.pick(FREED if freed else STILL, "answer").format(**names))
    moving = mine[1:] if freed else mine[2:]
    tickets = open_tickets(d, asker.id, moving, mine[0], day)
    title = d.pick(BOOKS, "title")
    rows = d.stream("rows").shuffled(
        [[one, asker.full_name] for one in mine]
        + [[one, d.stream("owner", one).choice(owners).full_name] for one in others]
    )
    remark = d.pick(REMARKS, "remark").format(first=asker.first_name)
    listed = [[shop, owner, "", "", remark if shop == mine[0] else ""] for shop, owner in rows]
    place = {shop: at for at, (shop, _) in enumerate(rows, 1)}
    first = successor.first_name
    return {
        "me": me.id,
        "asker": asker.id,
        **choose_place(d, me.id, asker.id, ("Handover", "My accounts", f"Accounts for {first}")),
        "request": d.choose_wording(
            REQUESTS, name=successor.full_name, first=first, day=say_day(day), book=f'"{title}"'
        ),
        "book": make_book(w, asker.id, title, list_tabs(listed), [me.id, successor.id]),
        "successor": {**describe_reader(w, me.id, successor.id), "jira": account(w, successor.id, "jira")},
        "day": day.isoformat(),
        "freed": freed,
        "moving": {f"a{at}": {"shop": shop, "row": place[shop]} for at, shop in enumerate(moving)},
        "stays": [shop for shop in mine if shop not in moving],
        "others": others,
        "address": asker.email,
        "tickets": tickets,
        "count": len(moving),
    }


def list_tabs(listed: list[list[str]]) -> dict[str, list[list[str]]]:
    """The accounts, and how one changes hands."""
    return {
        "Accounts": [["Account", "Owner", "Next owner", "From", "Remark"], *listed],
        "How": [
            ["An account that changes hands later gets its next owner and the day in From. Nothing else changes."],
            ["Owner is who looks after it today. The night run turns it over on the day itself."],
            [
                "Open tickets of an account go to the next owner at once, but what is due before the day is finished first."
            ],
            ["The shops hear of it from their old owner, on the day."],
        ],
    }


def open_tickets(d: Draw, asker: str, moving: Sequence[str], stays: str, day: date) -> dict[str, dict[str, str]]:
    """Tickets of the asker: of moving accounts, of which one is due before the day, and of one that stays."""
    w = d.w
    work = d.sample(WORK, 5, "work")
    due = {
        2: day - timedelta(days=d.stream("due").integer(3, 9)),
        0: day + timedelta(days=d.stream("late").integer(4, 20)),
    }
    shops = [moving[0], moving[1], moving[2], stays, moving[1]]
    people = [one["id"] for one in software_engineers(d)]
    keys = [
        open_ticket(
            w,
            people[at % len(people)],
            work[at].format(shop=shop),
            kind="Task",
            assignee={"accountId": account(w, asker, "jira")},
            **({"duedate": due[at].isoformat()} if at in due else {}),
        )
        for at, shop in enumerate(shops)
    ]
    return {f"t{at}": {"key": keys[at]} for at in (0, 1, 4)}


def solution(scene: Scene) -> Steps:
    """Enter next owner and day, pass on the tickets, tell the two."""
    truth = scene.facts("truth")
    successor = truth["successor"]
    for name, one in truth["moving"].items():
        yield write(name, truth["book"], f"Accounts!C{one['row'] + 1}", successor["name"], truth["day"])
    for name, one in truth["tickets"].items():
        arguments = {"issueIdOrKey": one["key"], "accountId": successor["jira"]}
        yield Step(name, "assignIssue", arguments, repeatable=True)
    shops = ", ".join(one["shop"] for one in truth["moving"].values())
    others = (f"Hi, these become yours: {shops}. The tickets are with you already.",)
    yield tell("told", successor, f"From {truth['day']} you have these accounts: {shops}.", wordings=others)
    count = truth["count"]
    wordings = (f"{count} of your accounts move.", f"Done: {count} accounts, with their tickets.")
    yield reply(scene, f"{count} accounts go over, list and tickets are prepared.", wordings=wordings)
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = (
    "move, moves, moved, go over, go to, change hands, handed over, hand over, passed on, in all, in total, of"
    " your accounts"
)
REST = "stay, stays, stay with you, accounts stay, keep, kept, remain, remains, tickets, ticket, open tickets, due"
MOVES = {
    "moves": (
        "yours, you have, you look after, you get, you take over, become yours, take over, go to you, come to you, pass to you, belong to"
        " you, your accounts, you own, you are the owner, you will have"
    ),
    "stays": (
        "stay, stays, staying, keep, keeps, kept, remain, remains, do not get, don't get, not yours, somebody else, someone else, not to"
        " you, excluded, exception, except"
    ),
}
"""What the texts may call the accounts."""


def rubric(truth: Facts) -> RubricSource:
    """Next owner and day of each moving account, their tickets, and a word to both."""
    cells = [
        item
        for name in truth["moving"]
        for path in [f"event.truth.moving.{name}.row"]
        for item in (
            cell(f"next_{name}", "Accounts", path, 2, word(truth["successor"]["name"]), empty=True),
            cell(f"from_{name}", "Accounts", path, 3, date_cell(truth["day"]), empty=True),
        )
    ]
    tickets = [
        {"id": f"passed_{name}", "update": {"ref": name}, "set": {"assignee_id": {"ref": "next"}}}
        for name in truth["tickets"]
    ]
    kept = [*truth["stays"], *truth["others"]]
    text = {
        "facts": {
            "must": [{"text": f"event.truth.moving.{name}.shop", "called": "moves"} for name in truth["moving"]],
            "never": [{"text": one, "called": "moves"} for one in kept],
            "labels": MOVES,
        },
        "none_of": [{"mentions": one} for one in ("from today", "as of today", "from now on", "with immediate effect")],
        "max_chars": 2000,
    }
    said = expect_private_message("told", "event.truth.successor", text, copy="event.truth.address", weight=2)
    items, one_of, refs = join_told([said])
    answered = expect_reply(truth, state_count("event.truth.count", COUNTED, REST, others=kept), weight=2)
    refs = {
        "book": BOOK,
        "next": {"employee": {"fact": "event.truth.successor.id"}},
        **refs,
        **ticket_refs("tickets", truth["tickets"]),
    }
    return make_rubric([*cells, *tickets, *items, answered], refs=refs, one_of=one_of, never=[nobody_outside()])
