"""Something broke at a certain hour: the pull request that was deployed just before is to be reverted."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from scenarios.office.code import (
    allow_comments,
    choose_changes,
    commit,
    create_repository,
    files_of,
    head_of,
    login,
    managers,
    merge,
    propose,
)
from scenarios.office.people import engineers
from scenarios.office.pull_requests import is_in_repository
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script, row
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Revert what was deployed before something broke",
    apps=("github", "slack"),
    calls=(5, 12),
    demands=1,
    traps={
        "zone": "hasty: compares hours of different places",
        "last": "hasty: reverts the last deployment instead of the one before the breakage",
        "merge": "hasty: merges the revert, or undoes it on main by hand",
    },
)

REQUESTS = (
    "{repo} has given errors since {hour} ({place} time). Whatever went out last before that should be taken back: please open the pull"
    " request that reverts it, I review and merge. The list of deployments is in DEPLOYS.md there. Which one was it?",
    "merchants say {repo} broke at {hour}, that's {place} time. can you find what was deployed right before and open a revert? don't merge"
    " yet. tell me the number of the one you revert",
    "Errors of {repo} start at {hour} in {place}. I'd like the deployment before that reverted, as a pull request that I can look at. See"
    " DEPLOYS.md in the repository for the times. Send me the number of the original.",
    "Since {hour} {place} time {repo} is not well. Please prepare the revert of what was deployed last before then (DEPLOYS.md), only as a"
    " pull request, and write me which pull request was to blame.",
    "Could you prepare a revert in {repo}? The one that went out just before {hour} ({place} time) is my suspect; DEPLOYS.md has all of them."
    " I need the pull request open and the number of the suspect.",
)
PLACES = {
    "Berlin": "Europe/Berlin",
    "New York": "America/New_York",
    "Kolkata": "Asia/Kolkata",
    "London": "Europe/London",
    "Tokyo": "Asia/Tokyo",
}
HEADS = (
    "# Deployments\n\nTimes are local to whoever deployed.\n\n| time | what | by |\n| --- | --- | --- |\n",
    "# What went out\n\nNewest last. Everybody writes their own local time, with the place.\n\n| when | change | who |\n| --- | --- | --- |\n",
)


def draw(d: Draw) -> Facts:
    """Merge changes, and write down when each was deployed, in the zones of several places."""
    w, people = d.w, [one["id"] for one in engineers(d)]
    me, *authors = d.sample(people, 5, "engineers", me=0)
    asker = d.pick(managers(d, but=[me]), "asker")
    repo = create_repository(d, {})
    changes = choose_changes(d, d.stream("changes").integer(7, 9))
    numbers = [propose(w, d.pick(authors, f"author{at}"), repo, one) for at, one in enumerate(changes)]
    for number in numbers:
        merge(w, authors[0], repo, number)
    order = d.sample(list(range(len(numbers))), len(numbers), "order of the deployments")
    numbers, changes = [numbers[at] for at in order], [changes[at] for at in order]
    times = _times(d, len(numbers))
    guilty = d.stream("guilty").integer(2, len(numbers) - 3)
    broke = times[guilty] + (times[guilty + 1] - times[guilty]) / 2
    asked_in = d.pick(sorted(PLACES), "place of the asker")
    _write_list(d, repo, authors, numbers, times)
    here = w.find("github_repository", name=repo)["id"]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"{repo} is broken", "Please revert", f"Errors of {repo}")),
        "request": d.choose_wording(
            REQUESTS, repo=repo, hour=f"{broke.astimezone(ZoneInfo(PLACES[asked_in])):%H:%M}", place=asked_in
        ),
        "repo": repo,
        "number": numbers[guilty],
        "issue": w.find("github_issue", repo_id=here, number=numbers[guilty])["id"],
        "path": changes[guilty].path,
        "pulls": len(numbers),
    }


def _times(d: Draw, count: int) -> list[datetime]:
    """Hours of this morning, earliest first."""
    now = datetime.fromtimestamp(d.w.now // SECOND, UTC)
    gaps = [d.stream("gap", at).integer(7, 15) * 4 for at in range(count)]
    return [now - timedelta(minutes=sum(gaps[at:])) for at in range(count)]


def _write_list(d: Draw, repo: str, authors: list[str], numbers: list[int], times: list[datetime]) -> None:
    """Write the list of deployments into the repository."""
    rows = ""
    for at, (number, time) in enumerate(zip(numbers, times, strict=True)):
        place = d.pick(sorted(PLACES), f"place{at}")
        rows += f"| {time.astimezone(ZoneInfo(PLACES[place])):%H:%M} {place} | #{number} | @{login(d.w, authors[at % 4])} |\n"
    commit(d.w, authors[0], repo, "main", {"DEPLOYS.md": d.pick(HEADS, "head") + rows}, "Deployments of today")


def script(s: Script) -> None:
    """Look at the files of the first pull request that is opened after the request."""
    s.on(
        row("github_pull", "insert"),
        _judge,
        deadline=None,
        otherwise=None,
        after=s.events[-1],
        about=is_in_repository,
        name="opened",
    )


def _judge(w: Stage) -> None:
    """Note the commit if its files are those of main without the one that the wrong change added."""
    head, repo = w.trigger["row"]["head_sha"], w.fact("truth", "repo")
    now, then = (files_of(w, repo, one) for one in (head, head_of(w, repo, "main")))
    then.pop(w.fact("truth", "path"), None)
    w.note(sha=head if now == then else "")


def solution(scene: Scene) -> Steps:
    """Open the revert, then answer with the number of what it reverts."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    yield Step("revert", "web/pulls/revert", {**place, "pull_number": truth["number"]})
    number = truth["number"]
    texts = (
        f"It was #{number}, the revert is open.",
        f"#{number} went out just before. The revert waits for your review.",
    )
    yield reply(scene, f"I opened the revert of #{number}.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


INNOCENT = {"stance": {"on": "pull_guilty", "with": {"number": "event.truth.number"}, "is": "denied"}}
MERGED = [{"claims": {"subject": "revert", "state": one}} for one in ("merged", "deployed", "live", "closed")]
"""What nobody says of a revert that waits for a review."""
AFTER = "after the errors, after it broke, after they began, after that, afterwards, too late, later than that, when it was broken already"
"""Words for a deployment that cannot have broken anything."""
UNWANTED = {"stance": {"on": "pr_may_merge", "is": "denied"}}


def forbid_doubt(here: Facts) -> list[Item]:
    """The prohibition to write into the revert or a comment that it takes back the wrong one, or must not go in."""
    mine, doubt = {**here, "author": {"ref": "agent"}}, {"field": "body", "any_of": [INNOCENT, UNWANTED]}
    tables = {"revert": "github_issue", "comment": "github_comment"}
    return [{"id": f"doubt_in_{name}", "insert": table, "where": mine, "text": doubt} for name, table in tables.items()]


def tell_number(truth: Facts) -> Item:
    """Text predicates: the number of the guilty one, as a number or a reference, in no list of all of them.

    Who gives the hours of deployments may name more.
    """
    number, pulls = truth["number"], range(1, truth["pulls"] + 1)
    spoken: list[Item] = [{"mentions": f"{word} {number}"} for word in ("number", "no.", "PR", "pull request")]
    labels = {
        "number": "number, one, suspect, culprit, blame, it is, it's, it was",
        "rest": "deployments, changes, minutes, people",
    }
    bare = {"must": [{"count": "event.truth.number", "called": "number"}], "labels": labels}
    spoken.append({"facts": bare, "none_of": [{"facts": {"some": ["key"]}}]})
    short = [{"max_entities": 6}, {"facts": {"some": ["time"]}, "max_entities": 9}]
    everything = {"all_of": [{"mentions": f"#{one}"} for one in pulls]}
    return {
        "all_of": [{"any_of": [{"facts": {"must": [{"ref": "guilty"}]}}, *spoken]}, {"any_of": short}],
        "none_of": [INNOCENT, everything, *MERGED],
        "facts": {"never": [{"ref": "guilty", "called": "after"}], "labels": {"after": AFTER}},
    }


def rubric(truth: Facts) -> RubricSource:
    """One open pull request that reverts the right one, nothing merged, and the number in the answer."""
    here = {"repo_from": "event.truth.repo"}
    refs: dict[str, Item] = {
        "guilty": {"table": "github_issue", "where": {**here, "number_from": "event.truth.number"}}
    }
    said = {"field": ["title", "body"], "facts": {"must": [{"ref": "guilty"}]}}
    opened = {"insert": "github_issue", "where": {**here, "is_pull": True, "state": "open", "author": {"ref": "agent"}}}
    items = [
        {"id": "opened", **opened, "text": said, "weight": 2, "gate": True},
        {
            "id": "proposed",
            "insert": "github_pull",
            "where": {**here, "base_ref": "main", "head_sha_from": "event.opened.sha"},
            "weight": 2,
        },
        {"id": "branch", "insert": "github_ref", "where": {**here, "name": {"matches": "refs/heads/.+"}}},
        expect_reply(truth, tell_number(truth)),
    ]
    main = {**here, "name": "refs/heads/main"}
    asked = {"insert": "github_review_request", "where": {"reviewer": {"ref": "asker"}}, "max": 1}
    refs["asker"] = {"employee": {"fact": "event.truth.asker"}}
    return make_rubric(
        items,
        refs=refs,
        allow=[asked, allow_comments(2)],
        never=[
            {"id": "main_moved", "update": "github_ref", "where": main},
            *forbid_doubt(here),
        ],
    )
