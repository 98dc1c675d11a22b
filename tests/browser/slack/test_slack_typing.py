"""Typing goes on while a message is sent, elsewhere and after a reload: nothing is lost, cut off or doubled."""

from playwright.sync_api import expect

from tests.browser.conftest import Hold, Office, settled
from tests.browser.slack.chat_pages import ROOM, last_message, texts
from tests.browser.slack.chat_rows import CHECKOUT, RANDOM

POSTING = "**/do/chat.postMessage"


def test_what_is_typed_while_a_message_is_on_its_way_stays_in_the_box(office: Office) -> None:
    page = office.open("ada", ROOM)
    held = Hold(page, POSTING)
    with page.expect_request(POSTING):
        page.locator("#composer-text").press_sequentially("the first")
        page.keyboard.press("Enter")
        page.keyboard.type("the sec")
    expect(page.locator("#composer-text")).to_have_value("the sec")
    held.let_go()
    expect(last_message(page)).to_contain_text("the first")
    page.keyboard.type("ond")
    expect(page.locator("#composer-text")).to_have_value("the second")
    assert texts(office)[0] == "the first"


def test_messages_sent_in_a_row_arrive_whole_and_in_their_order(office: Office) -> None:
    page = office.open("ada", ROOM)
    held = Hold(page, POSTING)
    with page.expect_request(POSTING):
        for word in ("one", "two", "two", "three"):
            page.locator("#composer-text").press_sequentially(word)
            page.keyboard.press("Enter")
    held.let_go()
    expect(last_message(page)).to_contain_text("three")
    settled(page)
    assert texts(office)[:4] == ["three", "two", "two", "one"]
    expect(page.locator("#composer-text")).to_have_value("")


def test_what_could_not_be_sent_stands_in_the_box_again(office: Office) -> None:
    page = office.open("ada", ROOM)
    held = Hold(page, POSTING)
    with page.expect_request(POSTING):
        for word in ("one", "two"):
            page.locator("#composer-text").press_sequentially(word)
            page.keyboard.press("Enter")
        page.keyboard.type("three")
    held.lose()
    expect(page.locator("#composer-text")).to_have_value("one\ntwo\nthree")
    settled(page)
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("three")
    assert texts(office)[0] == "one\ntwo\nthree"
    for part in ("Failed to load resource", "htmx:afterRequest", "htmx:sendError"):
        office.expect_complaint(part)


def test_a_second_click_on_send_sends_nothing_more(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("once")
    page.get_by_label("Send now").dblclick()
    expect(last_message(page)).to_contain_text("once")
    settled(page)
    assert texts(office)[:2].count("once") == 1
    expect(page.locator("#composer-error")).to_be_empty()


def test_an_answer_for_another_channel_changes_nothing_in_this_one(office: Office) -> None:
    page = office.open("ada", ROOM)
    held = Hold(page, POSTING)
    with page.expect_request(POSTING):
        for word in ("one", "two"):
            page.locator("#composer-text").press_sequentially(word)
            page.keyboard.press("Enter")
    page.locator(f"#side-{RANDOM}").click()
    expect(page.locator("h1")).to_contain_text("random")
    held.let_go()
    office.until(lambda: texts(office, CHECKOUT)[0], "two")
    settled(page)
    expect(page.locator("#messages")).to_have_attribute("aria-label", "Messages in #random")
    expect(last_message(page)).to_contain_text("Thought number 69")


def test_a_text_that_was_begun_is_there_again_after_a_look_elsewhere_and_a_reload(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("half a thou")
    page.locator(f"#side-{RANDOM}").click()
    expect(page.locator("h1")).to_contain_text("random")
    expect(page.locator("#composer-text")).to_have_value("")
    page.locator(f"#side-{CHECKOUT}").click()
    expect(page.locator("#composer-text")).to_have_value("half a thou")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("half a thou")
    page.locator("#composer-text").press("End")
    page.keyboard.type("ght")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("half a thought")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("")
    assert office.rows("SELECT count(*) FROM slack_draft") == [(0,)]


def test_a_text_that_was_begun_is_for_whoever_began_it(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("for my eyes")
    page.goto(f"{office.base}/login/{office.key('bo')}?next={ROOM}")
    expect(page.locator("#composer-text")).to_have_value("")


def test_arrow_up_in_an_empty_box_edits_the_last_message_of_ones_own(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("teh rollout")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("teh rollout")
    page.locator("#composer-text").press("ArrowUp")
    expect(page.get_by_label("Edit message")).to_be_focused()
    page.keyboard.type(" went well")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("teh rollout went well (edited)")
    page.locator("#composer-text").fill("a line")
    page.locator("#composer-text").press("ArrowUp")
    settled(page)
    expect(page.get_by_label("Edit message")).to_have_count(0)


def test_bold_and_italic_by_their_keys(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("very ")
    page.keyboard.press("Control+b")
    page.keyboard.type("big")
    page.keyboard.press("End")
    page.keyboard.type(" ")
    page.keyboard.press("Control+i")
    page.keyboard.type("news")
    expect(page.locator("#composer-text")).to_have_value("very *big* _news_")


def test_a_conversation_that_is_opened_is_read(office: Office) -> None:
    page = office.open("ada", f"/slack/client/{RANDOM}")
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="News")
    expect(page.locator(f"#side-{CHECKOUT}.unread")).to_be_visible()
    page.locator(f"#side-{CHECKOUT}").click()
    expect(last_message(page)).to_contain_text("News")
    expect(page.locator(f"#side-{CHECKOUT}.unread")).to_have_count(0)
    page.reload()
    expect(page.locator(f"#side-{CHECKOUT}.unread")).to_have_count(0)
