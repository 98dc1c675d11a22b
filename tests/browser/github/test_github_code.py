"""What people do with code on the site: look at files and history, change files, branches, releases, runs, settings."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

import apps.github
from tests.browser.conftest import Office, Site, settled
from tests.browser.github import code_rows

APP = "/github/tiny/app"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the small company's code host."""
    folder = tmp_path_factory.mktemp("code")
    made = Site(lambda: code_rows.host(folder), [apps.github])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def text_of(office: Office, path: str, ref: str) -> str:
    """A file as Ada reads it by another door."""
    return bytes(
        office.see("ada", "repos/get-content", owner="tiny", repo="app", path=path, ref=ref, mediaType="raw")
    ).decode()


def test_the_front_page_shows_files_with_their_last_commit_the_readme_and_what_the_repository_is(
    office: Office,
) -> None:
    page = office.open("bo", APP)
    row = page.get_by_role("row", name="guide").or_(page.get_by_role("row", name="docs"))
    expect(row).to_contain_text("Add files of all kinds")
    expect(page.get_by_role("row", name="__init__").or_(page.get_by_role("row", name="tests")).first).to_contain_text(
        "Count things"
    )
    expect(page.get_by_role("link", name="4 Commits")).to_be_visible()
    readme = page.get_by_role("region", name="README.md")
    expect(readme.get_by_role("heading", name="app")).to_be_visible()
    expect(readme.locator(".pl-k").first).to_have_text("def")
    expect(readme.get_by_role("img", name="a picture")).to_have_js_property("naturalWidth", 40)
    expect(readme.get_by_role("img", name="from elsewhere")).to_have_js_property("src", "")
    expect(page.get_by_role("complementary", name="About")).to_contain_text("Python")
    page.locator("#clone > summary").click()
    expect(page.get_by_label("Clone address")).to_have_value(f"{office.base}{APP}.git")
    readme.get_by_role("link", name="the guide").click()
    expect(page).to_have_url(f"{office.base}{APP}/blob/main/docs/guide.md#user-content-guide")


def test_a_branch_is_chosen_from_the_picker_and_a_file_found_by_t(office: Office) -> None:
    page = office.open("dee", f"{APP}/blob/main/src/count.py")
    page.keyboard.press("w")
    page.get_by_label("Find a branch or tag").fill("feat")
    expect(page.locator("#ref-lists a:visible")).to_have_count(1)
    page.locator("#ref-lists").get_by_role("link", name="feature").click()
    page.wait_for_url(f"{office.base}{APP}/blob/feature/src/count.py")
    expect(page.locator("#L2 .line")).to_have_text("    return tuple(range(n))")
    page.keyboard.press("t")
    page.wait_for_url("**/find/feature")
    page.get_by_label("Find a file").fill("guide")
    expect(page.locator("#found a")).to_have_count(1)
    settled(page)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{office.base}{APP}/blob/feature/docs/guide.md")


def test_lines_are_chosen_by_click_and_shift_click_and_y_keeps_them(office: Office) -> None:
    page = office.open("dee", f"{APP}/blob/main/src/long.py#L10-L12")
    expect(page.locator("tr.chosen")).to_have_count(3)
    page.get_by_role("link", name="Line 5", exact=True).click()
    page.get_by_role("link", name="Line 8", exact=True).click(modifiers=["Shift"])
    expect(page).to_have_url(f"{office.base}{APP}/blob/main/src/long.py#L5-L8")
    expect(page.locator("tr.chosen")).to_have_count(4)
    sha = office.see("ada", "repos/get-branch", owner="tiny", repo="app", branch="main")["commit"]["sha"]
    page.keyboard.press("y")
    expect(page).to_have_url(f"{office.base}{APP}/blob/{sha}/src/long.py#L5-L8")


def test_blame_and_history_lead_to_the_commit_that_changed_a_line(office: Office) -> None:
    page = office.open("dee", f"{APP}/blob/main/src/count.py")
    page.keyboard.press("b")
    expect(page.locator("tr#L1 .blame-who")).to_contain_text("Count things")
    expect(page.locator("tr#L2 .blame-who")).to_contain_text("Unpack instead of list")
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.locator(".history-row")).to_have_count(2)
    page.get_by_role("link", name="Unpack instead of list").click()
    expect(page.get_by_role("heading", name="Unpack instead of list")).to_be_visible()
    expect(page.get_by_text("Faster.")).to_be_visible()
    expect(page.locator("tr.add .text")).to_have_text("    return [*range(n)]")
    expect(page.locator("tr.del .text")).to_have_text("    return list(range(n))")


