"""Pull request pages: the list, and one pull request with conversation, commits, checks and files."""

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from apps.github.pages import diffs
from apps.github.pages.frame import frame
from apps.github.pages.issues import build_issue_list, conversation
from apps.github.pages.reviews import ThreadView, place_threads, with_parts
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

PAGE = 100
MOST_PAGES = 5


@pages.page("/{owner}/{repo}/pulls", template="issues.html")
def pulls(view: View, owner: str, repo: str) -> PageContext:
    """The pull requests of a repository."""
    shown = build_issue_list(view, owner, repo, "pr")
    numbers = [one["number"] for one in shown["items"]]
    states = view.attempt("web/pulls/states", owner=owner, repo=repo, numbers=numbers) or []
    return shown | {"states": {one["number"]: one for one in states}}


def all_of(view: View, operation: str, **arguments: object) -> list[JsonObject]:
    """Return every entry of a paged list, up to some hundreds."""
    found: list[JsonObject] = []
    for page in range(1, MOST_PAGES + 1):
        part = view.read(operation, **arguments, per_page=PAGE, page=page)
        found += part
        if len(part) < PAGE:
            break
    return found


class PullPage:
    """The pull request of an address, and the frame of its pages."""

    def __init__(self, view: View, owner: str, repo: str, number: int, tab: str) -> None:
        self.view, self.tab = view, tab
        self.ref = {"owner": owner, "repo": repo, "pull_number": number}
        self.around = frame(view, owner, repo, "pulls")

    def context(self, pull: dict[str, Any]) -> PageContext:
        """Return the context of all tabs."""
        view, around, number = self.view, self.around, self.ref["pull_number"]
        issue = view.read("issues/get", owner=self.ref["owner"], repo=self.ref["repo"], issue_number=number)
        box = view.attempt("web/pulls/box", **self.ref)
        name = f"{pull['title']} by {pull['user']['login']} · Pull Request #{number} · {around['full_name']}"
        return around | {
            "pull": pull,
            "issue": issue,
            "box": box,
            "pull_tab": self.tab,
            "pull_at": around["at"](f"/pull/{number}"),
            "title": name,
        }


@pages.page("/{owner}/{repo}/pull/{number:int}", template="pull_talk.html", free=("side", "merge_box"))
def pull(view: View, owner: str, repo: str, number: int) -> PageContext | Response:
    """The conversation of a pull request."""
    asked = PullPage(view, owner, repo, number, "conversation")
    context = asked.context(view.call("pulls/get", **asked.ref))
    said = conversation(view, owner, repo, context["issue"])
    threads = [with_parts(one) for one in view.read("web/pulls/threads", **asked.ref)]
    commits = view.read("pulls/list-commits", **asked.ref, per_page=PAGE)
    said["events"] = group_timeline(said["events"], threads, {one["sha"]: one for one in commits})
    looked = view.read("web/pulls/looked", **asked.ref)
    teams = (
        view.attempt("repos/list-teams", owner=owner, repo=repo, per_page=100) or []
        if view.query.get("menu") == "reviewers"
        else []
    )
    return (
        context
        | said
        | {
            "teams": teams,
            "pending": looked["pending"],
            "pending_count": sum(bool(comment["pending"]) for one in threads for comment in one["comments"]),
            "linked": view.attempt("web/linked", owner=owner, repo=repo, number=number) or [],
            "composing": None,
        }
    )


def group_timeline(
    events: Sequence[dict[str, Any]], threads: Sequence[ThreadView], commits: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Group the timeline: consecutive commits together, reviews with their conversations, no mere replies."""
    begun: dict[object, list[ThreadView]] = {}
    for one in threads:
        begun.setdefault(one["review_id"], []).append(one)
    out: list[dict[str, Any]] = []
    for event in events:
        if event["event"] == "committed":
            row = event | {"user": (commits.get(event["sha"]) or {}).get("author")}
            if out and out[-1]["event"] == "commits":
                out[-1]["commits"].append(row)
            else:
                out.append({"event": "commits", "commits": [row]})
        elif event["event"] == "reviewed":
            started = begun.get(event["id"], [])
            if event["body"] or started or event["state"] != "commented":
                out.append(event | {"threads": started})
        elif event["event"] == "closed" and out and out[-1]["event"] == "merged":
            continue
        else:
            out.append(event)
    return out


@pages.page("/{owner}/{repo}/pull/{number:int}/commits", template="pull_commits.html")
def pull_commits(view: View, owner: str, repo: str, number: int) -> PageContext:
    """The commits of a pull request, by day."""
    asked = PullPage(view, owner, repo, number, "commits")
    listed = view.call("pulls/list-commits", **asked.ref, per_page=PAGE)
    return asked.context(view.read("pulls/get", **asked.ref)) | {"days": by_day(listed)}


def by_day(commits: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group commits by the day they were committed on, in order."""
    days: dict[str, list[dict[str, Any]]] = {}
    for one in commits:
        days.setdefault(one["commit"]["committer"]["date"][:10], []).append(one)
    return [(shas[0]["commit"]["committer"]["date"], shas) for shas in days.values()]


@pages.page("/{owner}/{repo}/pull/{number:int}/checks", template="pull_checks.html")
def pull_checks(view: View, owner: str, repo: str, number: int) -> JsonObject:
    """The checks of a pull request's head."""
    asked = PullPage(view, owner, repo, number, "checks")
    pull = view.call("pulls/get", **asked.ref)
    runs = view.attempt("checks/list-for-ref", owner=owner, repo=repo, ref=pull["head"]["sha"], per_page=100) or {
        "check_runs": []
    }
    chosen = next((one for one in runs["check_runs"] if str(one["id"]) == view.query.get("check_run_id")), None)
    notes = (
        view.attempt("checks/list-annotations", owner=owner, repo=repo, check_run_id=chosen["id"], per_page=100)
        if chosen
        else None
    )
    return asked.context(pull) | {"runs": runs["check_runs"], "chosen": chosen, "annotations": notes or []}


@pages.page("/{owner}/{repo}/pull/{number:int}/files", template="pull_files.html")
def pull_files(view: View, owner: str, repo: str, number: int) -> JsonObject:
    """Show the changes of a pull request, with the conversations on its lines."""
    asked = PullPage(view, owner, repo, number, "files")
    listed = list(view.call("pulls/list-files", **asked.ref, per_page=PAGE, page=1))
    if len(listed) == PAGE:
        listed = all_of(view, "pulls/list-files", **asked.ref)
    pull = view.read("pulls/get", **asked.ref)
    looked = view.read("web/pulls/looked", **asked.ref)
    threads = [with_parts(one) for one in view.read("web/pulls/threads", **asked.ref)]
    files = diffs.files_of(listed, view.queries.get("expand", []))
    path, _, key = view.query.get("comment", "").rpartition(":")
    return asked.context(pull) | {
        "files": files,
        "tree": diffs.tree_of(files),
        "totals": diffs.totals(listed),
        "mode": view.query.get("diff", "unified"),
        "viewed": set(looked["viewed"]),
        "pending": looked["pending"],
        "notes": place_threads(files, threads),
        "composing": (path, key) if path else None,
        "pending_count": sum(bool(comment["pending"]) for one in threads for comment in one["comments"]),
        "conversations": threads,
    }
