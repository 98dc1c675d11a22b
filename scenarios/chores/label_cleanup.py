"""Labels have several spellings: the open tickets get the one of the register, closed tickets and look-alikes stay."""

from scenarios.office.answers import state_count
from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import edit, edit_ticket, open_work, pin, read_first, rule_rooms, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="One spelling per label",
    apps=("jira", "slack"),
    calls=(6, 18),
    demands=2,
    traps={
        "closed": "literal: changes the labels of closed tickets as well",
        "own_meaning": "hasty: renames a label that looks like a misspelling and is one of its own",
        "others": "forgetful: drops a ticket's other labels",
    },
)

COUNTS = {"wrong": (2, 5), "closed": (1, 3)}
REQUESTS = (
    "My filter on {good} misses half of the tickets because everybody spells the label differently. Could you put that right in SHOP? How we"
    " do it is pinned in #{room}. How many did you change?",
    "can someone please fix the {good} label? there are at least three spellings. rules are in the pins of #{room}, give me the number of"
    " tickets you touched",
    "The label {good} exists in several versions in SHOP. Please unify it as the pinned note in #{room} says and tell me how many tickets"
    " that were.",
    "I would like one {good} label instead of a zoo of them. The register is pinned in #{room}. When you are through, how many tickets was"
    " it?",
    "For my report I search SHOP by {good}, and the result is wrong since people invent spellings. Please bring the labels in line with the"
    " pin in #{room}; I need the number of corrected tickets.",
)
RULES = (
    "Labels, so that filters work: write {good}, not {bad}. {own} is not a misspelling, it means {meaning}. Closed tickets are left as they"
    " are, somebody may have reported on them.",
    "Register of labels: {good} (wrong: {bad}). Mind that {own} is a label of its own for {meaning}. We correct open tickets only.",
    "One label, one spelling. Right: {good}. To be replaced where a ticket is open: {bad}. Not to be replaced: {own}, that is {meaning}."
    " Whatever is done keeps its labels.",
)
LABELS = {
    "webhooks": (("webhook", "web-hooks", "WebHooks"), "hooks", "our git hooks"),
    "performance": (("perf", "Performance", "performence"), "perf-budget", "the page weight project"),
    "timezone": (("timezones", "time-zone", "TZ"), "tz-data", "updates of the zone database"),
    "privacy": (("Privacy", "private", "privacy-gdpr"), "privacy-shield", "the contract with the lawyers"),
    "runbook": (("runbooks", "run-book", "Runbook"), "runbook-drill", "the drills with support"),
    "sessions": (("session", "Sessions", "sesssions"), "session-replay", "the research tool"),
}
BESIDE = ("q1", "beta", "pentest")


def draw(d: Draw) -> Facts:
    """Label open and closed tickets in wrong spellings, and one with the look-alike."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(find_titled(d, "Product Manager", "Head of", "Customer Success", "Product Designer"), "asker")["id"]
    good = d.pick(sorted(LABELS), "label")
    bad, own, meaning = LABELS[good]
    room = d.pick(rule_rooms(w, me["id"], get_superior(me)), "room")
    rule = d.pick(RULES, "rule").format(good=good, bad=", ".join(bad), own=own, meaning=meaning)
    pin(w, get_superior(me), room, rule)
    wrong, closed = (d.stream(name).integer(*COUNTS[name]) for name in ("wrong", "closed"))
    free = [one["key"] for one in open_work(w) if not one["labels"]]
    chosen = d.sample(free, wrong + 3, "tickets without labels")
    tickets = {f"t{number}": _misspell(d, key, bad, number) for number, key in enumerate(chosen[:wrong])}
    for key, label in zip(chosen[wrong:], (own, own, good), strict=True):
        edit_ticket(w, get_superior(me), key, labels=[label])
    for key in d.sample(_list_closed(d), closed, "closed tickets"):
        edit_ticket(w, get_superior(me), key, labels=[d.pick(bad, f"closed {key}")])
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Labels", f"The label {good}", "My filter")),
        "request": d.choose_wording(REQUESTS, good=good, room=room),
        "room": room,
        "good": good,
        "tickets": tickets,
        "count": wrong,
    }


def _list_closed(d: Draw) -> list[str]:
    """Closed tickets of SHOP without labels."""
    found = d.w.rows("jira_issue")
    return [
        one["key"] for one in found if one["resolution_id"] and one["key"].startswith("SHOP-") and not one["labels"]
    ]


def _misspell(d: Draw, key: str, bad: tuple[str, ...], number: int) -> dict[str, str]:
    """Give a ticket a wrong spelling, sometimes beside another label; returns both."""
    label = bad[number] if number < len(bad) else d.pick(bad, f"spelling {key}")
    beside = d.pick(BESIDE, f"beside {key}") if number == 0 or d.chance(0.4, f"beside {key}") else ""
    writer = d.pick(software_engineers(d), f"writer {key}")["id"]
    edit_ticket(d.w, writer, key, labels=[label, beside] if beside else [label])
    return {"key": key, "label": label, "beside": beside}


def solution(scene: Scene) -> Steps:
    """Give each open ticket the right label and keep its others; tell the number."""
    truth = scene.facts("truth")
    for name, ticket in truth["tickets"].items():
        if name == "t0":
            yield read_first(ticket["key"])
        yield edit(name, ticket["key"], labels=[truth["good"], *([ticket["beside"]] if ticket["beside"] else [])])
    count = truth["count"]
    yield reply(
        scene,
        f"{count} tickets have the right spelling now.",
        wordings=(f"It was {count}, all open ones. Closed tickets keep their labels.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = (
    "changed",
    "corrected",
    "fixed",
    "renamed",
    "right spelling",
    "touched",
)
OTHERS = ("still have", "still has", "still carry", "could not be changed", "could not change", "not changed")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """Exactly the right label and what stood beside it, on each open ticket; the number in the answer."""
    refs = {**ticket_refs("tickets", truth["tickets"]), "good": {"fact": "event.truth.good"}}
    expect: list[Item] = []
    for name, ticket in truth["tickets"].items():
        labels = [{"ref": "good"}]
        if ticket["beside"]:
            refs[f"{name}_beside"] = {"fact": f"event.truth.tickets.{name}.beside"}
            labels.append({"ref": f"{name}_beside"})
        expect.append({"id": f"label_{name}", "update": {"ref": name}, "set": {"labels": labels}, "weight": 2})
    expect.append(expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS)))
    return make_rubric(expect, refs=refs)
