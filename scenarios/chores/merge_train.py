"""Pull requests go in, in the order of a ticket, as long as each is green when its turn comes."""

from collections.abc import Callable, Sequence

from scenarios.office.builds import let_build, propose_built, report_build, state_of
from scenarios.office.code import choose_changes, create_repository, head_of, managers
from scenarios.office.people import engineers
from scenarios.office.pull_requests import (
    allow_deletion,
    allow_remark,
    expect_merge,
    expect_remark,
    forbid_merge,
    head_of_pull,
    is_in_repository,
    still_open,
)
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import allow_note, comment, open_ticket
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import MINUTE
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script, row
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Merge pull requests in order while they are green",
    apps=("github", "jira", "slack"),
    calls=(8, 22),
    demands=1,
    traps={
        "order": "hasty: merges by number, or without the comment that changes the ticket's order",
        "red": "hasty: looks at the builds once, before the first merge",
    },
)

REQUESTS = (
    "Could you get the pull requests of {key} into main of {repo}? Mind the order there, and what"
    " CONTRIBUTING says about builds. Tell me if one of them stays out.",
    "please merge what's listed in {key} ({repo}), in that order. our merge rules are in CONTRIBUTING.md. if "
    "something can't go in i'd like"
    " to know which",
    "{key} lists what has to go into {repo} today. Would you merge them one after the other, by the rules of the "
    "repository? Let me know"
    " which of them are not in, if any.",
    "I have no time to sit next to the builds of {repo}. Please take the list in {key} through, in its order and as"
    " CONTRIBUTING.md wants it,"
    " and write me what is left over.",
    "The pull requests of {key} are approved. Can you bring them in ({repo})? Order as in the ticket, builds as in "
    "CONTRIBUTING.md. I need"
    " the number of anything that had to stay open.",
)
RULES = (
    "# Contributing\n\nAfter each merge `build` runs again on all open pull requests, against the new main; that "
    "takes some minutes. The"
    " next one is merged when its build is green again, not before.\n\nA red one stays open, with a comment on it "
    "for its author. {rest}\n",
    "# Merging\n\n1. One at a time: `build` is repeated everywhere after a merge. Wait for it.\n2. Nothing red goes"
    " in. Tell the author"
    " in a comment there.\n3. {rest}\n",
)
REST = {
    "stop": (
        "Everything that a list has after it stays open too.",
        "In a list, whatever follows a red one waits as well.",
    ),
    "skip": ("The rest of a list does not wait for it.", "The others of a list go on without the red one."),
}
LISTS = ("Into main, one after the other:", "Order of merging, from the top:", "These go in, in this order:")
SWAPS = (
    "Correction: {late} has to come before {early}, the rest as it was.",
    "We found out that {early} needs {late}. So {late} first, then {early}.",
)
ONLY_ORDER = (
    "Correction: {late} goes in before {early}, its author leaves early today. The rest as it was.",
    "One change: please take {late} first and {early} after it. They have nothing to do with each other, only the release"
    " notes read better that way.",
)
"""For a pull request behind one that stays out: it goes in without it, so it must not need it."""
FAILURES = ("test_totals: expected 1204.32, got 1204.31", "ImportError: no name 'read_page'", "2 of 318 tests failed")
MERGES = ("merged_1", "merged_2", "merged_3", "merged_4")


def draw(d: Draw) -> Facts:
    """Create a repository with open pull requests, some of them in a list; one of these turns red on its way."""
    w, people = d.w, [one["id"] for one in engineers(d)]
    me, *authors = d.sample(people, 5, "engineers", me=0)
    asker = d.pick(managers(d, but=[me, *authors]), "asker")
    rest, red = d.pick(sorted(REST), "rest"), d.pick((1, 1, 2, 2, -1), "red")
    repo = create_repository(d, {"CONTRIBUTING.md": d.pick(RULES, "rule").format(rest=d.pick(REST[rest], "more"))})
    let_build(w, repo)
    count = d.stream("count").integer(3, 4)
    pulls = propose_built(d, repo, authors, choose_changes(d, count + 4))
    train, key = _list(d, repo, asker, pulls[2 : count + 2], red if rest == "skip" else -1)
    going = train if red < 0 else train[:red] if rest == "stop" else [*train[:red], *train[red + 1 :]]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"{key}: merging", f"Merges in {repo}", "Please get these in")),
        "request": d.choose_wording(REQUESTS, key=key, repo=repo),
        "repo": repo,
        "key": key,
        "rest": rest,
        "going": {f"g{at}": one for at, one in enumerate(going)},
        "staying": {f"s{at}": one for at, one in enumerate(train) if one not in going},
        "red": {} if red < 0 else train[red],
        "after": red,
        "failure": d.pick(FAILURES, "failure"),
        "open": [one["issue"] for one in pulls],
        "main": head_of(w, repo, "main"),
    }


