"""Views: modals and Home tabs of apps, opened by what people do, submitted and closed by hand; apps are told and answer."""

from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from apps.slack.app import issue_app_token
from apps.slack.operations.views import A_HOME, A_MODAL
from tests.apps.slack.receivers import Receiver, Reply, Request, awaiting, receiving
from tests.apps.slack.rows import CORE
from tests.apps.slack.test_request_urls import assert_repeats, delivering, is_signed
from tests.apps.slack.test_socket_mode import connect
from tests.apps.slack.web_api import Ask, make_ask
from tests.company import as_person
from world.core.clock import SECOND
from world.run.call_record import CallRecord
from world.run.host import Host

APP = "A0PAGER001"
BUTTON = {
    "type": "actions",
    "block_id": "ask",
    "elements": [{"type": "button", "action_id": "open", "text": {"type": "plain_text", "text": "Open"}, "value": "7"}],
}


def manifest(url: str = "", *, home: bool = True, on: bool = True) -> dict[str, Any]:
    reach = {"interactivity": {"is_enabled": on, "request_url": url}, "socket_mode_enabled": not url}
    shortcuts = [
        {"name": "Order lunch", "type": "global", "callback_id": "order", "description": "Order"},
        {"name": "Escalate", "type": "message", "callback_id": "escalate", "description": "Escalate"},
    ]
    features = {"app_home": {"home_tab_enabled": home}, "shortcuts": shortcuts}
    return {"display_information": {"name": "Pager"}, "features": features, "settings": reach}


def modal(**more: Any) -> dict[str, Any]:
    return {**A_MODAL, **more}


def field(element: dict[str, Any], block_id: str = "b", **more: Any) -> dict[str, Any]:
    label = {"type": "plain_text", "text": block_id}
    return {"type": "input", "block_id": block_id, "label": label, "element": element, **more}


@pytest.fixture
def recorded(host: Host) -> list[CallRecord]:
    """Every call from now on; it must be asked for before what calls."""
    calls: list[CallRecord] = []
    host.actors["w"].recorders.append(calls.append)
    return calls


@pytest.fixture
def ask(host: Host, client: TestClient) -> Ask:
    """`ask("views.open", "pager", ...)`; Ada unless told; the workspace has one app with a bot."""

    call = make_ask(host, client, "pager")
    assert call("apps.manifest.update", app_id=APP, manifest=manifest())["ok"]
    return call


def trigger(ask: Ask, who: str = "bo") -> str:
    return ask("shortcuts.run", who, app_id=APP, callback_id="order")["trigger_id"]


def shown_to(ask: Ask, who: str = "bo") -> list[str]:
    """The titles of the modals over somebody's page, the lowest first."""
    return [one["view"]["title"]["text"] for one in ask("views.list", who)["modals"]]


def test_a_trigger_opens_one_modal_within_three_seconds_for_its_app(host: Host, ask: Ask, client: TestClient) -> None:
    given = trigger(ask)
    view = ask("views.open", "pager", trigger_id=given, view=A_MODAL)["view"]
    assert (view["type"], view["app_id"], view["bot_id"], view["team_id"]) == ("modal", APP, "B0PAGER001", "T0TINY0001")
    assert view["id"] == view["root_view_id"] and view["previous_view_id"] is None and view["state"] == {"values": {}}
    assert shown_to(ask) == ["Order lunch"] and shown_to(ask, "ada") == []
    assert ask("views.open", "pager", trigger_id=given, view=A_MODAL)["error"] == "exchanged_trigger_id"
    assert ask("views.open", "pager", trigger_id="1.2.abc", view=A_MODAL)["error"] == "invalid_trigger_id"
    late = trigger(ask)
    assert client.portal is not None
    client.portal.call(lambda: host.actors["w"].advance(host.actors["w"].now + 4 * SECOND))
    assert ask("views.open", "pager", trigger_id=late, view=A_MODAL)["error"] == "expired_trigger_id"
    assert ask("views.open", "cyrus", trigger_id=trigger(ask), view=A_MODAL)["error"] == "not_allowed_token_type"


