"""Pages: whole or in part, headers, refusals as pages, what a visit costs."""

import pytest
from starlette.testclient import TestClient

from tests.world.web.conftest import calls, key_of, rows, token
from world.core.errors import OperationError, Outage
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.web.refusals import failure
from world.web.response_headers import CSP
from world.web.session import COOKIE
from world.web.theme import neutral_theme


def write(client: TestClient, text: str) -> str:
    """Write a note; returns its id."""
    answer = client.post("/jot/do/jot.write", data={"_token": token(client), "text": text, "_next": "/jot/notes/$id"})
    assert answer.status_code == 303
    return answer.headers["location"].rsplit("/", 1)[1]


def test_a_direct_load_gives_the_full_page_with_its_headers(browser: TestClient) -> None:
    answer = browser.get("/jot/")
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["content-security-policy"] == CSP
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["vary"] == "HX-Request"
    assert answer.headers["x-world-version"] == "1"
    assert '<html lang="en" data-busy="0" data-world-version="1" data-live="connecting"' in answer.text


def test_htmx_gets_the_block_of_the_same_template(browser: TestClient) -> None:
    write(browser, "hello")
    whole = browser.get("/jot/", headers={"Firm-Live": "1"}).text
    part = browser.get("/jot/", headers={"Firm-Live": "1", "HX-Request": "true", "HX-Target": "list"}).text
    assert part.strip().startswith('<ul id="list"') and "hello" in part
    assert part.strip() in whole


def test_a_block_of_a_parent_template_shows_what_the_child_puts_inside(browser: TestClient) -> None:
    note = write(browser, "inside")
    part = browser.get(f"/jot/notes/{note}", headers={"HX-Request": "true", "HX-Target": "page"}).text
    assert '<article id="list">inside</article>' in part and "<html" not in part


def test_back_is_a_full_page(browser: TestClient) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true", "HX-Target": "list"}
    assert browser.get("/jot/", headers=headers).text.startswith("<!doctype html>")


def test_an_unknown_block_replaces_the_whole_body(browser: TestClient) -> None:
    answer = browser.get("/jot/", headers={"HX-Request": "true", "HX-Target": "nothing-here"})
    assert answer.headers["hx-retarget"] == "body" and answer.text.startswith("<!doctype html>")


def test_a_visit_is_charged_once_and_a_live_look_is_free(browser: TestClient, host: Host) -> None:
    browser.get("/jot/")
    assert calls(host) == [("jot.list", "ok")]
    before = host.actor("w").now
    browser.get("/jot/", headers={"HX-Request": "true", "HX-Target": "list", "Firm-Live": "1"})
    browser.get("/jot/", headers={"HX-Request": "true", "HX-Target": "menu"})
    assert calls(host) == [("jot.list", "ok")] and host.actor("w").now == before


def test_the_title_counts_what_is_unread(browser: TestClient) -> None:
    write(browser, "one")
    assert "<title>(1) Notes - Jot</title>" in browser.get("/jot/").text


def test_a_refused_page_is_of_its_own_status(browser: TestClient, host: Host) -> None:
    answer = browser.get("/jot/notes/nope")
    assert answer.status_code == 404
    assert "We couldn&#39;t find that" in answer.text and 'class="topbar"' in answer.text
    assert calls(host) == [("jot.get", "note_not_found")]


def test_a_refused_fragment_goes_into_the_banner(browser: TestClient) -> None:
    answer = browser.get("/jot/notes/nope", headers={"HX-Request": "true", "HX-Target": "page"})
    assert answer.status_code == 404 and answer.headers["hx-retarget"] == "#banner"
    assert answer.text.strip().startswith('<div id="banner"') and 'role="alert"' in answer.text


def test_an_address_without_a_page_is_the_apps_own_404(browser: TestClient) -> None:
    answer = browser.get("/jot/no/such/page")
    assert answer.status_code == 404 and "Jot" in answer.text


def test_two_loads_of_one_state_are_equal(browser: TestClient) -> None:
    write(browser, "same")
    browser.cookies.delete("firm_toast")
    first, second = (browser.get("/jot/", headers={"Firm-Live": "1"}).text for _ in range(2))
    assert first == second


def test_live_0_sticks(browser: TestClient) -> None:
    assert 'data-live="off"' in browser.get("/jot/?live=0").text
    assert 'data-live="off"' in browser.get("/jot/").text
    assert 'data-live="connecting"' in browser.get("/jot/?live=1").text


OUTAGES = [("error", 500), ("readonly", 503), ("timeout", 504), ("ratelimit", 429), ("transport", 502)]


