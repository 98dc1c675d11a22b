"""The form door: where a form must come from, what it becomes, what is answered, what a double submit does."""

import re

import pytest
from starlette.testclient import TestClient

from tests.world.web.conftest import calls, key_of, rows, token
from world.core.principal import Principal
from world.run.host import Host
from world.web.double_submit import KEPT, RecentSubmissions
from world.web.form_submission import fill
from world.web.forms import undo_fields
from world.web.session import COOKIE

HX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/jot/"}


def test_a_form_calls_the_operation_and_sends_the_browser_on(browser: TestClient, host: Host) -> None:
    sent = {"_token": token(browser), "text": "hello", "_next": "/jot/notes/$id"}
    answer = browser.post("/jot/do/jot.write", data=sent)
    assert answer.status_code == 303
    assert re.fullmatch(r"/jot/notes/[0-9a-f]{8}", answer.headers["location"])
    assert rows(host) == ["hello"] and calls(host) == [("jot.write", "ok")]


def test_without_a_next_page_the_browser_goes_back_where_the_form_stood(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "hello"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers={"Referer": "http://testserver/jot/?q=1"})
    assert answer.headers["location"] == "/jot/?q=1"


@pytest.mark.parametrize(
    "following", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_a_form_never_sends_the_browser_to_another_site(browser: TestClient, following: str) -> None:
    answer = browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "x", "_next": following})
    assert answer.headers["location"] == "/jot/"


@pytest.mark.parametrize("forged", ["", "0.1", "feed.1", "{proof}", "{proof}.x", "{proof}.-1", "é.1"])
def test_a_form_without_our_token_is_refused_and_leaves_no_row(browser: TestClient, host: Host, forged: str) -> None:
    proof = token(browser).split(".")[0]
    answer = browser.post("/jot/do/jot.write", data={"_token": forged.replace("{proof}", proof), "text": "hello"})
    assert answer.status_code == 403 and "This form has expired" in answer.text
    assert rows(host) == [] and calls(host) == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://testserver.evil.example", "https://testserver"]
)
def test_a_form_from_a_foreign_origin_is_refused_and_leaves_no_row(
    browser: TestClient, host: Host, origin: str
) -> None:
    answer = browser.post(
        "/jot/do/jot.write", data={"_token": token(browser), "text": "hello"}, headers={"Origin": origin}
    )
    assert answer.status_code == 403
    assert rows(host) == [] and calls(host) == []


def test_one_persons_token_does_not_serve_another(browser: TestClient, host: Host) -> None:
    adas = token(browser)
    browser.cookies.set(COOKIE, key_of(host, "bo"))
    assert browser.post("/jot/do/jot.write", data={"_token": adas, "text": "hello"}).status_code == 403
    assert rows(host) == []


def test_a_form_by_a_stranger_leads_to_the_login_page(stranger: TestClient, host: Host) -> None:
    answer = stranger.post("/jot/do/jot.write", data={"text": "hello"})
    assert answer.status_code == 303 and answer.headers["location"].startswith("/login")
    assert rows(host) == []


def test_a_double_submit_is_served_once(browser: TestClient, host: Host) -> None:
    sent = {"_token": token(browser), "text": "once", "_next": "/jot/notes/$id"}
    first, second = (browser.post("/jot/do/jot.write", data=sent) for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert rows(host) == ["once"] and calls(host) == [("jot.write", "ok")]
    browser.post("/jot/do/jot.write", data=sent | {"_token": token(browser)})
    assert rows(host) == ["once", "once"]


def test_a_refused_form_can_be_sent_again(browser: TestClient, host: Host) -> None:
    sent = {"_token": token(browser), "text": "forbidden", "_form": "new-note"}
    for _ in range(2):
        browser.post("/jot/do/jot.write", data=sent)
    assert calls(host) == [("jot.write", "word_forbidden")] * 2


def test_htmx_gets_the_changed_block_of_the_page_the_form_stood_on(browser: TestClient, host: Host) -> None:
    sent = {"_token": token(browser), "text": "<b>bold</b>", "_toast": "Wrote $text"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers=HX | {"HX-Target": "list"})
    assert answer.status_code == 200 and answer.text.strip().startswith('<ul id="list"')
    assert "&lt;b&gt;bold&lt;/b&gt;" in answer.text and "<b>bold" not in answer.text
    assert 'hx-swap-oob="innerHTML:#toasts"' in answer.text and "Wrote &lt;b&gt;" in answer.text
    assert calls(host) == [("jot.write", "ok")]
    assert answer.headers["x-world-version"] == "1"


def test_htmx_is_sent_on_when_the_next_page_is_another_one(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "x", "_next": "/jot/notes/$id"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers=HX | {"HX-Target": "page"})
    assert answer.status_code == 204 and answer.headers["hx-redirect"].startswith("/jot/notes/")


def test_htmx_keeps_the_page_and_changes_its_query(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "x", "_next": "/jot/?q=done"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers=HX | {"HX-Target": "list"})
    assert answer.status_code == 200 and answer.headers["hx-push-url"] == "/jot/?q=done"


def test_a_refusal_for_htmx_goes_beside_the_form(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "forbidden", "_form": "new-note"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers=HX | {"HX-Target": "list"})
    assert answer.status_code == 422
    assert (answer.headers["hx-retarget"], answer.headers["hx-reswap"]) == ("#new-note-error", "innerHTML")
    assert answer.text == "<p>That word is not allowed here.</p>"


def test_a_refusal_of_a_form_without_a_place_for_it_is_a_toast(browser: TestClient) -> None:
    answer = browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "forbidden"}, headers=HX)
    assert answer.headers["hx-retarget"] == "#toasts" and 'role="alert"' in answer.text


