"""The agent's pull request: its builds, its merge, and its deployment."""

from collections.abc import Callable

from scenarios.office.builds import report_build, state_of
from scenarios.office.cast import post_as
from scenarios.office.code import files_of, read_file
from scenarios.office.hours import clock
from world.core.clock import MINUTE
from world.core.journal import Change
from world.script.scenario import Event, Script, row
from world.script.stage import Stage

from .deployments import BOT, WORDS
from .texts import DEPLOYED

ROUNDS = 4  # heads of pull requests, and calls for another build, that the build server looks at


def watch_reverts(s: Script, asked: Event, *, flaky: bool) -> Event:
    """Build every head of a pull request and again when it is called; returns the event of the right merge's deployment."""
    called = row("github_comment", "insert", body=lambda text: any(word in text for word in WORDS))
    for at in range(1, ROUNDS + 1):
        head = s.on(is_new_head, begin_build, deadline=None, otherwise=None, times=at, after=asked, name=f"head_{at}")
        s.after(head, "4m", end_build(f"head_{at}", red=flaky), name=f"built_{at}")
        again = s.on(called, begin_again, deadline=None, otherwise=None, times=at, after=asked, name=f"again_{at}")
        s.after(again, "4m", end_build(f"again_{at}", red=False), name=f"rebuilt_{at}")
    merged = row("github_pull", "update", merged_at=lambda value: value is not None)
    found = s.on(merged, note_merge, deadline=None, otherwise=None, after=asked, name="merged")
    return s.after(found, "5m", announce_deployment, name="deployed")


def is_new_head(change: Change) -> bool:
    """Whether a pull request was opened, or got another last commit."""
    before, after = change.before or {}, change.after or {}
    return change.table == "github_pull" and bool(after) and before.get("head_sha") != after.get("head_sha")


def begin_build(w: Stage) -> None:
    """The build server begins with a new head; the note says whether its files are right."""
    repo, sha = w.fact("truth", "repo"), w.trigger["row"]["head_sha"]
    report_build(w, repo, sha, "", "Building")
    w.note(built=sha, sha=sha if is_clean(w, sha) else "")


def begin_again(w: Stage) -> None:
    """The build server begins anew with the pull request on which somebody called for it."""
    pulls = w.rows("github_pull", issue_id=w.trigger["row"]["issue_id"])
    sha = pulls[0]["head_sha"] if pulls else ""
    if sha:
        report_build(w, w.fact("truth", "repo"), sha, "", "Building again")
    w.note(built=sha)


def end_build(begun: str, *, red: bool) -> Callable[[Stage], None]:
    """The end of a build that an event began."""

    def end(w: Stage) -> None:
        sha, test, hiccup = w.fact(begun, "built"), w.fact("truth", "test"), w.fact("truth", "hiccup")
        if sha and red:
            report_build(w, w.fact("truth", "repo"), sha, "failure", "1 of 214 failed", f"{test}: {hiccup}")
        elif sha:
            report_build(w, w.fact("truth", "repo"), sha, "success", "All passed")
        w.note(ended=sha)

    return end


def is_clean(w: Stage, sha: str) -> bool:
    """Whether a commit differs from main by the undone change alone."""
    repo, path = w.fact("truth", "repo"), w.fact("truth", "path")
    found = files_of(w, repo, sha)
    rest = {name: one for name, one in found.items() if name != path}
    return rest == w.fact("truth", "clean") and read_file(w, repo, sha, path).strip() == w.fact("truth", "text").strip()


def note_merge(w: Stage) -> None:
    """Note the hash of a merge that was right, green and approved."""
    pull, repo = w.trigger["row"], w.fact("truth", "repo")
    reviewer = w.find("github_account", person_id=w.fact("truth", "cast")["reviewer"])["id"]
    approved = w.rows(
        "github_review", issue_id=pull["issue_id"], author_id=reviewer, state="APPROVED", commit_sha=pull["head_sha"]
    )
    fine = is_clean(w, pull["head_sha"])
    done = fine and bool(approved) and state_of(w, repo, pull["head_sha"]) == "success"
    number = w.find("github_issue", id=pull["issue_id"])["number"]
    w.note(sha=pull["merge_sha"] if done else "", fine=fine, number=number)


def announce_deployment(w: Stage) -> None:
    """Deploybot says that the merged pull request is live."""
    number, repo = w.fact("merged", "number"), w.fact("truth", "repo")
    here = w.find("github_repository", name=repo)["id"]
    title = w.find("github_issue", repo_id=here, number=number)["title"]
    room, who = w.find("slack_channel", name="deploys")["id"], w.fact("truth", "my_login")
    time = clock(w.now // MINUTE % 1440)
    text = DEPLOYED.format(repo=repo, number=number, title=title, login=who, time=time)
    w.note(ts=post_as(w, w.person(BOT).id, room, text))
