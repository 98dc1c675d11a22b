"""Nobody reads, finds, counts or changes what lies in another's mailbox, and a receiver cannot learn of blind copies."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from typing import Any

import orjson
import pytest

import apps.gmail
from tests.apps.gmail.conftest import eml
from tests.apps.gmail.post import pass_time, receive
from tests.company import as_person
from world.core.errors import OperationError
from world.run.host import Host

Say = Callable[..., Any]
OPERATIONS = apps.gmail.app.operations
READS = sorted(name for name, one in OPERATIONS.items() if not one.writes)
WRITES = sorted(name for name, one in OPERATIONS.items() if one.writes and name != "mail.receive")
TOMORROW = 1_772_553_600
HIDDEN = "qzhiddenzq"
TABLES = (
    "gmail_message",
    "gmail_message_label",
    "gmail_label",
    "gmail_history",
    "gmail_snooze",
    "gmail_filter",
    "gmail_setting",
    "gmail_send_as",
    "gmail_forwarding_address",
    "gmail_delegate",
    "gmail_watch",
    "gmail_auto_reply",
    "gmail_draft",
)


@pytest.fixture
def own(say: Say, host: Host) -> dict[str, Any]:
    """Everything Ada has that others have no part in: what she wrote to Bo, noted, planned and set; the ids of it all."""
    file = {"filename": f"{HIDDEN}.txt", "mimeType": "text/plain", "data": "eA=="}
    sent = say(
        "mail.send", to=["bo@tiny.example"], subject=f"{HIDDEN} subject", text=f"{HIDDEN} text", attachments=[file]
    )
    say("mail.send", to=[f"{HIDDEN} <someone@acme.example>"], subject="x", text="x")
    held = say("mail.send", to=["bo@tiny.example"], subject=HIDDEN, text=HIDDEN, undo=True)
    draft = say("mail.saveDraft", to=["bo@tiny.example"], subject=HIDDEN, text=HIDDEN)
    planned = say("mail.schedule", to=["bo@tiny.example"], subject=HIDDEN, text=HIDDEN, sendAt=TOMORROW)
    label = say("users.labels.create", name=HIDDEN)["id"]
    for _ in range(3):
        label = say("users.labels.create", name=f"{HIDDEN} {label}")["id"]
    say("users.messages.modify", id=sent["id"], addLabelIds=[label])
    say("users.settings.forwardingAddresses.create", forwardingEmail="cyrus@tiny.example")
    action = {"addLabelIds": [label], "forward": "cyrus@tiny.example"}
    rule = say("users.settings.filters.create", criteria={"subject": HIDDEN}, action=action)["id"]
    say("users.settings.sendAs.create", sendAsEmail=f"{HIDDEN}@acme.example", displayName=HIDDEN)
    say("users.settings.delegates.create", delegateEmail="bo@tiny.example")
    say("users.settings.updateVacation", enableAutoReply=True, responseSubject=HIDDEN, responseBodyPlainText=HIDDEN)
    say("users.watch", topicName=f"projects/tiny-mail/topics/{HIDDEN}")
    got = receive(host, to=["ada@tiny.example"], subject=f"{HIDDEN} from outside")
    assert got["accepted"]
    inbox = say("users.messages.list", labelIds=["INBOX"])["messages"][0]
    say("mail.snooze", ids=[inbox["threadId"]], until=TOMORROW)
    whole = say("users.messages.get", id=sent["id"])
    attachment = next(part["body"]["attachmentId"] for part in whole["payload"]["parts"] if part["filename"])
    ids = [
        sent["id"],
        held["id"],
        draft["id"],
        draft["messageId"],
        planned["id"],
        inbox["id"],
        inbox["threadId"],
        label,
        rule,
    ]
    return {
        "ids": ids,
        "attachment": attachment,
        "sent": sent["id"],
        "thread": sent["threadId"],
        "label": label,
        "draft": draft["id"],
    }


def probes(operation: str, own: dict[str, Any]) -> list[dict[str, Any]]:
    """Arguments that point an operation at Ada's things as hard as its params allow."""
    sent, label = own["sent"], own["label"]
    values = {
        "q": f"{HIDDEN} OR subject:{HIDDEN} OR filename:{HIDDEN} in:anywhere",
        "ids": own["ids"],
        "messageId": sent,
        "partId": "1",
        "labelIds": [label],
        "addLabelIds": ["STARRED"],
        "removeLabelIds": ["UNREAD"],
        "labelId": label,
        "label": HIDDEN,
        "includeSpamTrash": True,
        "maxResults": 500,
        "startHistoryId": "1000",
        "historyTypes": [],
        "threadId": own["thread"],
        "inReplyTo": sent,
        "mode": "forward",
        "draftId": own["draft"],
        "to": ["eve@tiny.example"],
        "subject": "x",
        "text": "x",
        "sendAt": TOMORROW,
        "until": TOMORROW,
        "raw": eml("eve@tiny.example"),
        "message": {"raw": eml("eve@tiny.example"), "threadId": own["thread"]},
        "folder": "all",
        "changes": [{"id": sent, "addLabelIds": ["STARRED"], "removeLabelIds": []}],
        "delegateEmail": "bo@tiny.example",
        "forwardingEmail": "cyrus@tiny.example",
        "sendAsEmail": f"{HIDDEN}@acme.example",
        "purpose": "send as",
        "email": f"{HIDDEN}@acme.example",
        "code": "000000000",
        "name": "mine",
        "criteria": {"subject": "x"},
        "action": {"addLabelIds": [label]},
        "topicName": "projects/x/topics/x",
        "displayLanguage": "en",
        "attachments": [{"messageId": sent, "partId": "1"}],
    }
    names = OPERATIONS[operation].params.model_fields
    plain = {name: value for name, value in values.items() if name in names}
    if operation.endswith("people"):
        plain["q"] = HIDDEN
    made = (
        [{**plain, "id": own["attachment"] if "attachments" in operation else id} for id in own["ids"]]
        if "id" in names
        else [plain]
    )
    made += [{**plain, "ids": [sent]}] if "ids" in names else []
    return [*made, *([{**made[0], "userId": "ada@tiny.example"}] if "userId" in names else [])]