def test_a_trigger_of_another_app_is_invalid(ask: Ask) -> None:
    ask("apps.manifest.create", "cyrus", manifest=manifest())
    assert ask("views.open", "cyrus", trigger_id=trigger(ask), view=A_MODAL)["error"] == "invalid_trigger_id"


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (modal(type="home"), "[ERROR] must be modal [json-pointer:/view/type]"),
        (modal(title=None), "[ERROR] missing required field: title [json-pointer:/view]"),
        (
            modal(title={"type": "plain_text", "text": "x" * 25}),
            "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]",
        ),
        (modal(submit=None), "[ERROR] missing required field: submit [json-pointer:/view]"),
        (modal(blocks="x"), "[ERROR] missing required field: blocks [json-pointer:/view]"),
        (
            modal(blocks=[{"type": "divider"}] * 101),
            "[ERROR] no more than 100 items allowed [json-pointer:/view/blocks]",
        ),
        (modal(blocks=[{"type": "sparkles"}]), "[ERROR] unsupported type: sparkles [json-pointer:/view/blocks/0/type]"),
        (
            modal(blocks=[field({"type": "file_input"})]),
            "[ERROR] unsupported type: file_input [json-pointer:/view/blocks/0/element/type]",
        ),
        (
            modal(blocks=[field({"type": "static_select"})]),
            "[ERROR] missing required field: options [json-pointer:/view/blocks/0/element]",
        ),
    ],
)
def test_what_is_wrong_with_a_view_is_said_with_its_place(ask: Ask, view: dict[str, Any], said: str) -> None:
    answer = ask("views.open", "pager", trigger_id=trigger(ask), view=view)
    assert answer["error"] == "invalid_arguments" and said in answer["response_metadata"]["messages"]
    assert shown_to(ask) == []


def test_a_view_has_at_most_250_kilobytes_and_an_external_id_of_its_own(ask: Ask) -> None:
    large = modal(blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3000}}] * 90)
    assert ask("views.open", "pager", trigger_id=trigger(ask), view=large)["error"] == "view_too_large"
    own = modal(external_id="lunch")
    view = ask("views.open", "pager", trigger_id=trigger(ask), view=own)["view"]
    assert ask("views.open", "pager", trigger_id=trigger(ask, "ada"), view=own)["error"] == "duplicate_external_id"
    assert ask("views.update", "pager", external_id="lunch", view=A_MODAL)["view"]["id"] == view["id"]


def test_a_stack_holds_three_and_closing_shows_the_one_below(ask: Ask) -> None:
    view = ask("views.open", "pager", trigger_id=trigger(ask), view=A_MODAL)["view"]
    top = view["id"]
    for n in (2, 3):
        pressed = ask("blocks.actions", "bo", view_id=top, block_id="more", action_id="add")["trigger_id"]
        named = modal(title={"type": "plain_text", "text": f"Step {n}"})
        pushed = ask("views.push", "pager", trigger_id=pressed, view=named)["view"]
        assert (pushed["previous_view_id"], pushed["root_view_id"]) == (top, view["id"])
        top = pushed["id"]
    pressed = ask("blocks.actions", "bo", view_id=top, block_id="more", action_id="add")["trigger_id"]
    assert ask("views.push", "pager", trigger_id=pressed, view=A_MODAL)["error"] == "push_limit_reached"
    ask("views.close", "bo", view_id=top)
    assert shown_to(ask) == ["Order lunch", "Step 2"]
    assert ask("views.close", "ada", view_id=view["id"])["error"] == "not_found"


def test_a_view_is_replaced_only_as_it_is_known(ask: Ask) -> None:
    view = ask("views.open", "pager", trigger_id=trigger(ask), view=A_MODAL)["view"]
    named = modal(title={"type": "plain_text", "text": "Second"})
    again = ask("views.update", "pager", view_id=view["id"], hash=view["hash"], view=named)["view"]
    assert again["hash"] != view["hash"] and shown_to(ask) == ["Second"]
    stale = ask("views.update", "pager", view_id=view["id"], hash=view["hash"], view=A_MODAL)
    assert stale["error"] == "hash_conflict" and shown_to(ask) == ["Second"]
    assert ask("views.update", "pager", view_id="V0NONE", view=A_MODAL)["error"] == "not_found"