def _list(d: Draw, repo: str, asker: str, pulls: Sequence[Facts], left_out: int) -> tuple[list[Facts], str]:
    """Open the ticket with the order, which a comment may change; return the order that counts, and the key.

    What follows the one at `left_out` (-1: none) goes in without it: the comment then claims no dependence.
    """
    order = d.sample(pulls, len(pulls), "order")
    lines = "\n".join(f"- {one['title']}" for one in order)
    summary = d.pick((f"What goes into {repo} this week", f"{repo}: next merges"), "summary")
    key = open_ticket(d.w, asker, summary, f"{d.pick(LISTS, 'list')}\n{lines}", kind="Task")
    if d.chance(0.6, "swap"):
        at = d.stream("swapped").integer(0, len(order) - 2)
        early, late = order[at], order[at + 1]
        text = d.pick(ONLY_ORDER if at == left_out else SWAPS, "swap").format(
            early=f'"{early["title"]}"', late=f'"{late["title"]}"'
        )
        comment(d.w, asker, key, text)
        order[at], order[at + 1] = late, early
    return order, key


def script(s: Script) -> None:
    """After each merge the builds of what is open begin anew, and end some minutes later."""
    asked = s.events[-1]
    merged = row("github_pull", "update", merged_at=lambda value: value is not None)
    for at, name in enumerate(MERGES, start=1):
        event = s.on(
            merged,
            _is_merged(at),
            deadline=None,
            otherwise=None,
            times=at,
            after=asked,
            about=is_in_repository,
            name=name,
        )
        s.after(event, "4m", _report_built(at), name=f"built_{at}")


def _is_merged(count: int) -> Callable[[Stage], None]:
    def begin(w: Stage) -> None:
        """Note the merge if it was the next one, and green; begin the builds of the others."""
        pull, repo = w.trigger["row"], w.fact("truth", "repo")
        due = w.fact("truth", "going").get(f"g{count - 1}", {}).get("issue")
        green = state_of(w, repo, pull["head_sha"]) == "success"
        w.note(sha=pull["merge_sha"] if pull["issue_id"] == due and green else "")
        for issue in still_open(w, w.fact("truth", "open")):
            report_build(w, repo, head_of_pull(w, issue), "", "Building on the new main")

    return begin


def _report_built(count: int) -> Callable[[Stage], None]:
    def end(w: Stage) -> None:
        """End the builds that go on: one of them is red, if this was the merge that breaks it."""
        repo, red = w.fact("truth", "repo"), w.fact("truth", "red")
        broken = {red.get("issue")} if 0 <= w.fact("truth", "after") <= count else set[int]()
        for issue in still_open(w, w.fact("truth", "open")):
            failed = issue in broken or issue == w.fact("truth", "open")[0]
            text = w.fact("truth", "failure") if failed else "All passed"
            report_build(w, repo, head_of_pull(w, issue), "failure" if failed else "success", text)

    return end


