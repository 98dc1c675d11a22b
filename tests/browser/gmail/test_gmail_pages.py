"""Every address of the mail client over plain HTTP: whole, in part, twice the same, and where each link and form of it
leads.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from httpx2 import Response
from starlette.routing import compile_path
from starlette.testclient import TestClient

import apps.gmail
from apps.gmail.pages import pages
from tests.browser.gmail import mail_rows
from tests.browser.gmail.mail_rows import MOVE, PDF, PIXEL, RENEWAL, REVIEW, THREADS
from tests.browser.jira.test_jira_pages import first_difference
from tests.browser.outline import Outline, is_whole
from tests.company import START
from tests.conftest import first
from world.core import diff, discovery
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.agent_plane import agent_plane
from world.web.session import COOKIE

DRAFTS = {row.subject: row.id for row in mail_rows.post().rows if isinstance(row, mail_rows.m.Draft)}
CHAT, PLANS, NEWS, CHANGE = (THREADS[subject] for subject in (RENEWAL, MOVE, "Weekly digest", REVIEW))
FOLDERS = ("inbox", "starred", "snoozed", "important", "sent", "drafts", "scheduled", "all", "spam", "trash")
DIALOGS = ("new-label", "edit-label&of=Label_1", "remove-label&of=Label_1", "search", "no-such-dialog")
CHOICES = (*DIALOGS, *(f"{name}&ids={CHAT}&ids={PLANS}" for name in ("label", "move", "snooze")), "label")
TABS = ("general", "labels", "accounts", "filters", "forwarding", "no-such-tab")
CONVERSATIONS = (
    f"/mail/inbox/{CHAT}",
    f"/mail/inbox/{PLANS}",
    f"/mail/inbox/{NEWS}",
    f"/mail/inbox/{CHANGE}",
    f"/mail/all/{THREADS['Archived plan']}",
    f"/mail/sent/{THREADS['Lunch on Friday?']}",
    f"/mail/trash/{THREADS['Old newsletter']}",
    f"/mail/spam/{THREADS['You have WON']}",
    f"/mail/label/Projects~1Atlas/{PLANS}",
    f"/mail/category/primary/{CHAT}",
    f"/mail/search/{CHAT}?q=from%3Azoe",
    *(f"/mail/inbox/{CHAT}?answer={how}.{CHAT}" for how in ("reply", "replyAll", "forward", "no-such-way")),
    f"/mail/inbox/{PLANS}?answer=forward.{PLANS}",
    f"/mail/inbox/{CHANGE}?answer=draft.{DRAFTS['Re: ' + REVIEW]}",
    *(f"/mail/inbox/{PLANS}?dialog={name}&ids={PLANS}" for name in ("label", "move", "snooze", "search")),
    f"/mail/inbox/{CHAT}?compose=new",
)
ADDRESSES = (
    *(f"/mail/{name}" for name in FOLDERS),
    *(f"/mail/category/{name}" for name in ("primary", "social", "updates", "forums", "promotions")),
    *(f"/mail/label/{name}" for name in ("Clients", "Projects~1Atlas", "Projects", "Receipts%20%26%20co")),
    "/mail/all?page=2",
    "/mail/inbox?page=99",
    "/mail/inbox?page=x",
    "/mail/inbox?more=1",
    "/mail/inbox?select=unread",
    f"/mail/inbox?ids={CHAT}",
    *(f"/mail/inbox?dialog={name}" for name in CHOICES),
    "/mail/trash?dialog=empty",
    "/mail/spam?dialog=empty",
    "/mail/search?q=from%3Azoe",
    "/mail/search?q=%22%27%3C",
    "/mail/search?q=nothing-at-all",
    "/mail/search?q=the&dialog=search",
    "/mail/suggest",
    "/mail/suggest?q=zo",
    "/people?q=bo",
    "/people?q=new%40else.example",
    "/mail/inbox?compose=new",
    "/mail/inbox?compose=new&to=bo%40tiny.example&cc=x&subject=S&body=B",
    *(f"/mail/inbox?compose={id}" for id in (*DRAFTS.values(), "r1")),
    *CONVERSATIONS,
    *(f"/settings?tab={name}" for name in TABS),
    "/settings?tab=labels&dialog=new-label",
    "/settings?compose=new",
    f"/original/{NEWS}",
    f"/original/{PLANS}",
    "/more",
    "/more/users.messages.batchModify",
    "/more/mail.schedule",
)
BLOCKS = ("page", "sidebar", "main", "list", "overlay", "compose", "answer", "thread-news", "suggestions")
NAMES = re.compile(r"[0-9a-f]{16}|r\d{19}|(?<=/file/ID/).*")
LEADING = re.compile(r' (href|src|action|formaction|hx-get|hx-post|data-save|data-choose|data-suggests)="([^"]*)"')


def cookie(host: Host, who: str) -> str:
    """A session of somebody."""
    found = host.principal("w", who)
    return host.tokens.issue(Principal(found.world, found.person, "session", generation=found.generation))


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host over Ada's mailbox."""
    return mail_rows.host(tmp_path)


