"""A working day through PyGithub: `python pygithub_day.py`; prints one line of what it touched.

FIRM_URL is the address of the API; without it the library goes where it always goes, through the proxy that the
environment names. FIRM_TOKEN speaks for ada, FIRM_PEER_TOKEN for bo, FIRM_FILES is a folder to write in.
"""

import json
import os
from pathlib import Path
from typing import Any

from github import Auth, Github, GithubException, InputFileContent, InputGitAuthor, InputGitTreeElement

URL = {"base_url": os.environ["FIRM_URL"]} if "FIRM_URL" in os.environ else {}
HASTY: dict[str, Any] = {
    "seconds_between_requests": None,
    "seconds_between_writes": None,
    **URL,
}  # it waits a second after each write
TOKENS = (os.environ["FIRM_TOKEN"], os.environ["FIRM_PEER_TOKEN"], "ghp_nobody")
WORD = "zephyrine"
CODE = "def blow(n):\n    return n + 1\n"
FLOW = (
    "name: CI\non: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo"
    " wind\n"
)


def refused(act: Any) -> list[Any]:
    """Class, status and told errors of the library's own exception."""
    try:
        act()
    except GithubException as error:
        data: Any = error.data
        return [
            type(error).__name__,
            error.status,
            data["message"],
            [one.get("code") for one in data.get("errors", []) if isinstance(one, dict)],
        ]
    return ["nothing was refused"]


def look_around(hub: Github) -> dict[str, Any]:
    """Who am I, what is there."""
    me = hub.get_user()
    assert (me.login, me.name, me.type) == ("ada", "Ada Novak", "User") and hub.get_user("bo").name == "Bo Lindqvist"
    assert hub.oauth_scopes and hub.rate_limiting[1] >= 5000
    limits = hub.get_rate_limit()
    assert limits.resources.core.limit == 5000 and limits.resources.search.limit == 30
    org = hub.get_organization("tiny")
    names = {one.full_name for one in org.get_repos()}
    assert names == {"tiny/app", "tiny/site", "tiny/secret"} and names <= {one.full_name for one in me.get_repos()}
    assert [one.login for one in me.get_orgs()] == ["tiny"] and {one.login for one in org.get_members()} == {
        "ada",
        "bo",
        "cyrus",
        "dee",
    }
    assert {one.slug: [who.login for who in one.get_members()] for one in org.get_teams()} == {
        "core": ["ada", "bo"],
        "support": ["cyrus"],
    }
    assert [one.full_name for one in hub.get_user("bo").get_repos()] == []
    assert [one.title for one in org.get_issues(filter="all")] == ["Counting is slow"]
    return {"me": me.id, "titles": [one.title for one in me.get_issues(filter="all", state="all")]}


def contents(repo: Any) -> None:
    """Files come, change, and go by the contents API."""
    made = repo.create_file("src/wind.py", "Let it blow", CODE)
    assert repo.get_contents("src/wind.py").decoded_content.decode() == CODE
    again = repo.update_file("src/wind.py", "Stronger", CODE.replace("+ 1", "+ 2"), made["content"].sha)
    assert again["commit"].parents[0].sha == made["commit"].sha
    repo.create_file("gone.txt", "For a while", "x\n", author=InputGitAuthor("Ada N", "ada@tiny.example"))
    repo.delete_file("gone.txt", "Not any more", repo.get_contents("gone.txt").sha)
    assert sorted(one.path for one in repo.get_contents("")) == ["README.md", "src"]
    assert repo.get_readme().path == "README.md"
    assert refused(lambda: repo.update_file("src/wind.py", "Stale", "x", made["content"].sha))[1] == 409
    repo.create_file(".github/workflows/ci.yml", "Test", FLOW)


