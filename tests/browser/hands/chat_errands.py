"""Errands of a day in the chat client."""

from playwright.sync_api import Locator

from tests.browser.hands.hand import Errand, Hand

TEXTS = """SELECT m.text FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id
WHERE c.name = ? AND m.person_id = ? AND m.ts > ? AND m.deleted_at IS NULL ORDER BY m.ts"""
BOX = "#composer-text"
LATEST = "Standup in 10 minutes, Deepika leads. Out today: Karolina."  # said in team-payments


def post(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("The settlements run is through. Numbers follow at noon.")
    hand.keys("Enter")
    hand.sees("Numbers follow at noon.", within="#messages")
    _said(hand, "team-payments", "The settlements run is through. Numbers follow at noon.")


def post_three_in_a_row(hand: Hand) -> None:
    _room(hand, "random")
    hand.press_on(hand.page.locator(BOX))
    for text in ("Coffee machine is back.", "It makes tea as well.", "It does not make coffee."):
        hand.type(text)
        hand.keys("Enter")
    hand.sees("It does not make coffee.", within="#messages")
    _said(hand, "random", "Coffee machine is back.", "It makes tea as well.", "It does not make coffee.")


def switch_while_it_is_sent(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("First here")
    hand.keys("Enter")
    hand.press("link", "random")
    hand.find("heading", "random").wait_for()
    hand.press_on(hand.page.locator(BOX))
    hand.type("then there")
    hand.keys("Enter")
    hand.sees("then there", within="#messages")
    _said(hand, "team-payments", "First here")
    _said(hand, "random", "then there")


def mention(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("@deepika")
    hand.page.locator(".suggestions").wait_for()
    hand.keys("Enter")
    hand.type("can you look?")
    hand.keys("Enter")
    hand.sees("can you look?", within="#messages")
    hand.rests()
    found = [row[0] for row in _texts(hand, "team-payments")]
    assert len(found) == 1 and found[0].startswith("<@U") and found[0].endswith("> can you look?"), found


def answer_in_a_thread(hand: Hand) -> None:
    _room(hand, "team-payments")
    said = _message(hand, LATEST)
    hand.hover(said)
    hand.press_on(said.get_by_role("link", name="Reply in thread"))
    hand.page.locator("#pane textarea").wait_for()
    hand.press_on(hand.page.locator("#pane textarea"))
    hand.type("Good to hear. Shall I close the alert?")
    hand.keys("Enter")
    hand.sees("Shall I close the alert?", within="#pane")
    _said(hand, "team-payments", "Good to hear. Shall I close the alert?")
    assert hand.row("SELECT thread_ts IS NOT NULL FROM slack_message WHERE text LIKE 'Good to hear%'") == 1


def edit(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("Deploy at 3")
    hand.keys("Enter")
    hand.sees("Deploy at 3", within="#messages")
    said = _message(hand, "Deploy at 3")
    hand.hover(said)
    hand.press_on(said.get_by_role("link", name="More actions"))
    hand.press_text("Edit message", within="#overlay")
    hand.find("textbox", "Edit message").wait_for()
    hand.type("pm, not am")
    hand.keys("Enter")
    hand.sees("Deploy at 3pm, not am", within="#messages")
    _said(hand, "team-payments", "Deploy at 3pm, not am")


def edit_the_last_by_arrow_up(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("Deploy at 4")
    hand.keys("Enter")
    hand.sees("Deploy at 4", within="#messages")
    hand.keys("ArrowUp")
    hand.find("textbox", "Edit message").wait_for()
    hand.type(", really")
    hand.keys("Enter")
    hand.sees("Deploy at 4, really", within="#messages")
    _said(hand, "team-payments", "Deploy at 4, really")


def delete(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("Wrong room")
    hand.keys("Enter")
    hand.sees("Wrong room", within="#messages")
    said = _message(hand, "Wrong room")
    hand.hover(said)
    hand.press_on(said.get_by_role("link", name="More actions"))
    hand.press_text("Delete message…", within="#overlay")
    hand.press("button", "Delete", within="#overlay")
    hand.finds(TEXTS, [], "team-payments", hand.person, hand.began_ts)


def react(hand: Hand) -> None:
    _room(hand, "team-payments")
    said = _message(hand, LATEST)
    hand.hover(said)
    hand.press_on(said.get_by_role("link", name="Add reaction", exact=True))
    hand.page.locator("#emoji-find").wait_for()
    hand.type("tada")
    hand.press_on(
        hand.page.locator("#overlay [role=dialog] button[title*=tada], #overlay button[aria-label*=tada]").first
    )
    sql = """SELECT r.name FROM slack_reaction r JOIN slack_message m ON m.id = r.message_id
    WHERE m.text LIKE ? AND r.person_id = ?"""
    hand.finds(sql, [("tada",)], f"{LATEST}%", hand.person)


def jump_by_the_switcher(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.keys("Control+k")
    hand.type("incid")
    hand.sees("incidents", within="#overlay")
    hand.keys("Enter")
    hand.find("heading", "incidents").wait_for()
    hand.press_on(hand.page.locator(BOX))
    hand.type("Nothing new here")
    hand.keys("Enter")
    hand.sees("Nothing new here", within="#messages")
    _said(hand, "incidents", "Nothing new here")


def write_to_a_person(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press("link", "Svenja Weber", within="#messages")
    hand.press_text("Message", within="#pane")
    hand.find("heading", "Svenja Weber", within="main .room-head").wait_for()
    hand.press_on(hand.page.locator(BOX))
    hand.type("Do you have five minutes?")
    hand.keys("Enter")
    hand.sees("Do you have five minutes?", within="#messages")
    hand.rests()
    sql = "SELECT m.text, substr(m.channel_id, 1, 1) FROM slack_message m WHERE m.person_id = ? AND m.ts > ?"
    assert hand.office.rows(sql, hand.person, hand.began_ts) == [("Do you have five minutes?", "D")]


def make_a_channel(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press("link", "Create a channel")
    hand.page.locator("#overlay input[type=text]").first.wait_for()
    hand.type("payments-oncall")
    hand.press("button", "Create", within="#overlay")
    hand.find("heading", "payments-oncall").wait_for()
    hand.finds("SELECT name FROM slack_channel WHERE name LIKE 'payments-on%'", [("payments-oncall",)])


def search(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press("searchbox", "Search messages, files and people")
    hand.type("in:#team-payments standup karolina")
    hand.keys("Enter")
    hand.sees(LATEST, within="main")


def leave_a_text_and_come_back(hand: Hand) -> None:
    _room(hand, "team-payments")
    hand.press_on(hand.page.locator(BOX))
    hand.type("To be continued")
    hand.press("link", "random")
    hand.find("heading", "random").wait_for()
    hand.press("link", "team-payments")
    hand.find("heading", "team-payments").wait_for()
    hand.press_on(hand.page.locator(BOX))
    hand.keys("End")
    hand.type(", and continued")
    hand.keys("Enter")
    hand.sees("To be continued, and continued", within="#messages")
    _said(hand, "team-payments", "To be continued, and continued")


def _room(hand: Hand, name: str) -> None:
    hand.open("/slack/client/" + hand.row("SELECT id FROM slack_channel WHERE name = ?", name))


def _message(hand: Hand, text: str) -> Locator:
    return hand.page.locator("#messages article", has_text=text).last


def _texts(hand: Hand, channel: str) -> list[tuple[str, ...]]:
    return hand.office.rows(TEXTS, channel, hand.person, hand.began_ts)


def _said(hand: Hand, channel: str, *texts: str) -> None:
    hand.finds(TEXTS, [(text,) for text in texts], channel, hand.person, hand.began_ts)
    hand.rests()
    assert _texts(hand, channel) == [(text,) for text in texts]


ERRANDS: tuple[Errand, ...] = (
    post,
    post_three_in_a_row,
    switch_while_it_is_sent,
    mention,
    answer_in_a_thread,
    edit,
    edit_the_last_by_arrow_up,
    delete,
    react,
    jump_by_the_switcher,
    write_to_a_person,
    make_a_channel,
    search,
    leave_a_text_and_come_back,
)