@pytest.fixture
def browser(host: Host) -> Iterator[TestClient]:
    """Ada's browser, without a browser."""
    with TestClient(agent_plane(host, [apps.gmail]), base_url="http://testserver", follow_redirects=False) as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        yield client


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Ada's browser over a world that nothing changes: every look is free."""
    host = mail_rows.host(tmp_path_factory.mktemp("still"))
    with TestClient(
        agent_plane(host, [apps.gmail]), base_url="http://testserver", headers={"Firm-Live": "1"}
    ) as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        yield client


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_its_blocks_are_its_parts_and_it_is_the_same_again(
    still: TestClient, address: str
) -> None:
    answer = still.get(f"/gmail{address}", follow_redirects=False)
    foreign = {a for a in is_whole(answer).addresses if not a.startswith(("/", "#"))}
    assert foreign == set()
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true", "HX-Target": "page"}
    assert first_difference(still.get(f"/gmail{address}", headers=restored).text, answer.text) == ""
    for block in (name for name in BLOCKS if f' id="{name}"' in answer.text):
        part = still.get(f"/gmail{address}", headers={"HX-Request": "true", "HX-Target": block})
        if "hx-retarget" not in part.headers:
            assert part.status_code == 200 and "<html" not in part.text, block
            assert first_difference(part.text.strip(), answer.text) == "", block


def test_short_addresses_lead_to_a_list(browser: TestClient) -> None:
    for address, list_ in (
        ("/", "inbox"),
        ("/mail", "inbox"),
        ("/mail/search", "all"),
        ("/mail/search?from=zoe", "search?q=from%3Azoe"),
    ):
        answer = browser.get(f"/gmail{address}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/gmail/mail/{list_}")


# links and forms


def shown(address: str) -> set[object]:
    """What an address shows, whichever conversation, message or draft it names: its page, and each of its query values
    there.
    """
    parts = urlsplit(NAMES.sub("ID", address))
    query = [(name, value if value.isalpha() else "*") for name, value in parse_qsl(parts.query) if name != "live"]
    return {parts.path, *((None if name == "dialog" else parts.path, name, value) for name, value in query)}


def leads(address: str, text: str) -> set[str]:
    """Where links, frames, pictures, pickers and forms of a page lead."""
    return {urljoin(address, unescape(found[1])).partition("#")[0] for found in LEADING.findall(text)}


def walk(client: TestClient, starts: tuple[str, ...]) -> dict[str, Response]:
    """Follow every link that shows something new; what each address answered."""
    seen: dict[str, Response] = {}
    waiting, known = [f"/gmail{start}" for start in starts], set[object]()
    for start in waiting:
        known |= shown(start)
    while waiting:
        address = waiting.pop(0)
        answer = seen[address] = client.get(address)
        for there in (
            sorted(leads(address, answer.text)) if answer.headers["content-type"].startswith("text/html") else ()
        ):
            if there.startswith("/gmail/") and not there.startswith("/gmail/do/") and not shown(there) <= known:
                known |= shown(there)
                waiting.append(there)
    return seen


