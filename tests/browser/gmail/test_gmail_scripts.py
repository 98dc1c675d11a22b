"""Nothing that a person writes anywhere in mail, here or outside, runs, loads or leaves the site."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

import apps.gmail
from apps.gmail.pages.bodies import link_addresses, render_editable_html, render_html, wrap_document
from apps.gmail.pages.frames import SANDBOX
from tests.apps.gmail.conftest import mail_rows
from tests.browser.conftest import Office
from tests.browser.crawl import Inspector, complaints, inspected
from tests.browser.hostile_shapes import letter
from tests.browser.payloads import PAYLOADS, packs
from tests.browser.scripts import DETECT, Hostile, hostile_site, look, stubborn, without_text
from world.core.principal import Principal
from world.run.host import Host

CLOSED = {  # what a field may be refused for that holds no text: ids, addresses, times, closed lists
    "not_found",
    "delegation_denied",
    "invalid_label",
    "invalid_arguments",
    "label_not_found",
    "invalid_address",
    "invalid_delegate",
    "invalid_from_header",
    "invalid_to_header",
    "invalid_cc_header",
    "invalid_bcc_header",
    "invalid_attachment",
    "invalid_label_color",
    "unrecognized_forwarding_address",
    "invalid_language",
    "invalid_topic_name",
    "wrong_code",
    "too_late",
    "forbidden",
    "not_verified",
    "already_exists",
    "malformed_mail",
    "not_scheduled",
    "invalid_query",
    "recipient_required",
    "already_verified",
    "smtp_unreachable",
}
NARROW = {  # addresses, which take a name that no header refuses, and an id of a mailing
    *(
        f"mail.{name} {field}.0"
        for name in ("send", "saveDraft", "schedule", "receive")
        for field in ("to", "cc", "bcc")
    ),
    "mail.receive from",
    "users.settings.sendAs.create displayName",
}
WRITTEN = {
    "mail.send subject",
    "mail.send text",
    "mail.send html",
    "mail.receive html",
    "mail.receive raw",
    "users.messages.import raw",
    "users.labels.create name",
    "users.settings.updateVacation responseBodyHtml",
    "users.settings.sendAs.patch signature",
}
STARTS = (
    "/mail/inbox",
    "/mail/sent",
    "/mail/drafts",
    "/mail/all",
    "/mail/scheduled",
    "/mail/spam",
    "/mail/trash",
    "/mail/search?q=in:anywhere",
    "/more",
    "/mail/suggest?q=a",
    "/people?q=a",
    "/settings",
    "/mail/category/primary",
    "/mail/inbox?compose=new",
    "/",
    "/mail",
)


def all_payloads(host: Host, me: Principal) -> dict[str, Any]:
    """Every payload in HTML, as text, as a name and as a subject, in mail from outside that Ada gets."""
    bot = host.principal(me.world, "mail-gateway", kind="bot")
    for place, text in enumerate(packs(30_000)):
        whole = {
            "from": "zoe@acme.example",
            "to": ["ada@tiny.example"],
            "subject": f"All of it {place}",
            "text": text,
            "html": f"<div>{text}</div>",
        }
        host.call(bot, "rest", "mail.receive", whole)
        host.call(bot, "rest", "mail.receive", {**whole, "html": f"<p>new</p><div class=gmail_quote>{text}</div>"})
    for text in packs(700, between=" "):
        host.call(bot, "rest", "mail.receive", {"raw": letter(text), "to": ["ada@tiny.example"]})
    return {}


def build_hostile(folder: Path) -> Hostile:
    """A mailbox full of hostile mail, labels, filters and settings."""
    return hostile_site(folder, apps.gmail, mail_rows, STARTS, share=all_payloads)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = build_hostile(tmp_path_factory.mktemp("mail"))
    yield made
    made.stop()


def ids(hostile: Hostile, sql: str) -> list[str]:
    return [row[0] for row in hostile.site.do(lambda: hostile.site.host.actor("w").bound.raw.execute(sql).fetchall())]


def test_every_field_for_text_was_tried_and_those_that_keep_text_took_payloads(hostile: Hostile) -> None:
    refused = without_text(hostile.harvest)
    assert set(refused) <= CLOSED, refused
    taken = {str(leaf) for leaf, payloads in hostile.harvest.taken.items() if payloads}
    assert WRITTEN <= taken
    assert {str(leaf) for leaf in stubborn(hostile.harvest)} <= NARROW
    assert set().union(*hostile.harvest.taken.values()) == set(PAYLOADS)


def test_every_page_is_reached_and_none_holds_a_script_or_a_foreign_resource(hostile: Hostile) -> None:
    assert set(hostile.unseen()) <= {
        "/image/{message}/{part}",
        "/mail/label/{name}/{thread:thread}",
    }, "no payload is a picture, none names a label"
    assert complaints(hostile.pages.items()) == []


def test_every_body_original_and_answer_is_harmless(hostile: Hostile) -> None:
    with httpx.Client(base_url=hostile.crawler.base, cookies=hostile.crawler.cookies, timeout=60) as client:
        for id in ids(hostile, "SELECT id FROM gmail_message WHERE person_id = 'p_ada' AND mail_id > 0 ORDER BY id")[
            ::4
        ]:
            found = {part: client.get(f"/gmail/body/{id}{part}") for part in ("", "?part=quoted")}
            shown = {part: answer for part, answer in found.items() if answer.status_code == 200}
            assert all(inspected(answer).mail for answer in shown.values()), "a body that could run something"
            assert complaints((f"/gmail/body/{id}{part}", answer) for part, answer in shown.items()) == []
            assert all(SANDBOX in answer.headers["content-security-policy"] for answer in shown.values())
            assert complaints([("original", client.get(f"/gmail/original/{id}"))]) == []
        for thread in ids(
            hostile, "SELECT thread_id FROM gmail_message WHERE person_id = 'p_ada' AND delivered_to <> '' ORDER BY id"
        )[::30]:
            for mode in ("reply", "replyAll", "forward"):
                answer = client.get(f"/gmail/mail/all/{thread}?answer={mode}.{thread}&live=0")
                assert answer.status_code == 200 and complaints([(mode, answer)]) == []


def test_files_are_downloads_with_harmless_names(hostile: Hostile) -> None:
    files = [(address, answer) for address, answer in hostile.crawler.files.items() if "/file/" in address]
    assert files
    for address, answer in files:
        assert (
            answer.headers["content-disposition"].startswith("attachment;")
            and "sandbox" in answer.headers["content-security-policy"]
        ), address
        assert re.fullmatch(
            r'attachment; filename="[A-Za-z0-9._ -]+"; filename\*=UTF-8\'\'[!-~]*',
            answer.headers["content-disposition"],
        ), address
        assert answer.headers["x-content-type-options"] == "nosniff", address


FRAME: dict[str, Callable[[str], str]] = {"frame": lambda text: wrap_document(render_html(text, {}))}
PAGE: dict[str, Callable[[str], str]] = {
    "text": lambda text: str(link_addresses(text)),
    "compose": lambda text: str(render_editable_html(text)),
}


@pytest.mark.parametrize("place", [*FRAME, *PAGE])
def test_no_payload_becomes_markup_that_runs(place: str) -> None:
    made = {**FRAME, **PAGE}[place]
    for payload in PAYLOADS:
        for text in (payload, f"<p title='{payload}'>{payload}</p>", f'<a href="{payload}" style="{payload}">x</a>'):
            assert Inspector(made(text), mail=place in FRAME).complaints == [], payload


def test_what_an_address_says_is_shown_as_text(hostile: Hostile) -> None:
    assert complaints(hostile.crawler.reflected("\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>")) == []


FRAMES = """async ([addresses, sandbox]) => {
  for (const address of addresses) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", sandbox);
    frame.src = address;
    const loaded = new Promise(done => { frame.onload = done; frame.onerror = done; });
    document.body.append(frame);
    await loaded;
    for (const link of frame.contentDocument?.querySelectorAll("[autofocus], details, a") ?? []) { link.focus?.(); link.open = true; }
    frame.remove();
  }
}"""


def test_chromium_runs_and_fetches_nothing_in_the_frame_of_any_mail(hostile: Hostile, chromium: Browser) -> None:
    office = Office(hostile.site, "w", chromium)
    page = office.open(hostile.who, "/gmail/mail/inbox", live=False)
    page.add_init_script(DETECT)
    page.reload()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.on("popup", lambda popup: office.complaints.append(f"popup {popup.url}"))
    bodies = [
        f"/gmail/body/{id}"
        for id in ids(
            hostile,
            "SELECT m.id FROM gmail_message m JOIN gmail_mail c ON c.id = m.mail_id WHERE"
            " m.person_id = 'p_ada' AND c.subject LIKE 'All of it%' ORDER BY m.id",
        )
    ]
    page.evaluate(
        FRAMES,
        [[address + part for address in bodies for part in ("", "?part=quoted")], SANDBOX.removeprefix("sandbox ")],
    )
    assert len(bodies) >= 2 and page.url.startswith(f"{office.base}/gmail/mail/inbox")
    assert [
        url
        for url in sent
        if "/body/" not in url
        and "/image/" not in url
        and not url.startswith("data:")
        and not url.endswith("favicon.svg")
    ] == []
    hits = page.evaluate("window.__hits")
    assert [hit for hit in hits if "policy" not in hit] == []
    assert [text for text in office.complaints if "404" not in text and "status of 404" not in text] == []
    office.close()


def test_chromium_runs_nothing_on_any_page(hostile: Hostile, chromium: Browser) -> None:
    kept = hostile.pages
    hostile.pages = dict([(address, answer) for address, answer in kept.items() if not inspected(answer).mail][::3])
    complained = look(hostile, chromium)
    hostile.pages = kept
    assert complained == []