def test_the_list_of_commits_groups_them_by_day_with_the_state_of_their_checks(office: Office) -> None:
    page = office.open("dee", f"{APP}/commits/main")
    expect(page.locator(".commit-day")).to_have_count(2)
    first = page.locator(".history-row").first
    expect(first.get_by_role("img", name="failure")).to_be_visible()
    page.locator("#filter-author > summary").click()
    page.get_by_role("link", name="bo", exact=True).first.click()
    settled(page)
    expect(page.locator(".history-row")).to_have_count(1)


def test_every_kind_of_file_has_its_page(office: Office) -> None:
    page = office.open("bo", f"{APP}/blob/main/docs/pic.png")
    expect(page.locator(".blob-image img")).to_have_js_property("naturalWidth", 40)
    said = {
        "docs/data.bin": "View raw",
        "big.txt": "files that are this big",
        "docs/here": "Symbolic link to",
        "empty.txt": "This file is empty.",
        "run.sh": "Executable File",
        "latin.txt": "some bytes are not UTF-8",
    }
    for path, words in said.items():
        page.goto(f"{office.base}{APP}/blob/main/{path}")
        expect(page.get_by_role("main")).to_contain_text(words)
    page.goto(f"{office.base}{APP}/blob/main/lib")
    expect(page.get_by_role("main")).to_contain_text("https://github.com/tiny/site.git")
    page.goto(f"{office.base}{APP}/blob/main/README.md")
    page.get_by_role("link", name="Code", exact=True).last.click()
    expect(page.locator("#L1 .line")).to_have_text("# app")


def commit(page: Page) -> None:
    """Confirm the dialog."""
    page.locator("#commit-dialog").get_by_role("button", name="Commit changes", exact=True).click()


def test_an_edit_of_a_protected_branch_becomes_a_branch_and_a_pull_request(office: Office) -> None:
    page = office.open("bo", f"{APP}/blob/main/crlf.txt")
    page.keyboard.press("e")
    page.get_by_label("Content of the file").fill("one\nTWO\n")
    page.get_by_role("tab", name="Preview").click()
    expect(page.locator("#edit-preview tr.add .text")).to_have_text("TWO")
    page.get_by_role("button", name="Commit changes…").click()
    dialog = page.get_by_role("dialog", name="Commit changes")
    expect(dialog.get_by_role("radio", name="Commit directly")).to_be_disabled()
    expect(dialog).to_contain_text("You can’t commit to main because it is a protected branch.")
    page.get_by_label("Commit message").fill("Shout")
    commit(page)
    page.wait_for_url(f"{office.base}{APP}/compare/main...bo-patch-1?expand=1")
    assert text_of(office, "crlf.txt", "bo-patch-1") == "one\r\nTWO\r\n"
    assert text_of(office, "crlf.txt", "main") == "one\r\ntwo\r\n"


def test_a_protected_branch_refuses_in_the_dialog_and_keeps_what_was_typed(office: Office) -> None:
    page = office.open("bo", f"{APP}/edit/main/run.sh")
    page.get_by_label("Content of the file").fill("echo 2\n")
    page.get_by_role("button", name="Commit changes…").click()
    page.evaluate("const one = document.querySelector('input[value=direct]'); one.disabled = false; one.checked = true")
    commit(page)
    expect(page.locator("#commit-form-error")).to_contain_text("Changes must be made through a pull request.")
    expect(page.get_by_label("Content of the file")).to_have_value("echo 2\n")
    office.expect_complaint("409")


