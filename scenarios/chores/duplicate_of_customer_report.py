"""A customer's mail reports a fault: it joins the bug with the same error code, or becomes a ticket of its own."""

from apps.gmail.external_people import write_mail
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket, pin, ticket_ref
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Is the customer's report known?",
    apps=("gmail", "jira", "slack"),
    calls=(5, 14),
    demands=1,
    traps={
        "same_words": "hasty: takes a bug that sounds the same and has another error code",
        "second_mail": "hasty: goes by the code of the first mail, which the second one corrects",
        "new_anyway": "literal: opens another ticket for a known bug",
    },
)

REQUESTS = (
    "{customer} wrote to you today, subject '{subject}'. Could you see whether that is known, and file it the way it's pinned in #support? I"
    " talk to them myself, just tell me which ticket it is.",
    "there's a mail from {customer} in your inbox. known bug or new? please file it as we always do (pin in #support) and give me the ticket,"
    " i'll answer them",
    "Please take care of the report from {customer} ('{subject}'): known or new, it should end up where the pinned note in #support says. No"
    " answer to them, that is mine. Which ticket can I quote?",
    "{contact} from {customer} has mailed you. I will ring them this afternoon and need the ticket for it. How we file reports is pinned in"
    " #support, please don't write to them.",
    "Can you file what {customer} sent you, according to the pin in #support, and tell me where? The customer is my business, I only need"
    " the ticket.",
)
RULES = (
    "Reports by mail: if an open bug in SHOP has the same error code, name the customer in a comment there, no new ticket. If none has it,"
    " open a Support Request in INC, customer and code in its description. Similar words do not count.",
    "How we file what customers mail: compare the error code with the open SHOP bugs. Found: comment with the customer's name on that bug."
    " Not found: new Support Request in INC with customer and code in the description. Go by the code only.",
    "Filing rule: same code in an open SHOP bug -> add the customer there in a comment. No such bug -> INC, Support Request, description"
    " with customer and code. Never both.",
)
FAULTS = {
    "Orders cannot be printed": (
        "Printing an order gives an empty page",
        "Print view of orders is cut off",
        "Order print fails with many lines",
        "Print button on the order page does nothing",
    ),
    "Import of articles stops": (
        "Article import stops half way",
        "Import refuses articles with a long name",
        "Import of articles ends without a message",
        "Uploaded article list is ignored",
    ),
    "Buyers get somebody else's language": (
        "Language jumps to English after login",
        "Mails go out in the wrong language",
        "Language of the shop changes in the cart",
        "Chosen language is not kept",
    ),
    "Invoice total is shown twice": (
        "Invoice PDF repeats the total",
        "Total appears twice on partial invoices",
        "Sum line doubled for invoices over two pages",
        "Total of an invoice is printed on each page",
    ),
}
SERIES = ("PRN", "IMP", "LNG", "INV", "ADR")
MAILS = (
    "Hello,\n\n{fault}. It began this morning. The page says {code}.\n\nRegards\n{name}",
    "Hi there,\n\nwe have a problem: {fault}. Error {code} on the screen, every time.\n\nBest,\n{name}",
    "Good morning,\n\nplease have a look, {fault}. My colleague noted the code {code}.\n\nThank you\n{name}",
)
SECOND = (
    "Sorry, one correction: the code in my first mail is from last month. Today it is {code}.\n\n{name}",
    "I looked again. It is {code}, I had misread it.\n\n{name}",
    "Please forget the number I sent, my colleague says the page shows {code}.\n\n{name}",
)
DETAILS = (
    "Log shows {code}.",
    "Page answers with {code}.",
    "Always {code}, in every browser.",
    "Reported with {code}.",
)


def draw(d: Draw) -> Facts:
    """Open bugs that sound alike, and let a customer write about one of them or about none."""
    w = d.w
    desk = [one for one in d.people() if "Support Engineer" in one["title"]]
    me = d.pick(desk, "support engineers", me=True)
    pin(w, w.find("team", name="Support")["lead_id"], "support", d.pick(RULES, "rule"))
    owners = {one["id"] for one in d.people()}
    customers = [one for one in w.rows("organisation", kind="customer") if one["owner_id"] in owners]
    customer = d.pick(customers, "customers")
    contact = d.pick(w.rows("contact", organisation_id=customer["id"]), "contacts")
    fault = d.pick(sorted(FAULTS), "fault")
    known = d.chance(0.6, "known")
    codes = _draw_codes(d)
    bugs = _open_bugs(d, fault, codes, [one["id"] for one in desk])
    code = codes[0] if known else codes[-1]
    _write(d, contact, me["email"], fault, code, codes[1])
    said = {"customer": customer["name"], "subject": fault, "contact": contact["full_name"]}
    return {
        "me": me["id"],
        "asker": customer["owner_id"],
        **choose_place(
            d, me["id"], customer["owner_id"], (f"Mail from {customer['name']}", "A report", "Known or new?")
        ),
        "request": d.choose_wording(REQUESTS, **said),
        "customer": customer["name"],
        "contact": contact["email"],
        "subject": fault,
        "code": code,
        "known": bugs[0] if known else "",
    }


