"""Login, launcher, shell files, the live socket."""

import re

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.world.web.conftest import calls, key_of, token
from world.core.app import App
from world.run.host import Host
from world.web import assets
from world.web.live_socket import list_topics
from world.web.session import COOKIE
from world.web.theme import NOTICE


def test_a_stranger_is_asked_to_sign_in_and_comes_back(stranger: TestClient, host: Host) -> None:
    answer = stranger.get("/jot/notes/x?a=1&b=2")
    assert answer.status_code == 303 and answer.headers["location"] == "/login?next=%2Fjot%2Fnotes%2Fx%3Fa%3D1%26b%3D2"
    form = stranger.get(answer.headers["location"]).text
    assert "Sign in to Jot" in form and NOTICE in form
    following = re.search(r'name="next" value="([^"]+)"', form)
    assert following
    sent = {"email": "Ada@tiny.example", "password": key_of(host), "next": following[1].replace("&amp;", "&")}
    done = stranger.post("/login", data=sent)
    assert done.status_code == 303 and done.headers["location"] == "/jot/notes/x?a=1&b=2"
    cookie = done.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie and "domain" not in cookie
    assert stranger.get("/jot/").status_code == 200


@pytest.mark.parametrize("email", ["bo@tiny.example", "", "nobody"])
def test_the_address_must_be_that_of_the_passwords_person(stranger: TestClient, host: Host, email: str) -> None:
    answer = stranger.post("/login", data={"email": email, "password": key_of(host)})
    assert answer.status_code == 422 and "match" in answer.text and COOKIE not in answer.headers.get("set-cookie", "")


def test_a_login_that_cannot_be_read_is_the_login_page_again(stranger: TestClient) -> None:
    kind = {"Content-Type": "multipart/form-data"}  # no boundary
    answer = stranger.post("/login", content=b"--x--", headers=kind)
    assert answer.status_code == 400 and "<form" in answer.text and COOKIE not in answer.headers.get("set-cookie", "")


def test_a_bots_token_does_not_sign_in(stranger: TestClient, host: Host) -> None:
    bot = host.tokens.issue(host.principal("w", "p_bot", kind="bot"))
    assert stranger.get(f"/login/{bot}").status_code == 403


def test_a_login_link_signs_in_and_stays_on_this_site(stranger: TestClient, host: Host) -> None:
    answer = stranger.get(f"/login/{key_of(host)}?next=/jot/")
    assert answer.status_code == 303 and answer.headers["location"] == "/jot/"
    assert stranger.get(f"/login/{key_of(host)}?next=//evil.example").headers["location"] == "/"
    assert stranger.get("/login/nonsense").status_code == 403


def test_signing_out_forgets_the_cookie(browser: TestClient) -> None:
    kept = browser.post("/logout", data={"_token": "0.1"})
    assert kept.status_code == 403 and "set-cookie" not in kept.headers
    gone = browser.post("/logout", data={"_token": token(browser)})
    assert gone.status_code == 303
    assert f'{COOKIE}=""' in gone.headers["set-cookie"] and "Max-Age=0" in gone.headers["set-cookie"]


def test_the_launcher_lists_the_apps(browser: TestClient) -> None:
    page = browser.get("/", headers={"Accept": "text/html"}).text
    assert 'href="/jot/"' in page and "Ada Novak" in page and "World" not in page


def test_a_client_that_is_no_browser_learns_what_is_where(stranger: TestClient, host: Host) -> None:
    listed = stranger.get("/").json()
    assert listed["tools"] == "/mcp" and listed["login"] == "/login"
    assert listed["apps"] == {"jot": {"address": "/jot/", "vendor_hosts": list(host.apps["jot"].hosts)}}
    assert set(host.apps) == {"jot", "world"}


