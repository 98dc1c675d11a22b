"""Nothing that a person writes anywhere in the chat client runs, loads or leaves the site."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import apps.slack
from apps.slack.markdown import to_mrkdwn
from apps.slack.markup import Names, render_attachments, render_blocks, render_text
from apps.slack.pages.messages import sanitise_html
from apps.slack.text import normalise, to_rich_text
from tests.browser.conftest import Office, settled
from tests.browser.crawl import Inspector, complaints
from tests.browser.hostile_shapes import card, kit
from tests.browser.payloads import PAYLOADS, packs
from tests.browser.scripts import DETECT, Hostile, audit, hostile_site, look, stubborn, without_text
from tests.browser.slack import chat_rows
from world.core.principal import Principal
from world.run.host import Host

CLOSED = {  # what a field may be refused for that holds no text: ids, times, closed lists
    "channel_not_found",
    "user_not_found",
    "invalid_arguments",
    "draft_not_found",
    "invalid_bookmark_type",
    "not_found",
    "canvas_not_found",
    "file_not_found",
    "cannot_parse",
    "invalid_name",
    "no_such_subteam",
    "thread_not_found",
    "message_not_found",
    "invalid_app_id",
    "action_not_found",
    "shortcut_not_found",
    "hash_conflict",
    "invalid_trigger_id",
    "nothing_left",  # a manifest or a view is a document of its own, which one field for text cannot be
}
NARROW = {
    "bookmarks.add link",
    "bookmarks.edit link",
    "conversations.create name",
    "conversations.rename name",
    "reactions.add name",
    "usergroups.create handle",
    "usergroups.update handle",
}


STARTS = (
    "/client/{room}",
    "/",
    "/more",
    "/search?q=alert",
    "/search?q=alert&tab=files",
    "/search?q=a&tab=people",
    "/jump?find=a",
    "/complete?q=@a",
    "/complete?q=%23h",
    "/complete?q=:x",
    f"/client/{chat_rows.CHECKOUT}",
    f"/archives/{chat_rows.CHECKOUT}",
    f"/archives/{chat_rows.CHECKOUT}/p{chat_rows.ALERT.replace('.', '')}",
    "/client",
    f"/files/U0DEE/{chat_rows.FILE}/orders.csv",
    f"/preview/{chat_rows.FILE}",
    "/team/U0DEE/message",
)


def room(host: Host, me: Principal) -> dict[str, object]:
    """One channel for all texts."""
    return {"conversations.create": host.call(me, "rest", "conversations.create", {"name": "hostile"})}


def build_hostile(folder: Path) -> Hostile:
    """The workspace, full of hostile texts."""
    return hostile_site(folder, apps.slack, chat_rows.rows, STARTS, share=room)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = build_hostile(tmp_path_factory.mktemp("chat"))
    yield made
    made.stop()


def test_every_field_for_text_was_tried_and_those_that_keep_text_took_payloads(hostile: Hostile) -> None:
    refused = without_text(hostile.harvest)
    assert set(refused) <= CLOSED, refused
    assert {str(leaf) for leaf in stubborn(hostile.harvest)} <= NARROW
    assert set().union(*hostile.harvest.taken.values()) == set(PAYLOADS)


def test_every_page_is_reached_and_none_holds_a_script_or_a_foreign_resource(hostile: Hostile) -> None:
    assert hostile.unseen() == []
    assert complaints(hostile.pages.items()) == []


def test_what_an_address_says_is_shown_as_text(hostile: Hostile) -> None:
    assert complaints(hostile.crawler.reflected("\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>")) == []


def test_chromium_runs_nothing_on_any_page(hostile: Hostile, chromium: Browser) -> None:
    assert look(hostile, chromium) == []


@pytest.mark.parametrize("made", [str, normalise, to_mrkdwn])
def test_no_payload_becomes_markup_of_its_own_in_a_message(made: Callable[[str], str]) -> None:
    names = Names(users={"U0BO": "<svg onload=alert(1)>"}, channels={"C0GENERAL01": '"><img src=x onerror=alert(1)>'})
    for payload in PAYLOADS:
        text = made(payload)
        for html in (
            render_text(text, names),
            render_blocks([to_rich_text(text, "b")], names),
            render_blocks(kit(text), names),
            render_attachments(card(text), names),
        ):
            assert Inspector(html).complaints == [], payload
            assert Inspector(sanitise_html(html)).complaints == [], payload


def test_what_arrives_while_a_page_is_open_runs_nothing(hostile: Hostile, chromium: Browser) -> None:
    office = Office(hostile.site, "w", chromium)
    page = office.open("ada", f"/slack/client/{chat_rows.CHECKOUT}")
    page.add_init_script(DETECT)
    page.reload()
    page.wait_for_selector('html[data-live="open"]')
    for text in packs(6_000):
        office.act("bo", "chat.postMessage", channel=chat_rows.CHECKOUT, text=f"<@U0ADA> {text}")
        office.act("bo", "chat.postMessage", channel=chat_rows.GENERAL, text=f"<@U0ADA> {text}")
    office.act("bo", "chat.postMessage", channel=chat_rows.CHECKOUT, text="the last one")
    page.get_by_text("the last one").first.wait_for()
    page.fill("#composer-text", "@")
    page.keyboard.type("a")
    expect(page.locator(".suggestions")).to_be_visible()
    settled(page)
    assert audit(page) + office.complaints == []
    office.close()
