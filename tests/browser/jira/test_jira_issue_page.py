"""The issue page as a person meets it: what lies over what, what is a link and what only looks like one."""

from playwright.sync_api import expect

from tests.browser.conftest import Office, settled


def test_an_issue_is_taken_over_by_a_click_below_its_assignee(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_role("button", name="Assign to me").click()
    expect(page.locator("#detail-assignee")).to_contain_text("Ada")
    expect(page.locator("#detail-assignee select")).to_have_count(0)


def test_only_keys_of_issues_are_links(office: Office) -> None:
    text = "Batch RB-8243 of SHOP-2, see also SHOP-9999"
    office.act("bo", "addComment", issueIdOrKey="SHOP-1", body=text)
    page = office.open("ada", "/jira/browse/SHOP-1")
    said = page.locator("#activity .prose").filter(has_text="RB-8243")
    expect(said).to_have_text(text)
    expect(said.get_by_role("link")).to_have_text(["SHOP-2"])


def test_the_status_menu_closes_under_the_dialog_and_the_resolution_is_a_field(office: Office) -> None:
    office.act("ada", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "21"})
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_label("Status: In Progress").click()
    page.locator("#status-menu").get_by_text("Finish…").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#status-menu .menu-panel")).to_be_hidden()
    page.get_by_role("dialog").get_by_label("Resolution").select_option("Done")
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(page.locator("#detail-resolution dd")).to_have_text("Done")
    expect(page.locator(".status-row")).to_contain_text("Done")
    assert page.locator(".status-row").inner_text().count("Done") == 1


def test_the_search_for_an_assignee_lists_people_only(office: Office) -> None:
    page = office.open("ada", "/jira/issues")
    settled(page)
    people = {p["displayName"]: p["accountType"] for p in office.see("ada", "getAllUsers", maxResults=1000)}
    assert "app" in people.values()
    listed = page.get_by_label("Assignee", exact=True).locator("option").all_text_contents()[3:]
    assert listed and {people[name] for name in listed} == {"atlassian"}
