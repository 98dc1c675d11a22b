"""Defects reported on GitHub become tickets once each, linked both ways; what was reported twice is closed."""

from collections.abc import Mapping

from scenarios.office.answers import forbid_calling_off, state_count
from scenarios.office.code import create_repository, managers, organisation
from scenarios.office.people import engineers, support_team
from scenarios.office.reports import REPORTS, WISHES
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Make tickets of the defects reported on GitHub",
    apps=("github", "jira", "slack"),
    calls=(7, 24),
    demands=1,
    traps={
        "known": "hasty: makes a second ticket for a report that has one",
        "twice": "hasty: makes a ticket for a report that its author calls a repetition",
        "alike": "literal: closes a report that was first taken for a repetition and is none",
        "wish": "literal: makes tickets of wishes and questions",
    },
)

REQUESTS = (
    "Support has been filing things as issues in {repo}. Could you get the defects into SHOP, as TRIAGE.md there says? And tell me how many"
    " tickets you made.",
    "can you triage the open issues of {repo}? bugs need tickets, doubles can be closed, see TRIAGE.md. i only need the number of new"
    " tickets",
    "I would like to plan what came in for {repo}, but I plan in Jira. Please do the triage of the open issues by the rules in TRIAGE.md and"
    " let me know how many new tickets there are.",
    "The reports in {repo} don't show up on our board. Every real defect should be there once; TRIAGE.md has how. How many did you add?",
    "Please go through the open issues of {repo} and make them tickets where they should be (TRIAGE.md). A number is enough as an answer.",
)

RULES = (
    "# Triage\n\n- An open issue with the label `bug` gets one ticket: project SHOP, type Bug, the link to the issue in the description.\n"
    "- The ticket's key goes into a comment on the issue. An issue that has a key already needs nothing.\n"
    "- Reported twice: the later one is closed as a duplicate and gets no ticket.\n- Wishes and questions stay as they are.\n",
    "# From issue to ticket\n\n1. Only `bug`. The product manager reads the rest.\n2. Is there a ticket already? Then nothing.\n"
    "3. Is it the same as an earlier issue? Close it as a duplicate.\n4. Otherwise: a Bug in SHOP whose description links to the issue,"
    " and a comment on the issue with the key.\n",
)

SAME = (
    "Sorry, this is #{n} again, I had not seen it.",
    "Just found #{n}, which is the same.",
    "Same as #{n}, asked the merchant.",
)
AGAIN = ("{title}, another merchant", "One more merchant: {title}", "{title} (reported again)")
"""Titles of a report that repeats another."""
LIKE = ("Isn't that #{n}?", "Sounds like #{n} to me.", "Maybe the same as #{n}?")
OTHER = (
    "No, I tried: #{n} is something else, this one comes without it as well.",
    "Looked at both, they have nothing to do with each other.",
    "Different shop, different page. Not the same.",
)
KNOWN = ("{key} is about this.", "We have {key} for it.", "Goes on in {key}.")


def draw(d: Draw) -> Facts:
    """File reports, wishes and questions, some of them with a ticket, some of them twice."""
    w, people = d.w, engineers(d)
    me = d.pick(people, "engineer", me=True)
    asker = d.pick(managers(d, but=[me["id"]]), "asker")
    repo = create_repository(d, {"TRIAGE.md": d.pick(RULES, "rules")})
    place = {"owner": organisation(w), "repo": repo}
    filed = _file_all(d, place, [one["id"] for one in people if one["id"] != me["id"]])
    here = w.find("github_repository", name=repo)["id"]
    titles = {one["number"]: one["title"] for one in w.rows("github_issue", repo_id=here)}
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"Issues in {repo}", "Reports on GitHub", "Triage")),
        "request": d.choose_wording(REQUESTS, repo=repo),
        "repo": repo,
        "new": {f"i{at}": one for at, one in enumerate(filed["new"])},
        "twice": filed["twice"][0],
        "alike": filed["new"][-1],
        "count": len(filed["new"]),
        "reports": [titles[one] for one in filed["new"]],
    }


