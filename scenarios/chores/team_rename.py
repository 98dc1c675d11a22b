"""A working group has another name now: the places that follow it change, services and the past keep theirs."""

from collections.abc import Mapping, Sequence

from scenarios.office.books import BOOK, cell, make_book, word, write
from scenarios.office.code import (
    allow_comments,
    create_repository,
    files_of,
    head_of,
    managers,
    read_file,
    technology_chief,
)
from scenarios.office.people import account, engineers
from scenarios.office.pull_requests import allow_reviewers, expect_pull, forbid_push, watch_pull
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import allow_note, comment, open_ticket
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Adjust what bears the name of a group that was renamed",
    apps=("slack", "sheets", "github", "jira"),
    calls=(10, 30),
    demands=1,
    split="test",
    traps={
        "services": "literal: renames services together with the group",
        "decided": "hasty: does not read what was decided in the ticket",
        "history": "literal: rewrites entries about the past",
        "handle": "forgetful: renames the channel and leaves handle, purpose or table",
    },
)

REQUESTS = (
    "The working group {old} is called {new} from today. Could you adjust what has to follow, as {book} describes? "
    "In {repo} please by pull"
    " request, I merge it. Let me know what the export service is called now.",
    "we are {new} now, not {old} any more. can you change it where it belongs? how that goes is in {book}, and "
    "there's {repo} (pull request"
    " please). and tell me the name that the export has from now on",
    "{old} becomes {new}: please see to channel, user group, tables and {repo}, by the rules in {book}. For the "
    "repository a pull request is"
    " enough. What will the export service be called?",
    "New name for our working group: {new} instead of {old}. Would you do the renaming by {book}, and open a pull "
    "request for {repo}? People"
    " keep asking me about the export, so write me its name as it stands.",
    "It's official, {old} is {new}. Please carry it through as laid down in {book}; {repo} needs a pull request. I "
    "also need to know under"
    " which name the export service runs from now on.",
)
NAMES = (
    ("Invoicing", "Billing"),
    ("Statements", "Reports"),
    ("Payouts", "Settlement"),
    ("Catalogue", "Products"),
    ("Devices", "Terminals"),
    ("Mandates", "Consents"),
    ("Receipts", "Documents"),
    ("Loyalty", "Rewards"),
    ("Shipping", "Delivery"),
    ("Tariffs", "Pricing"),
)
OTHERS = ("Search", "Onboarding", "Tax", "Translations", "Fraud", "Observability")
BOOKS = ("Groups and services", "Working groups", "Who owns what", "Register of groups")
RULES = (
    "When a group gets another name, these follow: its channel (name and description), its user group in Slack "
    "(name and",
    "handle), its row on the tab Groups, the owner on the tab Services, and the first lines of its repository's "
    "README.",
    "Channels are wg-name, handles are name-group, all in small letters.",
    "Services keep their names, since programs call them. {key} asks for an exception for {service}: what was "
    "decided there counts.",
    "The past stays as it was written: the tab History, the history in a README, old tickets.",
)
README = """\
{repo}
======

Group: {name}
Channel: #wg-{low}
Handle: @{low}-group

Services
--------

`{old}-api`

History
-------

2023: platform
2025: {past}
"""
DECIDED = {
    "no": (
        "Decided: no. {n} customers have that name in their settings. It stays {service}.",
        "We leave it at {service}. Renaming it would break {n} integrations.",
        "Not worth it, {n} jobs call it by name. {service} it is and {service} it stays.",
    ),
    "yes": (
        "Agreed. It runs as {wished} from today, the old name is answered for a year. Please use the new one in the"
        " tables.",
        "Yes, do it: {wished}. The alias is in place, {n} callers have been told.",
        "Approved, {service} is {wished} as of this morning.",
    ),
}
DOUBTS = (
    "Who calls it? I'd like to see a list first.",
    "I am not sure about this one, let me count the callers.",
    "Sounds nice, but what does it cost us?",
)


def draw(d: Draw) -> Facts:
    """Make a working group with channel, user group, table, repository, and a ticket about one of its services."""
    w = d.w
    me = d.pick([one["id"] for one in engineers(d)], "engineer", me=True)
    asker = d.pick(managers(d, but=[me, technology_chief(w)]), "asker")
    old, new = d.pick(NAMES, "names")
    low = old.lower()
    service, wished = f"{low}-export", f"{new.lower()}-export"
    renamed = d.chance(1 / 3, "renamed")
    key = open_ticket(w, asker, f"Rename {service} to {wished}?", f"The group will be {new}.", kind="Task")
    slots = {"service": service, "wished": wished, "n": d.stream("callers").integer(3, 40)}
    comment(w, me, key, d.pick(DOUBTS, "doubt"))
    comment(w, technology_chief(w), key, d.pick(DECIDED["yes" if renamed else "no"], "decision").format(**slots))
    readme = {name: README.format(repo="{repo}", name=name, low=name.lower(), old=low, past=old) for name in (old, new)}
    repo = create_repository(d, {"README.md": readme[old], "limits.toml": f'service = "{low}-api"\nmost = 5\n'})
    title = d.pick(BOOKS, "title")
    tabs = list_tabs(d, old, repo, [rule.format(key=key, service=service) for rule in RULES])
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"{new}, not {old}", "New name", "Renaming", f"We are {new}")),
        "request": d.choose_wording(REQUESTS, old=old, new=new, book=f'"{title}"', repo=repo),
        "book": make_book(w, asker, title, tabs, [me]),
        "old": old,
        "new": new,
        "room": {"key": open_channel(d, me, asker, old)},
        "group": {"key": create_group(d, me, asker, old)},
        "rows": find_rows(tabs, old, service),
        "key": key,
        "service": wished if renamed else service,
        "other": service if renamed else wished,
        "renamed": renamed,
        "repo": repo,
        "readme": readme[new].replace("{repo}", repo),
    }