def test_a_file_is_made_moved_and_deleted_directly_on_a_branch(office: Office) -> None:
    page = office.open("bo", f"{APP}/new/feature/docs", live=False)
    page.get_by_label("File name").fill("docs/a b#1.py")
    page.get_by_label("Content of the file").fill('x = "<b>"\n')
    page.get_by_role("button", name="Commit changes…").click()
    expect(page.get_by_label("Commit message")).to_have_attribute("placeholder", "Create a b#1.py")
    commit(page)
    page.wait_for_url("**/blob/feature/docs/a%20b%231.py")
    expect(page.locator("#L1 .line")).to_have_text('x = "<b>"')
    page.keyboard.press("e")
    page.get_by_label("File name").fill("docs/plain.py")
    page.get_by_role("button", name="Commit changes…").click()
    commit(page)
    page.wait_for_url("**/blob/feature/docs/plain.py")
    last = office.see("ada", "repos/get-commit", owner="tiny", repo="app", ref="feature")
    assert [(one["status"], one["filename"]) for one in last["files"]] == [("renamed", "docs/plain.py")]
    page.locator("#file-menu > summary").click()
    page.get_by_role("link", name="Delete file").click()
    page.get_by_role("button", name="Commit changes").click()
    page.wait_for_url("**/tree/feature")
    assert (
        office.see("ada", "repos/get-commit", owner="tiny", repo="app", ref="feature")["commit"]["message"]
        == "Delete plain.py"
    )


def test_without_scripts_a_file_is_edited_and_files_are_uploaded(office: Office) -> None:
    page = office.open("bo", f"{APP}/edit/feature/src/count.py", scripts=False)
    page.get_by_label("Content of the file").fill("\n# first line empty\n")
    page.get_by_label("Commit message").fill("By hand")
    page.get_by_role("button", name="Commit changes", exact=True).click()
    expect(page).to_have_url(f"{office.base}{APP}/blob/feature/src/count.py")
    assert text_of(office, "src/count.py", "feature") == "\n# first line empty\n"
    page.goto(f"{office.base}{APP}/upload/feature/docs")
    page.get_by_label("choose your files").set_input_files(
        [{"name": "n.txt", "mimeType": "text/plain", "buffer": b"new"}]
    )
    page.get_by_role("button", name="Commit changes").click()
    expect(page).to_have_url(f"{office.base}{APP}/tree/feature/docs")
    assert text_of(office, "docs/n.txt", "feature") == "new"


def test_branches_are_made_renamed_deleted_and_brought_back(office: Office) -> None:
    page = office.open("bo", f"{APP}/branches")
    row = page.get_by_role("region", name="Active branches").get_by_role("row", name="feature")
    expect(row.get_by_role("img", name="1 commit behind, 1 commit ahead")).to_be_visible()
    page.get_by_role("link", name="New branch").click()
    page.get_by_label("New branch name").fill("feature")
    page.get_by_role("button", name="Create new branch").click()
    expect(page.get_by_role("alert")).to_contain_text("Reference already exists")
    page.get_by_label("New branch name").fill("idea/one")
    page.get_by_role("button", name="Create new branch").click()
    page.wait_for_url("**/tree/idea%2Fone")
    page.goto(f"{office.base}{APP}/branches")
    page.get_by_label("Menu of branch idea/one").first.click()
    page.get_by_role("link", name="Rename branch").first.click()
    page.get_by_label("Rename idea/one to:").fill("idea/two")
    page.get_by_role("button", name="Rename branch").click()
    page.get_by_role("button", name="Delete branch idea/two").first.click()
    expect(page.get_by_role("link", name="idea/two")).to_have_count(0)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="idea/two").first).to_be_visible()
    office.expect_complaint("422")


def test_a_release_is_published_with_a_file(office: Office) -> None:
    page = office.open("bo", f"{APP}/releases")
    expect(page.get_by_role("heading", name="There aren’t any releases here")).to_be_visible()
    page.get_by_role("link", name="Create a new release").click()
    page.get_by_label("Tag").fill("v1.0")
    page.get_by_role("button", name="Generate release notes").click()
    page.wait_for_url("**/releases/new?tag=v1.0**")
    expect(page.get_by_label("Release notes").last).to_have_value(
        "**Full Changelog**: https://github.com/tiny/app/commits/v1.0"
    )
    page.get_by_label("Attach binaries").set_input_files(
        [{"name": "app.bin", "mimeType": "application/zip", "buffer": b"123"}]
    )
    page.get_by_role("button", name="Publish release").click()
    page.wait_for_url("**/releases/tag/v1.0")
    expect(page.get_by_role("link", name="app.bin")).to_be_visible()
    page.goto(f"{office.base}{APP}/tags")
    expect(page.get_by_role("link", name="v1.0", exact=True)).to_be_visible()


