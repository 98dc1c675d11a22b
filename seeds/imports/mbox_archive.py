"""Reader of mbox files (RFC 4155), as mail programs and Google Takeout write them; one file is one mailbox or a mix.

A file that is called after an address (`anna@acme.test.mbox`), or whose mails say in `X-Gmail-Labels` and `Delivered-To`
whose they are, is that person's mailbox. Mails of other files lie in the mailboxes of everybody they name.
"""

import hashlib
import mailbox
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from apps.gmail.mime.addresses import Address
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.envelope import prepend_headers, remove_header
from apps.gmail.mime.headers import Mail, MalformedMail, read_mail
from seeds.imports.archive import MAX_TOTAL
from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from world.run.imports import ImportRefused

TRACES = (  # what transport adds: it differs between copies of a mail, and its times cannot be moved
    "Received",
    "X-Received",
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "Return-Path",
    "X-GM-THRID",
    "X-Gmail-Labels",
    "X-Google-Smtp-Source",
    "X-Gm-Message-State",
    "X-Google-DKIM-Signature",
    "DKIM-Signature",
    "ARC-Seal",
    "ARC-Message-Signature",
    "ARC-Authentication-Results",
    "Authentication-Results",
    "Received-SPF",
    "Status",
    "X-Status",
    "X-Keywords",
    "X-UID",
    "Content-Length",
)
ROLES = frozenset({"no-reply", "noreply", "do-not-reply", "donotreply", "notifications", "mailer-daemon", "postmaster"})
GROUPS = frozenset({"all", "everyone", "everybody", "group", "list", "staff", "team", "support", "info", "office"})
OWNER = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
QUOTED_FROM = re.compile(rb"^>(>*From )", re.M)
LABELS = {
    "inbox": "INBOX",
    "sent": "SENT",
    "starred": "STARRED",
    "important": "IMPORTANT",
    "unread": "UNREAD",
    "spam": "SPAM",
    "trash": "TRASH",
    "category personal": "CATEGORY_PERSONAL",
    "category social": "CATEGORY_SOCIAL",
    "category promotions": "CATEGORY_PROMOTIONS",
    "category updates": "CATEGORY_UPDATES",
    "category forums": "CATEGORY_FORUMS",
}
PLAIN = frozenset({"opened", "archived", "chat"})  # what Takeout says of a mail that is no label


@dataclass(slots=True)
class ImportedMail:
    """A mail once, and the mailboxes it lies in: owner's address -> labels, by their names; none for all it names."""

    key: str
    raw: bytes
    sent_at: int
    boxes: dict[str, frozenset[str]] = field(default_factory=dict)
    is_mixed: bool = False


@dataclass(slots=True)
class MailExport:
    """All mails by key, and how each address is written and used."""

    mails: dict[str, ImportedMail] = field(default_factory=dict)
    names: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    writers: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)


def read_mbox(path: Path, found: MailExport, intake: Intake) -> None:
    """Add the mails of one file. Raises ImportRefused."""
    if path.is_symlink() or path.stat().st_size > MAX_TOTAL:
        raise ImportRefused(path.name, "", "a symbolic link, or too large")
    with path.open("rb") as file:
        if file.read(5) not in (b"From ", b""):
            raise ImportRefused(path.name, "line 1", "no mbox file: it does not begin with a From line")
    box = mailbox.mbox(path, create=False)
    try:
        copies = [
            _read_copy(path.name, number, box.get_bytes(key), intake) for number, key in enumerate(box.iterkeys(), 1)
        ]
    finally:
        box.close()
    kept = [copy for copy in copies if copy is not None]
    owner = _owner_of(path, kept)
    for copy in kept:
        _keep(copy, owner, found)


@dataclass(slots=True)
class _Copy:
    raw: bytes
    mail: Mail
    labels: list[str] | None
    delivered_to: str


