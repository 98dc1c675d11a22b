"""Slash commands: what begins with a slash is done, not posted, and an unknown one says so."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Office, settled
from tests.browser.slack.chat_pages import ROOM, last_message, texts
from tests.browser.slack.chat_rows import CHECKOUT, OUTSIDE, PARENT, RANDOM


def type_in(page: Page, text: str, box: str = "#composer-text") -> None:
    """Type a line and send it, as a person does who wants none of the suggestions."""
    page.locator(box).press_sequentially(text)
    settled(page)
    if page.locator(".suggestions").count():
        page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    settled(page)


def test_an_unknown_command_is_neither_posted_nor_lost(office: Office) -> None:
    page, before = office.open("ada", ROOM), texts(office)
    type_in(page, "/deploy checkout now")
    expect(page.locator("#composer-error")).to_contain_text("/deploy is not a valid command.")
    expect(page.locator("#composer-text")).to_have_value("/deploy checkout now")
    assert texts(office) == before
    page.locator("#composer-text").fill(" /deploy checkout now")
    page.keyboard.press("Enter")
    expect(last_message(page)).to_contain_text("/deploy checkout now")
    expect(page.locator("#composer-error")).to_be_empty()
    office.expect_complaint("422")


COMMANDS = [
    ("/topic Payments only", "SELECT topic FROM slack_channel WHERE id = ?", "Payments only"),
    ("/mute", "SELECT count(*) FROM slack_member WHERE channel_id = ? AND person_id = 'p_ada' AND is_muted", 1),
    ("/invite @cyrus", "SELECT count(*) FROM slack_member WHERE channel_id = ? AND person_id = 'p_cy'", 1),
    ("/remove @dee", "SELECT count(*) FROM slack_member WHERE channel_id = ? AND person_id = 'p_dee'", 0),
    ("/rename checkout-crew", "SELECT name FROM slack_channel WHERE id = ?", "checkout-crew"),
]


@pytest.mark.parametrize(("line", "sql", "wanted"), COMMANDS, ids=[line.split(" ")[0] for line, _, _ in COMMANDS])
def test_commands_of_a_channel(office: Office, line: str, sql: str, wanted: object) -> None:
    page = office.open("ada", ROOM)
    type_in(page, line)
    expect(page.locator("#toasts")).not_to_be_empty()
    assert office.rows(sql, CHECKOUT) == [(wanted,)]
    assert line not in texts(office)


def test_commands_about_oneself(office: Office) -> None:
    page = office.open("ada", ROOM)
    type_in(page, "/status :palm_tree: at the lake")
    expect(page.locator("#toasts")).to_contain_text("Your status was set.")
    status = "SELECT status_emoji, status_text FROM slack_profile WHERE person_id = 'p_ada'"
    assert office.rows(status) == [(":palm_tree:", "at the lake")]
    type_in(page, "/status clear")
    assert office.rows(status) == [("", "")]
    type_in(page, "/away")
    expect(page.locator("#toasts")).to_contain_text("You are now away.")
    type_in(page, "/remind me to check the rollout in 15 minutes")
    expect(page.locator("#toasts")).to_contain_text("The reminder is set.")
    assert office.rows("SELECT text FROM slack_reminder") == [("check the rollout",)]


def test_commands_that_lead_elsewhere(office: Office) -> None:
    page = office.open("ada", ROOM)
    type_in(page, "/join #support-desk")
    page.wait_for_url(f"**/client/{OUTSIDE}")
    type_in(page, "/msg @bo are you there?")
    page.wait_for_url(re.compile("/client/D"))
    expect(last_message(page)).to_contain_text("are you there?")
    page.goto(f"{office.base}/slack/client/{RANDOM}")
    type_in(page, "/leave")
    page.wait_for_url(re.compile(f"/client/(?!{RANDOM})"))
    assert office.rows("SELECT count(*) FROM slack_member WHERE channel_id = ? AND person_id = 'p_ada'", RANDOM) == [
        (0,)
    ]


def test_commands_are_offered_and_threads_have_none(office: Office) -> None:
    page = office.open("ada", f"{ROOM}?thread={PARENT}")
    page.locator("#composer-text").press_sequentially("/sta")
    expect(page.locator(".suggestions").get_by_role("option")).to_contain_text(["/status", "/star"])
    page.locator("#composer-text").fill("")
    type_in(page, "/topic Payments", "#thread-composer-text")
    expect(page.locator("#thread-composer-error")).to_contain_text("is not supported in threads")
    office.expect_complaint("422")