def open_channel(d: Draw, me: str, asker: str, old: str) -> str:
    """Let the agent have made the group's channel."""
    key = d.w.act(me, "conversations.create", name=f"wg-{old.lower()}")["channel"]["id"]
    d.w.act(me, "conversations.setPurpose", channel=key, purpose=f"Working group {old}. Questions welcome.")
    d.w.act(me, "conversations.invite", channel=key, users=account(d.w, asker, "slack"))
    return key


def create_group(d: Draw, me: str, asker: str, old: str) -> str:
    """Let there be a user group of the working group."""
    made = d.w.act(me, "usergroups.create", name=f"Working group {old}", handle=f"{old.lower()}-group")
    key = made["usergroup"]["id"]
    users = ",".join(account(d.w, one, "slack") for one in (me, asker))
    d.w.act(me, "usergroups.users.update", usergroup=key, users=users)
    return key


def list_tabs(d: Draw, old: str, repo: str, rules: list[str]) -> dict[str, list[Sequence[object]]]:
    """The groups, their services, the past, and what follows a new name."""
    low, rng = old.lower(), d.stream("tabs")
    others = d.sample(OTHERS, 3, "other groups")
    groups = [[one, f"#wg-{one.lower()}", f"@{one.lower()}-group"] for one in (old, *others)]
    services = [[f"{low}-export", old], [f"{low}-api", old], [repo, old], [f"{low}-archive", others[0]]]
    services += [[f"{one.lower()}-api", one] for one in others[1:]]
    history = [[f"202{rng.integer(2, 5)}", f"{old} took over {repo} from the platform team"]]
    history += [["2025", f"{others[0]} took over {low}-archive from {old}"], ["2024", f"{old} founded"]]
    return {
        "Groups": [["Group", "Channel", "Handle"], *rng.shuffled(groups)],
        "Services": [["Service", "Owner"], *rng.shuffled(services)],
        "History": [["Year", "What"], *rng.shuffled(history)],
        "Renaming": [[rule] for rule in rules],
    }


def find_rows(tabs: Mapping[str, list[Sequence[object]]], old: str, service: str) -> Facts:
    """Where the group and its services stand in the book."""
    owned = [at for at, one in enumerate(tabs["Services"]) if one[1] == old]
    return {
        "group": next(at for at, one in enumerate(tabs["Groups"]) if one[0] == old),
        "owned": {f"o{at}": at for at in owned},
        "service": next(at for at, one in enumerate(tabs["Services"]) if one[0] == service),
    }


def script(s: Script) -> None:
    """Look at the first pull request that is opened after the request."""
    watch_pull(s, _judge)


def _judge(w: Stage) -> None:
    """Note the commit if its README is right and no other file has changed."""
    head, repo = w.trigger["row"]["head_sha"], w.fact("truth", "repo")
    files = [files_of(w, repo, one) for one in (head, head_of(w, repo, "main"))]
    rest = [{path: sha for path, sha in one.items() if path != "README.md"} for one in files]
    found, wanted = (_lines(text) for text in (read_file(w, repo, head, "README.md"), w.fact("truth", "readme")))
    w.note(sha=head if found == wanted and rest[0] == rest[1] else "")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def solution(scene: Scene) -> Steps:
    """Rename channel and user group, change the tables, open the pull request, answer."""
    truth = scene.facts("truth")
    new, book, rows = truth["new"], truth["book"], truth["rows"]
    low, channel = new.lower(), truth["room"]["key"]
    yield Step("channel", "conversations.rename", {"channel": channel, "name": f"wg-{low}"})
    purpose = {"channel": channel, "purpose": f"Working group {new}. Questions welcome."}
    yield Step("purpose", "conversations.setPurpose", purpose, repeatable=True)
    named = {"usergroup": truth["group"]["key"], "name": f"Working group {new}", "handle": f"{low}-group"}
    yield Step("group", "usergroups.update", named, repeatable=True)
    yield write("row", book, f"Groups!A{rows['group'] + 1}", new, f"#wg-{low}", f"@{low}-group")
    for name, at in rows["owned"].items():
        yield write(f"owner_{name}", book, f"Services!B{at + 1}", new)
    if truth["renamed"]:
        yield write("service", book, f"Services!A{rows['service'] + 1}", truth["service"])
    yield from propose(scene, truth)
    verb = "is called" if truth["renamed"] else "is still called"
    wordings = (f"All done. The name of the export is {truth['service']}.",)
    text = f"Done, and the pull request is open. The export {verb} {truth['service']}."
    yield reply(scene, text, wordings=wordings, after=("open",))
    yield Step("finish", "world.finish", {"status": "done"})


