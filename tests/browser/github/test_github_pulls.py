"""Pull requests: opened from a comparison, reviewed line by line, checked, merged or refused."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Office, Site, settled
from tests.browser.github.code_site import HOME, REPO, act, open_pull, protect, see, wait
from tests.browser.github.test_github_issues import outage
from tests.browser.slack.test_slack_live import DOUBLED
from world.core.settings import Settings
from world.script.faults import Fault

PULL = f"{HOME}/pull/3"


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


def report(office: Office, state: str, context: str = "test") -> None:
    """A status on the head of the pull request."""
    head = see(office, "pulls/get", pull_number=3)["head"]["sha"]
    act(
        office,
        "ada",
        "repos/create-commit-status",
        sha=head,
        state=state,
        context=context,
        description=f"It is {state}",
    )


def begin(page: Page, key: str) -> None:
    """The box for a comment on a line of the only file."""
    page.get_by_label(f"Comment on line {key} of src/count.py").click(force=True)


def test_a_comparison_becomes_a_draft_and_is_made_ready(office: Office) -> None:
    page = office.open("bo", f"{HOME}/pulls")
    page.get_by_role("link", name="New pull request").click()
    page.wait_for_load_state()
    page.get_by_label("compare:").select_option("feature")
    expect(page.locator(".able")).to_have_text("1 commit ahead.")
    expect(page.locator("tr.add .text")).to_have_text("    return tuple(range(n))")
    title = page.get_by_label("Add a title")
    expect(title).to_have_value("Count in tuples")
    title.fill("Tuples")
    page.get_by_label("Description", exact=True).fill("Closes #1")
    page.get_by_role("group", name="Reviewers").get_by_label("ada").check()
    page.get_by_label("Select a kind of pull request").click()
    page.get_by_role("button", name="Create draft pull request").click()
    expect(page.locator(".talk-title")).to_have_text("Tuples #3")
    expect(page.locator(".talk-state .state")).to_have_text("Draft")
    expect(page.locator("#side-development")).to_contain_text("Counting is slow")
    expect(page.locator("#merge-box")).to_contain_text("This pull request is still a work in progress")
    page.get_by_role("button", name="Ready for review").click()
    expect(page.locator(".talk-state .state")).to_have_text("Open")
    page.get_by_role("button", name="Convert to draft").click()
    expect(page.locator("#timeline")).to_contain_text("bo marked this pull request as draft")
    made = see(office, "pulls/get", pull_number=3)
    assert (made["draft"], made["title"], [one["login"] for one in made["requested_reviewers"]]) == (
        True,
        "Tuples",
        ["ada"],
    )
    page.goto(f"{office.base}{HOME}/compare/main...feature")
    expect(page.get_by_role("link", name="View pull request")).to_be_visible()
    page.goto(f"{office.base}{HOME}/compare/main...main")
    expect(page.locator(".empty")).to_contain_text("There isn’t anything to compare.")


def test_the_list_shows_reviews_and_checks(office: Office) -> None:
    open_pull(office)
    report(office, "failure")
    act(office, "ada", "pulls/create-review", pull_number=3, event="APPROVE")
    page = office.open("ada", f"{HOME}/pulls")
    row = page.locator("#issue-3")
    expect(row).to_contain_text("Approved")
    row.get_by_label("0 of 1 checks passed on #3").click()
    expect(page.locator(".checks")).to_contain_text("It is failure")


def test_tabs_show_commits_checks_and_files_in_two_layouts(office: Office) -> None:
    open_pull(office)
    report(office, "success")
    page = office.open("ada", PULL)
    tabs = page.get_by_role("navigation", name="Pull request", exact=True)
    tabs.get_by_role("link", name="Commits 1").click()
    expect(page.locator(".commit-row .row-title")).to_have_text("Count in tuples")
    tabs.get_by_role("link", name="Checks 1").click()
    expect(page.locator(".checks")).to_contain_text("It is success")
    tabs.get_by_role("link", name="Files changed 1").click()
    expect(page.locator("table.diff tr.del .text")).to_have_text("    return [*range(n)]")
    page.get_by_role("link", name="Split").click()
    expect(page.locator("table.split td.code.add .text")).to_have_text("    return tuple(range(n))")
    expect(page).to_have_url(f"{office.base}{PULL}/files?diff=split")
    page.get_by_role("checkbox", name="Viewed src/count.py").click()
    expect(page.locator(".viewed-count")).to_have_text("1 / 1 viewed")
    expect(page.locator("table.diff")).to_be_hidden()
    page.go_back()
    expect(page.get_by_role("link", name="Unified")).to_have_attribute("aria-current", "true")


def test_a_review_is_started_on_lines_and_submitted(office: Office) -> None:
    open_pull(office)
    act(office, "bo", "pulls/request-reviewers", pull_number=3, reviewers=["ada"])
    page = office.open("ada", f"{PULL}/files")
    begin(page, "R2")
    page.get_by_label("Comment on the line").fill("Why a **tuple**?")
    page.get_by_role("button", name="Start a review").click()
    expect(page.locator(".review-thread .pill")).to_have_text("Pending")
    assert see(office, "pulls/list-review-comments", "bo", pull_number=3) == []
    begin(page, "L2")
    page.get_by_label("Comment on the line").fill("This was fine.")
    page.get_by_role("button", name="Add review comment").click()
    expect(page.locator(".review-thread")).to_have_count(2)
    page.locator("#finish-menu > summary").click()
    page.get_by_label("Leave a comment").fill("Two questions")
    page.get_by_label("Request changes").check()
    page.get_by_role("button", name="Submit review").click()
    expect(page.locator(".review")).to_contain_text("ada requested changes")
    expect(page.locator("#merge-box")).to_contain_text("Changes requested")
    expect(page.locator("#side-reviewers .opinion")).to_have_class("opinion changes_requested")
    said = see(office, "pulls/list-review-comments", "bo", pull_number=3)
    assert [(one["side"], one["line"], one["body"]) for one in said] == [
        ("RIGHT", 2, "Why a **tuple**?"),
        ("LEFT", 2, "This was fine."),
    ]
    page.get_by_label("Re-request review from ada").click()
    expect(page.locator("#side-reviewers .opinion")).to_have_class("opinion awaited")
    page.get_by_label("Options of the review by ada").click()
    page.get_by_label("Why is this review dismissed?").fill("Talked about it")
    page.get_by_role("button", name="Dismiss review").click()
    expect(page.locator("#timeline")).to_contain_text("ada dismissed a stale review")


def test_a_suggestion_on_several_lines_is_answered_committed_and_resolved(office: Office) -> None:
    open_pull(office)
    page = office.open("ada", f"{PULL}/files")
    begin(page, "R1")
    page.get_by_label("Comment on line R2 of src/count.py").click(modifiers=["Shift"], force=True)
    expect(page.get_by_label("First line")).to_have_value("1")
    page.get_by_role("button", name="Add a suggestion").click()
    box = page.get_by_label("Comment on the line")
    expect(box).to_have_value("```suggestion\ndef count(n):\n    return tuple(range(n))\n```\n")
    box.fill("```suggestion\ndef count(n: int):\n    return tuple(range(n))\n```")
    page.get_by_role("button", name="Add single comment").click()
    expect(page.locator(".suggestion tr.add").first).to_contain_text("def count(n: int):")
    other = office.open("bo", PULL)
    other.locator(".reply-field").click()
    other.get_by_label("Reply").fill("Good idea")
    other.locator(".reply").get_by_role("button", name="Comment", exact=True).click()
    expect(other.locator(".thread-comment")).to_have_count(2)
    other.get_by_text("Commit suggestion").click()
    other.get_by_role("button", name="Commit changes").click()
    expect(other.locator(".pull-tabs")).to_contain_text("Commits 2")
    expect(other.locator(".thread-head").first).to_contain_text("Outdated")
    expect(other.locator(".review-thread")).to_contain_text("bo marked this conversation as resolved")
    head = see(office, "pulls/list-commits", pull_number=3)[-1]["commit"]["message"]
    assert head.startswith("Update src/count.py") and "Co-authored-by: Ada Novak" in head


def test_a_pull_request_is_squashed_its_branch_restored_and_the_change_reverted(office: Office) -> None:
    open_pull(office)
    wait(office)
    page = office.open("ada", PULL)
    expect(page.locator("#merge-box")).to_contain_text("This branch has no conflicts with the base branch")
    page.get_by_label("Select merge method").click()
    page.get_by_role("link", name="Squash and merge").click()
    page.get_by_label("Commit message").fill("Tuples at last (#3)")
    page.get_by_role("button", name="Confirm squash and merge").click()
    expect(page.locator("#merge-box")).to_contain_text("Pull request successfully merged and closed")
    expect(page.locator(".talk-state .state")).to_have_text("Merged")
    assert see(office, "repos/get-commit", ref="main")["commit"]["message"].startswith("Tuples at last (#3)")
    assert see(office, "issues/get", issue_number=1)["state"] == "closed"
    page.get_by_role("button", name="Delete branch").click()
    expect(page.get_by_role("button", name="Restore branch")).to_be_visible()
    page.get_by_role("button", name="Restore branch").click()
    expect(page.get_by_role("button", name="Delete branch")).to_be_visible()
    page.get_by_role("button", name="Revert").click()
    expect(page.locator(".talk-title")).to_have_text('Revert "Count in tuples" #4')


def test_a_protected_branch_refuses_until_it_is_approved(office: Office) -> None:
    open_pull(office)
    wait(office)
    page = office.open("bo", f"{PULL}?merge=merge")
    page.get_by_role("button", name="Confirm merge").wait_for()
    protect(office)
    page.get_by_role("button", name="Confirm merge").click()
    refused = page.locator("#merge-error").or_(page.locator("#merge-box"))
    expect(refused.first).to_contain_text("At least 1 approving review is required by reviewers with write access.")
    office.complaints.clear()
    page.goto(f"{office.base}{PULL}")
    expect(page.get_by_role("button", name="Merge pull request")).to_be_disabled()
    expect(page.locator("#merge-box")).to_contain_text("Review required")
    act(office, "ada", "pulls/create-review", pull_number=3, event="APPROVE")
    page.reload()
    page.get_by_role("link", name="Merge pull request").click()
    page.get_by_role("button", name="Confirm merge").click()
    expect(page.locator(".talk-state .state")).to_have_text("Merged")


def test_conflicts_are_solved_in_the_editor(office: Office) -> None:
    open_pull(office)
    here = see(office, "repos/get-content", path="src/count.py")
    text = "ZGVmIGNvdW50KG4pOgogICAgcmV0dXJuIHNvcnRlZChyYW5nZShuKSkK"
    act(
        office,
        "ada",
        "repos/create-or-update-file-contents",
        path="src/count.py",
        message="Sort",
        sha=here["sha"],
        content=text,
    )
    wait(office)
    page = office.open("bo", PULL)
    expect(page.locator("#merge-box")).to_contain_text("This branch has conflicts that must be resolved")
    page.get_by_role("link", name="Resolve conflicts").click()
    box = page.get_by_role("textbox", name="src/count.py")
    expect(box).to_have_value(
        "def count(n):\n<<<<<<< feature\n    return tuple(range(n))\n=======\n    return sorted(range(n))\n>>>>>>>"
        " main\n"
    )
    page.get_by_role("button", name="Commit merge").click()
    expect(page.locator("#solve-error")).to_have_text("Remove all conflict markers before marking a file as resolved.")
    office.expect_complaint("422")
    office.complaints.clear()
    box.fill("def count(n):\n    return tuple(sorted(range(n)))\n")
    page.get_by_role("button", name="Commit merge").click()
    expect(page.locator(".pull-tabs")).to_contain_text("Commits 2")
    wait(office)
    assert see(office, "pulls/get", pull_number=3)["mergeable"] is True


def test_a_merge_waits_for_what_is_required(office: Office) -> None:
    act(office, "ada", "repos/update", allow_auto_merge=True)
    open_pull(office)
    protect(office)
    wait(office)
    page = office.open("bo", PULL)
    page.get_by_role("link", name="Enable auto-merge").click()
    page.get_by_role("button", name="Confirm auto-merge (merge)").click()
    expect(page.locator("#merge-box")).to_contain_text("Auto-merge enabled")
    act(office, "ada", "pulls/create-review", pull_number=3, event="APPROVE")
    wait(office)
    page.reload()
    expect(page.locator(".talk-state .state")).to_have_text("Merged")


def test_without_an_answer_about_merging_the_button_is_off(site: Site, office_of: Callable[..., Office]) -> None:
    office = office_of(site, Settings(seed=1), outage(Fault("box", "github", "error", operations=("web/pulls/box",))))
    open_pull(office)
    page = office.open("ada", PULL)
    expect(page.locator("#merge-box")).to_contain_text("can't be determined right now")
    expect(page.get_by_role("button", name="Merge pull request")).to_be_disabled()
    expect(page.locator("#timeline")).to_contain_text("Count in tuples")


def test_reviews_are_written_without_scripts(office: Office) -> None:
    open_pull(office)
    page = office.open("ada", f"{PULL}/files", scripts=False)
    begin(page, "R2")
    page.get_by_label("Comment on the line").fill("By hand")
    page.get_by_role("button", name="Add single comment").click()
    expect(page.locator(".review-thread")).to_contain_text("By hand")
    page.locator("#finish-menu > summary").click()
    page.get_by_label("Approve").check()
    page.get_by_role("button", name="Submit review").click()
    expect(page.locator(".review").last).to_contain_text("ada approved these changes")
    assert [one["state"] for one in see(office, "pulls/list-reviews", pull_number=3)] == ["COMMENTED", "APPROVED"]


def test_a_colleagues_review_and_merge_show_by_themselves(office: Office) -> None:
    open_pull(office)
    wait(office)
    page = office.open("bo", PULL)
    page.wait_for_selector('html[data-live="open"]')
    act(office, "ada", "pulls/create-review", pull_number=3, event="APPROVE", body="Nice")
    expect(page.locator("#timeline")).to_contain_text("ada approved these changes")
    expect(page.locator("#merge-box")).to_contain_text("Changes approved")
    office.act("ada", "pulls/merge", **REPO, pull_number=3)
    expect(page.locator("#merge-box")).to_contain_text("successfully merged")
    settled(page)


def test_every_control_has_a_name_of_its_own(office: Office) -> None:
    open_pull(office)
    act(
        office,
        "ada",
        "pulls/create-review",
        pull_number=3,
        event="COMMENT",
        comments=[{"path": "src/count.py", "line": 2, "body": "Hm"}],
    )
    page = office.open("ada", "/github/")
    for path in (
        "",
        "/pulls",
        "/notifications",
        "/tiny",
        "/tiny/app/issues",
        "/tiny/app/issues/1",
        "/tiny/app/labels",
        "/tiny/app/milestones",
        "/tiny/app/compare/main...feature",
        "/tiny/app/pull/3",
        "/tiny/app/pull/3/files",
        "/search?q=count&type=code",
    ):
        page.goto(f"{office.base}/github{path}")
        assert page.evaluate(DOUBLED.replace("'article, nav", "'tr, td, article, nav")) == [], path


def test_reviewers_are_offered_by_name_and_found_by_typing(office: Office) -> None:
    open_pull(office)
    page = office.open("bo", f"{PULL}?menu=reviewers")
    offered = page.locator("#reviewer-choice > li")
    names = offered.locator(".hint").all_text_contents()
    assert names and names == sorted(names, key=str.lower)
    page.get_by_label("Filter reviewer choice").fill("novak")
    expect(offered.filter(visible=True)).to_have_count(1)
    expect(offered.filter(visible=True)).to_contain_text("Ada Novak")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#side-reviewers .who")).to_have_text("ada")
