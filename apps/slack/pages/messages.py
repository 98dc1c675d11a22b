"""Messages as the templates draw them: grouped by author, divided by day, with reactions, files and threads."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import nh3
from markupsafe import Markup

from apps.slack.markup import Names, render_attachments, render_blocks, render_text
from apps.slack.pages.buttons import Button, drop_buttons, list_buttons
from apps.slack.pages.people import PageAuthor, People
from world.core.clock import MINUTE, to_datetime
from world.web import View
from world.web.emoji import picture
from world.web.time_format import day_name, hour_minute

GROUPED_WITHIN = 5 * MINUTE
PREVIEWED, PREVIEWED_BYTES = 5, 20_000
QUICK_REACTIONS = ("white_check_mark", "eyes", "raised_hands")
LINES = frozenset(
    {
        "channel_join",
        "channel_leave",
        "channel_topic",
        "channel_purpose",
        "channel_name",
        "channel_archive",
        "channel_unarchive",
        "group_join",
        "group_leave",
        "group_topic",
        "group_purpose",
        "group_name",
        "group_archive",
        "group_unarchive",
        "pinned_item",
    }
)
EDITED = '<span class="edited"> (edited)</span>'
JOINED = frozenset({"channel_join", "group_join"})
NAMED = 5  # of those who joined together
MOVED = {
    "channel_join": "joined the channel.",
    "group_join": "joined the channel.",
    "channel_leave": "left the channel.",
    "group_leave": "left the channel.",
}
_ATTRIBUTES = {
    "*": {"class"},
    "a": {"href"},
    "span": {"role", "aria-label", "title"},
    "div": {"data-colour"},
    "ol": {"start"},
    "figure": {"role", "aria-label"},
    "button": {"type", "disabled"},
}
_TAGS = {
    "a",
    "b",
    "blockquote",
    "br",
    "button",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "figure",
    "h4",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "ul",
}
_SCHEMES = {"http", "https", "mailto", "tel"}


@dataclass(frozen=True, slots=True)
class Chip:
    """A reaction under a message."""

    name: str
    picture: str
    count: int
    mine: bool
    who: str


@dataclass(slots=True)
class FileView:
    """A file of a message. `preview` is text worth showing, `image` whether a browser can show it."""

    id: str
    name: str
    title: str
    kind: str
    size: int
    image: bool
    gone: bool
    text: bool = False
    preview: str = ""


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """The line under a parent: how many replied, who, and when last."""

    count: int
    people: tuple[PageAuthor, ...]
    latest_at: int
    unread: bool
    followed: bool


@dataclass(slots=True)
class MessageView:
    """One message on the page."""

    channel: str
    ts: str
    at: int
    author: PageAuthor
    name: str
    html: Markup
    text: str
    clock: str = ""
    day_label: str = ""
    kind: str = "message"
    joined: bool = False
    mine: bool = False
    edited: bool = False
    starts_group: bool = True
    day: bool = False
    first_unread: bool = False
    is_reply: bool = False
    in_thread: str = ""
    broadcast: bool = False
    pinned: bool = False
    chips: list[Chip] = field(default_factory=list)
    files: list[FileView] = field(default_factory=list)
    thread: ThreadLine | None = None
    buttons: tuple[Button, ...] = ()

    @property
    def key(self) -> str:
        """The message's part of an element id."""
        return self.ts.replace(".", "-")


def ts_to_us(ts: str) -> int:
    """Microseconds since the epoch of a message's ts."""
    seconds, _, micros = ts.partition(".")
    return int(seconds) * 1_000_000 + int((micros + "000000")[:6])


def sanitise_html(html: str) -> Markup:
    """Sanitise HTML for a page: everything except plain formatting is dropped."""
    return Markup(
        nh3.clean(
            html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel="noopener noreferrer nofollow"
        )
    )


def render_body(message: Mapping[str, Any], names: Names) -> Markup:
    """Render the body of a message."""
    if message.get("subtype") in MOVED:
        return Markup("<p>{}</p>").format(MOVED[str(message["subtype"])])
    own = [b for b in message.get("blocks") or () if b.get("type") != "rich_text"]
    said = (
        render_blocks(drop_buttons(message["blocks"]), names)
        if own
        else render_text(str(message.get("text", "")), names)
    )
    cards = render_attachments(message.get("attachments") or (), names)
    if "edited" in message:
        said = said.removesuffix("</p>") + EDITED + "</p>" if said.endswith("</p>") else said + EDITED
    return sanitise_html(said + cards)


def message_view(message: Mapping[str, Any], channel: str, people: People) -> MessageView:
    """One message, alone."""
    user = str(message.get("user") or message.get("bot_id") or "")
    author, subtype = people.who(user), str(message.get("subtype") or "")
    kind = "tombstone" if subtype == "tombstone" else "line" if subtype in LINES else "message"
    thread_ts = str(message.get("thread_ts") or "")
    ts = str(message["ts"])
    return MessageView(
        channel,
        ts,
        ts_to_us(ts),
        author,
        _author_name(message, author),
        render_body(message, people.names),
        str(message.get("text", "")),
        kind=kind,
        joined=subtype in JOINED,
        clock=hour_minute(to_datetime(ts_to_us(ts), people.zone)),
        mine=author.id == people.me,
        edited="edited" in message,
        is_reply=bool(thread_ts and thread_ts != ts),
        in_thread=thread_ts,
        broadcast=subtype == "thread_broadcast",
        pinned=bool(message.get("pinned_to")),
        chips=[_reaction_chip(r, people) for r in message.get("reactions") or ()],
        files=[file_view(f) for f in message.get("files") or ()],
        thread=_thread_line(message, people),
        buttons=tuple(one for block in message.get("blocks") or () for one in list_buttons(block)),
    )