@pytest.fixture(scope="module")
def walked(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, dict[str, Response]]]:
    """The seeded company's busiest mailbox, every kind of page of it visited."""
    host = open_host(company, tmp_path_factory.mktemp("seeded"))
    host.create("w", Settings(limits="off"))
    who = first(host, "w", "SELECT person_id FROM gmail_message GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
    with TestClient(
        agent_plane(host, discovery.app_packages()), base_url="http://testserver", headers={"Firm-Live": "1"}
    ) as client:
        client.cookies.set(COOKIE, cookie(host, who))
        yield client, walk(client, ("/mail/inbox", "/mail/search?q=filename%3Apng", "/more"))
    host.store.close()


@pytest.mark.full
def test_every_link_over_the_seeded_company_leads_to_a_page_and_every_page_is_reached(
    walked: tuple[TestClient, dict[str, Response]],
) -> None:
    _, seen = walked
    assert {address: answer.status_code for address, answer in seen.items() if answer.status_code != 200} == {}
    patterns = [(page.path, compile_path(page.path)[0]) for page in pages.pages]
    paths = [urlsplit(address).path.removeprefix("/gmail") for address in seen]
    reached = {next((name for name, pattern in patterns if pattern.match(path)), "") for path in paths}
    assert {name for name, _ in patterns} - reached <= {"/mail"}  # nothing links to it: typed by hand
    for address, answer in seen.items():
        ids = re.findall(r' id="([^"]+)"', answer.text if "/body/" not in address else "")
        assert len(ids) == len(set(ids)), address


def test_every_form_is_one_that_the_client_takes_and_links_out_of_it_work(
    walked: tuple[TestClient, dict[str, Response]],
) -> None:
    client, seen = walked
    there = {
        target for address, answer in seen.items() if "/body/" not in address for target in leads(address, answer.text)
    }
    taken = set(apps.gmail.app.operations) | set(pages.actions) | {"world.wait", "world.finish"}
    done = {target.rpartition("/do/")[2] for target in there if "/do/" in target}
    assert len(done) > 60 and done <= taken, done - taken
    out = sorted(target for target in there if not target.startswith(("/gmail/", "http")) and target != "/logout")
    assert {target: client.get(target).status_code for target in out} == dict.fromkeys(out, 200)


def test_what_a_mail_brings_along_is_fenced_off(
    walked: tuple[TestClient, dict[str, Response]], still: TestClient
) -> None:
    fenced = {
        address: answer
        for address, answer in walked[1].items()
        if address.startswith(("/gmail/body/", "/gmail/image/", "/gmail/file/"))
    }
    for address in (f"/file/{PLANS}/2/quote-2026.pdf", f"/image/{PLANS}/1", f"/body/{NEWS}"):
        fenced[f"/gmail{address}"] = still.get(f"/gmail{address}")
    for address, answer in fenced.items():
        policy = answer.headers["content-security-policy"]
        assert answer.status_code == 200 and answer.headers["x-content-type-options"] == "nosniff", address
        assert "default-src 'none'" in policy and "; sandbox" in policy and "allow-scripts" not in policy, address
        assert answer.headers.get("content-disposition", "").startswith("attachment") == ("/file/" in address), address
        assert not re.search(
            r"<script|<form|<iframe|\son\w+=|src=.(?!/gmail/image/|data:)", answer.text if "/body/" in address else ""
        ), address
    assert fenced[f"/gmail/file/{PLANS}/2/quote-2026.pdf"].content == PDF
    assert fenced[f"/gmail/image/{PLANS}/1"].content == PIXEL
    assert still.get(f"/gmail/image/{PLANS}/2").status_code == 404


# looking, and forms from elsewhere


def test_looking_changes_nothing_and_is_one_call_or_none(browser: TestClient, host: Host) -> None:
    before, seq = diff.full_hash(host.actor("w").bound), host.actor("w").version
    for address in (*ADDRESSES, f"/file/{PLANS}/2/x.pdf", f"/image/{PLANS}/1", f"/body/{NEWS}"):
        assert browser.get(f"/gmail{address}").status_code == 200
        assert host.actor("w").version <= seq + 1, address
        seq = host.actor("w").version
    assert diff.full_hash(host.actor("w").bound) == before


def test_no_form_is_served_without_its_token_or_from_elsewhere(browser: TestClient, host: Host) -> None:
    found = re.search(r'name="_token" value="([^"]+)"', browser.get("/gmail/settings", headers={"Firm-Live": "1"}).text)
    ours, before = found[1] if found else "", host.actor("w").version
    for target in (*sorted(o.id for o in apps.gmail.app.operations.values() if o.writes), *pages.actions):
        given = {"id": CHAT, "ids": CHAT, "gesture": "delete", "to": "bo@tiny.example"}
        assert browser.post(f"/gmail/do/{target}", data=given).status_code == 403, target
        foreign = browser.post(
            f"/gmail/do/{target}", data=given | {"_token": ours}, headers={"Origin": "http://evil.example"}
        )
        assert foreign.status_code == 403, target
    assert host.actor("w").version == before


def test_the_client_works_on_a_host_of_its_own(browser: TestClient) -> None:
    key = browser.cookies[COOKIE]
    for address in ("/mail/inbox", f"/mail/inbox/{NEWS}"):
        answer = browser.get(f"http://gmail.localhost{address}", headers={"Cookie": f"{COOKIE}={key}"})
        outline = Outline(answer.text)
        assert answer.status_code == 200 and not any(one.startswith("/gmail/") for one in outline.addresses)
        for one in sorted(
            one for one in outline.addresses if "/static/" in one or one.startswith(("/mail/inbox/", "/body/"))
        ):
            assert (
                browser.get(f"http://gmail.localhost{one}", headers={"Cookie": f"{COOKIE}={key}"}).status_code == 200
            ), one


def test_shortcuts_named_in_the_help_exist(browser: TestClient) -> None:
    text = "".join(browser.get(f"/gmail{address}").text for address in ("/mail/inbox", f"/mail/inbox/{CHAT}"))
    pressed = {
        "Escape",
        "j",
        "k",
        "o",
        "x",
        "s",
        "z",
        "Enter",
        "r",
        "?",
    }  # by the client's own script, in test_gmail_lists.py
    assert {shortcut.keys for shortcut in pages.shortcuts} - set(
        re.findall(r'data-shortcut="([^"]+)"', text)
    ) <= pressed


@pytest.mark.parametrize(
    ("kind", "status"), [("error", 500), ("timeout", 504), ("ratelimit", 429), ("partial", 503), ("auth_expired", 401)]
)
def test_every_kind_of_outage_is_a_page_of_its_status(browser: TestClient, host: Host, kind: str, status: int) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "gmail", kind, retry_after_s=20), start=START)  # type: ignore[arg-type]
    host.drop("w")
    host.create("w", Settings(seed=1, limits="off"), compile_script(script, horizon="+1d"))
    as_person(browser, host, "ada")
    for address in (
        "/mail/inbox",
        f"/mail/inbox/{CHAT}",
        "/settings",
        f"/original/{CHAT}",
        f"/body/{NEWS}",
        f"/file/{PLANS}/2/x.pdf",
    ):
        answer = browser.get(f"/gmail{address}")
        assert answer.status_code == status and answer.text.startswith("<!doctype html>"), address
        assert (
            "Sign in" if status == 401 else 'role="alert"'
        ) in answer.text and "contract runs out" not in answer.text, address