def answer_of(host: Host, who: str, operation: str, arguments: dict[str, Any], *, look: bool = True) -> str:
    do = host.peek if look else host.call
    try:
        return orjson.dumps(do(as_person(host, who), "rest", operation, arguments)).decode()
    except OperationError as refusal:
        return f"{refusal.code}"


def theirs(host: Host, person: str = "p_ada") -> list[Any]:
    raw = host.actor("w").bound.raw
    return [
        raw.execute(f"SELECT * FROM {table} WHERE person_id = ? ORDER BY 1, 2", (person,)).fetchall()
        for table in TABLES
    ]


@pytest.mark.parametrize("operation", READS)
def test_reading_never_shows_what_lies_in_another_mailbox(host: Host, own: dict[str, Any], operation: str) -> None:
    for probe in probes(operation, own):
        shown = answer_of(host, "eve", operation, probe)
        assert HIDDEN not in shown, (operation, probe)
        assert operation == "users.labels.get" or not any(
            f'"{id}"' in shown for id in own["ids"] if not id.startswith("Label")
        ), (operation, shown)


def test_the_probes_show_it_all_to_its_owner(host: Host, own: dict[str, Any]) -> None:
    seen = {name for name in READS if any(HIDDEN in answer_of(host, "ada", name, probe) for probe in probes(name, own))}
    assert {
        "users.messages.get",
        "users.threads.get",
        "users.drafts.get",
        "mail.conversation",
        "mail.message",
        "mail.prepare",
        "mail.threads",
        "mail.people",
        "mail.counts",
        "users.labels.list",
        "users.settings.filters.get",
        "users.settings.getVacation",
        "mail.draft",
        "users.settings.sendAs.list",
        "users.settings.sendAs.get",
        "mail.messages",
        "mail.file",
    } <= seen