def _author_name(message: Mapping[str, object], author: PageAuthor) -> str:
    """An app may post under another name; a search hit repeats the author's handle, which is not one."""
    posted_as = message.get("username") if author.is_bot or message.get("subtype") == "bot_message" else None
    return str(posted_as or author.name)


def _reaction_chip(reaction: Mapping[str, Any], people: People) -> Chip:
    users = [str(user) for user in reaction.get("users") or ()]
    names = [("you" if user == people.me else people.who(user).name) for user in users]
    listed = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1] if names else ""
    name = str(reaction["name"])
    return Chip(
        name, picture(name) or f":{name}:", int(reaction.get("count") or len(users)), people.me in users, listed
    )


def file_view(file: Mapping[str, Any]) -> FileView:
    """A file of a message, or of a list of files."""
    if file.get("mode") == "tombstone":
        return FileView(str(file["id"]), "", "", "", 0, False, True)
    name = str(file.get("name") or "")
    image = str(file.get("mimetype")) in ("image/png", "image/jpeg", "image/gif")
    return FileView(
        str(file["id"]),
        name,
        str(file.get("title") or name),
        str(file.get("pretty_type") or ""),
        int(file.get("size") or 0),
        image,
        False,
        is_text(file),
    )


def is_text(file: Mapping[str, object]) -> bool:
    """Whether a file can be read as text."""
    return str(file.get("mimetype")).startswith("text/") or file.get("filetype") in ("json", "yaml", "csv")


def add_previews(view: View, messages: Iterable[MessageView]) -> None:
    """Give the small text files among the latest messages their first lines."""
    small = [
        f
        for m in sorted(messages, key=lambda m: m.ts, reverse=True)
        for f in m.files
        if f.text and f.size <= PREVIEWED_BYTES
    ]
    for file in small[:PREVIEWED]:
        kept = view.attempt("files.content", file=file.id)
        if kept:
            words = base64.b64decode(kept["content"]).decode("utf-8", "replace")
            file.preview = "\n".join(words.splitlines()[:5])[:600]


def _thread_line(message: Mapping[str, Any], people: People) -> ThreadLine | None:
    count = int(message.get("reply_count") or 0)
    if not count:
        return None
    latest = str(message.get("latest_reply") or message["ts"])
    unread = bool(message.get("subscribed")) and latest > str(message.get("last_read") or "")
    faces = tuple(people.who(str(user)) for user in (message.get("reply_users") or ())[:3])
    return ThreadLine(count, faces, ts_to_us(latest), unread, bool(message.get("subscribed")))


def arrange_messages(messages: Iterable[MessageView], people: People, last_read: str) -> list[MessageView]:
    """Oldest first, with the marks that depend on neighbours: day, group, first unread."""
    zone, now, me = people.zone, people.now, people.me
    ordered = sorted(messages, key=lambda m: m.ts)
    before: MessageView | None = None
    marked = not last_read
    for message in ordered:
        message.day = before is None or _local_date(before, zone) != _local_date(message, zone)
        message.day_label = day_name(message.at, now, zone) if message.day else ""
        if not marked and message.ts > last_read and message.author.id != me:
            message.first_unread = marked = True
        message.starts_group = message.day or message.first_unread or not _continues_group(before, message)
        before = message
    return ordered


def fold_joins(messages: Iterable[MessageView], shown: str = "") -> list[MessageView]:
    """One line for people who joined one after the other; not for the one that the page points at."""
    out: list[MessageView] = []
    run: list[MessageView] = []
    for message in messages:
        if run and (message.day or message.first_unread or not _is_bare_join(message, shown)):
            out += _join_line(run)
            run = []
        if _is_bare_join(message, shown):
            run.append(message)
        else:
            out.append(message)
    return out + _join_line(run)


def _is_bare_join(message: MessageView, shown: str) -> bool:
    return message.joined and not (message.chips or message.thread or message.pinned) and message.ts != shown


def _join_line(run: list[MessageView]) -> list[MessageView]:
    if len(run) > 1:
        names = list(dict.fromkeys(m.name for m in run[1:]))
        more = len(names) - NAMED
        listed = [*names[:NAMED], f"{more} others"] if more > 1 else names
        said = ", ".join(listed[:-1]) + " and " + listed[-1] if len(listed) > 1 else listed[0]
        run[0].html = Markup('<p title="{}">joined the channel along with {}.</p>').format(", ".join(names), said)
    return run[:1]


def _local_date(message: MessageView, zone: str) -> object:
    return to_datetime(message.at, zone).date()


def _continues_group(before: MessageView | None, message: MessageView) -> bool:
    return (
        before is not None
        and before.kind == message.kind == "message"
        and (before.author.id, before.name) == (message.author.id, message.name)
        and message.at - before.at < GROUPED_WITHIN
        and not message.broadcast
    )


def count_unread(messages: Sequence[MessageView], last_read: str, me: str) -> int:
    """Count the displayed messages that are new to the reader."""
    return sum(1 for m in messages if m.ts > last_read and m.author.id != me) if last_read else 0
