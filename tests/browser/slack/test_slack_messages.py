"""Writing, reading and changing messages in the chat client, by mouse and keyboard."""

import re
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.conftest import Office, settled
from tests.browser.slack.chat_pages import ROOM, last_message, menu_of, texts
from tests.browser.slack.chat_rows import GENERAL, MENTION, PARENT


def test_enter_sends_and_shift_enter_starts_a_new_line(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "first line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("*second* line")
    page.keyboard.press("Enter")
    expect(last_message(page).locator("strong")).to_have_text("second")
    expect(page.locator("#composer-text")).to_have_value("")
    assert texts(office)[0] == "first line\n*second* line"
    calls = office.rows("SELECT operation, door FROM _call ORDER BY seq")
    asked = [("conversations.history", "page"), ("conversations.mark", "page"), ("chat.postMessage", "page")]
    assert calls == asked


def test_an_empty_message_is_not_sent(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press("Enter")
    settled(page)
    assert office.rows("SELECT count(*) FROM _call WHERE operation = 'chat.postMessage'") == [(0,)]


def test_mentions_and_channels_complete_while_typing(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("Ask @bo")
    page.locator(".suggestions").get_by_role("option", name=re.compile("Bo")).first.click()
    page.keyboard.type("about #gen")
    expect(page.locator(".suggestions").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(last_message(page).locator("a.mention").first).to_have_text("@Bo")
    assert texts(office)[0] == f"Ask <@U0BO> about <#{GENERAL}|general>"


def test_enter_waits_for_the_names_that_are_being_looked_up(office: Office) -> None:
    page, held = office.open("ada", ROOM), list[Route]()
    page.route("**/slack/complete*", lambda route: held.append(route))
    page.fill("#composer-text", "Ask @bo")
    page.keyboard.press("Enter")
    page.wait_for_selector('html[data-busy="1"]')
    assert page.input_value("#composer-text") == "Ask @bo" and len(held) == 1
    held[0].continue_()
    expect(page.locator("#composer-text")).to_have_value("Ask @bo ")
    page.keyboard.press("Enter")
    expect(last_message(page).locator("a.mention")).to_have_text("@Bo")
    assert texts(office)[0] == "Ask <@U0BO>"


def test_enter_sends_when_no_name_is_found(office: Office) -> None:
    page, held = office.open("ada", ROOM), list[Route]()
    page.route("**/slack/complete*", lambda route: held.append(route))
    page.fill("#composer-text", "Ask @nobodyhere")
    page.keyboard.press("Enter")
    page.wait_for_selector('html[data-busy="1"]')
    held[0].continue_()
    expect(last_message(page)).to_contain_text("Ask @nobodyhere")


def test_what_is_filled_in_at_once_is_linked_too(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "@dee please look, and @here too")
    page.get_by_label("Send now").first.click()
    expect(last_message(page).locator(".mention")).to_have_text(["@Dee", "@here"])
    assert texts(office)[0] == "<@U0DEE> please look, and <!here> too"


def test_emoji_names_complete_and_show_as_pictures(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("done :tad")
    page.get_by_role("option", name=":tada:").click()
    page.keyboard.press("Enter")
    expect(last_message(page).locator(".emoji").first).to_have_text("🎉")


def test_a_reaction_is_added_from_the_picker_and_taken_back_by_its_chip(office: Office) -> None:
    page = office.open("ada", ROOM)
    message = page.locator(f"#m-{MENTION.replace('.', '-')}")
    message.hover()
    message.locator(".tools").get_by_label("Add reaction").click()
    page.get_by_placeholder("Search all emoji").fill("rocket")
    expect(page.locator("#react fieldset button:visible")).to_have_count(1)
    page.locator("#react").get_by_label("rocket").click()
    chip = message.get_by_role("button", name="rocket, 1: you")
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert office.rows("SELECT name FROM slack_reaction WHERE person_id = 'p_ada' AND name = 'rocket'") == [("rocket",)]
    chip.click()
    expect(chip).to_have_count(0)
    assert office.rows("SELECT count(*) FROM slack_reaction WHERE name = 'rocket'") == [(0,)]


def test_a_reply_stays_in_its_thread_and_may_go_to_the_channel_too(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_text("3 replies").click()
    expect(page.locator("#thread-messages article")).to_have_count(4)
    page.fill("#thread-composer-text", "Agreed")
    page.keyboard.press("Enter")
    expect(last_message(page, "#thread-messages")).to_contain_text("Agreed")
    expect(page.locator(".thread-line")).to_contain_text("4 replies")
    expect(last_message(page)).not_to_contain_text("Agreed")
    page.fill("#thread-composer-text", "Everybody should know")
    page.get_by_label("Also send to #team-checkout").check()
    page.get_by_label("Send now").last.click()
    expect(last_message(page)).to_contain_text("Everybody should know")
    sent = office.rows(
        "SELECT text, thread_ts, is_broadcast FROM slack_message WHERE person_id = 'p_ada' ORDER BY ts DESC LIMIT 2"
    )
    assert sent == [("Everybody should know", PARENT, 1), ("Agreed", PARENT, 0)]


def test_a_message_is_edited_in_place(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "helo @bo and")  # a name at the end would be offered, and Enter would take it
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("helo")
    last_message(page).hover()
    last_message(page).get_by_label("More actions").click()
    page.locator("#overlay").get_by_text("Edit message").click()
    expect(page.locator("#edit-message-text")).to_have_value("helo @bo and")
    page.fill("#edit-message-text", "hello @bo and all")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("hello @Bo and all (edited)")
    assert texts(office)[0] == "hello <@U0BO> and all"
    expect(page).not_to_have_url(re.compile("edit="))


def test_deleting_asks_first(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "delete me")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("delete me")
    last_message(page).hover()
    last_message(page).get_by_label("More actions").click()
    page.locator("#overlay").get_by_text("Delete message…").click()
    expect(page.get_by_role("dialog")).to_contain_text("delete me")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#messages")).not_to_contain_text("delete me")
    expect(page.locator(".toast")).to_contain_text("Message deleted")


def test_others_messages_offer_no_edit_or_delete(office: Office) -> None:
    page = office.open("ada", f"{ROOM}?menu={MENTION}")
    expect(page.get_by_role("dialog")).to_contain_text("Pin to this conversation")
    expect(page.get_by_text("Edit message")).to_have_count(0)
    expect(page.get_by_text("Delete message…")).to_have_count(0)


def test_a_name_goes_on_over_a_space_and_enter_takes_it(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.locator("#composer-text").press_sequentially("Ask @Bo Lin")
    options = page.locator(".suggestions").get_by_role("option")
    expect(options).to_have_count(1)
    expect(options).to_contain_text("Bo Lindqvist")
    page.keyboard.press("Enter")
    expect(page.locator("#composer-text")).to_have_value("Ask @bo ")
    page.keyboard.type("please look")
    expect(page.locator(".suggestions")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("please look")
    assert texts(office)[0] == "Ask <@U0BO> please look"


def test_saving_pinning_and_reminding(office: Office) -> None:
    page = office.open("ada", ROOM)
    menu_of(page, MENTION, "Save for later")
    menu_of(page, MENTION, "Pin to this conversation")
    expect(page.get_by_label("2 pinned")).to_be_visible()
    menu_of(page, MENTION, "Remind me about this…")
    page.fill("#remind-time", "in 20 minutes")
    page.get_by_role("button", name="Set reminder").click()
    expect(page.locator(".toast")).to_contain_text("Reminder set")
    page.goto(f"{office.base}/slack/later")
    expect(page.locator(".hit")).to_contain_text("can you have a look?")
    page.get_by_role("button", name="Mark complete").click()
    expect(page.locator(".hit")).to_have_count(0)
    page.get_by_role("link", name="Reminders").click()
    expect(page.locator(".row")).to_contain_text("Look at Bo’s message")


def test_files_go_up_with_a_message_and_come_down_as_they_were(office: Office, tmp_path: Path) -> None:
    one, two = tmp_path / "plan.txt", tmp_path / "numbers.csv"
    one.write_bytes(b"Step 1\nStep 2 <b>")
    two.write_bytes(b"a,b\n1,2\n")
    page = office.open("ada", ROOM)
    page.get_by_label("Attach a file").click()
    page.set_input_files("#upload-files", [one, two])
    expect(page.locator("#upload-chosen .chip")).to_have_text(["plan.txt (17 B)", "numbers.csv (8 B)"])
    page.fill("#upload-comment", "Both files")
    page.get_by_role("button", name="Upload").click()
    expect(last_message(page)).to_contain_text("Both files")
    expect(last_message(page).locator(".file strong")).to_have_text(["plan.txt", "numbers.csv"])
    with page.expect_download() as download:
        last_message(page).get_by_label("Download plan.txt").click()
    assert Path(download.value.path()).read_bytes() == one.read_bytes()
    last_message(page).get_by_text("plan.txt").first.click()
    expect(page.locator(".file-words")).to_have_text("Step 1\nStep 2 <b>")


def test_what_is_typed_goes_along_into_scheduling_and_leaves_the_box_then(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "to be said later")
    page.get_by_label("More ways to send").click()
    page.get_by_text("Schedule for later…").click()
    expect(page.locator("#schedule-text")).to_have_value("to be said later")
    page.keyboard.press("Escape")
    expect(page.locator("#schedule-text")).to_have_count(0)
    expect(page.locator("#composer-text")).to_have_value("to be said later")
    page.get_by_label("More ways to send").click()
    page.get_by_text("Schedule for later…").click()
    page.get_by_role("button", name="Schedule message").click()
    expect(page.locator("#toasts")).to_contain_text("Your message will be sent later")
    expect(page.locator("#composer-text")).to_have_value("")
    assert office.rows("SELECT text FROM slack_scheduled_message") == [("to be said later",)]


def test_drafts_are_kept_edited_sent_and_scheduled_ones_withdrawn(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "not yet")
    page.get_by_label("More ways to send").first.click()
    page.get_by_text("Save as draft").first.click()
    settled(page)
    page.goto(f"{office.base}/slack/drafts")
    page.get_by_text("not yet").click()
    page.fill("#edit-draft-text", "now then")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("#edit-draft-text")).to_have_count(0)
    page.get_by_label("Send the draft to #team-checkout").click()
    expect(page.get_by_text("No drafts")).to_be_visible()
    assert texts(office)[0] == "now then"
    page.goto(f"{office.base}{ROOM}?dialog=schedule")
    page.fill("#schedule-text", "later")
    page.fill("#schedule-at", "2026-03-02T14:30")
    page.get_by_role("button", name="Schedule message").click()
    office.until(
        lambda: office.rows("SELECT text, post_at FROM slack_scheduled_message"), [("later", 1772458200_000_000)]
    )
    page.goto(f"{office.base}/slack/drafts?tab=scheduled")
    expect(page.locator(".row")).to_contain_text("Today at 2:30 PM")
    page.get_by_label("Cancel the message to #team-checkout").click()
    expect(page.get_by_text("No scheduled messages")).to_be_visible()


def test_consecutive_messages_of_one_person_are_one_group(office: Office) -> None:
    page = office.open("ada", ROOM)
    expect(page.locator(".day").first).to_have_text("Yesterday")
    expect(page.locator(".day").last).to_have_text("Today")
    first, second = page.locator("#messages article").nth(0), page.locator("#messages article").nth(1)
    expect(first.locator(".author")).to_have_text("Bo")
    expect(second).to_have_class(re.compile("grouped"))
    expect(second.locator(".author")).to_have_count(0)
    expect(second.locator(".gutter")).to_be_hidden()
    second.hover()
    expect(second.locator(".gutter")).to_have_text("9:01")
    expect(page.locator("article", has_text="[Triggered]").locator(".app-badge")).to_have_text("APP")


def test_formatting_is_drawn_and_the_tool_bar_writes_it(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "important")
    page.locator("#composer-text").select_text()
    page.get_by_label("Bold").click()
    expect(page.locator("#composer-text")).to_have_value("*important*")
    page.keyboard.type(" _really_ ~not~ `code`")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("> quoted https://plan.tiny.example/q2")
    page.keyboard.press("Enter")
    said = last_message(page).locator(".text")
    for tag, words in (
        ("strong", "important"),
        ("em", "really"),
        ("del", "not"),
        ("code", "code"),
        ("blockquote", "quoted"),
    ):
        expect(said.locator(tag)).to_contain_text(words)
    expect(said.locator("a")).to_have_attribute("rel", "noopener noreferrer nofollow")
