"""Outages at the REST door: the shapes of each kind, quotas in units, an error behind which the mail was sent."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import apps.gmail
from apps.gmail import rest
from apps.gmail.refusals import SENTENCES, render_refusal
from tests.apps.gmail.conftest import eml
from tests.company import START
from tests.conformance.mail import MailClient, opened, told
from tests.conformance.specs import STATUSES, validate
from world.core.access import Tokens
from world.core.clock import MINUTE
from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.store import Base, Store
from world.web.cut_response import CutResponse

ME = "/gmail/v1/users/me"
MAIL = {"raw": eml("bo@tiny.example")}

Staged = Callable[..., MailClient]


@pytest.fixture
def staged(sealed: Path, tmp_path: Path) -> Staged:
    """`staged(Fault(...))`: a client in a world where a fault lasts from the start for an hour."""

    def stage(*faults: Fault, **settings: Any) -> MailClient:
        host = Host(Store(tmp_path / "worlds", Base(sealed)), [apps.gmail.app], Tokens("test secret"))
        script = Script("faults", START)
        for fault in faults:
            script.fault(fault, start="+0s", end="+1h")
        host.create("w", Settings(**settings), compile_script(script, horizon="8h"))
        host.actors["w"].advance(START + MINUTE)
        return MailClient(host)

    return stage


@pytest.mark.parametrize(
    ("kind", "status", "google", "reason"),
    [
        ("ratelimit", 429, "RESOURCE_EXHAUSTED", "rateLimitExceeded"),
        ("auth_expired", 401, "UNAUTHENTICATED", "authError"),
        ("error", 500, "INTERNAL", "backendError"),
        ("write_then_error", 500, "INTERNAL", "backendError"),
        ("readonly", 503, "UNAVAILABLE", "backendError"),
        ("partial", 503, "UNAVAILABLE", "backendError"),
        ("timeout", 504, "DEADLINE_EXCEEDED", "backendError"),
    ],
)
def test_each_kind_of_outage_has_its_shape(staged: Staged, kind: str, status: int, google: str, reason: str) -> None:
    client = staged(Fault("f", "gmail", kind))  # type: ignore[arg-type]
    answer = client.post(f"{ME}/messages/send", json=MAIL)
    shown = answer.json()["error"]
    assert (answer.status_code, shown["status"], shown["errors"][0]["reason"]) == (status, google, reason)
    assert (
        shown["errors"][0]["domain"] == ("usageLimits" if kind == "ratelimit" else "global")
        and "fault" not in answer.text
    )


def test_broken_answers_are_no_json(staged: Staged) -> None:
    torn = staged(Fault("f", "gmail", "corrupt_payload")).get(f"{ME}/messages")
    assert torn.status_code == 200 and torn.headers["content-type"] == "application/json; charset=UTF-8"
    with pytest.raises(json.JSONDecodeError):
        torn.json()
    cut = rest.fault_response(Outage("transport", "unavailable", app="gmail"))
    assert isinstance(cut, CutResponse)


def test_a_limit_names_its_end_and_a_users_quota_is_403(staged: Staged) -> None:
    client = staged(Fault("f", "gmail", "ratelimit", operations=("users.messages.send",), retry_after_s=120))
    limited = client.post(f"{ME}/messages/send", json=MAIL)
    assert limited.headers["retry-after"] == "120"
    assert limited.json()["error"]["message"].startswith("User-rate limit exceeded.  Retry after ")
    daily = rest.fault_response(Outage("ratelimit", "rate_limit_exceeded", app="gmail", reason="userRateLimitExceeded"))
    shown = json.loads(bytes(daily.body))["error"]
    assert (daily.status_code, shown["errors"][0]) == (
        403,
        {"message": "User Rate Limit Exceeded", "domain": "usageLimits", "reason": "userRateLimitExceeded"},
    )


def test_an_error_may_hide_a_mail_that_was_sent(staged: Staged) -> None:
    client = staged(Fault("f", "gmail", "write_then_error"))
    assert client.post(f"{ME}/messages/send", json=MAIL).status_code == 500
    assert len(client.get(f"{ME}/messages?labelIds=SENT").json()["messages"]) == 1


def test_quota_counts_units_per_second(staged: Staged) -> None:
    client = staged(read_s=0, write_s=0)
    answers = [client.post(f"{ME}/messages/send", json=MAIL).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


def test_an_upload_can_be_finished_after_the_outage(staged: Staged) -> None:
    client = staged(Fault("f", "gmail", "error"))
    mail = b"To: bo@tiny.example\r\nSubject: Late\r\n\r\nHello.\r\n"
    address = client.post(f"/upload{ME}/messages/send?uploadType=resumable").headers["location"]
    assert client.put(address, content=mail).status_code == 500
    client.host.actors["w"].advance(START + 90 * MINUTE)
    assert client.put(address, headers={"Content-Range": f"bytes */{len(mail)}"}).status_code == 200
    assert len(client.get(f"{ME}/messages?labelIds=SENT").json()["messages"]) == 1


def test_parts_of_a_batch_fail_on_their_own(staged: Staged) -> None:
    error = Fault("f", "gmail", "error", operations=("users.labels.list",))
    client = staged(error, Fault("g", "gmail", "transport", operations=("users.messages.list",)))
    found = client.batch(("GET", f"{ME}/labels"), ("GET", f"{ME}/profile"))
    assert [told(one)[0] for one in found] == [500, 200]
    cut = client.post(
        "/batch",
        content=f"--cut\r\nContent-Type: application/http\r\n\r\nGET {ME}/messages\r\n\r\n--cut--",
        headers={"Content-Type": "multipart/mixed; boundary=cut"},
    )
    assert told(opened(cut)[0])[1].startswith(b"{") and not told(opened(cut)[0])[1].rstrip().endswith(b"}")


def test_a_request_that_cannot_be_read_meets_the_outage_first(staged: Staged) -> None:
    client = staged(Fault("f", "gmail", "error"))
    assert client.post(f"{ME}/messages/send", content=b"{").status_code == 500


def test_every_code_an_operation_raises_has_its_sentence() -> None:
    raised = {code for operation in apps.gmail.app.operations.values() for code in operation.codes}
    assert raised <= set(SENTENCES), sorted(raised - set(SENTENCES))
    assert set(apps.gmail.app.fault_codes.values()) <= set(SENTENCES)


def test_every_sentence_makes_an_error_as_published() -> None:
    for code, (status, google, _, _) in SENTENCES.items():
        shown = render_refusal(
            OperationError(code, **{name: "x" for name in ("user", "label", "name", "format", "most")})
        )
        validate("gmail", "users.messages.get", status, json.dumps(shown.json()).encode())
        assert google in STATUSES.get(status, {""}) and "{" not in shown.message, code
    assert (
        render_refusal(InvalidArguments([("addLabelIds.0", "too long")])).message
        == "Invalid value at 'add_label_ids.0', too long"
    )
    assert render_refusal(OperationError("unheard_of")).code == 400