@pytest.mark.parametrize(("kind", "status"), OUTAGES)
def test_an_outage_keeps_its_status_and_the_typed_text(host: Host, browser: TestClient, kind: str, status: int) -> None:
    under_fault(host, browser, Fault("down", "jot", kind, operations=("jot.write",), retry_after_s=20))  # type: ignore[arg-type]
    sent = {"_token": token(browser), "_form": "new-note", "text": "kept & safe"}
    answer = browser.post("/jot/do/jot.write", data=sent, headers={"Referer": "http://testserver/jot/"})
    assert answer.status_code == status
    assert "kept &amp; safe</textarea>" in answer.text and 'id="new-note-error" role="alert"><p>' in answer.text
    assert rows(host) == []


def test_a_page_that_is_down_says_so_and_heals(host: Host, browser: TestClient) -> None:
    under_fault(host, browser, Fault("down", "jot", "error", operations=("jot.list",)), end="+2s")
    answer = browser.get("/jot/")
    assert answer.status_code == 500
    assert "Jot is having trouble connecting" in answer.text and 'class="skeleton"' in answer.text
    part = browser.get("/jot/", headers={"HX-Request": "true", "HX-Target": "list"})
    assert part.status_code == 500 and part.headers["hx-retarget"] == "#banner"
    assert browser.get("/jot/").status_code == 200


def test_a_revoked_session_shows_the_login_page(host: Host, browser: TestClient) -> None:
    under_fault(host, browser, Fault("out", "jot", "auth_expired"))
    answer = browser.get("/jot/")
    assert answer.status_code == 401
    assert "Sign in to Jot" in answer.text and "Your session has expired" in answer.text


def test_when_even_the_side_bar_is_down_there_is_still_a_page(host: Host, browser: TestClient) -> None:
    under_fault(host, browser, Fault("down", "jot", "error"))
    answer = browser.get("/jot/notes/x")
    assert answer.status_code == 500 and "Jot is having trouble connecting" in answer.text
    assert browser.get("/jot/").status_code == 500


def test_a_part_that_fails_leaves_the_page_standing(host: Host, browser: TestClient) -> None:
    assert "None and 0" in browser.get("/jot/side").text
    under_fault(host, browser, Fault("down", "jot", "error", operations=("jot.get",)))
    browser.get("/jot/")
    answer = browser.get("/jot/side")
    assert answer.status_code == 200 and "None and 0 Jot is having trouble connecting" in answer.text


def test_links_and_file_forms_are_plain_first_and_htmx_second(browser: TestClient) -> None:
    page = browser.get("/jot/side").text
    assert (
        '<a href="/jot/" hx-get="/jot/" hx-target="#list" hx-push-url="true"><time' in page
        and ">just now</time>" in page
    )
    assert 'enctype="multipart/form-data"' in page and 'hx-encoding="multipart/form-data"' in page


def test_an_address_that_moved_says_where_to(browser: TestClient) -> None:
    answer = browser.get("/jot/old")
    assert (
        answer.status_code == 303
        and answer.headers["location"] == "/jot/"
        and answer.headers["cache-control"] == "no-store"
    )


def test_a_stranger_is_sent_to_the_login_page_from_anywhere(stranger: TestClient) -> None:
    assert stranger.get("/jot/no/such/page").headers["location"].startswith("/login?next=")
    part = stranger.get("/jot/", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/jot/notes/1"})
    assert part.status_code == 401 and part.headers["hx-redirect"] == "/login?next=%2Fjot%2Fnotes%2F1"


def test_somebody_who_has_left_is_signed_out(browser: TestClient, host: Host) -> None:
    browser.cookies.set(COOKIE, key_of(host, "p_gone"))
    assert browser.get("/jot/").status_code == 401 and browser.get("/jot/side").status_code == 401


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("channel_not_found", 404),
        ("not_in_channel", 403),
        ("name_taken", 409),
        ("is_archived", 409),
        ("token_revoked", 401),
        ("odd", 422),
    ],
)
def test_a_code_no_table_lists_still_has_a_status_and_a_sentence(code: str, status: int) -> None:
    failed = failure(OperationError(code), neutral_theme("Jot"), {})
    assert failed.status == status and failed.message == code.replace("_", " ").capitalize() + "."
    told = failure(OperationError(code, message="As the vendor says."), neutral_theme("Jot"), {})
    assert told.message == "As the vendor says."


def test_a_limit_without_a_time_asks_for_patience() -> None:
    failed = failure(Outage("ratelimit", "slow_down", app="jot"), neutral_theme("Jot"), {})
    assert (failed.status, failed.outage) == (429, True) and "in a little while" in failed.message
    down = failure(Outage("error", "jot_down", app="jot", retry_after_s=9), neutral_theme("Jot"), {})
    assert "Trying again in 9 seconds may help." in down.message


def under_fault(host: Host, browser: TestClient, fault: Fault, end: str | None = None) -> None:
    """Start the world again with a fault that is on from the beginning."""
    start = host.actor("w").now
    script = Script("outage", start)
    script.fault(fault, start=start, end=end)
    host.drop("w")
    host.create("w", Settings(seed=1, limits="off"), compile_script(script, horizon="+1d"))
    browser.cookies.set(COOKIE, key_of(host))