def test_a_home_tab_is_published_to_one_person(ask: Ask) -> None:
    users = {one["name"]: one["id"] for one in ask("users.list")["members"]}
    home = ask("views.publish", "pager", user_id=users["bo"], view=A_HOME)["view"]
    assert home["type"] == "home" and home["title"] is None
    [mine] = [one for one in ask("views.list", "bo")["apps"] if one["app_id"] == APP]
    assert mine["home"]["id"] == home["id"]
    assert all(one["home"] is None for one in ask("views.list", "ada")["apps"])
    again = ask("views.publish", "pager", user_id=users["bo"], view=A_HOME, hash="1.stale")
    assert again["error"] == "hash_conflict"
    assert ask("views.publish", "pager", user_id="U0NOBODY", view=A_HOME)["error"] == "user_not_found"
    ask("apps.manifest.update", app_id=APP, manifest=manifest(home=False))
    assert ask("views.publish", "pager", user_id=users["bo"], view=A_HOME)["error"] == "not_enabled"


@pytest.mark.parametrize(
    ("element", "entered", "value"),
    [
        ({"type": "plain_text_input"}, "Soup", {"type": "plain_text_input", "value": "Soup"}),
        ({"type": "number_input"}, "4.5", {"type": "number_input", "value": "4.5"}),
        ({"type": "datepicker"}, "2026-03-02", {"type": "datepicker", "selected_date": "2026-03-02"}),
        ({"type": "timepicker"}, "11:30", {"type": "timepicker", "selected_time": "11:30"}),
    ],
)
def test_what_is_entered_comes_as_the_state_of_the_view(
    ask: Ask, client: TestClient, host: Host, element: dict[str, Any], entered: str, value: dict[str, Any]
) -> None:
    shown = modal(blocks=[field({**element, "action_id": "a"})])
    view = ask("views.open", "pager", trigger_id=trigger(ask), view=shown)["view"]
    assert ask("views.submit", "bo", view_id=view["id"], values={"b": ""})["error"] == "invalid_arguments"
    ask("views.submit", "bo", view_id=view["id"], values={"b": entered})
    [told] = [one["view"] for one in ask("views.list", "bo")["modals"]]
    assert told["state"]["values"] == {"b": {"a": value}}


def test_choices_are_told_with_their_texts_and_nothing_else_can_be_chosen(ask: Ask) -> None:
    options = [{"text": {"type": "plain_text", "text": word}, "value": word[0]} for word in ("Soup", "Rice")]
    blocks = [
        field({"type": "static_select", "action_id": "a", "options": options}, "one"),
        field({"type": "checkboxes", "action_id": "a", "options": options}, "many", optional=True),
    ]
    view = ask("views.open", "pager", trigger_id=trigger(ask), view=modal(blocks=blocks))["view"]
    assert ask("views.submit", "bo", view_id=view["id"], values={"one": "X"})["error"] == "invalid_arguments"
    ask("views.submit", "bo", view_id=view["id"], values={"one": "S", "many": ["R", "S"]})
    [told] = [one["view"]["state"]["values"] for one in ask("views.list", "bo")["modals"]]
    assert told["one"]["a"]["selected_option"] == options[0]
    assert told["many"]["a"]["selected_options"] == [options[1], options[0]]


# -- what apps are told, and answer