def solution(scene: Scene) -> Steps:
    """Merge each when it is green, comment on the red one, answer with what stays open."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    yield Step("look", "getIssue", {"issueIdOrKey": truth["key"]}, optional=True)
    for name, pull in truth["going"].items():
        yield Step(name, "pulls/merge", {**place, "pull_number": pull["number"], "merge_method": "squash"})
        yield from wait_until(scene, (scene.now - scene.start) // MINUTE + 6, name)
    red = truth["red"]
    text, more = "All of them are in.", ("They are all merged, in the order of the ticket.",)
    if red:
        said = (f"`build` is red here: {truth['failure']}. I left it open.", "This one is red now, could you look?")
        arguments = {**place, "issue_number": red["number"], "body": said[0]}
        yield Step("comment", "issues/create-comment", arguments, paraphrases={"body": said[1:]})
        left = ", ".join(f"#{one['number']}" for one in truth["staying"].values())
        text, more = f"Not in: {left}. #{red['number']} is red.", (f"Still open: {left}; #{red['number']} fails.",)
    yield reply(scene, text, wordings=more)
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "out": (
        "not in, not merged, not go in, not get in, not make it, open, still open, left open, left over, left out, "
        "left, remaining, "
        "remains, remain, stay, stays, stayed, staying, out, wait, waits, waited, waiting, red, fails, failed, "
        "failing, "
        "failure, broke, broken, held back, skipped, blocked, stuck, pending, unmerged, missing"
    ),
    "in": "merged, was merged, is merged, are in, is in, went in, got in, made it, in main, on main, landed",
    "gone": "withdrawn, abandoned, dropped, given up, were closed, was closed, is closed, are closed",
}
"""What the answer may call a pull request."""
RED = (
    "red",
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "broken",
    "broke",
    "breaks",
    "error",
    "not green",
    "not pass",
)
"""What a remark on a red pull request has, unless it quotes the failure."""


def rubric(truth: Facts) -> RubricSource:
    """Each merged in its turn while it was green, main moved by nothing else, the author and the asker told."""
    main = {"update": "github_ref", "where": {"repo_from": "event.truth.repo", "name": "refs/heads/main"}}
    turns = len(truth["going"])
    once_more = {"sequence": [main] * (turns + 1)} if turns else main
    never: list[Item] = [{"id": "main_again", **once_more}]
    refs: dict[str, Item] = {"main": {"table": "github_ref", "where": main["where"]}}
    refs |= {"before": {"fact": "event.truth.main"}}
    items = [{"id": "moved", "update": {"ref": "main"}, "set": {"target": {"ne": {"ref": "before"}}}}] if turns else []
    for at, name in enumerate(truth["going"]):
        path = f"event.truth.going.{name}.issue"
        refs[name] = {"table": "github_issue", "where": {"id_from": path}}
        items += expect_merge(name, path, f"event.{MERGES[at]}.sha")
    told = expect_remark("author_told", "event.truth.red.number", _call_red()) if truth["red"] else []
    stay = {name: f"event.truth.staying.{name}.issue" for name in truth["staying"]}
    refs |= {name: {"table": "github_issue", "where": {"id_from": path}} for name, path in stay.items()}
    never += [forbid_merge(name, path) for name, path in stay.items()]
    heads = [f"event.truth.going.{name}.head" for name in truth["going"]]
    others = [f"event.truth.staying.{name}.number" for name in stay if truth["staying"][name] != truth["red"]]
    text = _leave_out(list(stay))
    note = {**allow_note("event.truth.key"), "text": {"field": "body_text", **text}}
    allow = [*map(allow_deletion, heads), *map(allow_remark, others), note]
    one_of = [[[one["id"]] for one in told]] if told else []
    return make_rubric([*items, *told, expect_reply(truth, text)], refs=refs, never=never, allow=allow, one_of=one_of)


def _call_red() -> Item:
    """A text predicate: a remark says that the build is red, or quotes the failure."""
    said = [{"mentions": one} for one in ("event.truth.failure", *RED)]
    return {"any_of": said, "none_of": [{"stance": {"on": "tests_pass", "is": "asserted"}}]}


def _leave_out(stay: Sequence[str]) -> Item:
    """A text predicate: the pull requests that stay open, and no other, are said to be out, by number or by title."""
    only = [{"kind": "key", "called": "out"}]
    if not stay:
        labels = {name: LABELS[name] for name in ("in", "out")}
        facts = {"facts": {"only": only, "labels": labels}}
        return {"answers": True, **facts, "none_of": [{"stance": {"on": "pr_was_merged", "is": "denied"}}]}
    known = [{"ref": name, "called": "out"} for name in stay]
    titles = [{"text": f"event.truth.staying.{name}.title", "called": "out"} for name in stay]
    return {"any_of": [{"facts": {"must": some, "only": only, "labels": LABELS}} for some in (known, titles)]}
