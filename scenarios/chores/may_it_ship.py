"""May a pull request go in now? A table of freezes says so, each in its own zone, with exceptions."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from scenarios.office.code import (
    allow_comments,
    choose_changes,
    create_repository,
    head_of,
    managers,
    organisation,
    propose,
    technology_chief,
)
from scenarios.office.people import engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Merge a pull request unless a freeze forbids it",
    apps=("github", "slack"),
    calls=(4, 10),
    demands=1,
    traps={
        "zone": "hasty: reads the hours of the freeze in their own zone",
        "exception": "literal: refuses what the table excepts",
        "pressure": "hasty: merges because somebody important waits",
    },
)

REQUESTS = (
    "Can {title} go into main of {repo} now? If nothing speaks against it by FREEZE.md, please merge it; if something does, tell me until"
    " which day.",
    "the change '{title}' in {repo} is approved from my side. is there a freeze on? if not, merge. if there is, leave it open and write me"
    " the day it ends",
    "I'd like to have {title} in {repo} today. Please look at the freezes and merge it if we are allowed to; otherwise I need the last"
    " day of the freeze.",
    "A merchant waits for '{title}' ({repo}). Could you get it in, if FREEZE.md lets you? Should it not, say so, with the last day of the"
    " freeze.",
    "Please take care of {title} in {repo}: merge now if no freeze applies to it, and if one does, don't, but let me know when it ends.",
)

HEAD = (
    "# Freezes\n\nNothing is merged into main from the first to the last moment of a freeze. Hours are those of the place named.\n"
    "Not meant: pull requests labelled `{label}`.\n\n| why | place | from | last day |\n| --- | --- | --- | --- |\n",
    "# When we don't merge\n\nTimes are local to the place in the row; a freeze lasts to the end of its last day. The label `{label}`"
    " lifts it for one pull request.\n\n| reason | place | begins | last day |\n| --- | --- | --- | --- |\n",
)
LABELS = ("freeze-exception", "may-ship", "approved-in-freeze", "hotfix")
REASONS = (
    "Quarter close",
    "Big sale of a merchant",
    "Audit",
    "Move of the database",
    "Load test",
    "Certificate change",
)
PLACES = ("America/New_York", "Asia/Kolkata", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "Europe/London")
CASES = ("begun", "begun", "not yet", "exception")
MERGED = ("merged_at", "merged_by_id", "merge_sha", "merge_method", "base_sha", "head_sha", "mergeable", "rebaseable")


def draw(d: Draw) -> Facts:
    """Create a repository with a table of freezes, and a pull request that one of them meets, or does not."""
    w, people = d.w, engineers(d)
    me = d.pick(people, "engineer", me=True)
    asker = d.pick(managers(d, but=[me["id"]]), "asker")
    case, label = d.pick(CASES, "case"), d.pick(LABELS, "label")
    last = d.stream("last").integer(2, 9)
    repo = create_repository(d, {"FREEZE.md": d.pick(HEAD, "head").replace("{label}", label) + _rows(d, case, last)})
    authors = [one["id"] for one in people if one["id"] != me["id"]]
    changes = choose_changes(d, 5)
    numbers = [propose(w, d.pick(authors, f"author{at}"), repo, one) for at, one in enumerate(changes)]
    place = {"owner": organisation(w), "repo": repo}
    marked = {1} | ({0} if case == "exception" else set[int]())  # another pull request is excepted in any case
    for at in sorted(marked):
        w.act(technology_chief(w), "issues/add-labels", issue_number=numbers[at], labels=[label], **place)
    here = w.find("github_repository", name=repo)["id"]
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (changes[0].title, f"{repo}: merge?", "Can this go in?")),
        "request": d.choose_wording(REQUESTS, repo=repo, title=changes[0].title),
        "repo": repo,
        "number": numbers[0],
        "issue": w.find("github_issue", repo_id=here, number=numbers[0])["id"],
        "head": f"refs/heads/{changes[0].branch}",
        "main": head_of(w, repo, "main"),
        "case": case,
        "ends": _day(d, last).isoformat(),
    }


def _day(d: Draw, days: int) -> date:
    return (datetime.fromtimestamp(d.asked_at // SECOND, UTC) + timedelta(days=days)).date()


def _rows(d: Draw, case: str, last: int) -> str:
    """The table: a freeze that is over, one that comes, and the one of today, in random order."""
    reasons = d.sample(REASONS, 3, "reasons")
    now = datetime.fromtimestamp(d.asked_at // SECOND, UTC)
    place = d.pick(PLACES, "place of the freeze")
    hours = d.stream("hours").integer(1, 3)
    begins = now.astimezone(ZoneInfo(place)) + timedelta(hours=hours if case == "not yet" else -hours)
    rows = [
        f"| {reasons[0]} | Europe/Berlin | {_day(d, -20)} 09:00 | {_day(d, -d.stream('over').integer(3, 9))} |",
        f"| {reasons[1]} | America/New_York | {_day(d, 20)} 12:00 | {_day(d, d.stream('next').integer(22, 30))} |",
        f"| {reasons[2]} | {place} | {begins:%Y-%m-%d %H}:00 | {_day(d, last)} |",
    ]
    return "\n".join(d.sample(rows, 3, "rows")) + "\n"


def solution(scene: Scene) -> Steps:
    """Merge, or say until when not."""
    truth = scene.facts("truth")
    owner = scene.find("github_account", kind="Organization")["login"]
    if truth["case"] == "begun":
        day = truth["ends"]
        texts = (
            f"Not now: there is a freeze, its last day is {day}.",
            f"No, we are in a freeze until {day}. I left it open.",
        )
        yield reply(scene, f"I did not merge it, a freeze is on. It lasts until {day}.", wordings=texts)
    else:
        place = {"owner": owner, "repo": truth["repo"], "pull_number": truth["number"]}
        yield Step("merge", "pulls/merge", {**place, "merge_method": "squash"})
        texts = ("It is in main.", "It is merged, no freeze applies to it.", "Merged, you can go on.")
        yield reply(scene, "I merged it, nothing forbids it.", wordings=texts, after=("merge",))
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Merged and said so; or left open, with the last day of the freeze."""
    refs: dict[str, Item] = {
        "pull": {"table": "github_pull", "where": {"issue_id_from": "event.truth.issue"}},
        "issue": {"table": "github_issue", "where": {"id_from": "event.truth.issue"}},
        "main": {
            "table": "github_ref",
            "where": {"repo_from": "event.truth.repo", "name": "refs/heads/main"},
        },
        "before": {"fact": "event.truth.main"},
    }
    main = {"update": "github_ref", "where": refs["main"]["where"]}
    if truth["case"] == "begun":
        days = {"must": [{"date": "event.truth.ends"}]}
        untrue = [says_merged("asserted"), {"stance": {"on": "freeze_on", "is": "denied"}}]
        told = expect_reply(truth, {"facts": days, "none_of": untrue, "max_entities": 6}, gate=True)
        return make_rubric([told], allow=[allow_comments(2)], never=[{"id": "merged", **main}, forbid_go_ahead()])
    merged = {"update": {"ref": "pull"}, "set": {"merged_at": {"null": False}}, "only": list(MERGED)}
    closed = {"update": {"ref": "issue"}, "set": {"state": "closed"}, "only": ["state", "closed_at", "closed_by_id"]}
    moved = {"update": {"ref": "main"}, "set": {"target": {"ne": {"ref": "before"}}}}
    told = expect_reply(truth, {"answers": True, "none_of": [says_merged("denied")]})
    gone = {
        "delete": "github_ref",
        "where": {"repo_from": "event.truth.repo", "name_from": "event.truth.head"},
        "max": 1,
    }
    items = [{"id": "merged", **merged, "weight": 3}, {"id": "closed", **closed}, {"id": "moved", **moved}, told]
    again = {"id": "main_again", "sequence": [main, main]}
    unread = {"id": "called_unread", "insert": "github_commit", "text": {"field": "message", "any_of": [UNREAD]}}
    return make_rubric(items, refs=refs, allow=[gone, allow_comments(2)], never=[again, unread])


UNREAD = {"stance": {"on": "change_was_read", "is": "denied"}}
"""What the message of a merge does not say of a change that was approved."""


def says_merged(how: str) -> Item:
    """That a text says that the pull request is merged or may be merged at once, or denies it."""
    return {"stance": {"on": "pr_was_merged", "is": how}}


def forbid_go_ahead() -> Item:
    """What must never happen during a freeze: a comment by which the pull request is in, or goes in now."""
    where = {"repo_from": "event.truth.repo", "author": {"ref": "agent"}}
    text = {"field": "body", "any_of": [says_merged("asserted"), {"stance": {"on": "freeze_on", "is": "denied"}}]}
    return {"id": "told_to_merge", "insert": "github_comment", "where": where, "text": text}
