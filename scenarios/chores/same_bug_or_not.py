"""Reports of one fault pile up: those with its error code are linked to the first and resolved, look-alikes stay."""

from scenarios.office.answers import state_count
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket, pin, read_first, ticket_ref, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Put reports of the same fault together",
    apps=("jira", "slack"),
    calls=(9, 24),
    demands=1,
    traps={
        "look_alike": "hasty: closes a report with the same words and another error code",
        "corrected": "hasty: goes by a code that a later comment takes back",
        "first": "forgetful: links to some report instead of the one with the lowest number",
    },
    knobs={"same": ((2, 2), (2, 3), (3, 4)), "other": ((1, 2), (2, 2), (2, 2))},
)

REQUESTS = (
    "We have a pile of reports about {topic} since this morning and half of them are the same thing. Could you tidy that up the way"
    " the pinned note in #support says? Tell me how many were duplicates.",
    "the {topic} reports in INC are a mess, at least some are one and the same. please sort out the doubles, rules are pinned in #support."
    " a number of how many you folded is enough for me",
    "Can you go through today's tickets about {topic}? What is the same fault belongs together, what is not must stay open. How we do it"
    " is pinned in #support. Let me know how many were doubles.",
    "I counted the tickets on {topic} for the weekly figures and I do not believe the number. Please take out the duplicates as pinned in"
    " #support and write me how many there were.",
    "Before the shift ends: all those reports about {topic}, are they one bug? Fold the ones that are, see the pin in #support, leave the"
    " rest alone. How many did you fold?",
)
RULES = (
    "Duplicates in INC: same error code in the customer's report = same fault, nothing else counts. The ticket with the lowest number stays"
    " open, the others get a Duplicate link to it and are resolved as Duplicate. Other code: own ticket, stays open.",
    "How we fold tickets: only the error code decides, not the words. Lowest INC number is kept, every other one with that code is linked"
    " to it (Duplicate) and resolved with Duplicate. A different code stays a ticket of its own.",
    "Reminder on doubles in INC, because we lost a real bug last time: compare error codes. Equal code -> link to the lowest number as"
    " Duplicate and resolve as Duplicate. Unequal code -> hands off, however similar it sounds.",
)
TOPICS: dict[str, tuple[str, ...]] = {
    "missing confirmation mails": (
        "no order confirmation since 9",
        "buyers get no confirmation mail",
        "confirmation mail missing for one buyer",
        "where is the order mail?",
        "confirmations do not arrive",
        "order goes through, mail does not come",
        "no mail after checkout",
    ),
    "the stuck CSV export": (
        "export never finishes",
        "CSV download hangs",
        "orders export stays on 'preparing'",
        "spreadsheet of January cannot be downloaded",
        "export button does nothing",
        "waiting for a CSV since breakfast",
        "download stops at the end",
    ),
    "rejected discount codes": (
        "discount code is refused",
        "voucher does not work any more",
        "'code not valid' for a valid code",
        "autumn voucher rejected at checkout",
        "rebate code gives an error",
        "code accepted yesterday, refused today",
        "buyers cannot use their code",
    ),
    "the endless spinner at login": (
        "login spins for ever",
        "buyer cannot get past the login page",
        "sign-in never ends",
        "single sign-on hangs",
        "page after the password stays white",
        "login works on the third try only",
        "nobody in purchasing gets in",
    ),
    "wrong delivery dates": (
        "delivery date lies in the past",
        "date of delivery jumps by a week",
        "checkout promises a Sunday",
        "wrong arrival date on the order page",
        "delivery day differs between mail and page",
        "date off by seven days",
        "order shows last year's date",
    ),
}
CODES = ("CHK", "ORD", "MSG", "EXP", "AUT")
TEXTS = (
    "{who} called. They see error {code} every time.",
    "From {who}: screenshot shows {code}, second attempt the same.",
    "{who} wrote in. Message on the page: 'Something went wrong ({code})'.",
    "Code on the screen is {code}. {who} needs it before noon.",
    "{who} tried two browsers. {code} in both.",
)
CORRECTIONS = (
    "Correction: I copied that from the wrong tab. The code {who} sent is {code}.",
    "{who} sent the screenshot now, and it says {code}. What I wrote above is wrong.",
    "Sorry, misread it on the phone. It is {code}, not what stands above.",
)


def draw(d: Draw) -> Facts:
    """Open the reports of a morning: the first, those of the same fault, and look-alikes."""
    w = d.w
    desk = [one for one in d.people() if "Support Engineer" in one["title"]]
    me = d.pick(desk, "support engineers", me=True)
    asker = d.pick(
        [one for one in d.people() if one["title"].startswith(("Head of Support", "Customer Succ"))], "asker"
    )
    pin(w, w.find("team", name="Support")["lead_id"], "support", d.pick(RULES, "rule"))
    topic = d.pick(sorted(TOPICS), "topic")
    reports = _open_reports(d, topic, [one["id"] for one in desk])
    same = reports["same"]
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], (f"Tickets about {topic}", "Doubles in INC", "Pile of tickets")),
        "request": d.choose_wording(REQUESTS, topic=topic),
        "topic": topic,
        **reports,
        "count": len(same),
    }