def commits(repo: Any) -> str:
    """Branches, commits and their comparison."""
    listed = list(repo.get_commits())
    assert [one.commit.message for one in listed][-1] == "Initial commit" and len(listed) == 6
    shown = repo.get_commit(listed[-2].sha)
    assert [one.filename for one in shown.files] == ["src/wind.py"] and shown.stats.additions == 2
    assert [one.name for one in repo.get_branches()] == ["main"] and repo.get_branch("main").commit.sha == listed[0].sha
    compared = repo.compare(listed[-1].sha, "main")
    assert (compared.ahead_by, compared.status, compared.commits.totalCount) == (5, "ahead", 5)
    assert next(iter(repo.get_commits(path="src/wind.py", author="ada"))).sha == listed[-3].sha
    return listed[0].sha


def git_data(repo: Any, head: str) -> str:
    """A commit made by hand: blob, tree, commit, ref, tag."""
    blob = repo.create_git_blob("by hand\n", "utf-8")
    base = repo.get_git_commit(head).tree
    tree = repo.create_git_tree([InputGitTreeElement("hand.txt", "100644", "blob", sha=blob.sha)], base)
    made = repo.create_git_commit("By hand", tree, [repo.get_git_commit(head)])
    ref = repo.create_git_ref("refs/heads/hand", head)
    ref.edit(made.sha)
    assert ref.update() and ref.object.sha == made.sha
    assert repo.get_git_ref("heads/hand").object.sha == made.sha
    tag = repo.create_git_tag(
        "v0.1", "The first", made.sha, "commit", InputGitAuthor("Ada", "ada@tiny.example", "2026-03-02T08:00:00Z")
    )
    repo.create_git_ref("refs/tags/v0.1", tag.sha)
    assert repo.get_git_tag(tag.sha).object.sha == made.sha and [one.name for one in repo.get_tags()] == ["v0.1"]
    assert repo.get_git_blob(blob.sha).encoding == "base64"
    assert "hand.txt" in [one.path for one in repo.get_git_tree(made.sha, recursive=True).tree]
    assert {one.ref for one in repo.get_git_refs()} == {"refs/heads/main", "refs/heads/hand", "refs/tags/v0.1"}
    assert [one.ref for one in repo.get_git_matching_refs("heads/ha")] == ["refs/heads/hand"]
    repo.create_git_ref("refs/heads/short", head).delete()
    assert refused(lambda: repo.create_git_ref("refs/heads/hand", head))[:2] == ["GithubException", 422]
    return made.sha


def issues(repo: Any, hub: Github) -> int:
    """An issue's life, with labels, milestone, assignees and what is said."""
    label, other = repo.create_label("gusty", "00ff00", "In the wind"), repo.create_label("calm", "0000ff")
    label.edit("gusts", "00ff11", "Strong")
    milestone = repo.create_milestone("v1", description="Everything")
    milestone.edit("v1.0", state="open")
    assert {"gusts", "calm", "bug"} <= {one.name for one in repo.get_labels()}
    assert repo.get_label("gusts").color == "00ff11" and repo.get_milestone(1).title == "v1.0"
    issue = repo.create_issue(f"Too much {WORD}", "It *blows*, @bo.", "bo", milestone, ["gusts"])
    assert issue.assignees[0].login == "bo" and issue.milestone.title == "v1.0" and issue.state == "open"
    issue.edit(title=f"Far too much {WORD}", labels=["gusts", "calm"], state="closed", state_reason="not_planned")
    issue.edit(state="open")
    assert repo.get_issue(issue.number).state_reason == "reopened"
    issue.add_to_labels("bug")
    issue.remove_from_labels("calm")
    issue.set_labels("gusts", "bug")
    assert {one.name for one in issue.get_labels()} == {"gusts", "bug"} == {one.name for one in milestone.get_labels()}
    issue.add_to_assignees("ada")
    issue.remove_from_assignees("bo")
    said = issue.create_comment("First")
    said.edit("First, changed")
    said.create_reaction("rocket")
    assert issue.get_comment(said.id).body == "First, changed" and issue.get_comments().totalCount == 1
    issue.create_comment("Second").delete()
    issue.lock("resolved")
    issue.unlock()
    assert [one.body for one in repo.get_issues_comments()] == ["First, changed"]
    events = [one.event for one in issue.get_events()]
    assert {"closed", "reopened", "labeled", "assigned", "unassigned", "locked"} <= set(events)
    assert repo.get_issues_event(next(iter(issue.get_events())).id).event == events[
        0
    ] and repo.get_issues_events().totalCount == len(events)
    assert "commented" in [one.event for one in issue.get_timeline()]
    others(repo, issue)
    issue.delete_labels()
    label.delete()
    other.delete()
    spare = repo.create_milestone("never")
    spare.delete()
    assert [one.title for one in repo.get_milestones()] == ["v1.0"] and hub.get_user().get_user_issues().totalCount
    return issue.number