def test_a_failed_run_leads_to_the_step_and_the_line_that_failed(office: Office) -> None:
    page = office.open("bo", f"{APP}/actions")
    page.get_by_role("link", name="Add files of all kinds, CI #1").click()
    expect(page.get_by_role("region", name="Annotations")).to_contain_text("AssertionError: 1 != 2")
    page.get_by_role("link", name="Job test").click()
    step = page.locator("#step-2")
    expect(step.get_by_text("Error: Process completed with exit code 1.")).to_be_visible()
    expect(page.locator("#step-1 .log-line").first).to_be_hidden()
    page.get_by_label("Search logs").fill("bold")
    page.keyboard.press("Enter")
    expect(page.locator("#step-2 mark")).to_have_text(["bold"])
    page.locator("summary", has=page.get_by_label("Log options")).or_(page.get_by_label("Log options")).first.click()
    page.get_by_role("link", name="Show timestamps").click()
    expect(page.locator("#step-2 .log-time").first).to_be_visible()
    page.goto(f"{office.base}{APP}/actions?status=success")
    expect(page.get_by_text("No workflow runs matched your search.")).to_be_visible()


def test_a_run_is_started_again_by_those_who_may_write(office: Office) -> None:
    reader = office.open("dee", f"{APP}/actions/runs/1")
    expect(reader.get_by_role("button", name="Re-run all jobs")).to_have_count(0)
    page = office.open("bo", f"{APP}/actions/runs/1")
    page.get_by_role("button", name="Re-run failed jobs").click()
    expect(page.get_by_role("button", name="Cancel workflow")).to_be_visible()
    assert office.see("ada", "actions/get-workflow-run", owner="tiny", repo="app", run_id=1)["run_attempt"] == 2
    page.get_by_role("button", name="Cancel workflow").click()
    expect(page.get_by_role("status")).to_contain_text("requested the workflow to be canceled")


def test_settings_protect_a_branch_and_let_people_in(office: Office) -> None:
    page = office.open("ada", f"{APP}/settings/branches")
    page.get_by_role("link", name="Edit the rule of main").click()
    page.get_by_label("Required number of approvals").select_option("2")
    page.get_by_label("Require linear history").check()
    page.get_by_role("button", name="Save changes").click()
    page.wait_for_url("**/settings/branches")
    rule = office.see("ada", "repos/get-branch-protection", owner="tiny", repo="app", branch="main")
    assert (
        rule["required_pull_request_reviews"]["required_approving_review_count"] == 2
        and rule["required_linear_history"]["enabled"]
    )
    page.goto(f"{office.base}{APP}/settings/access")
    page.get_by_role("textbox", name="Add people").fill("dee")
    page.get_by_role("button", name="Add people").click()
    expect(page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Remove dee"))).to_contain_text(
        "Write"
    )
    page.goto(f"{office.base}{APP}/settings")
    page.get_by_label("Topics").fill("counting numbers")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("status")).to_contain_text("Repository details saved.")
    outside = office.open("dee", f"{APP}/settings")
    expect(outside.get_by_role("heading", level=1)).to_contain_text("couldn't find")
    office.expect_complaint("404")


def test_a_repository_is_made_filled_forked_and_deleted(office: Office) -> None:
    page = office.open("ada", "/github/new", live=False)
    page.get_by_label("Repository name").fill("demo")
    page.get_by_role("button", name="Create repository").click()
    page.wait_for_url("**/ada/demo")
    expect(page.get_by_role("region", name="From the command line")).to_contain_text("git push -u origin main")
    page.get_by_role("link", name="creating a new file").click()
    page.get_by_label("File name").fill("README.md")
    page.get_by_role("button", name="Commit changes…").click()
    commit(page)
    page.wait_for_url("**/ada/demo/blob/main/README.md")
    page.goto(f"{office.base}/github/tiny/site/fork")
    page.get_by_role("button", name="Create fork").click()
    page.wait_for_url("**/ada/site")
    expect(page.get_by_text("forked from")).to_be_visible()
    page.goto(f"{office.base}/github/ada/demo/settings")
    page.locator("summary.danger-button").click()
    page.get_by_label("To confirm, type “ada/demo”").fill("ada/demo")
    page.locator("#delete-repo button").click()
    page.wait_for_url("**/github/ada")
    assert office.rows("SELECT count(*) FROM github_repository WHERE name = 'demo'") == [(0,)]
