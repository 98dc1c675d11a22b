"""Draft the notes of a release from what was merged since the last tag, by the repository's own rules."""

from collections.abc import Iterator, Sequence

from scenarios.office.changes import PlannedChange
from scenarios.office.code import (
    choose_changes,
    create_branch,
    create_repository,
    head_of,
    managers,
    merge,
    organisation,
    propose,
    pull_ref,
)
from scenarios.office.people import engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Draft the notes of the next release",
    apps=("github", "slack"),
    calls=(6, 16),
    demands=1,
    traps={
        "label": "hasty: takes the generated notes, with what has the label that keeps it out",
        "reverted": "forgetful: lists what was reverted before the release",
        "elsewhere": "literal: lists what was merged into another branch",
    },
)

REQUESTS = (
    "We want to cut {next} of {repo} this week. Could you draft the release notes on GitHub, from what was merged since {last}? I read them"
    " over and publish. How many changes are in it?",
    "could you prepare the release {next} in {repo}? only a draft with the notes, everything in main since {last}, i'll press the button"
    " myself. RELEASING.md has the rules. tell me how many entries it has",
    "{next} of {repo} is due. Please put the notes together as a draft release (since {last}; you know the rules for notes in that"
    " repository) and write me how many changes that makes.",
    "Merchants will ask what is new in {repo} {next}. A draft release with the notes would help, counted from {last}. Don't publish it,"
    " marketing looks at it first. And give me the number of changes, please.",
    "Please draft {next} for {repo}: one release, unpublished, with what has come in since {last} as RELEASING.md wants it. I only need to"
    " hear how many changes it lists.",
)

RULES = (
    "# Releases\n\nNotes are for merchants: one line for each pull request in main since the last tag, with its number (`#7`).\n\n"
    "Not in the notes: what has the label `{label}`, and what was taken back before the release, nor the taking back itself.\n",
    "# How we release\n\n1. Draft a release for the new tag.\n2. Notes: a list, one pull request in a line, its number at the end, as in"
    ' "Faster start (#7)".\n3. Pull requests labelled `{label}` are never listed.\n4. A change that was reverted is not there, so it'
    " is not in the notes. Neither is the revert.\n",
)

LABELS = ("internal", "no-notes", "embargo", "not-for-merchants", "quiet")
SIDES = ("next", "v2-preview", "spike", "beta")


def draw(d: Draw) -> Facts:
    """Create a repository with a tag, and with changes before and after it, some of which are not for the notes."""
    people = engineers(d)
    me = d.pick(people, "engineer", me=True)
    asker = d.pick(managers(d, but=[me["id"]]), "asker")
    label, minor = d.pick(LABELS, "label"), d.stream("version").integer(1, 8)
    repo = create_repository(d, {"RELEASING.md": d.pick(RULES, "rules").replace("{label}", label)})
    authors = [one["id"] for one in people if one["id"] != me["id"]]
    changes = iter(choose_changes(d, 12))
    last, following = f"v1.{minor}.0", f"v1.{minor + 1}.0"
    for number in range(d.stream("before").integer(2, 3)):
        _land(d, d.pick(authors, f"before{number}"), repo, next(changes))
    _tag(d, authors[0], repo, last)
    inside = _land_all(d, authors, repo, changes, label)
    others = _others(d, repo, inside)
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"{repo} {following}", "Release notes", f"Notes for {following}")),
        "request": d.choose_wording(REQUESTS, repo=repo, last=last, next=following),
        "repo": repo,
        "tag": following,
        "inside": {f"p{number}": one for number, one in enumerate(inside)},
        "outside": {f"p{number}": one["number"] for number, one in enumerate(others)},
        "titles": {f"p{number}": one["title"] for number, one in enumerate(others)},
        "told": {str(one["number"]): f"{one['title']} {one['body']}" for one in _list_pulls(d, repo, inside)},
        "main": head_of(d.w, repo, "main"),
        "count": len(inside),
    }


def _others(d: Draw, repo: str, inside: list[int]) -> list[Facts]:
    """The pull requests that are not in the notes."""
    return [one for one in _list_pulls(d, repo) if one["number"] not in inside]


def _list_pulls(d: Draw, repo: str, numbers: Sequence[int] = ()) -> list[Facts]:
    """All pull requests of the repository, or those with these numbers."""
    here = d.w.find("github_repository", name=repo)["id"]
    return [one for one in d.w.rows("github_issue", repo_id=here) if not numbers or one["number"] in numbers]


