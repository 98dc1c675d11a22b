"""Errands of a day at the code host."""

from tests.browser.hands.hand import Errand, Hand

REPO = "/github/quayline/payments"
OPEN = """SELECT i.number FROM github_issue i JOIN github_repository r ON r.id = i.repo_id
JOIN github_account a ON a.id = i.author_id LEFT JOIN github_pull p ON p.issue_id = i.id
WHERE r.name = 'payments' AND i.state = 'open' AND i.is_pull = ? AND coalesce(p.draft, 0) = 0
AND a.person_id {} ? ORDER BY i.number LIMIT 1"""
COMMENTS = """SELECT c.body FROM github_comment c JOIN github_account a ON a.id = c.author_id
WHERE a.person_id = ? AND c.created_at >= ? ORDER BY c.created_at, c.id"""


def open_an_issue(hand: Hand) -> None:
    hand.open(f"{REPO}/issues")
    hand.press("link", "New issue", within="main")
    hand.page.locator("input[name=title]").wait_for()
    hand.press_on(hand.page.locator("input[name=title]"))
    hand.type("Refunds of 0 cents are accepted")
    hand.press_on(hand.page.locator("main textarea").first)
    hand.type("Try it: they are booked.\nThey should not be.")
    hand.press_on(hand.page.locator("main .button-primary").last)
    hand.sees("Refunds of 0 cents are accepted", within=".talk-title")
    sql = "SELECT title, replace(body, char(13), '') FROM github_issue WHERE created_at >= ?"
    text = "Try it: they are booked.\nThey should not be."
    hand.finds(sql, [("Refunds of 0 cents are accepted", text)], hand.began)


def comment(hand: Hand) -> None:
    _issue(hand)
    hand.press("textbox", "Add a comment")
    hand.type("I can look at it tomorrow.")
    hand.press("button", "Comment")
    hand.sees("I can look at it tomorrow.", within="#timeline")
    hand.finds(COMMENTS, [("I can look at it tomorrow.",)], hand.person, hand.began)


def comment_twice_in_a_row(hand: Hand) -> None:
    _issue(hand)
    for text in ("The first thing", "and the second"):
        hand.press("textbox", "Add a comment")
        hand.type(text)
        hand.press("button", "Comment")
    hand.sees("and the second", within="#timeline")
    hand.finds(COMMENTS, [("The first thing",), ("and the second",)], hand.person, hand.began)


def close_with_a_comment(hand: Hand) -> None:
    number = _issue(hand)
    hand.press("textbox", "Add a comment")
    hand.type("Done with the last release.")
    hand.press("button", "Close issue")
    hand.sees("closed this", within="#timeline")
    hand.finds(COMMENTS, [("Done with the last release.",)], hand.person, hand.began)
    sql = "SELECT i.state FROM github_issue i JOIN github_repository r ON r.id = i.repo_id"
    assert hand.row(f"{sql} WHERE r.name = 'payments' AND i.number = ?", number) == "closed"


def label(hand: Hand) -> None:
    number = _issue(hand)
    hand.keys("l")
    hand.page.locator("#label-choice").wait_for()
    boxes = hand.page.locator("#label-choice input:not(:checked)")
    name = boxes.first.get_attribute("value") or ""
    hand.press_on(hand.page.locator(f'#label-choice label:has([value="{name}"])'))
    hand.press("button", "Apply", within="#side")
    hand.sees(name, within="#side-labels")
    sql = """SELECT count(*) FROM github_issue_label x JOIN github_label l ON l.id = x.label_id
    JOIN github_issue i ON i.id = x.issue_id JOIN github_repository r ON r.id = i.repo_id
    WHERE l.name = ? AND i.number = ? AND r.name = 'payments'"""
    hand.finds(sql, [(1,)], name, number)


def assign_to_oneself(hand: Hand) -> None:
    _issue(hand)
    hand.keys("a")
    hand.page.locator("#assignee-choice").wait_for()
    hand.press_on(hand.page.locator("#assignee-choice li", has_text="danielkowalski").first)
    hand.press("button", "Apply", within="#side")
    hand.sees("danielkowalski", within="#side-assignees")


