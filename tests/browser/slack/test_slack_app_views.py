"""Modals and Home tabs of apps in the browser: opened by a shortcut or a button, filled in, submitted, closed."""

from typing import Any

from playwright.sync_api import Page, expect

from apps.slack.operations.views import A_MODAL
from tests.browser.conftest import Office

OPTIONS = [{"text": {"type": "plain_text", "text": word}, "value": word.lower()} for word in ("Today", "Tomorrow")]
APP = "A0BROWSE01"
MANIFEST: dict[str, Any] = {
    "display_information": {"name": "Lunch bot"},
    "features": {
        "app_home": {"home_tab_enabled": True},
        "shortcuts": [
            {"name": "Order lunch", "type": "global", "callback_id": "order", "description": "Order"},
            {"name": "Escalate", "type": "message", "callback_id": "escalate", "description": "Escalate"},
        ],
    },
    "settings": {"interactivity": {"is_enabled": True}, "socket_mode_enabled": True},
}


def plain(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


def entry(block_id: str, label: str, element: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "input", "block_id": block_id, "label": plain(label), "element": element, **more}


def button(action_id: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "button", "action_id": action_id, "text": plain(text), **more}


def order() -> dict[str, Any]:
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "The kitchen closes at *14:00*."}},
        entry("dish", "Dish", {"type": "plain_text_input", "action_id": "a", "placeholder": plain("Soup")}),
        entry("day", "When", {"type": "static_select", "action_id": "a", "options": OPTIONS}),
        entry("size", "Size", {"type": "radio_buttons", "action_id": "a", "options": OPTIONS}, optional=True),
        entry(
            "note",
            "Note",
            {"type": "plain_text_input", "action_id": "a", "multiline": True},
            optional=True,
            hint=plain("The kitchen reads this."),
        ),
        {"type": "actions", "block_id": "more", "elements": [button("add", "Add a guest")]},
    ]
    return {**A_MODAL, "blocks": blocks}


def set_up(office: Office) -> str:
    """An app of Ada's, for which her token speaks."""
    return office.act("ada", "apps.manifest.create", manifest=MANIFEST)["app_id"]


def open_modal(office: Office, page: Page, app: str) -> str:
    """Run the shortcut by hand; the app opens its modal."""
    page.get_by_role("button", name="Order lunch").click()
    sql = "SELECT trigger_id FROM slack_interaction WHERE kind = 'shortcut' AND exchanged_at = 0"
    office.until(lambda: len(office.rows(sql)), 1)
    [(trigger,)] = office.rows(sql)
    return office.act("ada", "views.open", trigger_id=trigger, view=order())["view"]["id"]


def test_a_modal_is_opened_by_a_shortcut_filled_in_and_answered(office: Office) -> None:
    app = set_up(office)
    page = office.open("bo", f"/slack/apps/{app}")
    expect(page.get_by_text("has not published a Home tab")).to_be_visible()
    view = open_modal(office, page, app)
    dialog = page.get_by_role("dialog", name="Order lunch")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Dish").fill("Rice")
    dialog.get_by_role("combobox", name="When").click()
    page.get_by_role("listbox", name="When").get_by_role("option", name="Tomorrow").click()
    dialog.get_by_label("Today").check()
    dialog.get_by_role("button", name="Order", exact=True).click()
    expect(dialog.get_by_role("button", name="Waiting for the app…")).to_be_disabled()
    sql = "SELECT trigger_id, payload ->> '$.view.state.values.day.a.selected_option.value' FROM slack_interaction"
    [(trigger, day)] = office.rows(f"{sql} WHERE kind = 'view_submission'")
    assert day == "tomorrow"
    errors = {"response_action": "errors", "errors": {"dish": "We have no rice today."}}
    office.act("ada", "views.answer", trigger_id=trigger, response=errors)
    expect(dialog.get_by_text("We have no rice today.")).to_be_visible()
    expect(dialog.get_by_label("Dish")).to_have_value("Rice")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert office.rows("SELECT closed_at > 0 FROM slack_view WHERE id = ?", view) == [(1,)]


def test_a_required_field_keeps_the_modal_open(office: Office) -> None:
    app = set_up(office)
    page = office.open("bo", f"/slack/apps/{app}")
    open_modal(office, page, app)
    dialog = page.get_by_role("dialog", name="Order lunch")
    dialog.get_by_role("button", name="Order", exact=True).click()
    expect(dialog.get_by_label("Dish")).to_be_focused()
    assert office.rows("SELECT count(*) FROM slack_interaction WHERE kind = 'view_submission'") == [(0,)]


def test_a_home_tab_shows_at_once_and_its_buttons_are_told(office: Office) -> None:
    app = set_up(office)
    page = office.open("bo", f"/slack/apps/{app}")
    me = office.act("bo", "auth.test")["user_id"]
    blocks = [
        {"type": "header", "text": plain("Your lunches")},
        {"type": "section", "text": {"type": "mrkdwn", "text": "No lunch is ordered."}},
        {"type": "divider"},
        {"type": "actions", "block_id": "all", "elements": [button("cancel", "Cancel my order", style="danger")]},
    ]
    office.act("ada", "views.publish", user_id=me, view={"type": "home", "blocks": blocks})
    expect(page.get_by_role("heading", name="Your lunches")).to_be_visible()
    page.get_by_role("button", name="Cancel my order").click()
    sql = "SELECT payload ->> '$.actions[0].action_id' FROM slack_interaction WHERE kind = 'block_actions'"
    office.until(lambda: office.rows(sql), [("cancel",)])


def test_apps_are_found_in_the_menu_of_the_workspace(office: Office) -> None:
    app = set_up(office)
    page = office.open("bo", "/slack/channels")
    page.get_by_label("Workspace:").click()
    page.get_by_role("link", name="Apps").click()
    page.get_by_role("link", name="Lunch bot").click()
    expect(page).to_have_url(f"{office.base}/slack/apps/{app}")