def _land(d: Draw, author: str, repo: str, change: PlannedChange, *, base: str = "main") -> int:
    """Open and merge a pull request; return its number."""
    number = propose(d.w, author, repo, change, base=base)
    merge(d.w, author, repo, number)
    return number


def _tag(d: Draw, author: str, repo: str, tag: str) -> None:
    """Publish a release of what is in main now."""
    place = {"owner": organisation(d.w), "repo": repo}
    d.w.act(
        author, "repos/create-release", tag_name=tag, target_commitish=head_of(d.w, repo, "main"), name=tag, **place
    )


def _land_all(d: Draw, authors: list[str], repo: str, changes: Iterator[PlannedChange], label: str) -> list[int]:
    """Merge changes after the tag in random order; return the numbers of those that belong in the notes."""
    w, inside = d.w, list[int]()
    place = {"owner": organisation(w), "repo": repo}
    side = d.pick(SIDES, "side")
    create_branch(w, authors[0], repo, side)
    kinds = ["inside"] * d.stream("inside").integer(2, 4) + ["labelled", "reverted", "elsewhere", "open"]
    for number, kind in enumerate(d.sample(kinds, len(kinds), "kinds")):
        author = d.pick(authors, f"after{number}")
        if kind == "open":
            propose(w, author, repo, next(changes))
            continue
        made = _land(d, author, repo, next(changes), base=side if kind == "elsewhere" else "main")
        if kind == "labelled":
            w.act(author, "issues/add-labels", issue_number=made, labels=[label], **place)
        if kind == "reverted":
            back = w.act(author, "web/pulls/revert", pull_number=made, **place)
            merge(w, author, repo, back["number"])
        inside += [made] if kind == "inside" else []
    return inside


def solution(scene: Scene) -> Steps:
    """Create the draft, then answer with the number of its entries."""
    truth = scene.facts("truth")
    owner = scene.find("github_account", kind="Organization")["login"]
    here = scene.find("github_repository", name=truth["repo"])["id"]
    lines = "".join(f"- {_title(scene, here, number)} (#{number})\n" for number in truth["inside"].values())
    release = {"owner": owner, "repo": truth["repo"], "tag_name": truth["tag"], "name": truth["tag"], "draft": True}
    yield Step("draft", "repos/create-release", {**release, "body": lines})
    count = truth["count"]
    texts = (f"The draft is there, {count} changes in it.", f"It has {count} entries. Publish it when you like.")
    yield reply(scene, f"{truth['tag']} is drafted with {count} changes.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


def _title(scene: Scene, repo: int, number: int) -> str:
    return scene.find("github_issue", repo_id=repo, number=number)["title"]


def rubric(truth: Facts) -> RubricSource:
    """One unpublished release whose notes name exactly the changes, and their number in the answer."""
    here = {"repo_from": "event.truth.repo"}
    refs = {
        f"{kind}_{name}": pull_ref("", fact=f"event.truth.{kind}.{name}")
        for kind in ("inside", "outside")
        for name in truth[kind]
    }
    refs["main"] = {"fact": "event.truth.main"}
    listed = {kind: [{"ref": name} for name in refs if name.startswith(kind)] for kind in ("inside", "outside")}
    left = [{"mentions": f"event.truth.titles.{name}"} for name in truth["titles"]]
    where = {**here, "tag_from": "event.truth.tag", "draft": True, "prerelease": False, "author": {"ref": "agent"}}
    facts = {"must": listed["inside"], "never": listed["outside"]}
    draft = {
        "id": "drafted",
        "insert": "github_release",
        "where": {**where, "target": {"in": ["main", {"ref": "main"}]}},
        "text": {"field": ["name", "body"], "facts": facts, "none_of": left, "max_entities": 60, "max_chars": 4000},
        "weight": 3,
        "gate": True,
    }
    lines = {"id": "lines", "call": "predicates.check_lines", "claims": [], "weight": 2}
    told = expect_reply(truth, {"facts": {"must": [{"count": "event.truth.count"}]}})
    published = [
        {"id": f"published_{kind}", kind: "github_release", "where": {**here, "draft": False}}
        for kind in ("insert", "update")
    ]
    return make_rubric([draft, told], refs=refs, python=[lines], never=published)
