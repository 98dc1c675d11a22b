"""A lively mailbox for the mail client's browser tests: Ada's, with threads, labels, files, drafts, old mail and spam."""

from pathlib import Path
from typing import Any

import sqlalchemy
from sqlmodel import Session, SQLModel

import apps.gmail
from apps.gmail import content
from apps.gmail import models as m
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import File, Outgoing, build
from apps.gmail.mime.headers import read_mail
from tests.apps.gmail.conftest import mail_rows
from tests.company import START, company_rows
from world.core.access import Tokens
from world.core.clock import DAY, HOUR, MINUTE
from world.core.directory import Blob
from world.core.image_builder import build as build_image
from world.run.host import Host
from world.store import Base, Store

ADA, BO, CYRUS, DEE, EVE = (
    Address(name, f"{name.split()[0].lower()}@tiny.example")
    for name in ("Ada Novak", "Bo Lindqvist", "Cyrus Patel", "Dee Okafor", "Eve Martin")
)
ZOE, NEWS = Address("Zoe Quist", "zoe@acme.example"), Address("Weekly Digest", "digest@news.example")
BUILD = Address("Build Bot", "ci@builds.example")
CLIENTS, ATLAS, RECEIPTS = "Label_1", "Label_2", "Label_3"
PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
INBOX = ("INBOX", "CATEGORY_PERSONAL")