def propose(scene: Scene, truth: Facts) -> Steps:
    """Push the new README to a branch and open a pull request."""
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    sha = scene.find("github_ref", repo_id=here, name="refs/heads/main")["target"]
    yield Step("branch", "git/create-ref", {**place, "ref": "refs/heads/new-name", "sha": sha})
    files = [{"path": "README.md", "content": truth["readme"]}]
    change = {**place, "branch": "new-name", "files": files, "message": "New name of the group"}
    yield Step("push", "web/push-files", change, after=("branch",), repeatable=True)
    opening = {**place, "head": "new-name", "base": "main", "title": "New name of the group", "body": "As announced."}
    yield Step("open", "pulls/create", opening, after=("push",))


LABELS = {
    "now": (
        "is called, are called, called, name is, name of the export, is now, now, stays, remains, keeps, still, "
        "runs as, runs under, is named, named, export is, "
        "export, service is, from now on, from today, use, it is, go with"
    ),
    "before": (
        "was, was called, up to yesterday, until yesterday, until today, until now, no longer, formerly, "
        "previously, before, used to be, instead of, rather than, "
        "not, old name, not renamed to, wished, proposed, asked for, requested, would have been"
    ),
    "off": "switched off, shut down, turned off, gone, retired, stopped, deleted",
}
"""What the answer may call a name of the service."""
DENIED = (
    r"(?is).*\b(?:not|no|never|nobody|none|wrong\w*|dissolved|closed|gone|any more|anymore|dead|cancelled|obsolete)\b.*"
)
"""What a description does not say of a group that goes on."""


def rubric(truth: Facts) -> RubricSource:
    """Channel, user group, tables, a pull request with the right README, and the name of the service."""
    new = truth["new"]
    low = new.lower()
    pull, one_of = expect_pull({"min_chars": 3})
    items: list[Item] = [
        *pull,
        {
            "id": "channel",
            "update": "slack_channel",
            "where": {"id_from": "event.truth.room.key", "topic": {"none_of": [{"matches": DENIED}]}},
            "set": {"name": f"wg-{low}", "purpose": _describe(truth["old"], new)},
            "only": ["name", "purpose", "topic"],
            "weight": 2,
        },
        {
            "id": "group",
            "update": "slack_usergroup",
            "where": {"id_from": "event.truth.group.key", "description": {"none_of": [{"matches": DENIED}]}},
            "set": {
                "name": {"matches": rf"(?i)(((working )?group|wg)\W+)?{new}(\W+((working )?group|wg))?"},
                "handle": f"{low}-group",
            },
            "only": ["name", "handle", "description"],
            "weight": 2,
        },
    ]
    row_of = "event.truth.rows.group"
    for col, text in enumerate((new, f"#wg-{low}", f"@{low}-group")):
        items.append(cell(f"row_{col}", "Groups", row_of, col, word(text)))
    for name in truth["rows"]["owned"]:
        items.append(cell(f"owner_{name}", "Services", f"event.truth.rows.owned.{name}", 1, word(new)))
    if truth["renamed"]:
        items.append(cell("service", "Services", "event.truth.rows.service", 0, word(truth["service"]), weight=2))
    facts = {
        "must": [{"text": "event.truth.service", "called": "now"}],
        "never": [{"text": "event.truth.other", "called": "now"}],
        "labels": LABELS,
    }
    answer = expect_reply(truth, {"facts": facts, "max_chars": 1500}, weight=2)
    archived = {"id": "archived", "delete": "slack_channel", "where": {"id_from": "event.truth.room.key"}}
    allow = [allow_reviewers(4), allow_comments(2), allow_note("event.truth.key")]
    known = [{"mentions": one} for one in ("event.truth.service", new, "renamed", "done")]
    other = {"facts": {"must": [{"text": "event.truth.other", "called": "now"}], "labels": LABELS}}
    noted = {
        "id": "said_otherwise",
        "insert": "jira_comment",
        "where": {"issue_from": "event.truth.key", "author": {"ref": "agent"}},
        "text": {"field": "body_text", "any_of": [{"none_of": known}, other]},
    }
    return make_rubric(
        [*items, answer], refs={"book": BOOK}, allow=allow, never=[forbid_push(), archived, noted], one_of=one_of
    )


def _describe(old: str, new: str) -> Item:
    """A predicate of a description: the new name, the old one as such at most, and no denial."""
    past = rf"(?is).*\b(?:formerly|previously|before|was|used to be|ex|once|until now)\W+(?:the |called )?(?:working group )?{old}\b.*"
    without = [{"none_of": [{"matches": rf"(?is).*\b{old}\b.*"}]}, {"matches": past}]
    return {"all_of": [{"matches": rf"(?is).*\b{new}\b.*"}, {"none_of": [{"matches": DENIED}]}, {"any_of": without}]}
