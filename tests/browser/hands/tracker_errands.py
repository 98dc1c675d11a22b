"""Errands of a day in the tracker."""

from tests.browser.hands.hand import Errand, Hand

ISSUE = "/jira/browse/SHOP-1"
TITLE = "Guest checkout end-to-end test fails one time in fifteen"
COMMENTS = """SELECT trim(c.body_text) FROM jira_comment c JOIN jira_issue i ON i.id = c.issue_id
WHERE i.key = 'SHOP-1' AND c.author_id = ? ORDER BY c.created_at, c.id"""
STATUS = "SELECT s.name FROM jira_issue i JOIN jira_status s ON s.id = i.status_id WHERE i.key = ?"


def create(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("link", "Create")
    hand.find("textbox", "Summary", within="[role=dialog]").wait_for()
    hand.press_on(hand.page.locator("[name='fields.summary']"))
    hand.type("Limits are counted per card, not per customer")
    hand.press_on(hand.page.locator("[role=dialog] textarea").first)
    hand.type("Two cards of one customer pass.\nThey should share the limit.")
    hand.press("button", "Create", within="[role=dialog]")
    sql = "SELECT summary, trim(description_text) FROM jira_issue WHERE created_at >= ?"
    text = "Two cards of one customer pass.\nThey should share the limit."
    hand.finds(sql, [("Limits are counted per card, not per customer", text)], hand.began)


def create_by_keys(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.keys("c")
    hand.type("Made without a mouse, is it me?")
    hand.keys("Enter")
    sql = "SELECT summary, coalesce(assignee_id, '') FROM jira_issue WHERE created_at >= ?"
    hand.finds(sql, [("Made without a mouse, is it me?", "")], hand.began)
    assert hand.row("SELECT coalesce(assignee_id, '') FROM jira_issue WHERE key = 'SHOP-1'") == ""


def assign_to_oneself(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("button", "Assign to me")
    hand.sees("Assigned to you")
    hand.finds("SELECT assignee_id FROM jira_issue WHERE key = 'SHOP-1'", [(hand.person,)])


def assign_to_another(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("link", "Edit Assignee")
    hand.press_on(hand.page.locator("#detail-assignee select, #detail-assignee input[role=combobox]").first)
    hand.type("deep")
    hand.keys("Enter")
    hand.press("button", "Save", within="#detail-assignee")
    hand.sees("Deepika Sharma", within="#detail-assignee")
    sql = "SELECT p.handle FROM jira_issue i JOIN person p ON p.id = i.assignee_id WHERE i.key = 'SHOP-1'"
    hand.finds(sql, [("dsharma",)])


def comment(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("textbox", "Add a comment")
    hand.type("I have seen it twice today.\nIt waits for the mail.")
    hand.press("button", "Save", within="#add-comment")
    hand.sees("It waits for the mail.", within="#activity article")
    hand.finds(COMMENTS, [("I have seen it twice today.\nIt waits for the mail.",)], hand.person)


def comment_twice_in_a_row(hand: Hand) -> None:
    hand.open(ISSUE)
    for text in ("The first thing", "and the second"):
        hand.press("textbox", "Add a comment")
        hand.type(text)
        hand.press("button", "Save", within="#add-comment")
    hand.sees("and the second", within="#activity article")
    hand.finds(COMMENTS, [("The first thing",), ("and the second",)], hand.person)


def move(hand: Hand) -> None:
    hand.open(ISSUE)
    before = hand.office.rows(STATUS, "SHOP-1")
    hand.press_on(hand.page.locator("#status-menu summary"))
    hand.press_on(hand.page.locator("#status-menu .menu-item", has_text="In Progress").first)
    hand.finds(STATUS, [("In Progress",)], "SHOP-1")
    assert before == [("To Do",)]


def drag_a_card(hand: Hand) -> None:
    hand.open("/jira/projects/SHOP/board")
    columns = hand.page.locator("ul.column")
    card = columns.first.locator(".card").first
    key = card.get_attribute("data-drag-key")
    hand.drag(card, columns.nth(1))
    hand.finds(STATUS, [("In Progress",)], key)


def rename(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("link", TITLE)
    hand.page.locator("#page input[name='fields.summary'], #page textarea[name='fields.summary']").first.wait_for()
    hand.keys("Control+a")
    hand.type("Guest checkout test is flaky")
    hand.keys("Enter")
    hand.find("heading", "Guest checkout test is flaky").wait_for()
    hand.finds("SELECT summary FROM jira_issue WHERE key = 'SHOP-1'", [("Guest checkout test is flaky",)])


def label(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("link", "Edit Labels")
    hand.page.locator("#detail-labels input[type=text], #detail-labels input:not([type])").first.wait_for()
    hand.keys("End")
    hand.type(", mail")
    hand.press("button", "Save", within="#detail-labels")
    hand.sees("mail", within="#detail-labels")
    hand.finds("SELECT labels FROM jira_issue WHERE key = 'SHOP-1'", [('["flaky", "ci", "mail"]',)])


def search(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("searchbox", "Search issues")
    hand.type("idempotency")
    hand.keys("Enter")
    hand.sees("Idempotency table throttles when retries bunch up", within="main")


def ask_by_query(hand: Hand) -> None:
    hand.open("/jira/issues")
    hand.press_on(hand.page.locator("#jql"))
    hand.keys("Control+a")
    hand.type("project = SHOP AND key = SHOP-1")
    hand.keys("Enter")
    hand.sees(TITLE, within="main")
    hand.rests()
    assert hand.page.locator(".issue-table tbody tr").count() == 1


def link(hand: Hand) -> None:
    hand.open(ISSUE)
    hand.press("link", "Link issue")
    field = hand.page.locator("[role=dialog] input[role=combobox], [role=dialog] input[type=text]").first
    hand.press_on(field)
    hand.type("SHOP-2")
    hand.press_on(hand.page.locator("[role=dialog] .form-actions .button-primary"))
    sql = """SELECT count(*) FROM jira_issue_link l JOIN jira_issue a ON a.id IN (l.source_id, l.destination_id)
    WHERE a.key = 'SHOP-1' AND l.created_at >= ?"""
    hand.finds(sql, [(1,)], hand.began)


ERRANDS: tuple[Errand, ...] = (
    create,
    create_by_keys,
    assign_to_oneself,
    assign_to_another,
    comment,
    comment_twice_in_a_row,
    move,
    drag_a_card,
    rename,
    label,
    search,
    ask_by_query,
    link,
)
