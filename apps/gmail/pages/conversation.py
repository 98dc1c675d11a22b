"""Conversation page: messages oldest first, older ones folded, and the answer form below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.convertors import StringConvertor, register_url_convertor

from apps.gmail.mime.html import sanitise_html
from apps.gmail.pages import dialogs
from apps.gmail.pages.bodies import RASTER, is_blocked, link_addresses, split_html_quotation, split_text_quotation
from apps.gmail.pages.compose import answer_form
from apps.gmail.pages.frames import ROOT
from apps.gmail.pages.lists import page_number
from apps.gmail.pages.sidebar import label_name, label_path, read_counts
from apps.gmail.pages.ui import pages
from apps.gmail.system_folders import CATEGORIES, FOLDERS
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

FREE = ("overlay", "answer", "compose", "thread_news")
SNIPPET = 140  # characters of a folded message
GROUPED = 4  # folded messages in a row that become one line
HIDDEN = ("TRASH", "SPAM")


class ThreadId(StringConvertor):
    """Converter for thread ids in addresses, distinct from the names of lists."""

    regex = "[0-9a-f]{16}"


register_url_convertor("thread", ThreadId())


@dataclass(frozen=True, slots=True)
class FileCard:
    """A file as a card below a message."""

    name: str
    size: int
    kind: str
    icon: str
    address: str
    preview: str


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message as the template draws it; `text` and `quoted` are of plain mail, `frame` is the address of HTML mail."""

    raw: Mapping[str, object]
    id: str
    name: str
    to_line: str
    snippet: str
    is_open: bool
    is_unread: bool
    is_starred: bool
    text: Markup
    quoted: Markup
    frame: str
    has_quoted: bool
    is_blocked: bool
    files: list[FileCard]


@dataclass(frozen=True, slots=True)
class Group:
    """Messages in a row; folded ones together if there are many."""

    messages: list[MessageView]
    is_folded: bool


@pages.page("/mail/category/{name}/{thread:thread}", template="conversation.html", free=FREE)
def in_category(view: View, name: str, thread: str) -> JsonObject:
    """A conversation of a category."""
    known = CATEGORIES.get(name)
    return conversation(view, thread, f"/mail/category/{name}", known.title if known else name, {"category": name})


@pages.page("/mail/label/{name}/{thread:thread}", template="conversation.html", free=FREE)
def in_label(view: View, name: str, thread: str) -> JsonObject:
    """A conversation under a label of one's own."""
    own = label_name(name)
    return conversation(view, thread, label_path(own), own, {"label": own})


@pages.page("/mail/search/{thread:thread}", template="conversation.html", free=FREE)
def in_search(view: View, thread: str) -> JsonObject:
    """A conversation that a search found."""
    return conversation(view, thread, "/mail/search", "Search results", {"q": view.query.get("q", "")})


@pages.page("/mail/{folder}/{thread:thread}", template="conversation.html", free=FREE)
def in_folder(view: View, folder: str, thread: str) -> JsonObject:
    """A conversation in a list everybody has."""
    known = FOLDERS.get(folder)
    if known is None:
        raise OperationError("not_found")
    return conversation(view, thread, f"/mail/{folder}", known.title, {"folder": folder})


def conversation(view: View, thread: str, base: str, list_title: str, which: dict[str, str]) -> PageContext:
    """Return the context of a conversation's page."""
    found = view.call("mail.conversation", id=thread)
    own = {one["email"].lower() for one in found["addresses"]}
    messages, hidden = _list_visible(found["messages"], base)
    written = [one for one in messages if not one["draftId"]]
    drafts = [one for one in messages if one["draftId"]]
    first = (written or messages)[0]
    list_address = view.url(base, q=which.get("q"), page=view.query.get("page"))
    context: PageContext = {
        "title": first["subject"] or "(no subject)",
        "thread": thread,
        "base": base,
        "list_title": list_title,
        "list_address": list_address,
        "hidden": hidden,
        "count": len(found["messages"]),
        "is_unread": any("UNREAD" in one["labelIds"] for one in messages),
    }
    if view.wants("main", "answer"):
        context |= _body_context(view, written, drafts, own) | answer_form(view)
    if view.wants("main"):
        context |= _tools_context(view, messages, thread, base, which)
    if view.wants("overlay"):
        held: list[Mapping[str, Any]] = [
            {"id": thread, "labelIds": [label for one in messages for label in one["labelIds"]]}
        ]
        context |= dialogs.open_overlay(view, held) | {"here_label": "", "kind": "conversation"}
    return context


