"""Every address of the chat client over plain HTTP: whole, in part, and as the home of every form."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup
from starlette.requests import Request
from starlette.testclient import TestClient

import apps.slack
from apps.slack.pages import PLACES, pages
from apps.slack.pages.search import mark_words
from tests.browser.outline import Outline, is_whole
from tests.browser.slack import chat_rows
from tests.browser.slack.chat_rows import ALERT, CHECKOUT, DIRECT, FILE, GENERAL, MENTION, OUTSIDE, PARENT
from tests.company import START
from tests.company import host as make_host
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.agent_plane import agent_plane
from world.web import session
from world.web.session import COOKIE

ADDRESSES = (
    f"/client/{CHECKOUT}",
    f"/client/{CHECKOUT}?thread={PARENT}",
    f"/client/{CHECKOUT}?at={ALERT}",
    f"/client/{CHECKOUT}?before={MENTION}",
    f"/client/{CHECKOUT}?profile=U0DEE",
    f"/client/{CHECKOUT}?react={ALERT}",
    f"/client/{CHECKOUT}?menu={ALERT}",
    f"/client/{CHECKOUT}?delete={PARENT}",
    f"/client/{CHECKOUT}?remind={ALERT}",
    f"/client/{CHECKOUT}?edit={PARENT}",
    *(
        f"/client/{CHECKOUT}?dialog={name}"
        for name in (
            "archive",
            "bookmark",
            "create-channel",
            "details",
            "details&tab=members",
            "details&tab=pins",
            "details&tab=settings",
            "group",
            "invite",
            "leave",
            "new-message",
            "purpose",
            "rename",
            "schedule",
            "status",
            "switch",
            "topic",
            "upload",
            "no-such-dialog",
        )
    ),
    f"/client/{DIRECT}",
    f"/client/{DIRECT}?dialog=details",
    f"/client/{OUTSIDE}",
    f"/client/{GENERAL}",
    "/threads",
    "/mentions",
    "/drafts",
    "/drafts?tab=scheduled",
    "/drafts?tab=sent",
    "/later",
    "/later?state=completed",
    "/later?state=reminders",
    "/search",
    "/search?q=retry",
    "/search?q=orders&tab=files",
    "/search?q=dee&tab=people",
    "/search?q=team&tab=channels",
    "/search?q=%22%27%3C",
    "/channels",
    "/channels?show=archived",
    "/channels?show=other&find=desk",
    "/people",
    "/people?find=dee",
    "/team/U0DEE",
    "/team/U0DEE/message",
    "/groups",
    "/files",
    f"/files/{FILE}",
    "/jump?find=bo",
    "/complete?q=@b",
    "/complete?q=%23gen",
    "/complete?q=:ta",
    "/complete?q=dee&kind=people",
    "/more",
    "/more/chat.postMessage",
    "/more/canvases.create",
)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host over the workspace."""
    return make_host(tmp_path, [apps.slack.app], chat_rows.rows)


@pytest.fixture
def browser(host: Host) -> Iterator[TestClient]:
    """Ada's browser, without a browser."""
    ada = host.principal("w", "ada")
    with TestClient(agent_plane(host, [apps.slack]), base_url="http://testserver", follow_redirects=False) as client:
        client.cookies.set(
            COOKIE, host.tokens.issue(Principal(ada.world, ada.person, "session", generation=ada.generation))
        )
        yield client


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_with_its_headers(browser: TestClient, address: str) -> None:
    for headers in ({}, {"HX-Request": "true", "HX-History-Restore-Request": "true", "HX-Target": "page"}):
        answer = browser.get(f"/slack{address}", headers=headers)
        assert any(form.get("method") == "post" for form in is_whole(answer).forms)


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_block_is_a_piece_of_the_same_page(browser: TestClient, address: str) -> None:
    free = {"Firm-Live": "1"}
    whole = browser.get(f"/slack{address}", headers=free).text
    for block in ("page", "sidebar", "main", "messages", "pane", "overlay", "channel-header", "clock"):
        answer = browser.get(f"/slack{address}", headers={**free, "HX-Request": "true", "HX-Target": block})
        if "hx-retarget" in answer.headers:
            continue
        assert answer.text.strip() in whole, block
        assert "<html" not in answer.text


def test_no_page_leads_anywhere_else_by_itself(browser: TestClient) -> None:
    for address in ADDRESSES:
        outline = Outline(browser.get(f"/slack{address}", headers={"Firm-Live": "1"}).text)
        foreign = {a for a in outline.addresses if not a.startswith(("/", "#", "mailto:"))}
        assert foreign <= {"https://status.tiny.example", "https://plan.tiny.example/q2"}


SAMPLES = {
    "channel": CHECKOUT,
    "channel_id": CHECKOUT,
    "channels": CHECKOUT,
    "item_id": CHECKOUT,
    "timestamp": ALERT,
    "ts": ALERT,
    "file": FILE,
    "thread_ts": PARENT,
}