def test_bad_arguments_name_the_field_and_keep_what_was_typed(browser: TestClient, host: Host) -> None:
    sent = {"_token": token(browser), "text": "y" * 201, "_form": "new-note"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers={"Referer": "http://testserver/jot/"})
    assert answer.status_code == 422
    assert "<b>text</b>" in answer.text and "y" * 201 + "</textarea>" in answer.text
    assert rows(host) == []


def test_repeated_names_are_a_list_and_blank_ones_are_left_out(browser: TestClient, host: Host) -> None:
    browser.post(
        "/jot/do/jot.write", data={"_token": token(browser), "text": "a", "tags": ["one", "", "two"], "colour": ""}
    )
    assert rows(host) == ["a,one,two"]


def test_json_fields_and_dotted_names_nest(browser: TestClient, host: Host) -> None:
    browser.post(
        "/jot/do/jot.write", data={"_token": token(browser), "text": "a", "tags:json": '["x"]', "more.deep.name": "v"}
    )
    assert rows(host) == ["a,x"]


@pytest.mark.parametrize("broken", [{"tags:json": "{"}, {"text.a": "1"}, {"text:json": "1"}])
def test_broken_fields_are_a_refusal(browser: TestClient, broken: dict[str, str]) -> None:
    answer = browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "a", **broken})
    assert answer.status_code == 422


def test_a_file_reaches_the_operation_as_bytes(browser: TestClient, host: Host) -> None:
    files = {"file": ("a.bin", b"12345", "application/octet-stream")}
    browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "a"}, files=files)
    assert host.actor("w").bound.raw.execute("SELECT size FROM jot_note").fetchall() == [(5,)]


def test_what_a_person_types_is_composed_before_the_operation_sees_it(browser: TestClient, host: Host) -> None:
    browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "hi :-)"})
    assert rows(host) == ["hi smile"]


def test_the_toast_of_a_plain_form_shows_once_with_its_undo(browser: TestClient, host: Host) -> None:
    sent = {
        "_token": token(browser),
        "text": "bye",
        "_toast": "Wrote $text",
        "_undo": "jot.delete",
        "_undo_args": '{"id": "$id"}',
    }
    browser.post("/jot/do/jot.write", data=sent)
    page = browser.get("/jot/").text
    note = host.actor("w").bound.raw.execute("SELECT id FROM jot_note").fetchone()[0]
    assert "Wrote bye" in page and f'<input type="hidden" name="id" value="{note}">' in page
    assert "Wrote bye" not in browser.get("/jot/").text
    browser.post("/jot/do/jot.delete", data={"_token": token(browser), "id": note})
    assert rows(host) == []


@pytest.mark.parametrize("operation", ["jot.nothing", "nothing"])
def test_an_unknown_operation_is_not_found(browser: TestClient, operation: str) -> None:
    assert browser.post(f"/jot/do/{operation}", data={"_token": token(browser)}).status_code == 404


def test_holes_are_filled_from_the_result() -> None:
    result = {"channel": {"id": "C1/x"}, "items": [{"id": 7}], "ok": True}
    assert fill("/c/$channel.id", result, address=True) == "/c/C1%2Fx"
    assert fill("$items.0.id of $items.9.id", result) == "7 of "
    assert fill('{"id": "$channel.id"}', {"channel": {"id": 'a"b'}}, quoted=True) == '{"id": "a\\"b"}'


def test_holes_reach_into_lists_and_objects_but_not_behind_them() -> None:
    class Result:
        name = "n"
        _secret = "s"

    assert fill("$name $_secret $missing.deeper", Result()) == "n  "
    assert fill("$0", ["a"]) == "$0" and fill("$x.0 $x.a", {"x": ["a"]}) == "a "


def test_only_the_latest_submissions_are_remembered() -> None:
    repeats = RecentSubmissions()
    principal = Principal("w", "p_ada")
    keys = [repeats.key(principal, n, "jot.write", {"text": "a"}) for n in range(KEPT + 1)]
    for key in keys:
        repeats.keep(key, None)
    assert not repeats.has(keys[0]) and repeats.has(keys[1]) and len(set(keys)) == len(keys)


def test_a_form_whose_page_is_unknown_gets_the_app_s_own_refusal_page(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "forbidden"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers={"Referer": "http://testserver/jot/unknown/page"})
    assert answer.status_code == 422 and "That word is not allowed here." in answer.text


def test_an_undo_that_is_no_object_of_texts_is_dropped() -> None:
    assert undo_fields("[1]") == {} and undo_fields("") == {} and undo_fields('{"a": 1}') == {"a": "1"}


def test_an_action_takes_several_operations_and_may_answer_itself(browser: TestClient, host: Host) -> None:
    browser.post("/jot/do/jot.twice", data={"_token": token(browser), "text": "both"})
    assert rows(host) == ["both", "both"]
    assert browser.post("/jot/do/jot.twice", data={"_token": token(browser)}).headers["location"] == "/jot/side"


def test_an_empty_toast_is_none(browser: TestClient) -> None:
    sent = {"_token": token(browser), "text": "a", "_toast": "$nothing"}
    assert "set-cookie" not in browser.post("/jot/do/jot.write", data=sent).headers


def test_a_file_field_left_empty_is_no_file(browser: TestClient, host: Host) -> None:
    parts = {"_token": token(browser), "text": "no file"}
    body = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in parts.items()
    )
    body += (
        '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type:'
        " application/octet-stream\r\n\r\n\r\n--b--\r\n"
    )
    browser.post(
        "/jot/do/jot.write", content=body.encode(), headers={"Content-Type": "multipart/form-data; boundary=b"}
    )
    assert rows(host) == ["no file"]
