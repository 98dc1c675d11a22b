"""An incident gets a link to the ticket whose release caused it: the comments name versions, #deploys names tickets."""

import re

from scenarios.office.people import find_titled, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket, read_first, ticket_ref
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Link an incident to its cause",
    apps=("jira", "slack"),
    calls=(5, 14),
    demands=1,
    traps={
        "suspected": "hasty: links the first release that somebody suspected",
        "cleared": "hasty: takes the last release that is named, which a comment clears",
        "direction": "literal: links the incident as the cause of the ticket",
    },
)

REQUESTS = (
    "The write-up of {incident} still has no cause. Could you link it to the ticket whose release did it? The comments say which release it"
    " was. Tell me the ticket as well.",
    "for {incident} we need the 'is caused by' link before the review tomorrow. the comments know the version, #deploys knows the ticket."
    " which one was it?",
    "Please connect {incident} with the ticket that caused it, so that the statistics are right, and send me its key.",
    "{incident} is over but hangs in the air. Which of our tickets was behind it? Link it as the cause and let me know the key.",
    "I am preparing the review of {incident}. As far as I can see nobody has linked the cause yet; would you do it, and tell me which ticket"
    " it is?",
)
TITLES = (
    "Error rate of {service} up to 9%",
    "{service} answers slowly, some requests fail",
    "Customers see errors that come from {service}",
    "{service}: one request in twelve fails",
    "Alert flood from {service}",
    "Timeouts in {service} since the morning",
)
SUSPECTED = (
    "First idea: {first}, the graphs turn at about that time.",
    "I would bet on {first}. Looking into it.",
    "{first} is the obvious suspect, nothing else was near.",
)
CLEARED = (
    "Rolled {first} back, errors go on as before. So not that one. Next try: {second}.",
    "{first} is out of it: back on the version before for ten minutes and no change. Trying {second} now.",
    "It was not {first}, staging has it too and is fine. {second} changed the same call, taking that back.",
)
FOUND = (
    "{cause} is back at the version before and the errors are gone. That was it.",
    "Gone within a minute after {cause} was taken back. Cause found.",
    "Confirmed, without {cause} everything is green.",
)
UNRELATED = (
    "For the record: {third} was also rolled back by mistake and is live again, it has nothing to do with this.",
    "{third} went out meanwhile. I checked, not related.",
    "Somebody asked about {third}: looked at it, harmless.",
)
POSTED = re.compile(r"`(?P<version>[a-z-]+ [\d.]+)` is live[^(]*\((?P<key>SHOP-\d+)\)")


def draw(d: Draw) -> Facts:
    """Open an incident whose comments suspect, clear and confirm releases of the company's own log."""
    w = d.w
    me, other = d.sample([*software_engineers(d), *find_titled(d, "Site Reliability")], 2, "engineers", me=0)
    boss = d.pick(
        find_titled(d, "Engineering Manager", "Chief Technology", "Head of Support", "Head of Product"), "asker"
    )
    first, second, third = d.sample(_list_releases(d), 3, "releases with one ticket")
    confirmed = d.chance(1 / 3, "first was right")
    cause = first if confirmed else second
    service = cause["version"].split()[0]
    title = d.pick(TITLES, "title").format(service=service)
    incident = open_ticket(w, other["id"], title, "Customers notice. Details below.", project="INC", kind="Incident")
    said = {
        "first": first["version"],
        "second": second["version"],
        "cause": cause["version"],
        "third": third["version"],
    }
    talk = (SUSPECTED, FOUND, UNRELATED) if confirmed else (SUSPECTED, CLEARED, FOUND, UNRELATED)
    for number, texts in enumerate(talk):
        comment(w, other["id"], incident, d.pick(texts, f"comment {number}").format(**said))
    return {
        "me": me["id"],
        "asker": boss["id"],
        **choose_place(d, me["id"], boss["id"], (incident, f"Cause of {incident}", "Review tomorrow")),
        "request": d.choose_wording(REQUESTS, incident=incident),
        "incident": incident,
        "version": cause["version"],
        "cause": cause["key"],
        "releases": [first["version"], second["version"], third["version"]],
        "confirmed": confirmed,
    }


def _list_releases(d: Draw) -> list[dict[str, str]]:
    """Releases of #deploys with exactly one ticket, each ticket and version once."""
    w = d.w
    channel = w.find("slack_channel", name="deploys")["id"]
    posts = [POSTED.search(one["text"]) for one in w.rows("slack_message", channel_id=channel)]
    found = [post.groupdict() for post in posts if post]
    keys = [one["key"] for one in found]
    closed = {one["key"] for one in w.rows("jira_issue") if one["resolution_id"]}
    return [one for one in found if keys.count(one["key"]) == 1 and one["key"] in closed]


def solution(scene: Scene) -> Steps:
    """Link the ticket as the cause, then name it."""
    truth = scene.facts("truth")
    cause = truth["cause"]
    yield read_first(truth["incident"])
    ends = {"inwardIssue": {"key": cause}, "outwardIssue": {"key": truth["incident"]}}
    yield Step("link", "linkIssues", {"type": {"name": "Problem/Incident"}, **ends}, repeatable=True)
    yield reply(
        scene,
        f"It was {cause} ({truth['version']}), the link is in {truth['incident']}.",
        wordings=(f"{cause}. Linked as the cause.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """The ticket causes the incident, and its key is in the answer."""
    refs = {"incident": ticket_ref("incident"), "cause": ticket_ref("cause")}
    ends = {"source_id": {"ref": "cause"}, "destination_id": {"ref": "incident"}}
    linked = {"id": "linked", "insert": "jira_issue_link", "where": {"type": "Problem/Incident", **ends}, "weight": 2}
    return make_rubric([linked, expect_reply(truth, {"facts": {"must": ["event.truth.cause"]}})], refs=refs)
