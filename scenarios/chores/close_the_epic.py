"""An epic may be closed if nothing is left: a piece that moved elsewhere decides, in both directions."""

from scenarios.office.people import find_titled, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, move_ticket, open_ticket, ticket_ref, transition
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Close an epic if nothing is left",
    apps=("jira", "slack"),
    calls=(4, 14),
    demands=2,
    traps={
        "moved": "hasty: counts the epic's own tickets and overlooks the piece that moved elsewhere",
        "let_go": "literal: keeps the epic open for a piece that its owner has let go",
        "reopened": "hasty: reads the last comment instead of the status",
    },
)

REQUESTS = (
    "Can you close the epic {epic} ({name}) if nothing is left of it? If something is left, leave it open and tell me which ticket.",
    "{epic} is still on my roadmap page. If it's finished, please put it to Done. If not i need the key of whatever is missing",
    "Is '{name}' ({epic}) done? Then close it, please. Otherwise it stays as it is and I would like to know what we are waiting for.",
    "Quarter's end, I am tidying up. Please have a look at {epic} and everything that belongs to it: close the epic when all of it is done,"
    " or name the ticket that is not.",
    "Somebody told me {name} is finished. Please check {epic} properly, comments too, and close it if that is true. If it isn't: which"
    " ticket?",
)
EPICS: dict[str, tuple[str, ...]] = {
    "Gift cards in the cart": (
        "Redeem a gift card in two parts",
        "Balance of a gift card on the account page",
        "Gift card in the order mail",
        "Block a lost gift card",
        "Tax on gift cards",
    ),
    "Fewer fields at guest checkout": (
        "Drop the second address line",
        "Postcode fills in the town",
        "Phone is optional for digital goods",
        "Remember the country of the last visit",
        "Measure who leaves at which field",
    ),
    "Dunning that merchants can switch off": (
        "Switch in the merchant's settings",
        "First reminder after ten days",
        "No reminder below five euros",
        "Stop when a payment is on its way",
        "Texts in four languages",
    ),
    "Faster order search": (
        "Index on order number and mail",
        "Search by part of a name",
        "Results in pages of fifty",
        "Empty result says what was searched",
        "Old orders in a second index",
    ),
    "One place for refunds": (
        "Refund from the order page",
        "Refund of single lines",
        "Reason of a refund is required",
        "Refund mail names the card",
        "List of open refunds",
    ),
    "Webhook log for merchants": (
        "Show the last hundred deliveries",
        "Send a delivery again",
        "Filter by event",
        "Body is hidden for old deliveries",
        "Download as JSON",
    ),
}
MOVED = (
    "'{piece}' is {moved} now, with the {team} tickets. It still belongs to this epic: please do not close before it is done.",
    "I took '{piece}' out of the epic for the board's sake, it is {moved}. We are not finished before that one is through.",
    "For whoever closes this: {moved} ('{piece}') hangs outside the epic since the board was rearranged, but it counts.",
)
LET_GO = (
    "About {moved}: we do not need it for this epic any more, it goes with the next round. Does not hold this up.",
    "{moved} is off the list here, agreed with product. Close without it.",
    "We can finish without {moved}, nobody has asked for it. It stays in the backlog for some other day.",
)
REOPENED = (
    "Not good yet, same fault on the second attempt. I set it back.",
    "Back to the list, the case with two currencies was forgotten.",
    "Had to reopen this, it works for new accounts only.",
)
FINISHED = ("Tested, works.", "Live since the last train.", "Checked with a customer, fine.", "Done and documented.")
CASES = ("moved_open", "moved_done", "let_go", "reopened", "moved_open", "let_go")