def prepared(host: Host) -> dict[str, str]:
    """One of everything that a form can be about, made by Ada through another door."""
    ada = host.principal("w", "ada")

    def act(operation: str, **arguments: object) -> dict[str, object]:
        return host.call(ada, "rest", operation, arguments)

    own = act("chat.postMessage", channel=CHECKOUT, text="my own")["ts"]
    draft = act("drafts.create", channel=CHECKOUT, text="draft")["draft"]
    mark = act("bookmarks.add", channel_id=CHECKOUT, title="Runbook", link="https://wiki.tiny.example", type="link")[
        "bookmark"
    ]
    group = act("usergroups.create", name="Leads", handle="leads")["usergroup"]
    file = act("files.upload", channels=[CHECKOUT], content="a", filename="a.txt")["file"]
    act("chat.scheduleMessage", channel=CHECKOUT, text="later", post_at=1772460000)
    act("saved.add", item_id=CHECKOUT, ts=MENTION)
    act("reminders.add", text="look", time="in 20 minutes")
    return {
        "own": str(own),
        "draft_id": draft["id"],
        "bookmark_id": mark["id"],
        "usergroup": group["id"],
        "file": file["id"],
    }  # type: ignore[index]


SPECIAL: dict[str, dict[str, str]] = {
    "chat.delete": {"ts": "own"},
    "chat.update": {"ts": "own"},
    "conversations.join": {"channel": OUTSIDE},
    "conversations.unarchive": {"channel": chat_rows.OLD},
    "conversations.close": {"channel": DIRECT},
    "pins.add": {"timestamp": MENTION},
    "subscriptions.thread.add": {"thread_ts": MENTION},
}


def test_every_writing_operation_has_its_form(browser: TestClient, host: Host) -> None:
    made = prepared(host)
    writing = {o.id for o in apps.slack.app.operations.values() if o.writes}
    assert writing <= set(PLACES) and {place.split("+")[0] for place in PLACES} <= set(apps.slack.app.operations)
    host.call(host.principal("w", "ada"), "rest", "dnd.setSnooze", {"num_minutes": 30})
    missing = []
    for key, place in sorted(PLACES.items()):
        operation = key.split("+")[0]
        if operation not in writing:
            continue
        special = {k: made.get(v, v) for k, v in SPECIAL.get(operation, {}).items()}
        address = place.format(**{**SAMPLES, **made, **special})
        answer = browser.get(f"/slack{address}")
        if answer.status_code != 200 or operation not in Outline(answer.text).operations:
            missing.append(f"{operation} at {address}: {answer.status_code}")
    later = ("dnd.setSnooze", "usergroups.enable")
    assert [line for line in missing if not line.startswith(later)] == []
    host.call(host.principal("w", "ada"), "rest", "dnd.endSnooze", {})
    host.call(host.principal("w", "ada"), "rest", "usergroups.disable", {"usergroup": made["usergroup"]})
    assert "dnd.setSnooze" in Outline(browser.get("/slack/channels?dialog=status").text).operations
    assert "usergroups.enable" in Outline(browser.get("/slack/groups").text).operations


def token(browser: TestClient) -> str:
    """A form token."""
    found = re.search(r'name="_token" value="([^"]+)"', browser.get("/slack/channels", headers={"Firm-Live": "1"}).text)
    assert found
    return found[1]


def test_no_form_is_served_without_its_token_or_from_elsewhere(browser: TestClient, host: Host) -> None:
    ours, before = token(browser), host.actor("w").version
    for operation in sorted(o.id for o in apps.slack.app.operations.values() if o.writes):
        assert browser.post(f"/slack/do/{operation}", data={"text": "x"}).status_code == 403
        foreign = browser.post(
            f"/slack/do/{operation}", data={"_token": ours}, headers={"Origin": "http://evil.example"}
        )
        assert foreign.status_code == 403
    assert host.actor("w").version == before


def test_what_somebody_may_not_see_is_not_found(browser: TestClient, host: Host) -> None:
    eve = host.principal("w", "eve")
    browser.cookies.set(
        COOKIE, host.tokens.issue(Principal(eve.world, eve.person, "session", generation=eve.generation))
    )
    for address in (
        f"/client/{chat_rows.SECRET}",
        f"/client/{DIRECT}",
        "/client/C0NOPE",
        "/files/F0NOPE",
        "/team/U0NOPE",
    ):
        answer = browser.get(f"/slack{address}")
        assert answer.status_code == 404, address
        assert "leads-only" not in answer.text and "five minutes" not in answer.text
    lists = ("/channels", "/search?q=five", "/jump?find=lead", "/mentions", "/people")
    everything = "".join(browser.get(f"/slack{address}").text for address in lists)
    assert "leads-only" not in everything and "five minutes" not in everything