def test_shell_files_are_kept_by_content_and_typed(browser: TestClient) -> None:
    page = browser.get("/jot/").text
    addresses = re.findall(r'(?:href|src)="(/web/static/[^"]+)"', page)
    assert len(addresses) >= 3
    for address in addresses:
        answer = browser.get(address)
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert browser.get("/web/static/x/../../forms.py").status_code == 404
    assert browser.get("/web/static/x/%2e%2e/%2e%2e/forms.py").status_code == 404


def test_no_module_of_the_shell_reads_the_clock_or_chance() -> None:
    own = {
        name: body.decode()
        for name, body in assets.shell().files.items()
        if name.endswith(".js") and "vendor" not in name
    }
    assert own
    for name, text in own.items():
        assert not re.search(r"Date\.now|new Date|Math\.random|innerHTML\s*\+=|eval\(", text), name


def test_the_socket_tells_that_an_app_changed_and_never_what(browser: TestClient, host: Host) -> None:
    with browser.websocket_connect("/socket") as socket:
        browser.post("/jot/do/jot.write", data={"_token": token(browser), "text": "secret words"})
        assert socket.receive_json() == {"topic": "jot", "version": 1}
    assert calls(host) == [("jot.write", "ok")]


def test_pages_hear_of_the_tables_of_their_suite(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cells", "files"):
        monkeypatch.setitem(host.apps, name, App(name, name.title(), suite="office"))
    assert list_topics(host, frozenset({"files_comment", "jot_note"})) == ["cells", "files", "jot"]
    assert list_topics(host, frozenset({"jot_note"})) == ["jot"]


def test_the_socket_refuses_strangers_and_foreign_pages(stranger: TestClient, host: Host) -> None:
    with pytest.raises(WebSocketDisconnect), stranger.websocket_connect("/socket"):
        pass
    stranger.cookies.set(COOKIE, key_of(host))
    with (
        pytest.raises(WebSocketDisconnect),
        stranger.websocket_connect("/socket", headers={"Origin": "http://evil.example"}),
    ):
        pass


def test_the_sites_own_pages(stranger: TestClient, host: Host) -> None:
    assert "Your report was received" in stranger.get("/finished").text
    assert stranger.get("/favicon.ico").headers["content-type"].startswith("image/svg+xml")
    assert "--accent:" in stranger.get("/jot/theme.css").text and stranger.get("/jot/favicon.svg").status_code == 200
    assert stranger.get("/jot/static/x/none.css").status_code == 404
    assert stranger.get("/", headers={"Accept": "text/html"}).headers["location"] == "/login"


def test_a_login_from_a_foreign_page_is_refused(stranger: TestClient, host: Host) -> None:
    sent = {"email": "ada@tiny.example", "password": key_of(host)}
    answer = stranger.post("/login", data=sent, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403 and "set-cookie" not in answer.headers


def test_switching_apps_by_path_and_by_host(browser: TestClient, host: Host) -> None:
    assert browser.get("/switch/jot").headers["location"] == "/jot/"
    assert browser.get("/switch/nothing").status_code == 404
    key = key_of(host)
    there = browser.get("http://jot.localhost/switch/jot", headers={"Cookie": f"{COOKIE}={key}"})
    assert there.headers["location"] == f"http://jot.localhost/login/{key}"
    browser.cookies.clear()
    assert browser.get("http://jot.localhost/switch/jot").headers["location"] == "http://jot.localhost/login"
    page = browser.get("http://jot.localhost/jot/", headers={"Cookie": f"{COOKIE}={key}"})
    assert page.status_code == 200


@pytest.mark.parametrize("flash", ["%%%", "bm90IGpzb24=", "WzFd", "eyJhIjogMX0=", "eyJhIjogImIifQ==", "x" * 5000])
def test_a_toast_of_another_making_is_ignored(browser: TestClient, flash: str) -> None:
    browser.cookies.set("firm_toast", flash)
    page = browser.get("/jot/")
    assert page.status_code == 200 and 'class="toast"' not in page.text