# what is somebody else's


def as_person(browser: TestClient, host: Host, who: str) -> None:
    """Sign in as somebody else."""
    browser.cookies.set(COOKIE, cookie(host, who))


THEIRS = (
    f"/mail/inbox/{CHAT}",
    f"/mail/all/{PLANS}",
    f"/mail/search/{CHAT}?q=from%3Azoe",
    f"/mail/sent/{THREADS['Lunch on Friday?']}",
    f"/mail/category/primary/{CHAT}",
    f"/body/{NEWS}",
    f"/image/{PLANS}/1",
    f"/file/{PLANS}/2/x.pdf",
    f"/original/{CHAT}",
    f"/original/{CHAT}?download=1",
    "/mail/label/Clients",
    f"/mail/label/Clients/{CHAT}",
    "/mail/inbox/00000000000fffff",
    "/mail/nowhere",
    f"/mail/nowhere/{CHAT}",
    "/mail/category/nowhere",
    "/body/00000000000fffff",
    "/original/x",
    f"/image/{PLANS}/9",
    "/more/no.such",
    "/nowhere",
)


def test_what_is_in_another_mailbox_is_not_found(browser: TestClient, host: Host) -> None:
    as_person(browser, host, "eve")
    words = (
        "contract runs out",
        "new office",
        "floorplan",
        "Ten articles",
        "Dear Zoe",
        "Offer for Acme",
        "Clients",
        "quote-2026",
    )
    for address in THEIRS:
        answer = browser.get(f"/gmail{address}")
        assert answer.status_code == 404 and answer.text.startswith("<!doctype html>"), address
        assert [word for word in words if word in answer.text and word not in address] == [], address
    shown = [f"/mail/inbox?compose={id}" for id in DRAFTS.values()]
    shown += [
        "/mail/inbox",
        "/mail/all",
        "/mail/drafts",
        "/mail/search?q=office",
        "/mail/inbox?dialog=edit-label&of=Label_1",
        "/settings?tab=labels",
    ]
    shown += [f"/mail/inbox?dialog=label&ids={CHAT}", f"/mail/inbox?ids={CHAT}", "/mail/suggest?q=zo", "/people?q=zoe"]
    for address in shown:
        answer = browser.get(f"/gmail{address}")
        assert answer.status_code == 200 and [word for word in words if word in answer.text] == [], address


def test_who_has_no_mailbox_is_told_so(browser: TestClient, host: Host) -> None:
    as_person(browser, host, "pager")
    for address in ("/mail/inbox", f"/mail/inbox/{CHAT}", "/settings", f"/body/{NEWS}"):
        answer = browser.get(f"/gmail{address}")
        assert answer.status_code == 403 and "You have no mailbox here." in answer.text, address