@pytest.mark.parametrize("operation", WRITES)
def test_writing_never_reaches_into_another_mailbox(host: Host, own: dict[str, Any], operation: str) -> None:
    before = theirs(host)
    for probe in probes(operation, own):
        shown = answer_of(host, "eve", operation, probe, look=False)
        host.actor("w").events.fire_until(host.actor("w").now)
        assert HIDDEN not in shown.replace(f"{HIDDEN}@acme.example", ""), (operation, probe)
    assert theirs(host) == before
    for one in (HIDDEN, f"subject:{HIDDEN}", f"filename:{HIDDEN}"):
        listed = answer_of(host, "eve", "users.messages.list", {"q": one, "includeSpamTrash": True})
        assert '"messages"' not in listed, (operation, one)


def test_counts_histories_and_profiles_of_others_do_not_move_with_ones_mail(
    say: Say, host: Host, own: dict[str, Any]
) -> None:
    def glance() -> list[str]:
        quiet = (
            "mail.counts",
            "mail.threads",
            "users.getProfile",
            "users.messages.list",
            "users.threads.list",
            "users.labels.list",
        )
        more = [
            ("users.history.list", {"startHistoryId": "1000"}),
            ("users.labels.get", {"id": "INBOX"}),
            ("mail.people", {"q": "z"}),
        ]
        return [answer_of(host, "eve", name, given) for name, given in [*((name, {}) for name in quiet), *more]]

    before = glance()
    say("mail.send", to=["bo@tiny.example", "zelda@nowhere.example"], subject="more", text="zelda")
    say("mail.saveDraft", to=["eve@tiny.example"], subject="more", text="more")
    say("mail.schedule", to=["eve@tiny.example"], subject="more", text="more", sendAt=TOMORROW)
    say("mail.send", to=["eve@tiny.example"], subject="more", text="more", undo=True)
    assert glance() == before


# blind copies

BLIND = (
    "dee+qzblindzq@tiny.example",
    "cyrus+qzotherzq@tiny.example",
    "zoe+qzoutzq@acme.example",
    "nobody.qzdeadzq@tiny.example",
)
WORDS = ("qzblindzq", "qzotherzq", "qzoutzq", "qzdeadzq")


def opened(text: str) -> str:
    """An answer with all that is base64url in it made readable."""
    readable = [text]
    value = orjson.loads(text) if text[:1] in "[{" else None

    def walk(inside: Any) -> None:
        if isinstance(inside, dict):
            for name, item in inside.items():
                if name in ("raw", "data") and isinstance(item, str):
                    readable.append(urlsafe_b64decode(item + "==").decode("utf-8", "replace"))
                walk(item)
        elif isinstance(inside, list):
            for item in inside:
                walk(item)

    walk(value)
    return "\n".join(readable)


def sent_blind(say: Say, host: Host, subject: str, bcc: str, **more: str) -> None:
    say(
        "users.messages.send",
        raw=eml(
            "Bo <bo@tiny.example>, eve@tiny.example", subject, "Same words.", **({"Bcc": bcc} if bcc else {}), **more
        ),
    )
    host.actor("w").events.fire_until(host.actor("w").now)


def copies(host: Host, who: str) -> list[dict[str, Any]]:
    listed = host.peek(
        as_person(host, who), "rest", "users.messages.list", {"q": "in:anywhere", "includeSpamTrash": True}
    )
    return listed.get("messages", [])


def found(host: Host, who: str, query: str) -> list[dict[str, Any]]:
    """What both lists of the API and the client's own find."""
    out: list[dict[str, Any]] = []
    for name in ("users.messages.list", "users.threads.list", "mail.threads"):
        answer = host.peek(as_person(host, who), "rest", name, {"q": query})
        out += answer.get("messages", answer.get("threads", []))
    return out