def _open_reports(d: Draw, topic: str, desk: list[str]) -> Facts:
    """The kept ticket, the others of its fault and the look-alikes (each with a code of its own), in random order."""
    stream = d.stream("counts")
    same, other = stream.integer(*d.knob("same")), stream.integer(*d.knob("other"))
    series = d.pick(CODES, "series")
    first = d.stream("code").integer(200, 800)
    others = [f"o{at}" for at in range(other)]
    steps = d.sample(range(1, 10), other, "step")
    codes = {"same": f"{series}-{first}"}
    codes |= {name: f"{series}-{first + step}" for name, step in zip(others, steps, strict=True)}
    kinds = d.stream("order").shuffled(["same"] * (same + 1) + others)
    corrected = d.stream("corrected").integer(0, len(kinds) - 1)
    customers = d.sample([one["name"] for one in d.w.rows("organisation", kind="customer")], len(kinds), "customers")
    summaries = d.sample(TOPICS[topic], len(kinds), "summaries")
    doubles, apart = list[str](), dict[str, Facts]()
    for number, (kind, who, summary) in enumerate(zip(kinds, customers, summaries, strict=True)):
        wrong = "o0" if kind == "same" else "same"
        report = {"who": who, "code": codes[wrong if number == corrected else kind]}
        writer = d.pick(desk, f"writer {number}")
        text = d.pick(TEXTS, f"text {number}").format(**report)
        key = open_ticket(d.w, writer, f"{who}: {summary}", text, project="INC", kind="Support Request")
        if number == corrected:
            comment(d.w, writer, key, d.pick(CORRECTIONS, "correction").format(who=who, code=codes[kind]))
        if kind == "same":
            doubles.append(key)
        else:
            apart[kind] = {"key": key}
    kept, *doubles = doubles
    return {
        "codes": codes,
        "kept": kept,
        "same": {f"s{number}": {"key": key} for number, key in enumerate(doubles)},
        "other": apart,
    }


def solution(scene: Scene) -> Steps:
    """Link each double to the kept ticket, resolve it, then tell how many there were."""
    truth = scene.facts("truth")
    yield read_first(truth["kept"])
    for name, ticket in truth["same"].items():
        key = ticket["key"]
        ends = {"inwardIssue": {"key": key}, "outwardIssue": {"key": truth["kept"]}}
        yield Step(f"link_{name}", "linkIssues", {"type": {"name": "Duplicate"}, **ends}, repeatable=True)
        taken = {"transition": {"name": "Resolve"}, "fields": {"resolution": {"name": "Duplicate"}}}
        yield Step(f"resolve_{name}", "doTransition", {"issueIdOrKey": key, **taken})
    count = truth["count"]
    yield reply(
        scene,
        f"{count} were duplicates of {truth['kept']}, they are linked and resolved.",
        wordings=(
            f"{count} doubles, all folded into {truth['kept']}. The rest has another error code and stays open.",
        ),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = (
    "duplicates",
    "duplicate",
    "doubles",
    "folded",
    "the same",
)
OTHERS = ("different", "stay open", "stayed open", "another code", "other code", "their own")
"""What the answer counts, and what it does not count."""


CALLED_DOUBLE = [
    {"claims": {"subject": subject, "state": state}}
    for subject in ("this", "this one", "it", "fault")
    for state in ("duplicate", "same", "closed")
]
"""What no comment says of a ticket that stays."""


def rubric(truth: Facts) -> RubricSource:
    """Each double linked to the kept ticket and resolved as a duplicate; the number in the answer."""
    refs = {"kept": ticket_ref("kept"), **ticket_refs("same", truth["same"]), **ticket_refs("other", truth["other"])}
    expect: list[Item] = []
    for name in truth["same"]:
        ends = [{"source_id": {"ref": a}, "destination_id": {"ref": b}} for a, b in ((name, "kept"), ("kept", name))]
        linked = {"type": "Duplicate", "any_of": ends}
        expect.append({"id": f"linked_{name}", "insert": "jira_issue_link", "where": linked})
        done = {"status": "Resolved", "resolution": "Duplicate"}
        expect.append({"id": f"resolved_{name}", "update": {"ref": name}, "set": done, "weight": 2})
    expect.append(expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS)))
    never = [
        {"id": f"closed_{name}", "update": "jira_issue", "where": {"key_from": f"event.truth.other.{name}.key"}}
        for name in truth["other"]
    ]
    doubled = {"field": "body_text", "any_of": CALLED_DOUBLE}
    remarks = [
        {"insert": "jira_comment", "where": {"issue_id": {"ref": name}, "author": {"ref": "agent"}}}
        for name in truth["other"]
    ]
    never += [{"id": f"called_double_{at}", **one, "text": doubled} for at, one in enumerate(remarks)]
    apart = [{**one, "max": 1} for one in remarks]
    return make_rubric(expect, refs=refs, allow=apart, never=never)
