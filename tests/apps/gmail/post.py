"""Mailboxes as tests of transport look at them."""

from base64 import urlsafe_b64encode
from typing import Any

from tests.apps.gmail.conftest import eml
from tests.company import as_person
from world.run.host import Host

MAIL = (
    "gmail_mail",
    "gmail_draft",
    "gmail_message",
    "gmail_message_label",
    "gmail_outbound",
    "gmail_history",
    "_queue",
)


def said(host: Host, operation: str, who: str = "ada", *, kind: str = "user", **arguments: Any) -> Any:
    """A call of an operation over REST."""
    return host.call(as_person(host, who, kind=kind), "rest", operation, arguments, base_url="http://gmail.test")


def pass_time(host: Host, seconds: int) -> None:
    """Let simulated time go by."""
    actor = host.actors["w"]
    actor.advance(actor.now + seconds * 1_000_000)


def send(
    host: Host, to: str, subject: str = "Hello", text: str = "Good morning.", who: str = "ada", **headers: str
) -> dict[str, Any]:
    """A mail sent through the API, and what is due then."""
    made = said(host, "users.messages.send", who, raw=eml(to, subject, text, **headers))
    host.actors["w"].events.fire_until(host.actors["w"].now)
    return made


def receive(host: Host, **mail: Any) -> Any:
    """A mail from outside, and what is due then."""
    made = said(
        host,
        "mail.receive",
        "mail-gateway",
        kind="bot",
        **{"from": "Zoe Quist <zoe@acme.example>", "subject": "Hello", **mail},
    )
    host.actors["w"].events.fire_until(host.actors["w"].now)
    return made


def inbox(host: Host, who: str = "ada", label: str = "INBOX") -> list[dict[str, Any]]:
    """The messages of a label, the last first, whole; looking takes no time."""
    as_who = as_person(host, who)
    listed = host.peek(as_who, "rest", "users.messages.list", {"labelIds": [label]} if label else {}).get(
        "messages", []
    )
    return [host.peek(as_who, "rest", "users.messages.get", {"id": one["id"]}) for one in listed]


def headers(message: dict[str, Any]) -> dict[str, str]:
    """The headers of a message by name."""
    return {one["name"]: one["value"] for one in message["payload"]["headers"]}


def subjects(host: Host, who: str = "ada", label: str = "INBOX") -> list[str]:
    """Subjects of the messages of a label, the last first."""
    return [headers(one)["Subject"] for one in inbox(host, who, label)]


def b64(raw: bytes) -> str:
    """Bytes as the API takes them."""
    return urlsafe_b64encode(raw).decode()


def rows(host: Host, sql: str) -> list[tuple[Any, ...]]:
    """Rows of the world."""
    return host.actor("w").bound.raw.execute(sql).fetchall()


def kept(host: Host) -> list[int]:
    """How many rows of mail there are."""
    return [rows(host, f"SELECT count(*) FROM {table}")[0][0] for table in MAIL]


def received(host: Host) -> dict[str, int]:
    """Mails that came to people, by their names."""
    counted = rows(host, "SELECT person_id, count(*) FROM gmail_message WHERE delivered_to <> '' GROUP BY 1")
    return {person.removeprefix("p_"): count for person, count in counted}
