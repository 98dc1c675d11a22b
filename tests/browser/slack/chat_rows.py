"""A small, lively workspace for the chat client's browser tests: channels, threads, reactions, files, unread messages."""

import hashlib

from sqlmodel import SQLModel

from apps.slack.models import (
    Channel,
    File,
    FileShare,
    Member,
    Mention,
    Message,
    Pin,
    Profile,
    Reaction,
    ThreadFollower,
    Workspace,
)
from tests.company import START
from world.core.clock import DAY, HOUR, MINUTE, SECOND
from world.core.directory import Blob

GENERAL, CHECKOUT, RANDOM, SECRET = "C0GENERAL01", "C0CHECKOUT1", "C0RANDOM001", "C0SECRET001"
DIRECT, OLD, OUTSIDE = "D0ADABO0001", "C0OLDSTUFF1", "C0OUTSIDE01"
EVERYBODY = ("p_ada", "p_bo", "p_cy", "p_dee", "p_eve")
CSV = b"day,orders\nmonday,120\ntuesday,97\n"
FILE = "F0ORDERS001"
YESTERDAY = START - DAY
PARENT_AT, ALERT_AT, MENTION_AT = YESTERDAY + 5 * HOUR, START - 50 * MINUTE, START - 48 * MINUTE


def ts(at: int) -> str:
    """Slack's ts of a simulated time."""
    return f"{at // SECOND}.{at % SECOND:06}"


PARENT, ALERT, MENTION = ts(PARENT_AT), ts(ALERT_AT), ts(MENTION_AT)


def channel(id: str, name: str, members: tuple[str, ...], **more: object) -> list[SQLModel]:
    """A channel and its members, who have read everything but the last hour."""
    values: dict[str, object] = {"id": id, "name": name, "creator_id": "p_ada", "created_at": START - 90 * DAY, **more}
    read, since = ts(START - HOUR), START - 80 * DAY
    return [
        Channel(**values),
        *(Member(channel_id=id, person_id=p, joined_at=since + n, last_read=read) for n, p in enumerate(members)),
    ]


class Book:
    """Messages with increasing ids."""

    def __init__(self) -> None:
        self.rows: list[SQLModel] = []
        self.ids: dict[tuple[str, int], int] = {}

    def say(self, where: str, who: str, at: int, text: str, **more: object) -> None:
        """One message."""
        number = len(self.rows) + 1
        self.ids[where, at] = number
        self.rows.append(Message(id=number, channel_id=where, ts=ts(at), person_id=who, text=text, **more))  # type: ignore[arg-type]


def rows() -> list[SQLModel]:
    """The workspace."""
    book = Book()
    _news(book)
    _checkout(book)
    return [*_space(), *_channels(), *book.rows, *_file(), *_hung(book)]


def _space() -> list[SQLModel]:
    return [
        Workspace(
            id="T0TINY00001", name="Tiny", domain="tiny", email_domain="tiny.example", created_at=START - 900 * DAY
        ),
        Profile(person_id="p_ada", is_admin=True),
        Profile(person_id="p_bot", bot_id="B0PAGER0001", app_id="A0PAGER0001"),
        Profile(person_id="p_dee", status_text="Deep work until 12", status_emoji=":coffee:"),
    ]


def _channels() -> list[SQLModel]:
    team, both = ("p_ada", "p_bo", "p_dee", "p_bot"), ("p_ada", "p_bo")
    return [
        *channel(
            GENERAL,
            "general",
            EVERYBODY,
            is_general=True,
            topic="Company-wide announcements",
            purpose="Everybody is here.",
        ),
        *channel(
            CHECKOUT, "team-checkout", team, topic="Checkout: payments, carts, webhooks", purpose="The checkout team."
        ),
        *channel(RANDOM, "random", EVERYBODY, purpose="Everything else."),
        *channel(SECRET, "leads-only", ("p_ada", "p_dee"), kind="private", purpose="Leads."),
        *channel(OLD, "project-atlas", both, archived_at=START - 10 * DAY, archived_by="p_ada"),
        *channel(OUTSIDE, "support-desk", ("p_cy",), purpose="Customer questions."),
        *channel(DIRECT, "", both, kind="im", members_key="p_ada,p_bo"),
    ]