def rename(hand: Hand) -> None:
    _issue(hand)
    hand.press_on(hand.page.locator("#talk-head, .talk-head").get_by_text("Edit", exact=True).first)
    hand.page.locator("input[name=title]").wait_for()
    hand.press_on(hand.page.locator("input[name=title]"))
    hand.keys("Control+a")
    hand.type("A clearer title")
    hand.keys("Enter")
    hand.sees("A clearer title", within=".talk-title")
    hand.finds("SELECT count(*) FROM github_issue WHERE title = 'A clearer title'", [(1,)])


def review(hand: Hand) -> None:
    number = _pull(hand, "/files")
    hand.press_on(hand.page.locator("#finish-menu summary"))
    hand.press_on(hand.page.locator("#finish-text"))
    hand.type("Reads well. One question in the code.")
    hand.press_on(hand.page.locator("#finish-menu label.verdict", has_text="Approve"))
    hand.press("button", "Submit review")
    hand.sees("approved these changes", within="main")
    sql = """SELECT v.state, v.body FROM github_review v JOIN github_issue i ON i.id = v.issue_id
    JOIN github_account a ON a.id = v.author_id WHERE i.number = ? AND a.person_id = ? AND v.created_at >= ?"""
    hand.finds(sql, [("APPROVED", "Reads well. One question in the code.")], number, hand.person, hand.began)


def comment_on_a_line(hand: Hand) -> None:
    _pull(hand, "/files")
    hand.press_on(hand.page.locator("a[data-note^=R]").first)
    hand.page.locator(".note-row textarea").wait_for()
    hand.type("Why is this here?")
    hand.press_on(hand.page.locator(".note-row button.button-primary, .note-row button.button").last)
    sql = """SELECT c.body FROM github_review_comment c JOIN github_account a ON a.id = c.author_id
    WHERE a.person_id = ? AND c.created_at >= ?"""
    hand.finds(sql, [("Why is this here?",)], hand.person, hand.began)


def merge(hand: Hand) -> None:
    number = hand.row(OPEN.format("="), 1, hand.person)
    for who in ("sweber", "dsharma"):
        place = {"owner": "quayline", "repo": "payments", "pull_number": number}
        hand.office.act(who, "pulls/create-review", **place, event="APPROVE")
    hand.open(f"{REPO}/pull/{number}")
    hand.press("link", "Merge pull request", within="#merge-box")
    hand.press("button", "Confirm merge")
    hand.sees("Pull request successfully merged and closed")
    sql = """SELECT p.merged_at IS NOT NULL FROM github_pull p JOIN github_issue i ON i.id = p.issue_id
    JOIN github_repository r ON r.id = i.repo_id WHERE r.name = 'payments' AND i.number = ?"""
    hand.finds(sql, [(1,)], number)


def search(hand: Hand) -> None:
    hand.open(f"{REPO}/issues")
    hand.press_on(hand.page.locator("main input[name=q], main input[type=search]").first)
    hand.keys("Control+a")
    hand.type("is:issue is:open runbook")
    hand.keys("Enter")
    hand.sees("Runbook: what to do when Nordacq times out", within="main")


def star_the_repository(hand: Hand) -> None:
    hand.open(REPO)
    before = hand.row("SELECT count(*) FROM github_star")
    hand.press_on(hand.page.locator("button", has_text="Star").first)
    hand.office.until(lambda: abs(hand.row("SELECT count(*) FROM github_star") - before), 1)


def _issue(hand: Hand) -> int:
    number = hand.row(OPEN.format("<>"), 0, "")
    hand.open(f"{REPO}/issues/{number}")
    return number


def _pull(hand: Hand, tab: str) -> int:
    number = hand.row(OPEN.format("<>"), 1, hand.person)
    hand.open(f"{REPO}/pull/{number}{tab}")
    return number


ERRANDS: tuple[Errand, ...] = (
    open_an_issue,
    comment,
    comment_twice_in_a_row,
    close_with_a_comment,
    label,
    assign_to_oneself,
    rename,
    review,
    comment_on_a_line,
    merge,
    search,
    star_the_repository,
)
