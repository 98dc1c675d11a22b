"""A variety of mail in the mailboxes of Ada and Bo, written straight into a world, and the plain documents of it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from apps.gmail import app, content, outgoing
from apps.gmail.content import content_to_columns, describe_content
from apps.gmail.mail_search.documents import documents_by_id
from apps.gmail.mailbox import Mailbox
from apps.gmail.query import Document
from tests.company import as_person
from world.core.call import Call
from world.core.clock import from_datetime
from world.run.host import Host

PEOPLE = {
    "ada": ("Ada Novak", "ada@tiny.example"),
    "bo": ("Bo Lindqvist", "bo@tiny.example"),
    "alias": ("Bo", "B.Lindqvist@tiny.example"),
    "cy": ("Cyrus Patel", "cyrus@tiny.example"),
    "zoe": ("Zoë Quist", "zoe@acme.example"),
    "jose": ("José Müller", "jose.muller@x-y.example"),
    "taro": ("会議 太郎", "taro+news@x.example"),
    "list": ("Core", "core@tiny.example"),
    "as": ("Ada", "ada@alias.example"),
    "near": ("ada tiny example", "ada.tiny@example"),
    "none": ("", "ops@tiny.example"),
}
SUBJECTS = (
    "Dinner on Friday (café)",
    "Re: Dinner on Friday (café)",
    "Quarterly report 2026",
    "the plan for the Q1 launch",
    "会議室の予約",
    "Invoice 12.50 EUR",
    "snake_case_word and well-known things",
    "",
    "ada tiny example",
    "RE: plan",
    "Grüße aus Zürich",
    "deploy failed",
)
TEXTS = (
    "The secret plan: a big surprise for the birthday of Zoë.",
    "deploy of checkout is done, the deploy failed again\n> the plan was quoted here\n-- \nAda",
    "see https://docs.google.com/document/d/1 and https://youtu.be/x",
    "会議室で会いましょう。plan B",
    "dinner at eight?\n\nfriday is fine - café Müller",
    'Not spam. AND OR NEAR( words: "quoted" don\'t * stop',
    "report attached; https://docs.google.com/spreadsheets/d/2 numbers 12.50 2026",
    "x",
    "jose.muller@x-y.example wrote to ada@tiny.example about the launch",
    "launch launch launch plan plan surprise " + "filler " * 40,
)
FILES: tuple[tuple[str, ...], ...] = (
    (),
    (),
    ("Q1 report.final.PDF",),
    (),
    ("notes.txt", "plan.docx"),
    (),
    ("写真.png",),
    (),
    ("---",),
)
SENDERS = ("ada", "bo", "cy", "zoe", "jose", "taro", "alias", "near", "as", "none")
TIMES = (
    "2026-02-28T23:30:00+01:00",
    "2026-03-01T00:00:00+01:00",
    "2026-03-01T00:00:00-05:00",
    "2026-03-08T01:59:59-05:00",
    "2026-03-08T03:00:00-04:00",
    "2026-02-01T12:00:00Z",
    "2025-12-31T23:59:59+01:00",
    "2025-10-26T02:30:00+02:00",
    "2026-03-02T07:59:00Z",
    "2025-03-02T08:00:00Z",
)
LABELS = {"Label_1": "Work/Big clients", "Label_2": "work-big-clients", "Label_3": "Reisen & Café", "Label_4": "empty"}
SYSTEM = (
    "STARRED",
    "IMPORTANT",
    "CATEGORY_PERSONAL",
    "CATEGORY_UPDATES",
    "CATEGORY_FORUMS",
    "SNOOZED",
    "MUTED",
    "CATEGORY_SOCIAL",
)
OWNERS = {"p_ada": ("ada@tiny.example", "ada@alias.example"), "p_bo": ("bo@tiny.example", "b.lindqvist@tiny.example")}


def opened(host: Host, who: str) -> Mailbox:
    """Somebody's mailbox in the fixture world."""
    actor, principal = host.actor("w"), as_person(host, who)
    call = Call(actor.bound, {"gmail": app}, "gmail", principal, door="rest", now=actor.now, seq=1, seed=7)
    return Mailbox(call, principal.person)


def fill(host: Host, mails: int) -> None:
    """Put the mails into both mailboxes."""
    raw = host.actor("w").bound.raw
    raw.execute("UPDATE person SET tz = 'America/New_York' WHERE id = 'p_ada'")
    raw.execute(
        "INSERT INTO gmail_send_as(person_id, email, display_name, reply_to, signature, is_default, treat_as_alias,"
        " verification) VALUES ('p_ada', 'Ada@alias.example', '', '', '', 0, 1, 'accepted')"
    )
    boxes = {box.person: box for box in (opened(host, "ada"), opened(host, "bo"))}
    for person in boxes:
        for id, name in LABELS.items():
            raw.execute("INSERT INTO gmail_label VALUES (?, ?, ?, 'labelShow', 'show', '', '')", (person, id, name))
    for n in range(mails):
        _put(boxes, n, _message(n))


