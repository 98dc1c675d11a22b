"""What people do all day in the chat client, by mouse and keyboard."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import apps.slack
from tests.browser.conftest import Office, Site, settled
from tests.browser.slack import chat_rows
from tests.browser.slack.chat_rows import ALERT, CHECKOUT, DIRECT, GENERAL, MENTION, OLD, OUTSIDE, PARENT
from tests.company import host as make_host

ROOM = f"/slack/client/{CHECKOUT}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the workspace."""
    folder = tmp_path_factory.mktemp("chat")
    made = Site(lambda: make_host(folder, [apps.slack.app], chat_rows.rows), [apps.slack])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def texts(office: Office, channel: str = CHECKOUT) -> list[str]:
    """What was said in a channel, the latest first."""
    return [
        row[0] for row in office.rows("SELECT text FROM slack_message WHERE channel_id = ? ORDER BY ts DESC", channel)
    ]


def last_message(page: Page, pane: str = "#messages") -> Locator:
    """The newest message shown."""
    return page.locator(f"{pane} article").last


def menu_of(page: Page, ts: str, choice: str) -> None:
    """Choose from a message's menu."""
    message = page.locator(f"#m-{ts.replace('.', '-')}")
    message.hover()
    message.get_by_label("More actions").click()
    page.locator("#overlay").get_by_text(choice, exact=True).click()
    settled(page)


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
