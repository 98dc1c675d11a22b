"""Issues, labels, milestones, notifications, people and search, by mouse and keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Office, Site, settled
from tests.browser.github.code_site import HOME, act, open_pull, see
from tests.company import START
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, Timeline, compile_script


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


def test_an_issue_is_opened_discussed_closed_and_reopened(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues")
    page.keyboard.press("c")
    page.get_by_label("Title").fill("Tuples, please")
    page.get_by_label("Description", exact=True).fill("As @bo said in #1:\n\n- [ ] code\n- [ ] docs")
    page.get_by_role("tab", name="Preview").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("As @bo said in #1")
    page.get_by_role("tab", name="Write").click()
    page.get_by_role("group", name="Labels").get_by_label("bug").check()
    page.get_by_role("group", name="Assignees").get_by_label("bo").check()
    page.get_by_label("Milestone").select_option("v1")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.locator(".talk-title")).to_have_text("Tuples, please #3")
    made = see(office, "issues/get", issue_number=3)
    assert ([one["name"] for one in made["labels"]], made["assignee"]["login"], made["milestone"]["title"]) == (
        ["bug"],
        "bo",
        "v1",
    )
    expect(page.locator(".prose a", has_text="@bo")).to_have_attribute("href", "/github/bo")
    expect(page.locator(".prose a", has_text="#1")).to_have_attribute("href", f"{HOME}/issues/1")
    page.get_by_role("checkbox").nth(1).check()
    office.until(lambda: see(office, "issues/get", issue_number=3)["body"].endswith("- [ ] code\n- [x] docs"), True)
    settled(page)
    page.keyboard.press("r")
    page.get_by_label("Add a comment").fill("Not now.")
    page.get_by_label("More ways to close").click()
    page.get_by_role("button", name="Close as not planned").click()
    expect(page.locator("#timeline")).to_contain_text("ada closed this as not planned")
    expect(page.locator("#timeline")).to_contain_text("Not now.")
    page.get_by_role("button", name="Reopen issue").click()
    expect(page.locator("#timeline")).to_contain_text("ada reopened this")
    assert see(office, "issues/get", issue_number=3)["state"] == "open"


def test_the_list_is_filtered_by_menus_and_by_its_search(office: Office) -> None:
    act(office, "ada", "issues/add-labels", issue_number=1, labels=["bug"])
    page = office.open("ada", f"{HOME}/issues")
    expect(page.locator("#listed .row")).to_have_count(1)
    page.get_by_role("link", name="1 Closed").click()
    expect(page.locator("#listed .row-title")).to_have_text("Old one")
    expect(page).to_have_url(re.compile("state%3Aclosed"))
    page.go_back()
    expect(page.locator("#listed .row-title")).to_have_text("Counting is slow")
    page.locator("#filter-label > summary").click()
    page.locator("#filter-label").get_by_role("link", name="good first issue").click()
    expect(page.locator(".empty")).to_contain_text("No results matched your search.")
    page.get_by_label("Search issues").fill("is:issue label:bug author:cyrus")
    page.keyboard.press("Enter")
    expect(page.locator("#listed .row-title")).to_have_text("Counting is slow")
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-title")).to_contain_text("Counting is slow")


def test_the_side_panel_sets_people_labels_and_milestone(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    page.keyboard.press("l")
    page.get_by_label("good first issue").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#side-labels .label")).to_have_text("good first issue")
    page.get_by_role("button", name="assign yourself").click()
    expect(page.locator("#side-assignees .who")).to_have_text("ada")
    page.keyboard.press("m")
    page.locator("#side-milestone select").select_option("v1")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#side-milestone")).to_contain_text("v1")
    expect(page.locator("#timeline")).to_contain_text("ada self-assigned this")
    page.get_by_role("button", name="Lock conversation").click()
    expect(page.locator("#timeline")).to_contain_text("locked")
    page.get_by_role("button", name="Unsubscribe").or_(page.get_by_role("button", name="Subscribe")).first.click()
    settled(page)
    found = see(office, "issues/get", issue_number=1)
    assert (found["locked"], [one["login"] for one in found["assignees"]], found["milestone"]["title"]) == (
        True,
        ["ada"],
        "v1",
    )


def test_a_comment_is_edited_reacted_to_quoted_and_deleted(office: Office) -> None:
    act(office, "bo", "issues/create-comment", issue_number=1, body="Let us measure first.")
    page = office.open("ada", f"{HOME}/issues/1")
    said = page.locator("article", has_text="Let us measure first.")
    said.get_by_label("Add a reaction").click()
    said.get_by_role("button", name="Rocket").click()
    expect(said.locator(".reaction")).to_have_text("🚀 1")
    said.locator(".reaction").click()
    expect(said.locator(".reaction")).to_have_count(0)
    said.get_by_label("Comment options").click()
    said.get_by_role("button", name="Quote reply").click()
    expect(page.get_by_label("Add a comment")).to_have_value("> Let us measure first.\n\n")
    page.get_by_label("Add a comment").fill("")
    said.get_by_label("Comment options").click()
    said.get_by_role("link", name="Edit").click()
    page.get_by_label("Comment body").fill("Let us not.")
    page.get_by_role("button", name="Update comment").click()
    expect(page.locator("article", has_text="Let us not.")).to_contain_text("edited")
    page.locator("article", has_text="Let us not.").get_by_label("Comment options").click()
    page.locator("article", has_text="Let us not.").get_by_role("button", name="Delete").click()
    expect(page.locator("article")).to_have_count(1)
    assert see(office, "issues/list-comments", issue_number=1) == []


def test_people_and_issues_are_completed_while_one_writes(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    box = page.get_by_label("Add a comment")
    box.press_sequentially("Ask @c")
    page.get_by_role("option", name="cyrus").wait_for()
    page.keyboard.press("Enter")
    expect(box).to_have_value("Ask @cyrus ")
    box.press_sequentially("about #ol")
    page.get_by_role("option", name="Old one").wait_for()
    page.keyboard.press("Tab")
    expect(box).to_have_value("Ask @cyrus about #2 ")


def test_labels_and_milestones_are_made_changed_and_deleted(office: Office) -> None:
    page = office.open("ada", f"{HOME}/labels")
    page.get_by_role("link", name="New label").click()
    page.get_by_label("Label name").fill("bug")
    page.get_by_role("button", name="Create label").click()
    expect(page.locator("#new-label-error")).to_have_text("Name has already been taken.")
    office.expect_complaint("422")
    office.complaints.clear()
    page.get_by_label("Label name").fill("flaky")
    page.get_by_role("button", name="Create label").click()
    expect(page.locator(".label", has_text="flaky")).to_be_visible()
    page.get_by_label("Edit flaky").click()
    page.get_by_label("Description").fill("Red now and then")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".label-row", has_text="flaky")).to_contain_text("Red now and then")
    page.get_by_label("Delete flaky").click()
    expect(page.locator(".label", has_text="flaky")).to_have_count(0)
    page.goto(f"{office.base}{HOME}/milestones")
    page.get_by_role("link", name="New milestone").click()
    page.get_by_label("Title").fill("v2")
    page.get_by_label("Due date (optional)").fill("2026-04-01")
    page.get_by_role("button", name="Create milestone").click()
    expect(page.locator(".milestone-head h2")).to_have_text("v2")
    expect(page.locator(".milestone-head")).to_contain_text("Due by Apr 1")
    page.get_by_label("Close v2").click()
    listed = [("v2", "closed"), ("v1", "open")]
    office.until(
        lambda: [(one["title"], one["state"]) for one in see(office, "issues/list-milestones", state="all")], listed
    )


def test_a_colleagues_comment_appears_by_itself_and_what_one_writes_stays(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    page.wait_for_selector('html[data-live="open"]')
    page.get_by_label("Add a comment").fill("I am writing")
    act(office, "bo", "issues/create-comment", issue_number=1, body="Me too, @ada")
    expect(page.locator("#timeline")).to_contain_text("Me too")
    expect(page.get_by_label("Add a comment")).to_have_value("I am writing")
    expect(page.locator("#bell")).to_have_attribute("aria-label", "Notifications, 1 unread")


def test_the_inbox_is_read_filtered_and_emptied(office: Office) -> None:
    act(office, "bo", "issues/create-comment", issue_number=1, body="@ada, look")
    open_pull(office, body="@ada please")
    page = office.open("ada", "/github/")
    expect(page).to_have_title(re.compile(r"^\(2\) Dashboard"))
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(page.locator(".thread-row")).to_have_count(2)
    expect(page.locator(".thread-row").first).to_contain_text("mentioned")
    page.get_by_label("Mark as read: Counting is slow").click()
    settled(page)
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(page.locator(".thread-row")).to_have_count(1)
    page.get_by_role("button", name="Count in tuples", exact=True).click()
    expect(page.locator(".talk-title")).to_contain_text("Count in tuples")
    page.goto(f"{office.base}/github/notifications")
    page.get_by_label("Select all").check()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".empty")).to_contain_text("All caught up!")
    assert office.see("ada", "activity/list-notifications-for-authenticated-user", all=True) == []


def test_the_dashboard_lists_profiles_and_search_lead_to_work(office: Office) -> None:
    open_pull(office)
    act(office, "bo", "pulls/request-reviewers", pull_number=3, reviewers=["ada"])
    page = office.open("ada", "/github/")
    expect(page.get_by_role("region", name="Review requests")).to_contain_text("Count in tuples")
    page.get_by_label("Find a repository").fill("site")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Repositories").get_by_role("listitem")).to_have_text(
        re.compile("tiny/site")
    )
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Pull requests").click()
    page.get_by_role("link", name="Review requests").click()
    expect(page.get_by_role("link", name="Review requests")).to_have_attribute("aria-current", "true")
    expect(page.locator("#found .row")).to_have_count(1)
    expect(page.locator("html[data-busy='0']")).to_have_count(1)
    page.keyboard.press("/")
    expect(page.locator("#global-search")).to_be_focused()
    page.keyboard.type("count")
    page.keyboard.press("Enter")
    filters = page.get_by_role("navigation", name="Filter by")
    filters.get_by_role("link", name="Code").click()
    expect(page.get_by_role("region", name="src/count.py").first).to_contain_text("def count")
    filters.get_by_role("link", name="Commits").click()
    expect(page.locator(".commit-row").first).to_contain_text("Count")
    filters.get_by_role("link", name="Issues").click()
    expect(page.locator(".empty")).to_contain_text("Your search did not match any issues")
    filters.get_by_role("link", name="Pull requests").click()
    expect(page.get_by_role("link", name="Count in tuples")).to_be_visible()
    page.goto(f"{office.base}/github/search?q=bo&type=users")
    page.get_by_role("link", name="bo", exact=True).click()
    expect(page.locator(".person-card h1")).to_contain_text("Bo Lindqvist")
    page.goto(f"{office.base}/github/tiny")
    page.get_by_role("link", name="Teams 2").click()
    page.get_by_role("link", name="Core").click()
    expect(page.get_by_role("region", name="Members")).to_contain_text("ada")
    page.get_by_role("link", name="People 4").click()
    expect(page.locator(".person-row", has_text="ada")).to_contain_text("Owner")


def outage(*faults: Fault) -> Timeline:
    """A timeline in which something is down."""
    script = Script("outage", START)
    for fault in faults:
        script.fault(fault, start=START, end="+2h")
    return compile_script(script, horizon="+1d")


def test_an_outage_is_said_and_keeps_what_was_written(site: Site, office_of: Callable[..., Office]) -> None:
    down = outage(Fault("read", "github", "error", operations=("issues/get",)))
    office = office_of(site, Settings(seed=1), down)
    page = office.open("ada", f"{HOME}/issues")
    page.get_by_role("link", name="Counting is slow").click()
    expect(page.get_by_role("heading", name="GitHub is having trouble connecting")).to_be_visible()
    page.goto(f"{office.base}{HOME}/issues/9999")
    office.complaints.clear()
    office = office_of(
        site, Settings(seed=1), outage(Fault("write", "github", "error", operations=("issues/create-comment",)))
    )
    page = office.open("ada", f"{HOME}/issues/1")
    page.get_by_label("Add a comment").fill("Do not lose me")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#comment-error")).to_contain_text("GitHub is having trouble connecting")
    expect(page.get_by_label("Add a comment")).to_have_value("Do not lose me")
    office.expect_complaint("500")
    office.complaints.clear()


def test_what_is_not_there_or_not_allowed_is_said(office: Office) -> None:
    page = office.open("eve", "/github/tiny/app/issues")
    expect(page.locator(".failure-box")).to_contain_text("This is not the page you are looking for.")
    office.expect_complaint("404")
    page = office.open("dee", f"{HOME}/issues/1")
    expect(page.get_by_role("link", name="Labels", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Close issue")).to_have_count(0)
    page.goto(f"{office.base}{HOME}/labels")
    expect(page.get_by_role("link", name="New label")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Pull requests of the repository")
    page.keyboard.press("Escape")
    page.locator("#app-switcher > summary").click()
    expect(page.get_by_role("navigation", name="Apps")).to_contain_text("GitHub")


def test_issues_are_written_without_scripts(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/new", scripts=False)
    page.get_by_label("Title").fill("By hand")
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_label("Add a comment").fill("plain")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("article").last).to_contain_text("plain")
    page.get_by_role("button", name="Close issue").click()
    expect(page.locator(".talk-state .state")).to_have_text("Closed")
    page.get_by_role("link", name="Edit", exact=True).first.click()
    page.get_by_label("Title").fill("By hand alone")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".talk-title")).to_contain_text("By hand alone")


def test_pinned_issues_stand_above_the_list_but_not_above_a_search(office: Office) -> None:
    node = see(office, "issues/get", issue_number=1)["node_id"]
    pin = f'mutation {{ pinIssue(input: {{issueId: "{node}"}}) {{ issue {{ isPinned }} }} }}'
    office.act("ada", "graphql/mutate", query=pin)
    page = office.open("ada", f"{HOME}/issues")
    pinned = page.get_by_role("region", name="Pinned issues")
    expect(pinned.get_by_role("link")).to_have_text(["Counting is slow"])
    page.goto(f"{office.base}{HOME}/issues?q=is%3Aissue")
    expect(pinned).to_have_count(0)


def test_an_issue_is_pinned_at_its_side_and_unpinned_in_the_list(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    side = page.get_by_role("complementary", name="Details")
    side.get_by_role("button", name="Pin issue").click()
    expect(side.get_by_role("button", name="Unpin issue")).to_be_visible()
    expect(page.locator("#timeline")).to_contain_text("ada pinned this issue")
    page.goto(f"{office.base}{HOME}/issues")
    page.get_by_role("button", name="Unpin #1").click()
    expect(page.get_by_role("region", name="Pinned issues")).to_have_count(0)
    for number in range(3, 6):
        act(office, "ada", "issues/create", title=f"Important {number}")
        act(office, "ada", "web/issues/pin", issue_number=number)
    page.goto(f"{office.base}{HOME}/issues/1")
    expect(side.get_by_role("button", name="Pin issue")).to_be_disabled()
    expect(side).to_contain_text("Three issues are pinned here already.")


def test_an_issue_is_transferred_by_a_dialog_and_its_old_page_leads_to_the_new(office: Office) -> None:
    stale = office.open("ada", f"{HOME}/issues/1?live=0")
    page = office.open("ada", f"{HOME}/issues/1")
    page.get_by_role("link", name="Transfer issue").click()
    dialog = page.get_by_role("dialog", name="Transfer this issue")
    dialog.get_by_role("button", name="Transfer issue").click()
    expect(dialog).to_be_visible()  # no repository is chosen
    dialog.get_by_label("Repository of tiny").select_option("secret")
    dialog.get_by_role("button", name="Transfer issue").click()
    page.wait_for_url("**/github/tiny/secret/issues/1")
    expect(page.locator("#toasts")).to_contain_text("Issue transferred to tiny/secret")
    expect(page.locator("#timeline")).to_contain_text("ada transferred this issue")
    stale.get_by_label("Add a comment").fill("Too late")
    stale.get_by_role("button", name="Comment", exact=True).click()
    expect(stale.locator("#comment-error")).to_contain_text("was transferred to another repository")
    expect(stale.get_by_label("Add a comment")).to_have_value("Too late")
    stale.reload()
    stale.wait_for_url("**/github/tiny/secret/issues/1*")
    office.expect_complaint("404")


def test_who_cannot_write_neither_pins_nor_transfers(office: Office) -> None:
    page = office.open("dee", f"{HOME}/issues/1?dialog=transfer")
    expect(page.locator(".talk-title")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Pin issue")).to_have_count(0)


def test_a_profile_shows_the_repositories_with_most_stars(office: Office) -> None:
    office.act("bo", "repos/create-for-authenticated-user", name="quiet")
    office.act("bo", "repos/create-for-authenticated-user", name="loud")
    office.act("ada", "activity/star-repo-for-authenticated-user", owner="bo", repo="loud")
    page = office.open("ada", "/github/bo")
    expect(page.locator(".pinned-card h3 a")).to_have_text(["loud", "quiet"])