def _file_all(d: Draw, place: Mapping[str, str], people: list[str]) -> dict[str, list[int]]:
    """File everything in random order, then comment; return the numbers of new reports and of repetitions."""
    w = d.w
    reporters = [one["id"] for one in d.people(team_id=support_team(w))]
    kinds = ["new"] * d.stream("new").integer(1, 2) + ["twice", "alike", "known", "known", "wish", "wish", "closed"]
    reports, wishes = iter(d.sample(REPORTS, 8, "reports")), iter(d.sample(WISHES, 2, "wishes"))
    found: dict[str, list[int]] = {kind: [] for kind in kinds}
    first: tuple[str, str] = next(reports)
    for at, kind in enumerate(["new", *d.sample(kinds, len(kinds), "kinds")]):
        title, body = first if at == 0 or kind == "twice" else next(wishes if kind == "wish" else reports)
        if kind == "twice":
            title = d.pick(AGAIN, "again").format(title=title)
        made = w.act(d.pick(reporters, f"reporter{at}"), "issues/create", title=title, body=body, **place)["number"]
        found[kind].append(made)
        if kind != "wish":
            w.act(people[0], "issues/add-labels", issue_number=made, labels=["bug"], **place)
        if kind == "closed":
            w.act(people[0], "issues/update", issue_number=made, state="closed", **place)
        if kind == "known":
            fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Bug"}, "summary": title}
            key = w.act(people[0], "createIssue", fields=fields)["key"]
            _say(d, place, people[0], made, f"known{at}", KNOWN, key=key)
    original = found["new"][0]
    _say(d, place, reporters[0], found["twice"][0], "same", SAME, n=original)
    _say(d, place, reporters[-1], found["alike"][0], "like", LIKE, n=original)
    _say(d, place, reporters[0], found["alike"][0], "other", OTHER, n=original)
    return {"new": [*found["new"], *found["alike"]], "twice": found["twice"]}


def _say(
    d: Draw, place: Mapping[str, str], person: str, number: int, what: str, texts: tuple[str, ...], **slots: object
) -> None:
    d.w.act(person, "issues/create-comment", issue_number=number, body=d.pick(texts, what).format(**slots), **place)


def solution(scene: Scene) -> Steps:
    """Make each ticket and note its key, close the repetition, then answer with the number."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    before: tuple[str, ...] = ()
    for name, number in truth["new"].items():
        title = scene.find("github_issue", repo_id=here, number=number)["title"]
        link = f"https://github.com/{place['owner']}/{place['repo']}/issues/{number}"
        fields = {
            "project": {"key": "SHOP"},
            "issuetype": {"name": "Bug"},
            "summary": f"{title} (reported as #{number})",
            "description": link,
        }
        made = yield Step(f"{name}_ticket", "createIssue", {"fields": fields}, after=before)  # keys are counted up
        before = (f"{name}_ticket",)
        note = {**place, "issue_number": number, "body": f"The ticket is {made['key']}."}
        yield Step(f"{name}_note", "issues/create-comment", note, after=(f"{name}_ticket",))
    closing = {**place, "issue_number": truth["twice"], "state": "closed", "state_reason": "duplicate"}
    yield Step("close", "issues/update", closing, repeatable=True)
    count = truth["count"]
    texts = (f"{count} new tickets, one duplicate closed.", f"I made {count} tickets of them.")
    yield reply(scene, f"Done, {count} new tickets are in SHOP.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


NOBODY = {"assignee_id": {"any_of": [{"null": True}, {"eq": {"ref": "agent"}}]}}
"""A new ticket is planned by whoever asked; nobody else is put to work."""


COUNTED = (
    "new tickets",
    "made",
    "added",
    "created",
)
OTHERS = ("doubles", "duplicates", "still missing", "not made", "have no ticket", "without a ticket", "closed")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """A ticket and a note for each new report, the repetition closed as such, and the count in the answer."""
    here = {"repo_from": "event.truth.repo"}
    refs: dict[str, Item] = {
        name: {"table": "github_issue", "where": {**here, "number_from": f"event.truth.new.{name}"}}
        for name in truth["new"]
    }
    refs["twice"] = {"table": "github_issue", "where": {**here, "number_from": "event.truth.twice"}}
    items = list[Item]()
    for name in truth["new"]:
        ticket = {
            "insert": "jira_issue",
            "where": {"project": "SHOP", "issue_type": "Bug", "resolution_id": {"null": True}, **NOBODY},
        }
        words = {"field": ["summary", "description_text"], "facts": {"must": [{"ref": name}]}}
        items.append({"id": f"ticket_{name}", **ticket, "text": words, "weight": 2})
        note = {"insert": "github_comment", "where": {"issue_id": {"ref": name}, "author": {"ref": "agent"}}}
        items.append({"id": f"note_{name}", **note, "text": {"field": "body", "facts": {"some": ["key"]}}})
    closed = {"state": "closed", "state_reason": "duplicate"}
    only = [*closed, "closed_at", "closed_by_id", "duplicate_of"]
    items.append({"id": "closed", "update": {"ref": "twice"}, "set": closed, "only": only, "weight": 2})
    told = expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS))
    other = {"null": False, "ne": {"ref": "i0", "field": "id"}}
    never = [forbid_calling_off("github_comment", "body", name) for name in truth["new"]]
    never += [{"id": "wrong_original", "update": "github_issue", "where": {**here, "duplicate_of": other}}]
    keys = {"id": "keys", "call": "predicates.check_keys", "claims": [], "weight": 2}
    return make_rubric([*items, told], refs=refs, python=[keys], never=never)