def _put(boxes: dict[str, Mailbox], n: int, mail: EmailMessage) -> None:
    raw = mail.as_bytes(policy=SMTP)
    values: dict[str, Any] = describe_content(raw, outgoing.read_sized_mail(raw))
    at = from_datetime(datetime.fromisoformat(TIMES[n % len(TIMES)])) + n // 30 * 86_400_000_000 * 3 + n % 2
    call, thread = next(iter(boxes.values())).call, f"{n % 40:016x}"
    author = next((person for person, own in OWNERS.items() if values["from_email"].lower() in own), None)
    if n % 13 == 0 and author:
        _draft(boxes[author], n, raw, values, at)
        return
    id = outgoing.store_mail(call, raw, outgoing.read_sized_mail(raw), author, at)
    for person, box in boxes.items():
        by = next((one for one in values["recipients"] if one in (*OWNERS[person], "core@tiny.example")), None)
        if person == author or by:
            labels = [*_labels(n, person), "SENT" if person == author else "INBOX"]
            known = call.first("SELECT 1 FROM gmail_message WHERE person_id = ? AND thread_id = ?", (person, thread))
            box.add(
                id,
                thread_id=thread if known else None,
                labels=labels,
                at=at,
                delivered_to="" if person == author else str(by),
                id=None if known else thread if person == "p_ada" else None,
            )


def _draft(box: Mailbox, n: int, raw: bytes, values: dict[str, Any], at: int) -> None:
    names = ["mail_id", "id", "person_id", "updated_at", *values]
    content.keep_bytes(box.call, raw, values["sha256"])
    box.call.execute(
        f"INSERT INTO gmail_draft({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})",
        {**content_to_columns(values), "mail_id": -n - 1, "id": f"r{n}", "person_id": box.person, "updated_at": at},
    )
    content.add_to_index(box.call.execute, -n - 1, values)
    box.add(-n - 1, thread_id=None, labels=["DRAFT", *(["SCHEDULED"] if n % 2 else [])], at=at)


def _labels(n: int, person: str) -> Iterable[str]:
    turn = n + len(person)
    yield from (label for at, label in enumerate(SYSTEM) if turn % (at + 3) == 0)
    yield from (label for at, label in enumerate(LABELS) if turn % (at * 3 + 5) == 0 and label != "Label_4")
    yield from (label for every, label in ((2, "UNREAD"), (11, "SPAM"), (9, "TRASH")) if turn % every == 0)


def _message(n: int) -> EmailMessage:
    mail = EmailMessage()
    people = list(PEOPLE)
    mail["From"] = _address(SENDERS[n * 7 % len(SENDERS)])
    mail["To"] = [_address(people[n * 3 % 11]), *([_address("bo")] if n % 3 else [_address("ada")])]
    if n % 4 == 0:
        mail["Cc"] = [_address(people[n * 5 % 11]), _address("list")]
    if n % 5 == 0:
        mail["Bcc"] = [_address(people[(n * 5 + n // 5) % 11]), _address(("taro", "bo", "ada")[n % 3])]
    mail["Subject"] = SUBJECTS[n * 5 % len(SUBJECTS)]
    mail["Message-ID"] = f"<m{n}.Id@x.example>"
    if n % 7 == 0:
        mail["List-ID"] = "Core team <core.tiny.example>"
    mail.set_content(TEXTS[n % len(TEXTS)])
    if n % 6 == 0:
        mail.add_alternative(
            f'<p>{TEXTS[n % len(TEXTS)]}</p><a href="https://drive.google.com/file/{n}">file</a>', subtype="html"
        )
    for name in FILES[n % len(FILES)]:
        mail.add_attachment(b"x" * (n * 700), maintype="application", subtype="octet-stream", filename=name)
    return mail


def _address(who: str) -> Address:
    name, email = PEOPLE[who]
    return Address(name, addr_spec=email)


def everything(box: Mailbox) -> dict[str, Document]:
    """Every message of a mailbox as a plain document."""
    rows: Sequence[Sequence[Any]] = box.call.all(
        "SELECT id FROM gmail_message WHERE person_id = :me", {"me": box.person}
    )
    return documents_by_id(box, box.messages(row[0] for row in rows))