def test_a_files_bytes_are_fenced_off(browser: TestClient) -> None:
    answer = browser.get(f"/slack/download/{FILE}/orders.csv")
    assert answer.content == chat_rows.CSV
    assert answer.headers["content-disposition"].startswith("attachment")
    assert (
        answer.headers["x-content-type-options"] == "nosniff" and "sandbox" in answer.headers["content-security-policy"]
    )
    assert browser.get(f"/slack/preview/{FILE}").status_code == 404


def test_permanent_addresses_lead_to_the_place(browser: TestClient) -> None:
    assert browser.get("/slack/").headers["location"] == f"/slack/client/{GENERAL}"
    link = f"/slack/archives/{CHECKOUT}/p{ALERT.replace('.', '')}"
    assert browser.get(link).headers["location"] == f"/slack/client/{CHECKOUT}?at={ALERT}"
    assert browser.get(f"/slack/files/U0DEE/{FILE}/orders.csv").headers["location"] == f"/slack/files/{FILE}"


def test_the_client_works_on_a_host_of_its_own(browser: TestClient) -> None:
    key = browser.cookies[COOKIE]
    answer = browser.get(f"http://slack.localhost/client/{CHECKOUT}", headers={"Cookie": f"{COOKIE}={key}"})
    assert answer.status_code == 200
    outline = Outline(answer.text)
    assert not any(address.startswith("/slack/") for address in outline.addresses)
    assert f"/client/{GENERAL}" in outline.addresses and "/switch/slack" in outline.addresses
    for address in {a for a in outline.addresses if "/static/" in a or a.endswith((".css", ".svg"))}:
        assert browser.get(f"http://slack.localhost{address}").status_code == 200


READS = {"query": "retry", "user": "U0DEE", "file": FILE, "channel": CHECKOUT, "ts": PARENT}


@pytest.mark.parametrize(
    "operation", sorted(o for o in PLACES if not apps.slack.app.operations[o.split("+")[0]].writes)
)
def test_a_reads_page_performs_that_read_and_nothing_else(browser: TestClient, host: Host, operation: str) -> None:
    assert browser.get(f"/slack{PLACES[operation].format(**READS)}").status_code == 200
    assert host.actor("w").bound.raw.execute("SELECT operation, status FROM _call").fetchall() == [(operation, "ok")]


def test_shortcuts_named_in_the_help_exist(browser: TestClient) -> None:
    page = browser.get(f"/slack/client/{CHECKOUT}").text
    bound = set(re.findall(r'data-shortcut="([^"]+)"', page))
    own = {"Escape", "Enter", "shift+Enter", "alt+shift+ArrowDown", "ArrowUp", "mod+b", "mod+i"}
    assert {shortcut.keys for shortcut in pages.shortcuts} <= bound | own


KINDS = {
    "error": 500,
    "timeout": 504,
    "ratelimit": 429,
    "readonly": 503,
    "partial": 503,
    "corrupt_payload": 502,
    "transport": 502,
    "auth_expired": 401,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_outage_is_a_page_of_its_status(browser: TestClient, host: Host, kind: str) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "slack", kind, retry_after_s=20), start=START)  # type: ignore[arg-type]
    host.drop("w")
    host.create("w", Settings(seed=1, limits="off"), compile_script(script, horizon="+1d"))
    ada = host.principal("w", "ada")
    browser.cookies.set(
        COOKIE, host.tokens.issue(Principal(ada.world, ada.person, "session", generation=ada.generation))
    )
    if kind != "readonly":
        answer = browser.get(f"/slack/client/{CHECKOUT}")
        assert answer.status_code == KINDS[kind]
        assert "Traceback" not in answer.text and answer.text.startswith("<!doctype html>")
        assert ("Sign in" if kind == "auth_expired" else 'role="alert"') in answer.text
    proof = session.form_token(
        Request({"type": "http", "headers": [(b"cookie", f"{COOKIE}={browser.cookies[COOKIE]}".encode())]}), 1
    )
    sent = {"_token": proof, "channel": CHECKOUT, "text": "kept", "_form": "composer"}
    for headers in ({}, {"HX-Request": "true", "HX-Target": "messages"}):
        referer = {
            "Referer": f"http://testserver/slack/client/{CHECKOUT}",
            "HX-Current-URL": f"http://testserver/slack/client/{CHECKOUT}",
        }
        answer = browser.post("/slack/do/chat.postMessage", data=sent, headers={**referer, **headers})
        assert answer.status_code == KINDS[kind]
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM slack_message WHERE text = 'kept'").fetchall() == [
        (0,)
    ]


def test_a_search_marks_the_words_it_found_in_the_text_only(browser: TestClient) -> None:
    assert "<mark>" in browser.get("/slack/search?q=retry").text
    html = Markup('<a href="https://retry.example/?retry=1">Retry</a> &amp; retrying, the retry')
    assert mark_words(html, "retry amp") == Markup(
        '<a href="https://retry.example/?retry=1"><mark>Retry</mark></a> &amp; <mark>retrying</mark>, the <mark>retry</mark>'
    )