def others(repo: Any, issue: Any) -> None:
    """Issues below it and in its way; who may be assigned."""
    small, block = repo.create_issue("A small part"), repo.create_issue("Something else first")
    issue.add_sub_issue(small)
    issue.add_sub_issue(block)
    issue.prioritize_sub_issue(block, small)
    assert [one.number for one in issue.get_sub_issues()] == [small.number, block.number]
    issue.remove_sub_issue(block)
    issue.add_blocked_by(block)
    assert [one.number for one in issue.get_blocked_by()] == [block.number] and [
        one.number for one in block.get_blocking()
    ] == [issue.number]
    issue.remove_blocked_by(block)
    assert (
        repo.has_in_assignees("bo")
        and not repo.has_in_assignees("nobody")
        and "ada" in [one.login for one in repo.get_assignees()]
    )
    numbers = [one.number for one in repo.get_issues(state="all", sort="created", direction="asc")]
    assert numbers == [issue.number, small.number, block.number]


def propose(repo: Any, closes: int) -> Any:
    """A pull request with a change in two files."""
    repo.create_git_ref("refs/heads/storm", repo.get_branch("main").commit.sha)
    repo.update_file(
        "src/wind.py",
        "Storm",
        CODE.replace("+ 1", "+ 3"),
        repo.get_contents("src/wind.py", "storm").sha,
        branch="storm",
    )
    repo.create_file("docs/storm.md", "Explain", "# Storm\n\nIt storms.\n", branch="storm")
    pull = repo.create_pull("main", "storm", title=f"A {WORD} storm", body=f"Closes #{closes}", draft=False)
    pull.edit(title=f"The {WORD} storm")
    pull = repo.get_pull(pull.number)
    assert {one.filename: one.changes for one in pull.get_files()} == {"docs/storm.md": 3, "src/wind.py": 2}
    assert [one.commit.message for one in pull.get_commits()] == ["Storm", "Explain"] and not pull.is_merged()
    assert [one.number for one in repo.get_pulls(state="open", base="main")] == [pull.number]
    return pull


def review(repo: Any, pull: Any, seen: Any) -> None:
    """Bo looks at it: asked for, pending, thrown away, submitted, answered, dismissed. `seen` is the pull request as Bo
    has it.
    """
    pull.create_review_request(["bo", "cyrus"])
    pull.delete_review_request(["cyrus"])
    assert [one.login for one in pull.get_review_requests()[0]] == ["bo"]
    last = list(seen.get_commits())[-1]
    pending = seen.create_review(last, "Almost", comments=[{"path": "src/wind.py", "line": 2, "body": "Why three?"}])
    assert pending.state == "PENDING"
    pending.delete()
    asked = seen.create_review(
        last, "Hm", "REQUEST_CHANGES", [{"path": "src/wind.py", "line": 2, "body": "Why three?"}]
    )
    asked.edit("Hm!")
    (said,) = seen.get_single_review_comments(asked.id)
    answer = pull.create_review_comment_reply(said.id, "Because.")
    assert answer.in_reply_to_id == said.id and pull.get_review_comment(answer.id).body == "Because."
    answer.edit("Because it storms.")
    lone = seen.create_review_comment("And why here?", last, "docs/storm.md", line=3, side="RIGHT")
    assert pull.get_review_comments().totalCount == 3
    lone.delete()
    assert repo.get_pulls_review_comments().totalCount == 2
    pull.get_review(asked.id).dismiss("Answered.")
    assert seen.create_review(last, "Good", "APPROVE").state == "APPROVED"
    assert [one.state for one in pull.get_reviews() if one.body] == ["DISMISSED", "APPROVED"]
    assert refused(lambda: pull.create_review(last, "Mine", "APPROVE"))[1] == 422
    pull.create_issue_comment("Thanks")


