"""Settings of a mailbox: addresses to send as, delegates, IMAP, POP, language."""

import re
from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.delivery.outside_mail import header, newest, subjects
from world.run.host import Host

SEND_AS, DELEGATES, CONFIRM = "users.settings.sendAs.", "users.settings.delegates.", "mail.confirmAddress"
ADA, BO, ALIAS = "ada@tiny.example", "bo@tiny.example", "b.lindqvist@tiny.example"


@pytest.mark.parametrize(
    ("name", "plain", "given", "kept"),
    [
        (
            "Imap",
            {"enabled": False, "autoExpunge": True, "expungeBehavior": "archive", "maxFolderSize": 0},
            {
                "enabled": True,
                "autoExpunge": False,
                "expungeBehavior": "expungeBehaviorUnspecified",
                "maxFolderSize": 2000,
            },
            {"enabled": True, "autoExpunge": False, "expungeBehavior": "archive", "maxFolderSize": 2000},
        ),
        (
            "Pop",
            {"accessWindow": "disabled", "disposition": "leaveInInbox"},
            {"accessWindow": "allMail", "disposition": "trash"},
            {"accessWindow": "allMail", "disposition": "trash"},
        ),
        (
            "Pop",
            {"accessWindow": "disabled", "disposition": "leaveInInbox"},
            {"accessWindow": "accessWindowUnspecified", "disposition": "dispositionUnspecified"},
            {"accessWindow": "disabled", "disposition": "leaveInInbox"},
        ),
        ("Language", {"displayLanguage": "en"}, {"displayLanguage": "EN_gb"}, {"displayLanguage": "en-GB"}),
        ("Language", {"displayLanguage": "en"}, {"displayLanguage": "de-AT"}, {"displayLanguage": "de"}),
        ("Language", {"displayLanguage": "en"}, {"displayLanguage": "pt"}, {"displayLanguage": "pt-BR"}),
        ("AutoForwarding", {"enabled": False}, {}, {"enabled": False}),
    ],
)
def test_a_group_of_settings_is_kept_for_its_owner(say: Say, name: str, plain: Any, given: Any, kept: Any) -> None:
    assert say(f"users.settings.get{name}") == plain
    assert say(f"users.settings.update{name}", **given) == kept == say(f"users.settings.get{name}")
    assert say(f"users.settings.get{name}", "bo") == plain


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("Imap", {"maxFolderSize": 7}, "invalid_arguments"),
        ("Imap", {"expungeBehavior": "burn"}, "invalid_arguments"),
        ("Pop", {"accessWindow": "all"}, "invalid_arguments"),
        ("Language", {}, "invalid_arguments"),
        ("Language", {"displayLanguage": "tlh"}, "invalid_language"),
        ("Language", {"displayLanguage": ""}, "invalid_language"),
        ("AutoForwarding", {"disposition": "burn"}, "invalid_arguments"),
    ],
)
def test_settings_that_are_none(refused: Say, name: str, given: Any, code: str) -> None:
    assert refused(f"users.settings.update{name}", **given) == code


@pytest.mark.parametrize(
    "operation", ["users.settings.getVacation", "users.settings.filters.list", SEND_AS + "list", DELEGATES + "list"]
)
def test_nobody_opens_the_settings_of_another(refused: Say, operation: str) -> None:
    assert refused(operation, userId=BO) == "delegation_denied"