def _read_copy(file: str, number: int, raw: bytes, intake: Intake) -> _Copy | None:
    """One mail of a file; None if it is left out."""
    plain = QUOTED_FROM.sub(rb"\1", raw)
    try:
        whole = read_mail(plain)
    except MalformedMail as error:
        raise ImportRefused(file, f"mail {number}", str(error)) from error
    labels = whole.root.first("x-gmail-labels")
    listed = [one.strip() for one in labels.split(",") if one.strip()] if labels else None
    if whole.date_us is None or whole.sender is None or not whole.sender.email:
        intake.drop("mails without a date or a sender")
        return None
    if listed and {"drafts", "draft"} & {one.lower() for one in listed}:
        intake.drop("drafts")
        return None
    if listed is None or "spam" not in {one.lower() for one in listed}:
        intake.see_times([whole.date_us])
    delivered = whole.root.first("delivered-to").strip().lower()
    return _Copy(_clean(plain), whole, listed, delivered)


def _clean(raw: bytes) -> bytes:
    """A mail without what transport added, its lines ended as mail does, with a Message-ID."""
    for name in TRACES:
        raw = remove_header(raw, name)
    lines = re.sub(rb"\r\n|\r|\n", b"\r\n", raw).rstrip(b"\r\n") + b"\r\n"
    if read_mail(lines).message_id:
        return lines
    made = hashlib.sha256(lines).hexdigest()[:32]
    return prepend_headers(remove_header(lines, "Message-ID"), ("Message-ID", f"<{made}@imported.example>"))


def _owner_of(path: Path, copies: Iterable[_Copy]) -> str:
    """Whose mailbox a file is; empty for a mix."""
    if OWNER.fullmatch(path.stem):
        return path.stem.lower()
    counts = Counter(copy.delivered_to for copy in copies if copy.labels is not None and copy.delivered_to)
    return min(counts, key=lambda one: (-counts[one], one)) if counts else ""


def _keep(copy: _Copy, owner: str, found: MailExport) -> None:
    mail = read_mail(copy.raw)
    assert mail.sender is not None and copy.mail.date_us is not None
    key = mail.message_id
    kept = found.mails.setdefault(key, ImportedMail(key, copy.raw, copy.mail.date_us))
    kept.raw = max(kept.raw, copy.raw, key=lambda raw: (len(raw), raw))  # the sender's copy has the blind receivers
    if owner:
        kept.boxes[owner] = frozenset(copy.labels) if copy.labels is not None else _guess_labels(mail, owner)
        found.owners.add(owner)
    else:
        kept.is_mixed = True
    found.writers.add(mail.sender.email.lower())
    for one in (mail.sender, *mail.to, *mail.cc, *mail.bcc, *([Address("", owner)] if owner else [])):
        if OWNER.fullmatch(one.email):
            found.names[one.email.lower()][one.name.strip()] += 1


def _guess_labels(mail: Mail, owner: str) -> frozenset[str]:
    """Labels in a mailbox of a program that has none."""
    own = mail.sender is not None and mail.sender.email.lower() == owner
    return frozenset({"Sent"} if own else {"Inbox"})


def add_mail_identities(found: MailExport, intake: Intake) -> None:
    """Every address becomes somebody, with the name that is written most often; machines become bots."""
    for address, names in sorted(found.names.items()):
        written = [name for name in names if name and "@" not in name]
        name = min(written, key=lambda one: (-names[one], one)) if written else ""
        kind = "bot" if address.partition("@")[0] in ROLES else "employee"
        intake.identities.append(Identity("gmail", address, name=name, emails=(address,), kind=kind))


def is_list_address(address: str, name: str, found: MailExport) -> bool:
    """Whether an address of the company is taken for a list: nobody writes from it, and its name is no person's."""
    if address in found.writers or address in found.owners:
        return False
    words = {word.lower() for word in re.findall(r"\w+", f"{name} {address.partition('@')[0]}")}
    return bool(words & GROUPS) or (" " not in name and not re.search(r"[._]", address.partition("@")[0]))


def shift_date(raw: bytes, at: int) -> bytes:
    """A mail with another Date."""
    return prepend_headers(remove_header(raw, "Date"), ("Date", format_date_header(at)))