def checks(repo: Any, pull: Any) -> None:
    """Statuses and check runs on the head."""
    head = repo.get_commit(pull.head.sha)
    head.create_status("pending", "https://ci.tiny.example/1", "Runs", "wind/tests")
    head.create_status("success", description="Fine", context="wind/tests")
    assert (head.get_combined_status().state, head.get_combined_status().total_count) == ("success", 1)
    assert [one.state for one in head.get_statuses()] == ["success", "pending"]
    assert {one.name for one in head.get_check_runs()} <= {"test"} and head.get_check_suites().totalCount >= 0


def merge(repo: Any, pull: Any) -> None:
    """The branch catches up with its base and is merged; its issue is closed by that."""
    repo.create_file("later.txt", "Meanwhile", "later\n")
    assert pull.update_branch()
    for _ in range(20):
        pull = repo.get_pull(pull.number)
        if pull.mergeable is not None:
            break
    assert pull.mergeable and pull.commits == 3, (pull.mergeable, pull.mergeable_state)
    done = pull.merge(commit_title="Storm in", merge_method="squash")
    assert (
        done.merged and repo.get_pull(pull.number).is_merged() and repo.get_pull(pull.number).merged_by.login == "ada"
    )
    assert repo.get_contents("docs/storm.md").size == 20
    repo.get_git_ref("heads/storm").delete()
    assert refused(lambda: repo.get_pull(pull.number).merge())[1] == 405


def search(hub: Github, repo: Any) -> dict[str, int]:
    """Everything that can be searched."""
    where = f"repo:{repo.full_name}"
    found = {
        "issues": hub.search_issues(f"{WORD} {where}"),
        "code": hub.search_code(f"blow {where}"),
        "repositories": hub.search_repositories("winds in:name"),
        "commits": hub.search_commits(f"Storm {where}"),
        "users": hub.search_users("bo in:login"),
        "topics": hub.search_topics("wind"),
    }
    return {name: one.totalCount for name, one in found.items()}


def release(repo: Any) -> None:
    """A release with two files, one of which is read back."""
    repo.create_git_release("v0.0", "Spare", "x", draft=True).delete_release()
    made = repo.create_git_release("v0.1", "First wind", "It *blows*.", draft=True, prerelease=True)
    made = made.update_release("First wind", "It blows.", draft=False, prerelease=False)
    path = Path(os.environ["FIRM_FILES"]) / "figures.csv"
    path.write_bytes(b"id,amount\n1,2\n" * 40)
    asset = made.upload_asset(str(path), "Figures", "text/csv")
    assert (asset.name, asset.size, asset.label, asset.state) == ("figures.csv", 560, "Figures", "uploaded")
    with path.open("rb") as file:
        made.upload_asset_from_memory(file, 560, "again.csv").delete_asset()
    assert [one.name for one in made.get_assets()] == ["figures.csv"] and repo.get_latest_release().tag_name == "v0.1"
    assert [one.name for one in repo.get_releases()] == ["First wind"] and repo.get_release_asset(
        asset.id
    ).download_count == 0


