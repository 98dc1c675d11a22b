"""Messages as the plain documents that `apps.gmail.query.matcher` judges."""

from collections.abc import Iterable, Mapping, Sequence

from apps.gmail import content, outgoing
from apps.gmail.content import Content
from apps.gmail.mail_search.compiler import PLAIN_STAR
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.query import Document, Person

_NAMES = "SELECT id, name FROM gmail_label WHERE person_id = :me"


def documents_by_id(box: Mailbox, messages: Iterable[Message]) -> dict[str, Document]:
    """Return the documents of messages in their mailbox, by message id."""
    listed = list(messages)
    mails, labels = content.contents_by_id(box.call, [one.mail_id for one in listed]), box.labels(listed)
    names = {str(row[0]): str(row[1]) for row in box.call.all(_NAMES, {"me": box.person})}
    owner = tuple(one.email for one in outgoing.list_identities(box))
    return {one.id: message_document(one, mails[one.mail_id], labels[one.id], names, owner) for one in listed}


def message_document(
    message: Message, mail: Content, labels: Sequence[str], names: Mapping[str, str], owner: tuple[str, ...]
) -> Document:
    """Return the document of one message; `names` are the owner's labels by id.

    Only the owner's mail has blind copies.
    """
    return Document(
        sender=(Person(mail.from_name, mail.from_email),),
        to=_people_from_json(mail.to),
        cc=_people_from_json(mail.cc),
        bcc=() if message.delivered_to else _people_from_json(mail.bcc),
        subject=mail.subject,
        body=mail.text,
        filenames=tuple(mail.filenames),
        labels=frozenset(names[label] for label in labels if label in names),
        system=frozenset(label for label in labels if label not in names),
        features=frozenset([*mail.features, *([PLAIN_STAR] if "STARRED" in labels else [])]),
        lists=(mail.list_id,) if mail.list_id else (),
        delivered_to=(message.delivered_to,) if message.delivered_to else (),
        message_id=mail.message_id,
        at_us=message.internal_at,
        size_bytes=mail.size,
        owner=owner,
    )


def _people_from_json(listed: Iterable[Mapping[str, str]]) -> tuple[Person, ...]:
    return tuple(Person(one["name"], one["email"]) for one in listed)