def _list_visible(messages: Sequence[dict[str, Any]], base: str) -> tuple[list[dict[str, Any]], int]:
    """The messages shown in a list, and how many are left out: what is in the trash or spam shows there only."""
    away = {"/mail/trash": "TRASH", "/mail/spam": "SPAM"}.get(base, "")
    shown = [one for one in messages if (away in one["labelIds"] if away else not set(one["labelIds"]) & set(HIDDEN))]
    return (shown, len(messages) - len(shown)) if shown else (list(messages), 0)


def _body_context(
    view: View, written: list[dict[str, Any]], drafts: list[dict[str, object]], own: set[str]
) -> PageContext:
    last = written[-1] if written else None
    shown = [message_view(view, one, own, is_open=one is last or "UNREAD" in one["labelIds"]) for one in written]
    others = {one["email"].lower() for one in [*last["to"], *last["cc"], last["sender"]]} - own if last else set()
    continued = {one["answers"]: one["draftId"] for one in drafts if one["answers"]}
    writing = view.query.get("answer", "").partition(".")[2]
    new = [one.id for one in shown[1:] if one.is_open]
    return {
        "first_new": new[0] if new and not (shown[0].is_open and shown[0].is_unread) else "",
        "groups": group_messages(shown),
        "last": shown[-1] if shown else None,
        "answers_all": len(others) > 1,
        "continued": continued,
        "drafts": [message_view(view, one, own, is_open=False) for one in drafts if one["draftId"] != writing],
    }


def message_view(view: View, raw: dict[str, Any], own: set[str], *, is_open: bool) -> MessageView:
    """Return a message for display."""
    html, frame = raw["html"], ""
    if html is None:
        text, quoted = split_text_quotation(raw["text"])
        own_html, has_quoted = "", bool(quoted)
    else:
        own_html, quoted_html = split_html_quotation(html)
        text, quoted, has_quoted = "", "", bool(quoted_html)
        frame = view.url(f"/body/{raw['id']}")
    sender = raw["sender"]
    name = "me" if sender["email"].lower() in own else sender["name"] or sender["email"]
    return MessageView(
        raw,
        raw["id"],
        name,
        recipients_line(raw, own),
        " ".join(split_text_quotation(raw["text"])[0][: SNIPPET * 3].split())[:SNIPPET],
        is_open,
        "UNREAD" in raw["labelIds"],
        "STARRED" in raw["labelIds"],
        link_addresses(text),
        link_addresses(quoted),
        frame,
        has_quoted,
        bool(own_html) and is_blocked(sanitise_html(own_html)),
        list_file_cards(view, raw),
    )


def recipients_line(raw: Mapping[str, Any], own: set[str]) -> str:
    """`to me, Bo`."""
    people = [*raw["to"], *raw["cc"]]
    named = ["me" if one["email"].lower() in own else _first_name(one) for one in people]
    blind = [f"bcc: {', '.join(_first_name(one) for one in raw['bcc'])}"] if raw["bcc"] else []
    listed = ", ".join([*named[:8], *([f"{len(named) - 8} more"] if len(named) > 8 else []), *blind])
    return f"to {listed}" if listed else ""


def _first_name(one: Mapping[str, str]) -> str:
    return (one["name"].split() or [one["email"].partition("@")[0]])[0]