def test_the_primary_address_has_name_and_signature(say: Say, refused: Say) -> None:
    plain = {
        "sendAsEmail": ADA,
        "displayName": "Ada Novak",
        "replyToAddress": "",
        "signature": "",
        "isPrimary": True,
        "isDefault": True,
    }
    assert (
        say(SEND_AS + "list") == {"sendAs": [plain]} and say(SEND_AS + "get", sendAsEmail="ADA@tiny.example") == plain
    )
    signed = say(
        SEND_AS + "patch", sendAsEmail=ADA, signature="<b>Ada</b><img src=x onerror=alert(1)><script>x</script>"
    )
    assert (
        signed["signature"].startswith("<b>Ada</b>")
        and "script" not in signed["signature"]
        and "onerror" not in signed["signature"]
    )
    named = say(SEND_AS + "patch", sendAsEmail=ADA, displayName=" Ada  of Core ", replyToAddress="core@tiny.example")
    assert (
        named
        == {**signed, "displayName": "Ada of Core", "replyToAddress": "core@tiny.example"}
        == say(SEND_AS + "get", sendAsEmail=ADA)
    )
    assert say(SEND_AS + "update", sendAsEmail=ADA, signature="Ada") == {**plain, "signature": "Ada"}
    assert refused(SEND_AS + "delete", sendAsEmail=ADA) == "primary_address"
    assert refused(SEND_AS + "patch", sendAsEmail=ADA, isDefault=False) == "default_required"
    assert refused(SEND_AS + "patch", sendAsEmail=ADA, replyToAddress="nobody") == "invalid_address"
    assert refused(SEND_AS + "patch", sendAsEmail=ADA, displayName="Ada\x00") == "invalid_arguments"
    assert refused(SEND_AS + "patch", sendAsEmail=ADA, signature="x" * 10_001) == "invalid_arguments"
    assert refused(SEND_AS + "verify", sendAsEmail=ADA) == "already_verified"


def test_the_name_of_the_primary_address_stands_on_mail(say: Say) -> None:
    say(SEND_AS + "patch", sendAsEmail=ADA, displayName="Ada of Core\r\nBcc: eve@tiny.example")
    say("users.messages.send", raw=eml(BO))
    assert header(newest(say, "bo"), "From").replace('"', "") == "Ada of Core Bcc: eve@tiny.example <ada@tiny.example>"
    assert subjects(say, "eve") == []


def test_an_alias_counts_at_once_and_can_be_the_default(say: Say, refused: Say) -> None:
    made = say(SEND_AS + "create", "bo", sendAsEmail=ALIAS, displayName="B. Lindqvist", isDefault=True)
    assert made["verificationStatus"] == "accepted" and made["isDefault"] and "isPrimary" not in made
    assert "isDefault" not in say(SEND_AS + "get", "bo", sendAsEmail=BO)
    say("users.messages.send", "bo", raw=eml(ADA))
    assert header(newest(say, "ada"), "From") == '"B. Lindqvist" <b.lindqvist@tiny.example>'
    assert refused(SEND_AS + "create", "bo", sendAsEmail=ALIAS) == "already_exists"
    say(SEND_AS + "patch", "bo", sendAsEmail=BO, isDefault=True)
    assert [one.get("isDefault", False) for one in say(SEND_AS + "list", "bo")["sendAs"]] == [True, False]
    say(SEND_AS + "patch", "bo", sendAsEmail=ALIAS, isDefault=True)
    say(SEND_AS + "delete", "bo", sendAsEmail=ALIAS)
    assert say(SEND_AS + "get", "bo", sendAsEmail=BO)["isDefault"]
    assert refused(SEND_AS + "get", "bo", sendAsEmail=ALIAS) == "not_found"


def test_another_address_waits_until_its_owner_agrees(say: Say, refused: Say) -> None:
    made = say(SEND_AS + "create", sendAsEmail="Dee@tiny.example")
    assert made == {
        "sendAsEmail": "dee@tiny.example",
        "displayName": "",
        "replyToAddress": "",
        "signature": "",
        "treatAsAlias": True,
        "verificationStatus": "pending",
    }
    say(SEND_AS + "verify", sendAsEmail="dee@tiny.example")
    asked = "Gmail Confirmation - Send Mail as dee@tiny.example"
    assert subjects(say, "dee") == [asked, asked] and ADA in newest(say, "dee")["snippet"]
    say("users.messages.send", raw=eml(BO, From="dee@tiny.example"))
    assert header(newest(say, "bo"), "From") == "Ada Novak <ada@tiny.example>"
    assert refused(SEND_AS + "patch", sendAsEmail="dee@tiny.example", isDefault=True) == "not_verified"
    assert refused(SEND_AS + "create", sendAsEmail="nobody") == "invalid_address"
    smtp = {"host": "smtp.far.example", "port": 587, "securityMode": "starttls", "password": "secret"}
    assert refused(SEND_AS + "create", sendAsEmail="me@far.example", smtpMsa=smtp) == "smtp_unreachable"
    assert (
        refused(SEND_AS + "update", sendAsEmail="me@far.example")
        == refused(SEND_AS + "verify", sendAsEmail="me@far.example")
        == "not_found"
    )