def _draw_codes(d: Draw) -> list[str]:
    """Five error codes that differ in their last digits."""
    series, number = d.pick(SERIES, "series"), d.stream("number").integer(200, 880)
    return [f"{series}-{number + step}" for step in d.sample(range(0, 20), 5, "codes")]


def _open_bugs(d: Draw, fault: str, codes: list[str], desk: list[str]) -> list[str]:
    """One bug for each of the first four codes, opened in any order; one has its code in a comment only."""
    keys: dict[int, str] = {}
    titles = d.sample(FAULTS[fault], 4, "titles")
    late = d.stream("late").integer(0, 3)
    for number in d.sample(range(4), 4, "order"):
        writer = d.pick(desk, f"writer {number}")
        detail = d.pick(DETAILS, f"detail {number}").format(code=codes[number])
        text = "Not seen by us, reported by telephone." if number == late else detail
        keys[number] = open_ticket(d.w, writer, titles[number], text)
        if number == late:
            comment(d.w, writer, keys[number], detail)
    return [keys[number] for number in range(4)]


def _write(d: Draw, contact: Facts, to: str, fault: str, code: str, other: str) -> None:
    """Send the customer's mail; in two of five draws a second one corrects its code."""
    corrected = d.chance(0.4, "corrected")
    said = {"fault": fault[0].lower() + fault[1:], "name": contact["full_name"]}
    text = d.pick(MAILS, "mail").format(code=other if corrected else code, **said)
    made = write_mail(d.w, contact["email"], [to], fault, text)
    if corrected:
        text = d.pick(SECOND, "second").format(code=code, **said)
        write_mail(d.w, contact["email"], [to], f"Re: {fault}", text, inReplyTo=made["messageId"])


def solution(scene: Scene) -> Steps:
    """Name the customer on the known bug or open a request, then say where it is."""
    truth = scene.facts("truth")
    customer, code = truth["customer"], truth["code"]
    if truth["known"]:
        yield name_customer(truth)
        key = truth["known"]
    else:
        fields = {"project": {"key": "INC"}, "issuetype": {"name": "Support Request"}}
        text = f"{truth['subject']} at {customer}, reported by mail. The page shows {code}."
        made = yield Step(
            "open",
            "createIssue",
            {"fields": {**fields, "summary": f"{customer}: {truth['subject']}", "description": text}},
        )
        key = made["key"]
    yield reply(scene, f"{key} is the ticket for it.", wordings=(f"You can quote {key}.",))
    yield Step("finish", "world.finish", {"status": "done"})


def name_customer(truth: Facts) -> Step:
    """The step that names the customer on the known bug."""
    customer, code = truth["customer"], truth["code"]
    texts = (f"{customer} has this too, with {code}.", f"Also seen at {customer} ({code}).")
    return Step(
        "comment", "addComment", {"issueIdOrKey": truth["known"], "body": texts[0]}, paraphrases={"body": texts[1:]}
    )


def rubric(truth: Facts) -> RubricSource:
    """The customer on the known bug, or a request with customer and code; nothing goes outside."""
    refs: dict[str, Item] = {"customer": {"table": "organisation", "where": {"name_from": "event.truth.customer"}}}
    never = [{"id": "wrote_outside", "insert": "gmail_outbound"}]
    if truth["known"]:
        refs["known"] = ticket_ref("known")
        where = {"issue_id": {"ref": "known"}, "author": {"ref": "agent"}}
        text = {"field": "body_text", "facts": {"must": [{"ref": "customer"}]}}
        named = {"id": "named", "insert": "jira_comment", "where": where, "text": text, "weight": 2}
        told = expect_reply(truth, {"facts": {"must": ["event.truth.known"]}})
        return make_rubric([named, told], refs=refs, never=never)
    where = {"project": "INC", "issue_type": "Support Request"}
    said = [{"mentions": "event.truth.code"}, {"mentions": {"ref": "customer"}}]
    text = {"field": "description_text", "all_of": said}
    opened = {"id": "opened", "insert": "jira_issue", "where": where, "text": text, "weight": 2}
    return make_rubric([opened, expect_reply(truth, {"facts": {"some": ["key"]}})], refs=refs, never=never)