def everything(host: Host, who: str) -> str:
    """All that reading operations tell somebody of the mails they have."""
    out = []
    for one in copies(host, who):
        for name in READS:
            names = OPERATIONS[name].params.model_fields
            if name == "mail.people":
                continue
            for shape in ("full", "raw", "metadata", "minimal") if "format" in names else ("",):
                for mode in ("reply", "replyAll", "forward") if "mode" in names else ("",):
                    for part in ("", "0", "1", "2", "2.0") if "partId" in names else ("",):
                        given: dict[str, Any] = {
                            "id": one["threadId"] if name in ("users.threads.get", "mail.conversation") else one["id"],
                            "ids": [one["id"]],
                            "q": "",
                            "folder": "all",
                            "startHistoryId": "1000",
                        }
                        given |= {
                            key: value for key, value in (("format", shape), ("mode", mode), ("partId", part)) if value
                        }
                        out.append(
                            opened(
                                answer_of(host, who, name, {key: value for key, value in given.items() if key in names})
                            )
                        )
    return "\n".join(out)


def test_no_receiver_reads_of_a_blind_copy_that_is_not_their_own(say: Say, host: Host) -> None:
    sent_blind(say, host, "Quiet", ", ".join(BLIND))
    pass_time(host, 3600)
    for who, own in (("bo", ""), ("eve", ""), ("dee", WORDS[0]), ("cyrus", WORDS[1])):
        shown = everything(host, who)
        assert "Same words." in shown, who
        assert [word for word in WORDS if word in shown] == ([own] if own else []), who
    assert all(word in everything(host, "ada") for word in WORDS)


QUERIES = (
    "{}",
    "bcc:{}",
    "to:{}",
    "cc:{}",
    "deliveredto:{}",
    "-bcc:{}",
    "-to:{}",
    "-{}",
    "bcc:*",
    "has:attachment OR bcc:{}",
    "from:{}",
    "list:{}",
    "bcc:dee",
    "bcc:tiny.example",
    "-bcc:tiny.example",
    "{{bcc:{} subject:nothing}}",
    "(bcc:{}) subject:quiet",
    "larger:1K",
    "bcc:me",
    "bcc:dee@tiny.example",
    "rfc822msgid:{}",
)


@pytest.mark.parametrize("query", QUERIES)
def test_no_search_tells_a_mail_with_blind_copies_from_one_without(say: Say, host: Host, query: str) -> None:
    at = "<{}@x.example>"
    sent_blind(say, host, "Quiet", ", ".join(BLIND), Message_ID=at.format("a"))
    sent_blind(say, host, "Quiet", "", Message_ID=at.format("b"))
    for who in ("bo", "eve"):
        for word in WORDS:
            assert len(found(host, who, query.format(word))) in (0, 6), (who, query, word)
        for shape in ("minimal", "full"):
            sizes = {
                say("users.messages.get", who, id=one["id"], format=shape)["sizeEstimate"] for one in copies(host, who)
            }
            assert len(sizes) == 1, "its size tells"


def test_whoever_shares_an_address_to_send_from_sees_no_blind_copies_of_the_other(say: Say, host: Host) -> None:
    for who in ("ada", "bo"):
        say("users.settings.sendAs.create", who, sendAsEmail="core@tiny.example")
        host.actor("w").events.fire_until(host.actor("w").now)
    for who in ("ada", "bo"):
        for code in re.findall(r"Confirmation code: (\d{9})", everything(host, who)):
            given = {"purpose": "send as", "email": "core@tiny.example", "code": code}
            answer_of(host, who, "mail.confirmAddress", given, look=False)
        assert '"accepted"' in answer_of(host, who, "users.settings.sendAs.get", {"sendAsEmail": "core@tiny.example"})
    say(
        "mail.send",
        to=["bo@tiny.example"],
        bcc=[BLIND[0]],
        subject="Together",
        text="x",
        **{"from": "core@tiny.example"},
    )
    host.actor("w").events.fire_until(host.actor("w").now)
    assert WORDS[0] in answer_of(host, "ada", "mail.threads", {"folder": "sent"})
    shown = answer_of(host, "bo", "mail.threads", {"q": "subject:together"})
    assert "Together" in shown and WORDS[0] not in shown, "the row of a list names whom it was sent to"