@pytest.mark.parametrize("purpose", ["forward", "send as"])
def test_the_code_that_was_mailed_confirms_an_address(say: Say, refused: Say, host: Host, purpose: str) -> None:
    def shown() -> str:
        return say(f"{group}.get", **{name: address})["verificationStatus"]

    address = "dee@tiny.example" if purpose == "send as" else "zoe@acme.example"
    group, name = {
        "send as": ("users.settings.sendAs", "sendAsEmail"),
        "forward": ("users.settings.forwardingAddresses", "forwardingEmail"),
    }[purpose]
    assert refused(CONFIRM, purpose=purpose, email=address, code="1") == "not_found"
    say(f"{group}.create", **{name: address})
    ((text,),) = host.actor("w").bound.raw.execute("SELECT text FROM gmail_mail WHERE subject LIKE 'Gmail%'").fetchall()
    code = re.findall(r"[0-9]{9}", str(text))[0]
    assert (
        refused(CONFIRM, purpose=purpose, email=address, code=str(int(code) - 1)) == "wrong_code"
        and shown() == "pending"
    )
    assert refused(CONFIRM, "bo", purpose=purpose, email=address, code=code) == "not_found"
    say(CONFIRM, purpose=purpose, email=address, code=f" {code} ")
    assert shown() == "accepted" and refused(CONFIRM, purpose=purpose, email=address, code=code) == "already_verified"


def test_a_colleague_becomes_a_delegate_at_once(say: Say, refused: Say) -> None:
    assert say(DELEGATES + "list") == {}
    made = say(DELEGATES + "create", delegateEmail="Bo@tiny.example")
    assert made == {"delegateEmail": BO, "verificationStatus": "accepted"} == say(DELEGATES + "get", delegateEmail=BO)
    assert say(DELEGATES + "list") == {"delegates": [made]} and say(DELEGATES + "list", "bo") == {}
    for who in (ADA, ALIAS, "gus@tiny.example", "zoe@acme.example", "core@tiny.example", ""):
        assert refused(DELEGATES + "create", delegateEmail=who) == "invalid_delegate", who
    assert refused(DELEGATES + "create", delegateEmail=BO) == "already_exists"
    say(DELEGATES + "delete", delegateEmail=BO)
    assert (
        refused(DELEGATES + "get", delegateEmail=BO) == refused(DELEGATES + "delete", delegateEmail=BO) == "not_found"
    )


def test_delegates_have_limits_on_both_sides(say: Say, refused: Say, host: Host) -> None:
    raw = host.actor("w").bound.raw
    raw.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) INSERT INTO"
        " gmail_delegate(person_id, email, verification) SELECT 'p_ada', i || '@x.example', 'accepted' FROM n"
    )
    raw.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) INSERT INTO"
        " gmail_delegate(person_id, email, verification) SELECT 'p_' || i, 'eve@tiny.example', 'accepted' FROM n"
    )
    assert refused(DELEGATES + "create", delegateEmail=BO) == "too_many_delegates"
    assert refused(DELEGATES + "create", "bo", delegateEmail="eve@tiny.example") == "too_many_delegates"
    assert say(DELEGATES + "create", "bo", delegateEmail=ADA)["verificationStatus"] == "accepted"