def draw(d: Draw) -> Facts:
    """Open an epic with its tickets and one piece outside it, in one of four states."""
    w = d.w
    me, owner = d.sample(software_engineers(d), 2, "software engineers", me=0)
    bosses = find_titled(d, "Product Manager", "Head of Product", "Engineering Manager", "Chief Technology")
    asker = d.pick(bosses, "asker")
    case = d.pick(CASES, "case")
    name = d.pick(sorted(EPICS), "epic")
    pieces = d.stream("pieces").shuffled(EPICS[name])
    lead = w.person(owner["id"])
    epic = open_ticket(w, lead.id, name, "Pieces are below.", kind="Epic", assignee=_assignee(d, lead.id))
    move_ticket(w, lead.id, epic, "Start progress")
    moved = open_ticket(w, lead.id, pieces[0], kind="Story")
    children = [open_ticket(w, lead.id, piece, kind="Story", parent={"key": epic}) for piece in pieces[1:]]
    for child in children:
        move_ticket(w, lead.id, child, "Done")
        comment(w, lead.id, child, d.pick(FINISHED, child))
    team = w.find("team", id=lead.team_id)["name"]
    comment(w, lead.id, epic, d.pick(MOVED, "moved").format(piece=pieces[0], moved=moved, team=team))
    left = _leave(d, case, lead.id, epic, moved, children)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], (f"Epic {epic}", "Old epics", name)),
        "request": d.choose_wording(REQUESTS, epic=epic, name=name),
        "epic": epic,
        "name": name,
        "case": case,
        "moved": moved,
        "left": left,
    }


def _assignee(d: Draw, person: str) -> dict[str, str]:
    return {"accountId": d.w.find("account", app="jira", person_id=person)["external_id"]}


def _leave(d: Draw, case: str, owner: str, epic: str, moved: str, children: list[str]) -> str:
    """Put the piece outside, or a child, into the state of the case; returns the key of what is left, or nothing."""
    w = d.w
    if case in ("moved_done", "reopened"):
        move_ticket(w, owner, moved, "Done")
    if case == "let_go":
        comment(w, owner, epic, d.pick(LET_GO, "let go").format(moved=moved))
    if case == "reopened":
        back = d.pick(children, "reopened")
        move_ticket(w, owner, back, "Start progress")
        comment(w, owner, back, d.pick(REOPENED, "why reopened"))
        return back
    return moved if case == "moved_open" else ""


def solution(scene: Scene) -> Steps:
    """Close the epic, or leave it and name what is left."""
    truth = scene.facts("truth")
    if truth["left"]:
        text = f"{truth['left']} is not done yet, so I left {truth['epic']} open."
        yield reply(scene, text, wordings=(f"Not finished, {truth['left']} is missing. The epic stays open.",))
    else:
        yield transition("close", truth["epic"], "Done")
        text = f"Nothing is left, {truth['epic']} is closed."
        yield reply(scene, text, wordings=(f"Everything that belongs to it is done. {truth['epic']} is Done now.",))
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "left": (
        "left, left over, open, still open, stays open, left open, not done, not closed, not finished, unfinished, remains, missing, waits for,"
        " waiting for, in progress, outstanding, cannot be closed, could not close, stands in the way, blocks, to be done"
    ),
    "done": "closed, done, finished, resolved, complete, completed, stands in nobody's way",
}
"""What the answer may call a ticket."""


def rubric(truth: Facts) -> RubricSource:
    """The epic is done and the asker told, or it stays and the asker hears the key of what is left."""
    refs = {"epic": ticket_ref("epic")}
    if truth["left"]:
        never = [{"id": "closed", "update": "jira_issue", "where": {"key_from": "event.truth.epic"}}]
        left = {"must": [{"fact": "event.truth.left", "called": "left"}], "labels": LABELS}
        return make_rubric([expect_reply(truth, {"facts": left})], refs=refs, never=never)
    closed = {"id": "closed", "update": {"ref": "epic"}, "set": {"status": "Done", "resolution": "Done"}, "weight": 2}
    stays = {"never": [{"ref": "epic", "called": "left"}], "labels": LABELS}
    unclosed = [{"claims": {"subject": "epic", "state": one}} for one in ("open", "blocked", "cancelled")]
    told = expect_reply(truth, {"answers": True, "facts": stays, "none_of": unclosed})
    return make_rubric([closed, told], refs=refs)