def _news(book: Book) -> None:
    for n, (who, handle) in enumerate(zip(EVERYBODY, ("ADA", "BO", "CYRUS", "DEE", "EVE"), strict=True)):
        book.say(
            GENERAL, who, START - 80 * DAY + n * MINUTE, f"<@U0{handle}> has joined the channel", subtype="channel_join"
        )
    plan = (
        "Good morning! *Quarterly planning* starts on Thursday. Please read <https://plan.tiny.example/q2|the plan>"
        " first."
    )
    book.say(GENERAL, "p_dee", YESTERDAY + 2 * HOUR, plan)
    book.say(GENERAL, "p_eve", START - 20 * MINUTE, "<!here> the kitchen is closed until noon :warning:")
    book.say(DIRECT, "p_bo", START - 40 * MINUTE, "Do you have five minutes?")
    for n in range(70):
        drink = "tea" if n % 2 else "coffee"
        book.say(RANDOM, EVERYBODY[n % 5], START - 30 * DAY + n * 3 * HOUR, f"Thought number {n}: {drink} is better")


def _checkout(book: Book) -> None:
    book.say(CHECKOUT, "p_bo", YESTERDAY, "Morning all")
    book.say(CHECKOUT, "p_bo", YESTERDAY + MINUTE, "I am looking at the webhook retries today")
    book.say(CHECKOUT, "p_dee", YESTERDAY + 3 * HOUR, "Numbers for last week:", has_files=True)
    log = "The log says:\n```\nretry 3/3 failed: timeout\n```\n&gt; customers see an error page"
    followed = {"reply_count": 3, "reply_users": ["p_bo", "p_dee"], "latest_reply": ts(START - 30 * MINUTE)}
    book.say(CHECKOUT, "p_ada", PARENT_AT, f"Should we raise the retry limit to `5`? {log}", **followed)
    book.say(CHECKOUT, "p_bo", YESTERDAY + 6 * HOUR, "Yes, but with a _longer_ delay", thread_ts=PARENT)
    book.say(CHECKOUT, "p_dee", YESTERDAY + 6 * HOUR + MINUTE, "What does support say? <@U0CYRUS>", thread_ts=PARENT)
    tickets = "They had ~three~ *five* tickets:\n• two about carts\n• three about payments"
    book.say(CHECKOUT, "p_bo", START - 30 * MINUTE, tickets, thread_ts=PARENT)
    fields = [{"title": "Service", "value": "checkout-api", "short": True}]
    card = {"color": "danger", "title": "checkout-api p99", "text": "2.4 s over 5 minutes", "fields": fields}
    alert = "*[Triggered]* checkout p99 above 2 s on <https://status.tiny.example|status page>"
    book.say(CHECKOUT, "p_bot", ALERT_AT, alert, attachments=[card])
    pool = "<@U0ADA> can you have a look? I think it is the new pool size"
    book.say(CHECKOUT, "p_bo", MENTION_AT, pool, edited_ts=ts(START - 47 * MINUTE), edited_by="p_bo")
    book.say(CHECKOUT, "p_dee", START - 46 * MINUTE, "Customers in <#C0OUTSIDE01|support-desk> are asking already")


def _file() -> list[SQLModel]:
    sha = hashlib.sha256(CSV).hexdigest()
    kind = {"mimetype": "text/csv", "filetype": "csv", "size": len(CSV), "sha256": sha}
    made = File(
        id=FILE, person_id="p_dee", name="orders.csv", title="orders.csv", created_at=YESTERDAY + 3 * HOUR, **kind
    )
    return [Blob(sha256=sha, size=len(CSV), data=CSV), made]


def _hung(book: Book) -> list[SQLModel]:
    parent, alert, mention = (book.ids[CHECKOUT, at] for at in (PARENT_AT, ALERT_AT, MENTION_AT))
    kitchen, numbers = book.ids[GENERAL, START - 20 * MINUTE], book.ids[CHECKOUT, YESTERDAY + 3 * HOUR]
    return [
        Reaction(message_id=parent, name="eyes", person_id="p_bo", created_at=1),
        Reaction(message_id=parent, name="eyes", person_id="p_ada", created_at=2),
        Reaction(message_id=parent, name="thumbsup", person_id="p_dee", created_at=3),
        ThreadFollower(message_id=parent, person_id="p_ada", last_read=ts(YESTERDAY + 6 * HOUR + 2 * MINUTE)),
        ThreadFollower(message_id=parent, person_id="p_bo", last_read=ts(START)),
        Pin(channel_id=CHECKOUT, message_id=alert, person_id="p_bo", pinned_at=START - 45 * MINUTE),
        FileShare(file_id=FILE, message_id=numbers, channel_id=CHECKOUT),
        Mention(message_id=mention, target="p_ada", channel_id=CHECKOUT, ts=MENTION),
        Mention(message_id=kitchen, target="!here", channel_id=GENERAL, ts=ts(START - 20 * MINUTE)),
    ]
