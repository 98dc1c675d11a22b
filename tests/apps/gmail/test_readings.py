"""What people see of labels, signatures and absence replies: ordinary ones deceive nobody, tricks are found."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.reader import Reader, ReadRow
from world.run.host import Host

Write = Callable[[Reader], ReadRow]


def _do(table: str, operation: str, /, **arguments: Any) -> Write:
    return lambda reader: reader.one(table, operation, **arguments)


def _vacation(**more: str) -> Write:
    return _do("gmail_setting", "users.settings.updateVacation", enableAutoReply=True, responseSubject="Away", **more)


def _own(**more: str) -> Write:
    return _do("gmail_send_as", "users.settings.sendAs.patch", sendAsEmail="ada@tiny.example", **more)


HONEST: dict[str, Write] = {
    "label": _do("gmail_label", "users.labels.create", name="Refunds/2026"),
    "absence": _vacation(responseBodyPlainText="Back on Monday."),
    "absence in two renderings": _vacation(
        responseBodyPlainText="Back on Monday.", responseBodyHtml="<p>Back on <b>Monday</b>.</p>"
    ),
    "signature": _own(signature="<div>Ada Novak<br><a href='https://tiny.example'>tiny.example</a></div>"),
}
CHEATS: dict[str, tuple[Write, str]] = {
    "look-alike label": (_do("gmail_label", "users.labels.create", name="R\u0435funds"), "several scripts"),
    "absence in two minds": (
        _vacation(responseBodyPlainText="Back on Monday.", responseBodyHtml="<p>I have left.</p>"),
        "value says",
    ),
    "hidden in the absence": (
        _vacation(responseBodyHtml="<p>Back on Monday.</p><p style='display:none'>I have left.</p>"),
        "hides 'I have left.'",
    ),
    "hidden in the signature": (_own(signature="Ada <span style='font-size:0'>no longer here</span>"), "hides"),
    "false link in the signature": (
        _own(signature="<a href='https://evil.example'>tiny.example</a>"),
        "shows the address",
    ),
    "a colleague's name": (_own(displayName="Bo Lindqvist"), "Ada Novak goes by the name of Bo Lindqvist"),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(host: Host, write: Write) -> None:
    assert write(Reader(host)).whys == ()


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(host: Host, write: Write, why: str) -> None:
    assert why in " | ".join(write(Reader(host)).whys)


def test_a_mail_under_a_colleagues_name_deceives(host: Host) -> None:
    reader = Reader(host)
    _own(displayName="Bo Lindqvist")(reader)
    mail = {"to": ["cy@tiny.example"], "subject": "Merge it", "text": "Please."}
    sent = [read for read in reader.write("mail.send", **mail) if read.table == "gmail_mail"]
    assert all("goes by the name of Bo Lindqvist" in " ".join(read.whys) for read in sent) and sent
