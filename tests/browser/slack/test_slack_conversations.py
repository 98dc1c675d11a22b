"""Channels, direct messages and the ways between them in the chat client, by mouse and keyboard."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Office, settled
from tests.browser.slack.chat_pages import ROOM, last_message, menu_of
from tests.browser.slack.chat_rows import ALERT, CHECKOUT, DIRECT, GENERAL, OLD, OUTSIDE


def unread(office: Office, channel: str) -> bool:
    """Whether Ada has something to read in a channel."""
    counts = office.see("ada", "client.counts")
    return next(one["has_unreads"] for one in counts["channels"] if one["id"] == channel)


def test_a_conversation_whose_end_is_in_view_is_read(office: Office) -> None:
    assert unread(office, CHECKOUT)
    page = office.open("ada", ROOM)
    expect(page).to_have_title("(2) #team-checkout - Slack")
    expect(page.locator(f"#side-{CHECKOUT}")).not_to_have_class(re.compile("unread"))
    expect(page.locator(f"#side-{CHECKOUT} .badge")).to_have_count(0)
    expect(page.locator(".unread-bar")).to_have_count(0)
    expect(page.locator(".new-line")).to_have_count(1)  # where the new ones began, until the reader leaves
    settled(page)
    assert not unread(office, CHECKOUT)
    page.locator(f"#side-{GENERAL}").click()
    expect(page.locator(f"#side-{GENERAL}")).not_to_have_class(re.compile("unread"))
    page.locator(f"#side-{CHECKOUT}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("checkout")
    expect(page.locator(".new-line")).to_have_count(0)


def test_what_came_below_is_read_when_the_reader_gets_there(office: Office) -> None:
    for n in range(30):
        office.act("bo", "chat.postMessage", channel=CHECKOUT, text=f"line {n}")
    page = office.open("ada", ROOM)
    settled(page)
    expect(page.locator(".unread-bar")).to_be_visible()
    assert unread(office, CHECKOUT)
    page.locator("#messages").hover()
    page.mouse.wheel(0, 9000)
    expect(page.locator(".unread-bar")).to_have_count(0)
    office.until(lambda: unread(office, CHECKOUT), False)


def test_the_button_marks_as_read_and_clears_the_new_line(office: Office) -> None:
    for n in range(30):
        office.act("bo", "chat.postMessage", channel=CHECKOUT, text=f"line {n}")
    page = office.open("ada", ROOM)
    expect(page.locator(".unread-bar")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".new-line")).to_have_count(0)
    expect(page.locator(f"#side-{CHECKOUT} .badge")).to_have_count(0)


def test_mark_unread_brings_the_new_line_back_and_stays(office: Office) -> None:
    page = office.open("ada", ROOM)
    expect(page.locator(".unread-bar")).to_have_count(0)
    menu_of(page, ALERT, "Mark unread")
    expect(page.locator(".unread-bar")).to_have_count(1)
    expect(page.locator(".new-line")).to_have_count(1)
    page.locator("#composer-text").press_sequentially("hm")
    settled(page)
    assert unread(office, CHECKOUT)


def test_people_who_joined_one_after_the_other_are_one_line(office: Office) -> None:
    page = office.open("ada", f"/slack/client/{GENERAL}")
    joined = page.locator("#messages article.line")
    expect(joined).to_have_count(1)
    expect(joined.locator(".text")).to_have_text("joined the channel along with Bo, Cyrus, Dee and Eve.")


def test_the_new_message_dialog_offers_people_above_its_buttons(office: Office) -> None:
    page = office.open("ada", f"{ROOM}?dialog=new-message")
    page.locator("#new-message-users").click()
    offered = page.locator(".suggestions")
    expect(offered.get_by_role("option").last).to_contain_text("Pager")
    expect(offered.get_by_role("option").first).not_to_contain_text("Pager")
    listed, go = offered.bounding_box(), page.get_by_role("button", name="Go").bounding_box()
    assert listed and go and listed["y"] + listed["height"] <= go["y"]


def test_creating_a_channel_inviting_and_archiving(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_label("Create a channel").first.click()
    page.fill("#channel-name", "Not Valid!")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#create-channel-error")).to_contain_text("lower-case letters")
    expect(page.locator("#channel-name")).to_have_value("Not Valid!")
    office.expect_complaint("422")
    page.fill("#channel-name", "inc-checkout")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url(re.compile(r"/slack/client/C\w+$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("inc-checkout")
    expect(page.locator(".toast")).to_contain_text("#inc-checkout was created")
    page.get_by_label("Add people").click()
    page.locator("#invite-users").press_sequentially("dee")
    page.get_by_role("option", name=re.compile("Dee Okafor")).click()
    page.fill("#invite-users", "bo@tiny.example")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_label("View all 3 members")).to_be_visible()
    page.get_by_role("heading", level=1).get_by_role("link").click()
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("link", name="Archive channel").click()
    page.get_by_role("button", name="Archive channel").click()
    expect(page.locator(".room-closed")).to_contain_text("an archived channel")
    assert office.rows("SELECT archived_by FROM slack_channel WHERE name = 'inc-checkout'") == [("p_ada",)]


def test_joining_and_leaving(office: Office) -> None:
    page = office.open("ada", "/slack/channels")
    page.get_by_label("Join support-desk").click()
    page.wait_for_url(f"**/client/{OUTSIDE}")
    expect(page.locator("#composer")).to_be_visible()
    expect(last_message(page)).to_contain_text("joined the channel")
    page.goto(f"{office.base}/slack/client/{OUTSIDE}?dialog=leave")
    page.get_by_role("button", name="Leave channel").click()
    page.wait_for_url("**/slack/channels")
    expect(page.locator(f"#side-{OUTSIDE}")).to_have_count(0)
    assert office.rows("SELECT person_id FROM slack_member WHERE channel_id = ?", OUTSIDE) == [("p_cy",)]


def test_an_archived_channel_can_only_be_read(office: Office) -> None:
    page = office.open("ada", f"/slack/client/{OLD}")
    expect(page.locator(".room-closed")).to_contain_text("#project-atlas")
    expect(page.locator("#composer")).to_have_count(0)
    page.get_by_role("button", name="Unarchive channel").click()
    expect(page.locator("#composer")).to_be_visible()


def test_the_topic_is_edited_from_the_header(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_title("Edit the topic").click()
    page.fill("#edit-topic-value", "All things checkout")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".room-topic")).to_have_text("All things checkout")
    expect(page.locator(f"#side-{CHECKOUT}")).to_be_visible()


def test_starring_moves_a_conversation_to_the_top(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_label("Star this conversation").click()
    expect(page.get_by_role("region", name="Starred")).to_contain_text("team-checkout")
    page.get_by_label("Unstar this conversation").click()
    expect(page.get_by_role("region", name="Starred")).to_have_count(0)


def test_search_understands_its_modifiers(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.keyboard.press("/")
    page.keyboard.type("in:#team-checkout from:@bo before:2026-03-02 looking")
    page.keyboard.press("Enter")
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator(".hit")).to_contain_text("webhook retries")
    page.locator(".hit .when").click()
    expect(page.locator("article.found")).to_contain_text("webhook retries")
    expect(page.get_by_role("link", name="Jump to latest")).to_be_visible()
    page.go_back()
    expect(page.locator(".hit")).to_have_count(1)
    for tab, part in (("Files", "orders.csv"), ("People", "Dee Okafor"), ("Channels", "team-checkout")):
        page.goto(f"{office.base}/slack/search?q={part.split()[0].lower()}")
        page.get_by_role("navigation", name="Kinds of results").get_by_text(tab).click()
        expect(page.locator(".rows")).to_contain_text(part)


def test_the_switcher_jumps_by_keyboard_alone(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("body").press("Control+k")
    page.get_by_label("Jump to a channel or person").press_sequentially("lead")
    expect(page.locator("#switch-results a")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("leads-only")


def test_enter_in_the_switcher_waits_for_the_list_of_what_was_typed(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("body").press("Control+k")
    field = page.get_by_label("Jump to a channel or person")
    expect(field).to_be_focused()
    settled(page)
    field.evaluate(
        """(field) => {
          field.value = "lead";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
        }"""
    )
    expect(page.get_by_role("heading", level=1)).to_contain_text("leads-only")


def test_a_direct_message_to_somebody_new(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_label("New message", exact=True).click()
    page.fill("#new-message-users", "Eve Martin")
    page.get_by_role("button", name="Go").click()
    page.wait_for_url(re.compile(r"/slack/client/D\w+$"))
    page.fill("#composer-text", "Hi Eve")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Hi Eve")
    settled(page)
    expect(page.get_by_role("region", name="Direct messages")).to_contain_text("Eve")
    seen = office.see("eve", "conversations.history", channel=page.url.rsplit("/", 1)[1])
    assert [message["text"] for message in seen["messages"]] == ["Hi Eve"]


def test_a_name_opens_the_profile_card(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#messages .author", has_text="Dee").last.click()
    card = page.get_by_role("complementary", name="Profile")
    for part in ("Dee Okafor", "Product Manager", "Deep work until 12", "9:00 AM local time", "dee@tiny.example"):
        expect(card).to_contain_text(part)
    card.get_by_role("button", name="Message").click()
    page.wait_for_url(re.compile(r"/slack/client/D\w+$"))


def test_older_messages_and_the_way_back(office: Office) -> None:
    page = office.open("ada", "/slack/client/C0RANDOM001")
    expect(last_message(page)).to_contain_text("number 69")
    page.get_by_text("Show older messages").click()
    expect(last_message(page)).to_contain_text("number 9")
    expect(page.locator("#messages")).to_contain_text("number 0:")
    page.get_by_role("link", name="Jump to latest").click()
    expect(last_message(page)).to_contain_text("number 69")


def test_threads_and_mentions_have_pages_of_their_own(office: Office) -> None:
    page = office.open("ada", "/slack/threads")
    expect(page.locator(".thread")).to_contain_text("They had three five tickets:")
    page.locator(".thread textarea").fill("from the threads page")
    page.locator(".thread").get_by_label("Send now").click()
    expect(page.locator(".thread")).to_contain_text("from the threads page")
    page.locator(".thread textarea").blur()  # it has the focus again
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.locator(".hit")).to_have_count(2)


def test_status_and_presence(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_label(re.compile("^Account:")).click()
    page.get_by_text("Set a status").click()
    page.get_by_label("Status", exact=True).fill("On call")
    page.get_by_label("Status emoji").select_option(":rotating_light:")
    page.get_by_role("button", name="Save").click()
    status = "SELECT status_text, status_emoji FROM slack_profile WHERE person_id = 'p_ada'"
    office.until(lambda: office.rows(status), [("On call", ":rotating_light:")])
    page.goto(f"{office.base}{ROOM}?dialog=status")
    page.get_by_role("button", name="Set yourself as away").click()
    office.until(lambda: office.see("bo", "users.getPresence", user="U0ADA")["presence"], "away")


def test_direct_messages_show_presence(office: Office) -> None:
    page = office.open("ada", f"/slack/client/{DIRECT}")
    expect(page.locator(f"#side-{DIRECT} .presence")).to_have_class("presence online")
    office.act("bo", "users.setPresence", presence="away")
    page.reload()
    expect(page.locator(f"#side-{DIRECT} .presence")).to_have_class("presence")
