"""New bugs get a component and a priority by the rule that is pinned in a channel."""

from collections.abc import Sequence

from scenarios.office.answers import state_count
from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, edit, open_ticket, pin, rule_rooms, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Sort the new bugs",
    apps=("jira", "slack"),
    calls=(6, 20),
    demands=2,
    traps={
        "second_customer": "hasty: reads the description and misses the second customer in the comments",
        "way_round": "literal: takes a loud title for a high priority, though there is a way round",
        "withdrawn": "hasty: counts a customer who was taken back in a comment",
    },
)

REQUESTS = (
    "Today's new bugs have no component yet and all sit on Medium. Could you sort them by the rule pinned in #{room}? How many of them are"
    " High in the end?",
    "can you triage the bugs that support opened today? they carry the label {label}. component + priority as pinned in #{room}, then tell"
    " me how many came out as high",
    "Please go through the bugs labelled {label} and give each its component and priority, our rule is in the pins of #{room}. I need the"
    " number of High ones for the round.",
    "The new {label} bugs need sorting before stand-up. Pinned rule in #{room}, no new inventions please. Send me how many High we have.",
    "Would you take over triage today? It is the bugs with the label {label}, component and priority according to the note in #{room}."
    " Afterwards I would like to hear how many are High.",
)
RULES = (
    "Triage of bugs: component = the page on which it is seen. Priority: High if it hits two customers or more and there is no way round,"
    " Low if there is a way round and only one customer has it, Medium for everything else. How loud the title is does not matter.",
    "Rule for new bugs. Component is where one sees it. Two or more customers AND no way round: High. One customer AND a way round: Low. All"
    " others: Medium. Read the comments, customers join later.",
    "How bugs are sorted here: page where it shows -> component. Count customers (comments too) and look for a way round. >= 2 and none:"
    " High. 1 and there is one: Low. Rest: Medium.",
)
PAGES = {
    "checkout": ("in the payment step of checkout", "on checkout's address page", "at the end of checkout"),
    "dashboard": (
        "on the dashboard's payouts page",
        "on the dashboard, list of users",
        "on the first page of the dashboard",
    ),
    "search": ("in the results of search", "in search, after the second filter", "in the search field"),
    "webhooks": (
        "in the delivery log of webhooks",
        "in the settings of webhooks",
        "on the page with webhooks endpoints",
    ),
    "ledger": ("in the month view of the ledger", "in the ledger, booking detail", "on the ledger's export page"),
}
FAULTS = (
    ("Button stays grey", "The button to go on stays grey"),
    ("URGENT!!! Page is empty", "The page stays empty"),
    ("Amounts without currency", "Amounts are shown without their currency"),
    ("Nothing works since Friday", "Saving gives an error"),
    ("Date in the wrong order", "Day and month are swapped"),
    ("Small thing: text runs out of the box", "A long name covers the field beside it"),
    ("DISASTER for our biggest buyer", "The list ends after ten lines"),
    ("Question about a field", "The field forgets what was typed"),
)
AROUND = ("Reloading helps.", "Works in a private window, they do that now.", "With the keyboard it goes through.")
NO_WAY = ("We found no way round.", "Tried everything we know, no way round.", "No way round, they have stopped.")
JOINED = ("{who} has the same since noon.", "Same at {who}, they just called.", "One more: {who}.")
TAKEN_BACK = (
    "Please ignore {who}, that was another thing and is solved.",
    "{who} was a mistake of mine, they are fine.",
    "Not {who} after all, they had an old browser.",
)

LABELS = ("intake", "unsorted", "from-desk", "fresh", "to-sort", "new-bug")


def find_free(d: Draw, labels: Sequence[str]) -> list[str]:
    """The labels that no ticket carries yet: whoever looks for one finds the new bugs alone."""
    carried = {label for one in d.w.rows("jira_issue") for label in one["labels"] or ()}
    return [one for one in labels if one not in carried]


def draw(d: Draw) -> Facts:
    """Open bugs that differ in page, customers and whether there is a way round."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(
        [get_superior(me), *(one["id"] for one in find_titled(d, "Head of Support", "Product Manager"))], "asker"
    )
    room = d.pick(rule_rooms(w, me["id"], get_superior(me)), "room")
    pin(w, get_superior(me), room, d.pick(RULES, "rule"))
    label = d.pick(find_free(d, LABELS), "label")
    count = d.stream("bugs").integer(4, 6)
    shapes = [(2, False, False), (2, False, False), (1, False, True), (1, True, False)]
    rest = ((2, True, False), (1, True, True), (2, False, False), (1, False, False))
    shapes = d.stream("shapes").shuffled([*shapes, *d.sample(rest, count - 4, "shapes")])
    faults = d.sample(FAULTS, count, "faults")
    tickets = {f"t{number}": _open_bug(d, label, number, *faults[number], *shapes[number]) for number in range(count)}
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("New bugs", "Triage", f"Bugs labelled {label}")),
        "request": d.choose_wording(REQUESTS, room=room, label=label),
        "room": room,
        "label": label,
        "titles": [title for title, _ in faults],
        "tickets": tickets,
        "count": sum(one["priority"] == "High" for one in tickets.values()),
    }


def _open_bug(
    d: Draw, label: str, number: int, title: str, text: str, customers: int, around: bool, taken_back: bool
) -> dict[str, str]:
    """One bug with its customers, in the description and in comments; returns how it is to be sorted."""
    w = d.w
    desk = [one["id"] for one in d.people() if "Support Engineer" in one["title"]]
    writer, second = d.sample(desk, 2, f"writers {number}")
    page = d.pick(sorted(PAGES), f"page {number}")
    names = d.sample([one["name"] for one in w.rows("organisation", kind="customer")], 2, f"customers {number}")
    where, way = d.pick(PAGES[page], f"where {number}"), d.pick(AROUND if around else NO_WAY, f"way {number}")
    key = open_ticket(w, writer, title, f"{text} {where}. Reported by {names[0]}. {way}", labels=[label])
    if customers == 2 or taken_back:
        comment(w, second, key, d.pick(JOINED, f"joined {number}").format(who=names[1]))
    if taken_back:
        comment(w, second, key, d.pick(TAKEN_BACK, f"taken back {number}").format(who=names[1]))
    high, low = customers == 2 and not around, customers == 1 and around
    return {"key": key, "component": page, "priority": "High" if high else "Low" if low else "Medium"}


def solution(scene: Scene) -> Steps:
    """Set component and priority of each, then give the number of High ones."""
    truth = scene.facts("truth")
    for name, ticket in truth["tickets"].items():
        found = {"components": [{"name": ticket["component"]}], "priority": {"name": ticket["priority"]}}
        yield edit(name, ticket["key"], **found)
    count = truth["count"]
    yield reply(
        scene,
        f"{count} of them came out as High. All have a component and a priority now.",
        wordings=(f"Sorted, {count} High.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = ("high",)
OTHERS = ("medium", "low", "would have been")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """Component and priority of each bug, and the number of High ones in the answer."""
    refs = ticket_refs("tickets", truth["tickets"])
    expect: list[Item] = []
    for name, ticket in truth["tickets"].items():
        part = f"part_{ticket['component']}"
        where = {"name": ticket["component"], "project": "SHOP"}
        refs[part] = {"table": "jira_component", "where": where}
        change: dict[str, object] = {"component_ids": [{"ref": part, "field": "id"}]}
        if ticket["priority"] != "Medium":
            change["priority"] = ticket["priority"]
        expect.append({"id": f"sorted_{name}", "update": {"ref": name}, "set": change, "weight": 2})
    expect.append(expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS)))
    return make_rubric(expect, refs=refs)