class Post:
    """Mails as rows of Ada's mailbox."""

    def __init__(self) -> None:
        self.rows: list[SQLModel] = []
        self.words: list[tuple[int, dict[str, Any]]] = []
        self.threads: dict[str, str] = {}
        self.headers: dict[str, list[str]] = {}
        self.count = 0

    def add(
        self,
        thread: str,
        sender: Address,
        to: tuple[Address, ...],
        text: str,
        at: int,
        labels: tuple[str, ...] = INBOX,
        *,
        subject: str = "",
        files: tuple[File, ...] = (),
        html: str | None = None,
        draft: bool = False,
    ) -> str:
        """One message; the first of a thread names it. Returns the message's id."""
        self.count += 1
        before, name = self.headers.setdefault(thread, []), subject or thread
        header = f"<CA{self.count:040d}@mail.gmail.com>"
        raw = build(
            Outgoing(
                sender=sender,
                at_us=at,
                message_id=header,
                to=to,
                subject=f"Re: {name}" if before else name,
                text=text,
                html=html,
                attachments=files,
                in_reply_to=before[-1] if before else "",
                references=tuple(before),
            )
        )
        values, number = content.describe_content(raw, read_mail(raw)), -self.count if draft else self.count
        before.append(header)
        id = format((at // 1000 << 20) | self.count, "016x")
        self._keep(number, at, raw, values, own=sender == ADA, draft=draft)
        self._place(id, self.threads.setdefault(thread, id), number, at, labels, own=sender == ADA)
        return id

    def _keep(self, number: int, at: int, raw: bytes, values: dict[str, Any], *, own: bool, draft: bool) -> None:
        self.rows.append(Blob(sha256=values["sha256"], size=len(raw), data=raw))
        self.words.append((number, values))
        if draft:
            self.rows.append(m.Draft(mail_id=number, id=f"r{-number:019d}", person_id="p_ada", updated_at=at, **values))
        else:
            self.rows.append(m.Mail(id=number, sender_id="p_ada" if own else None, sent_at=at, **values))

    def _place(self, id: str, thread: str, number: int, at: int, labels: tuple[str, ...], *, own: bool) -> None:
        flags = {
            "is_unread": "UNREAD" in labels,
            "is_spam": "SPAM" in labels,
            "trashed_at": at if "TRASH" in labels else None,
        }
        address = "" if own else ADA.email
        self.rows.append(
            m.Message(
                id=id,
                person_id="p_ada",
                thread_id=thread,
                mail_id=number,
                internal_at=at,
                delivered_to=address,
                history_id=1000,
                **flags,
            )
        )
        kept = [label for label in labels if label not in ("UNREAD", "SPAM", "TRASH")]
        same: dict[str, Any] = {
            "message_id": id,
            "person_id": "p_ada",
            "thread_id": thread,
            "mail_id": number,
            "internal_at": at,
        }
        self.rows += [m.MessageLabel(label_id=label, **same) for label in kept]


def post() -> Post:
    """Ada's mail."""
    made = Post()
    _old(made)
    _week(made)
    _today(made)
    return made


PLANS = (
    File("floorplan.png", "image/png", PIXEL),
    File("quote-2026.pdf", "application/pdf", PDF),
    File("notes.txt", "text/plain", b"n"),
    File("b.csv", "text/csv", b"a"),
)
RENEWAL, REVIEW, MOVE = "Renewal of the Acme contract", "Review of the retry change", "Office move"
LONG = (
    "Kitchen rota <b>and</b> “quotes” & more: a subject that is long enough to be cut before the end of its row in the"
    " list"
)


def _old(made: Post) -> None:
    files = (File("contract.pdf", "application/pdf", PDF),)
    made.add(
        "Your contract",
        EVE,
        (ADA,),
        "Attached is the countersigned contract.",
        START - 400 * DAY,
        (*INBOX, RECEIPTS),
        files=files,
    )
    for n in range(55):
        text = f"Build {300 + n} of main took {n + 4} minutes. All 212 tests passed."
        kept = ("INBOX",) if n >= 50 else ()  # the older ones are archived
        made.add(f"Nightly build {300 + n}", BUILD, (ADA,), text, START - (60 - n) * DAY, (*kept, "CATEGORY_UPDATES"))


def _week(made: Post) -> None:
    ask = "Dear Ada, our contract runs out in May. Can you send an offer?"
    made.add(RENEWAL, ZOE, (ADA, CYRUS), ask, START - 5 * DAY, (*INBOX, CLIENTS, "IMPORTANT"))
    made.add(RENEWAL, CYRUS, (ZOE, ADA), "I can take this one.", START - 4 * DAY, (*INBOX, CLIENTS))
    made.add(
        RENEWAL,
        ADA,
        (ZOE, CYRUS),
        "Thank you, Cyrus. The offer follows on Monday.",
        START - 4 * DAY + HOUR,
        ("SENT", CLIENTS),
    )
    made.add(RENEWAL, DEE, (ADA, CYRUS), "Please use the new price list.", START - 2 * DAY, (*INBOX, CLIENTS))
    last = (*INBOX, CLIENTS, "UNREAD", "IMPORTANT", "STARRED")
    made.add(RENEWAL, ZOE, (ADA, CYRUS), "Looking forward to it!", START - 3 * HOUR, last)
    plans = "Here are the plans for the new office. Have a look at the second floor."
    made.add(MOVE, EVE, (ADA,), plans, START - 3 * DAY, (*INBOX, ATLAS, "STARRED"), files=PLANS)
    made.add("Lunch on Friday?", ADA, (BO, DEE), "Shall we try the new place?", START - 3 * DAY + HOUR, ("SENT",))
    made.add(
        "Minutes of Monday",
        ADA,
        (Address("Core", "core@tiny.example"),),
        "The minutes are in the wiki.",
        START - 6 * DAY,
        ("SENT",),
    )
    made.add(
        "Old newsletter",
        NEWS,
        (ADA,),
        "This week in distributed systems.",
        START - 9 * DAY,
        ("CATEGORY_PROMOTIONS", "TRASH"),
    )
    prize = Address("Prize Office", "win@prizes.example")
    made.add("You have WON", prize, (ADA,), "Claim your prize now!!!", START - DAY, ("SPAM", "UNREAD"))
    made.add(
        "Archived plan",
        DEE,
        (ADA,),
        "The plan we do not follow any more.",
        START - 20 * DAY,
        ("CATEGORY_PERSONAL", ATLAS),
    )


def _today(made: Post) -> None:
    change = "Could you review my change to the webhook retries? It adds jitter."
    made.add(REVIEW, BO, (ADA,), change, START - 2 * HOUR, (*INBOX, "UNREAD", "IMPORTANT"))
    page, promotion = (
        "<h1>Weekly digest</h1><p>Ten articles on queues, and one on <b>tea</b>.</p>",
        ("INBOX", "CATEGORY_PROMOTIONS", "UNREAD"),
    )
    made.add(
        "Weekly digest",
        NEWS,
        (ADA,),
        "Ten articles on queues, and one on tea.",
        START - 90 * MINUTE,
        promotion,
        html=page,
    )
    made.add(LONG, EVE, (ADA, BO, DEE), "It is your turn on Wednesday.\n\nEve", START - 40 * MINUTE)
    made.add(REVIEW, ADA, (BO,), "Looks good, one question about the", START - 10 * MINUTE, ("DRAFT",), draft=True)
    made.add("Offer for Acme", ADA, (ZOE,), "Dear Zoe,", START - 20 * MINUTE, ("DRAFT",), draft=True)
    made.add("", ADA, (), "", START - 30 * MINUTE, ("DRAFT",), draft=True)


def labels() -> list[SQLModel]:
    """Ada's labels: one with a colour, one below another."""
    return [
        m.Label(person_id="p_ada", id=CLIENTS, name="Clients", background_color="#16a766", text_color="#ffffff"),
        m.Label(person_id="p_ada", id=ATLAS, name="Projects/Atlas", background_color="#c9daf8", text_color="#0d3472"),
        m.Label(person_id="p_ada", id="Label_4", name="Projects"),
        m.Label(person_id="p_ada", id=RECEIPTS, name="Receipts & co"),
    ]


def host(folder: Path) -> Host:
    """A host over the company with Ada's mailbox, and one world `w`."""
    made = post()

    def load(connection: sqlalchemy.Connection) -> None:
        with Session(bind=connection) as session:
            session.add_all([*company_rows(), *mail_rows(), *labels(), *made.rows])
            session.commit()
        raw = connection.connection.driver_connection.raw  # type: ignore[union-attr]
        for number, values in made.words:
            content.add_to_index(raw.execute, number, values)

    image = build_image(folder / "images", [apps.gmail.app], load, now=START)
    built = Host(Store(folder / "worlds", Base(image)), [apps.gmail.app], Tokens("test secret"))
    built.create("w")
    return built


THREADS = post().threads