ICONS = (
    ("image/", "file-image"),
    ("application/pdf", "file-text"),
    ("application/zip", "file-archive"),
    ("text/csv", "file-spreadsheet"),
    ("application/vnd.ms-excel", "file-spreadsheet"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml", "file-spreadsheet"),
    ("text/", "file-text"),
    ("message/", "mail"),
)


def list_file_cards(view: View, raw: Mapping[str, Any]) -> list[FileCard]:
    """The files of a message; images that its HTML shows are not listed."""
    html = raw["html"] or ""
    listed = [one for one in raw["files"] if not (one["contentId"] and f"cid:{one['contentId']}" in html)]
    return [_file_card(view, raw["id"], one) for one in listed]


def _file_card(view: View, message: str, one: Mapping[str, Any]) -> FileCard:
    name, part = one["filename"] or "noname", one["partId"] or ROOT
    icon = next((icon for start, icon in ICONS if one["mimeType"].startswith(start)), "file")
    preview = view.url(f"/image/{message}/{part}") if one["mimeType"] in RASTER else ""
    suffix = name.rpartition(".")[2].upper() if "." in name else ""
    kind = suffix if 0 < len(suffix) <= 5 else one["mimeType"].partition("/")[2].upper()[:12]
    return FileCard(name, one["size"], kind, icon, view.url(f"/file/{message}/{part}/{quote(name, safe='')}"), preview)


def group_messages(messages: Sequence[MessageView]) -> list[Group]:
    """The messages in groups: many folded ones in a row, the first and the newest aside, are one line."""
    groups: list[Group] = []
    run: list[MessageView] = []
    for place, one in enumerate(messages):
        if place and not one.is_open:
            run.append(one)
            continue
        groups += _group_run(run)
        run = []
        groups.append(Group([one], is_folded=False))
    return groups + _group_run(run)


def _group_run(run: list[MessageView]) -> list[Group]:
    """Fold a run of messages except the last, as the next one answers it."""
    if len(run) <= GROUPED:
        return [Group([one], is_folded=False) for one in run]
    return [Group(run[:-1], is_folded=True), Group([run[-1]], is_folded=False)]


def _tools_context(
    view: View, messages: Sequence[Mapping[str, Any]], thread: str, base: str, which: dict[str, str]
) -> PageContext:
    """Labels, and the neighbours in the list."""
    have = {label for one in messages for label in one["labelIds"]}
    labels = read_counts(view)["labels"]
    listed = view.attempt("mail.threads", **{k: v for k, v in which.items() if v}, page=page_number(view)) or {
        "threads": [],
        "total": 0,
        "size": 50,
    }
    ids = [row["id"] for row in listed["threads"]]
    place = ids.index(thread) if thread in ids else None
    worn = [one | {"segment": label_path(one["name"]).rpartition("/")[2]} for one in labels if one["id"] in have]
    return {
        "have": have,
        "worn": worn,
        "place_in_list": place,
        "total": listed["total"],
        "is_many": bool(listed.get("isMore")),
        "first_in_list": (page_number(view) - 1) * listed["size"],
        "newer": _neighbour_address(view, base, ids, place, -1),
        "older": _neighbour_address(view, base, ids, place, 1),
    }


def _neighbour_address(view: View, base: str, ids: list[str], place: int | None, step: int) -> str:
    if place is None or not 0 <= place + step < len(ids):
        return ""
    return view.url(f"{base}/{ids[place + step]}", q=view.query.get("q"), page=view.query.get("page"))


@pages.action("unread-from")
def mark_unread_from(view: View, arguments: JsonObject) -> Any:
    """Mark a message and those after it as unread."""
    found = view.read("mail.conversation", id=str(arguments.get("thread", "")))
    ids = [one["id"] for one in found["messages"] if not one["draftId"]]
    start = ids.index(arguments.get("id")) if arguments.get("id") in ids else 0
    view.submit("users.messages.batchModify", {"ids": ids[start:], "addLabelIds": ["UNREAD"]})
    return {}
