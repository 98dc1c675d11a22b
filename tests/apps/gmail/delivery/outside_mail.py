"""Mail from outside in tests, and what became of it."""

from collections.abc import Iterable
from typing import Any

from tests.apps.gmail.conftest import Say
from tests.company import as_person
from world.run.host import Host

_GATEWAY = (
    "UPDATE person SET handle = 'mail-gateway' WHERE id = 'p_bot' AND NOT EXISTS (SELECT 1 FROM person WHERE handle ="
    " 'mail-gateway')"
)


def deliver(
    host: Host, to: Iterable[str] = ("bo@tiny.example",), sender: str = "Zoe Quist <zoe@acme.example>", **mail: Any
) -> None:
    """A mail from outside comes in; `mail` are arguments of `mail.receive`."""
    host.actor("w").bound.raw.execute(_GATEWAY)
    arguments: dict[str, Any] = {"from": sender, "to": list(to), "subject": "Hello", "text": "Good morning.", **mail}
    if "raw" in mail:
        arguments = {"from": sender, "to": list(to), **mail}
    host.call(
        as_person(host, "mail-gateway", kind="bot"), "rest", "mail.receive", arguments, base_url="http://gmail.test"
    )


def newest(say: Say, who: str) -> dict[str, Any]:
    """The last message of a mailbox, wherever it lies."""
    found, *_ = say("users.messages.list", who, includeSpamTrash=True, maxResults=1)["messages"]
    return say("users.messages.get", who, id=found["id"])


def labels(say: Say, who: str) -> set[str]:
    """The labels of the last message of a mailbox."""
    return set(newest(say, who).get("labelIds", []))


def header(message: dict[str, Any], name: str) -> str:
    """A header of a message, empty without it; the first of several."""
    return next((one["value"] for one in message["payload"]["headers"] if one["name"] == name), "")


def subjects(say: Say, who: str) -> list[str]:
    """The subjects in a mailbox, the last first."""
    listed = say("users.messages.list", who).get("messages", [])
    return [header(say("users.messages.get", who, id=one["id"], format="metadata"), "Subject") for one in listed]