def test_an_answer_or_a_forward_carries_no_blind_copy_along(say: Say, host: Host) -> None:
    sent_blind(say, host, "Quiet", ", ".join(BLIND))
    (got,) = copies(host, "bo")
    for mode in ("reply", "replyAll", "forward"):
        to = {"to": ["eve@tiny.example"]} if mode == "forward" else {}
        say("mail.send", "bo", mode=mode, inReplyTo=got["id"], text="Well.", quote=True, **to)
    host.actor("w").events.fire_until(host.actor("w").now)
    for who in ("bo", "eve"):
        assert not [word for word in WORDS if word in everything(host, who)], who
    assert [say("users.messages.list", who, q='"Well."').get("resultSizeEstimate") for who in ("dee", "cyrus")] == [
        0,
        0,
    ]


def test_a_filter_and_a_forward_of_a_receiver_learn_nothing(say: Say, host: Host) -> None:
    say("users.settings.forwardingAddresses.create", "bo", forwardingEmail="eve@tiny.example")
    for number, criteria in enumerate(
        [{"query": f"bcc:{WORDS[0]}"}, {"to": "dee"}, {"query": WORDS[0]}, {"query": "bcc:tiny.example"}]
    ):
        label = say("users.labels.create", "bo", name=f"found {number}")["id"]
        say("users.settings.filters.create", "bo", criteria=criteria, action={"addLabelIds": [label]})
    say("users.settings.filters.create", "bo", criteria={"subject": "Quiet"}, action={"forward": "eve@tiny.example"})
    say("users.messages.send", raw=eml("bo@tiny.example", "Quiet", "x", Bcc=", ".join(BLIND)))
    host.actor("w").events.fire_until(host.actor("w").now)
    (got,) = copies(host, "bo")
    labels = say("users.messages.get", "bo", id=got["id"])["labelIds"]
    assert not [label for label in labels if label.startswith("Label_")], labels
    assert copies(host, "eve") and not [word for word in WORDS if word in everything(host, "eve")]


def test_what_waits_to_be_sent_is_nowhere_before_its_time(say: Say, host: Host) -> None:
    say(
        "users.settings.updateVacation",
        "dee",
        enableAutoReply=True,
        responseSubject="Away",
        responseBodyPlainText="qzreplyzq",
    )
    quiet = {who: everything(host, who) for who in ("bo", "eve")}
    say("mail.send", to=["bo@tiny.example"], subject="qzheldzq", text="x", undo=True)
    say("mail.schedule", to=["bo@tiny.example"], subject="qzplannedzq", text="x", sendAt=TOMORROW)
    say("mail.send", to=["dee@tiny.example"], subject="qzawayzq", text="x")
    for who in ("bo", "eve"):
        assert everything(host, who) == quiet[who] and copies(host, who) == []
    numbers = [one["id"] for one in copies(host, "ada")]
    assert all(len(id) == 16 for id in numbers)
    pass_time(host, 60)
    assert {"qzheldzq"} == {word for word in ("qzheldzq", "qzplannedzq") if word in everything(host, "bo")}
    assert "qzreplyzq" in everything(host, "ada")


def test_a_notice_of_delivery_counts_nobodys_mail(say: Say, host: Host) -> None:
    """The number of a mail is one of all the company's: two notices would tell how many were written in between."""
    headers = []
    for between in (0, 9):
        for _ in range(between):
            say("mail.send", "eve", to=["cyrus@tiny.example"], subject="x", text="x")
        say("users.messages.send", raw=eml("nobody@tiny.example", f"Lost {between}"))
        pass_time(host, 300)
        notice = say("users.messages.list", q="from:mailer-daemon")["messages"][0]["id"]
        listed = say("users.messages.get", id=notice)["payload"]["headers"]
        headers.append({one["name"]: one["value"] for one in listed}["Message-ID"])
    numbers = {str(row[0]) for row in host.actor("w").bound.raw.execute("SELECT id FROM gmail_mail")}
    assert not [header for header in headers if header.strip("<>").partition("@")[0].rpartition(".")[2] in numbers], (
        headers
    )
