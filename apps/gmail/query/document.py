"""A mail as a search sees it, and the texts that each text operator searches."""

from dataclasses import dataclass

from apps.gmail.query.normal_form import PersonField, TextField


@dataclass(frozen=True, slots=True)
class Person:
    """A name and an address, as a header field gives them."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Document:
    """One mail in one mailbox; `at_us` is its internal date, `owner` the addresses of the mailbox."""

    sender: tuple[Person, ...] = ()
    to: tuple[Person, ...] = ()
    cc: tuple[Person, ...] = ()
    bcc: tuple[Person, ...] = ()
    subject: str = ""
    body: str = ""
    filenames: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()  # names of the user's labels
    system: frozenset[str] = (
        frozenset()
    )  # ids of the vendor's: INBOX, UNREAD, CATEGORY_SOCIAL; also SNOOZED, SCHEDULED, MUTED
    features: frozenset[str] = frozenset()  # drive, document, spreadsheet, presentation, youtube; the kind of star
    lists: tuple[str, ...] = ()  # List-ID and addresses of the mailing list
    delivered_to: tuple[str, ...] = ()
    message_id: str = ""
    at_us: int = 0
    size_bytes: int = 0
    owner: tuple[str, ...] = ()


def list_entries(mail: Document, field: TextField) -> tuple[str, ...]:
    """Return the texts an operator searches, one by one. `any` is that of a word without operator."""
    if field in ("from", "to", "cc", "bcc"):
        return tuple(text for person in list_people(mail, field) for text in (person.name, person.address))
    if field == "any":
        return (mail.subject, mail.body, *list_entries(mail, "from"), *list_entries(mail, "to"), *mail.filenames)
    known = {
        "subject": (mail.subject,),
        "filename": mail.filenames,
        "list": mail.lists,
        "deliveredto": mail.delivered_to,
    }
    return known[field]


def list_people(mail: Document, field: PersonField) -> tuple[Person, ...]:
    """The persons of a field; To holds everybody the mail went to."""
    known = {"from": mail.sender, "to": (*mail.to, *mail.cc, *mail.bcc), "cc": mail.cc, "bcc": mail.bcc}
    return known[field] if field in known else tuple(Person("", address) for address in mail.delivered_to)