def administration(repo: Any, hub: Github) -> None:
    """Hooks, collaborators, topics, protection, gists."""
    hook = repo.create_hook("web", {"url": "https://hooks.tiny.example/in", "content_type": "json"}, ["push"], True)
    hook.edit("web", {"url": "https://hooks.tiny.example/in", "content_type": "json"}, ["push", "issues"])
    assert [sorted(one.events) for one in repo.get_hooks()] == [["issues", "push"]]
    hook.delete()
    repo.add_to_collaborators("eve", "push")
    repo.replace_topics(["wind", "weather"])
    assert (
        sorted(repo.get_topics()) == ["weather", "wind"]
        and repo.get_languages()
        and repo.get_collaborator_permission("bo")
    )
    branch = repo.get_branch("main")
    branch.edit_protection(required_approving_review_count=1, enforce_admins=True)
    assert branch.get_protection().required_pull_request_reviews.required_approving_review_count == 1
    branch.remove_protection()
    gist = hub.get_user().create_gist(False, {"a.txt": InputFileContent("aaa")}, "A note")
    assert hub.get_gist(gist.id).files["a.txt"].content == "aaa"
    repo.edit(description="What blows", has_wiki=False)
    assert hub.get_repo(repo.full_name).description == "What blows"


def workflows(repo: Any) -> None:
    """A workflow is started by hand, and its run looked at."""
    (flow,) = repo.get_workflows()
    assert flow.create_dispatch("main") and flow.get_runs().totalCount
    run = next(iter(repo.get_workflow_runs()))
    assert run.name == "CI" and [one.name for one in run.jobs()] == ["test"]


def notified(peer: Github) -> int:
    """What Bo was told, read and marked."""
    told = list(peer.get_user().get_notifications())
    told[0].mark_as_read()
    peer.get_user().mark_notifications_as_read()
    assert peer.get_user().get_notifications().totalCount == 0
    return len(told)


def pages(hub: Github) -> list[int]:
    """Everything of a long list, one page after the other, and from behind."""
    repo = hub.get_repo("tiny/app")
    made = [repo.create_issue(f"Leaf {number}").number for number in range(7)]
    few = (
        Github(auth=hub.requester.auth, per_page=3, **HASTY)
        .get_repo("tiny/app")
        .get_issues(state="all", sort="created", direction="asc")
    )
    assert few.totalCount == made[-1] and sorted(one.number for one in few) == list(range(1, made[-1] + 1))
    assert next(iter(few.reversed)).number == made[-1] and len(few.get_page(1)) == 3
    return made


def unchanged(hub: Github) -> None:
    """A repository is read again only when it has changed."""
    repo = hub.get_repo("tiny/site")
    assert repo.etag and not repo.update()


def main() -> None:
    """The day."""
    hub, peer, nobody = (Github(auth=Auth.Token(token), retry=None, **HASTY) for token in TOKENS)
    seen = look_around(hub)
    repo = hub.get_organization("tiny").create_repo("winds", "What is in the air", private=True, auto_init=True)
    repo.add_to_collaborators("bo", "push")
    mine = hub.get_user().create_repo("notes", private=True, auto_init=True)
    contents(repo)
    git_data(repo, commits(repo))
    number = issues(repo, hub)
    pull = propose(repo, number)
    checks(repo, pull)
    review(repo, pull, peer.get_repo("tiny/winds").get_pull(pull.number))
    merge(repo, pull)
    release(repo)
    administration(repo, hub)
    workflows(repo)
    made = pages(hub)
    unchanged(hub)
    refusals = {
        "unknown": refused(lambda: hub.get_repo("tiny/nothing")),
        "unseen": refused(lambda: peer.get_repo("ada/notes")),
        "invalid": refused(lambda: repo.create_label("gusts", "no colour")),
        "twice": refused(lambda: hub.get_user().create_repo("notes")),
        "nobody": refused(lambda: nobody.get_user().login),
    }
    print(
        json.dumps(
            {
                **seen,
                "number": number,
                "pull": pull.number,
                "found": search(hub, repo),
                "told": notified(peer),
                "leaves": made,
                "refused": refusals,
                "mine": mine.full_name,
            }
        )
    )


main()