def test_an_app_is_told_of_a_submission_over_socket_mode_and_its_answer_is_a_call(
    host: Host, client: TestClient, ask: Ask
) -> None:
    token = str(issue_app_token(host, as_person(host, "pager", kind="bot"), [], "")["token"])
    with connect(client, token) as socket:
        socket.receive_json()
        trigger(ask)
        envelope = socket.receive_json()
        assert (envelope["type"], envelope["payload"]["type"]) == ("interactive", "shortcut")
        assert envelope["payload"]["callback_id"] == "order" and not envelope["accepts_response_payload"]
        socket.send_json({"envelope_id": envelope["envelope_id"]})
        given = envelope["payload"]["trigger_id"]
        view = ask("views.open", "pager", trigger_id=given, view=modal(notify_on_close=True))["view"]
        ask("views.submit", "bo", view_id=view["id"], values={"dish": "Soup"})
        envelope = socket.receive_json()
        told = envelope["payload"]
        assert told["type"] == "view_submission" and envelope["accepts_response_payload"]
        assert told["user"]["username"] == "bo" and told["view"]["state"]["values"]["dish"]["text"]["value"] == "Soup"
        response = {"response_action": "errors", "errors": {"dish": "No soup today."}}
        with awaiting(host, "views.answer"):
            socket.send_json({"envelope_id": envelope["envelope_id"], "payload": response})
        found = ask("views.list", "bo")["modals"][0]
        assert found["errors"] == {"dish": "No soup today."} and found["submitted_at"] == 0
        ask("views.close", "bo", view_id=view["id"])
        assert socket.receive_json()["payload"]["type"] == "view_closed"
    answered = host.actors["w"].bound.raw.execute("SELECT door FROM _call WHERE operation = 'views.answer'").fetchall()
    assert answered == [("control",)]


@pytest.mark.parametrize(
    ("response", "titles"),
    [
        (b"", []),
        (b'{"response_action": "clear"}', []),
        (
            orjson.dumps({"response_action": "update", "view": modal(title={"type": "plain_text", "text": "Two"})}),
            ["Two"],
        ),
        (
            orjson.dumps({"response_action": "push", "view": modal(title={"type": "plain_text", "text": "Two"})}),
            ["Order lunch", "Two"],
        ),
    ],
)
def test_the_answer_at_a_request_url_decides_what_becomes_of_the_view(
    host: Host, recorded: list[CallRecord], client: TestClient, ask: Ask, response: bytes, titles: list[str]
) -> None:
    def answer(request: Request) -> Reply:
        return 200, {"Content-Type": "application/json"}, response if request.json["type"] == "view_submission" else b""

    with receiving(Receiver(reply=answer)) as receiver:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url))
        with delivering(host, client, receiver.address):
            given = trigger(ask)
            sent = receiver.take()
            assert (
                is_signed(host, client, sent) and sent.body.startswith(b"payload=") and sent.json["trigger_id"] == given
            )
            view = ask("views.open", "pager", trigger_id=given, view=A_MODAL)["view"]
            with awaiting(host, "views.answer"):
                ask("views.submit", "bo", view_id=view["id"], values={"dish": "Soup"})
                assert receiver.take().json["view"]["id"] == view["id"]
            assert shown_to(ask) == titles
    assert_repeats(host, recorded)


def test_a_button_of_a_message_tells_the_app_which_message(host: Host, client: TestClient, ask: Ask) -> None:
    token = str(issue_app_token(host, as_person(host, "pager", kind="bot"), [], "")["token"])
    ts = ask("chat.postMessage", "pager", channel=CORE, text="Lunch?", blocks=[BUTTON])["ts"]
    with connect(client, token) as socket:
        socket.receive_json()
        pressed = ask("blocks.actions", "bo", channel=CORE, ts=ts, block_id="ask", action_id="open")
        told = socket.receive_json()["payload"]
    assert (told["type"], told["trigger_id"]) == ("block_actions", pressed["trigger_id"])
    assert told["container"] == {"type": "message", "message_ts": ts, "channel_id": CORE, "is_ephemeral": False}
    [action] = told["actions"]
    assert (action["block_id"], action["action_id"], action["value"]) == ("ask", "open", "7")
    missing = ask("blocks.actions", "bo", channel=CORE, ts=ts, block_id="ask", action_id="none")
    assert missing["error"] == "action_not_found"


def test_an_app_without_interactivity_is_told_of_nothing(host: Host, client: TestClient, ask: Ask) -> None:
    token = str(issue_app_token(host, as_person(host, "pager", kind="bot"), [], "")["token"])
    with connect(client, token) as socket:
        socket.receive_json()
        ask("apps.manifest.update", app_id=APP, manifest=manifest(on=False))
        trigger(ask)
        ask("apps.manifest.update", app_id=APP, manifest=manifest())
        given = trigger(ask)
        assert socket.receive_json()["payload"]["trigger_id"] == given
