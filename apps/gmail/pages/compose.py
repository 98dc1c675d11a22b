"""Compose forms: the window over a list, the answer below a conversation, and their requests."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson
from markupsafe import Markup
from starlette.responses import Response

from apps.gmail.mime.addresses import Address, parse_addresses
from apps.gmail.mime.html import from_text
from apps.gmail.pages.bodies import render_editable_html, split_draft
from apps.gmail.pages.thread_actions import format_future_time
from apps.gmail.pages.ui import pages, register_shared_part
from world.core.clock import SECOND, from_datetime, to_datetime, zone_info
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View, response_headers
from world.web.time_format import hour_minute

WINDOW, ANSWER = "compose", "answer"
CLOSED: Mapping[str, None] = dict.fromkeys((WINDOW, ANSWER, "to", "cc", "bcc", "subject", "body"))
NOTHING = Markup("")
MODES = ("reply", "replyAll", "forward")


@dataclass(frozen=True, slots=True)
class DraftFile:
    """A file that a draft has, or that a forwarded mail brings along."""

    value: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class ComposeForm:
    """A compose form. `where` is its block, and the query value that opens it."""

    where: str
    mode: str = "new"
    draft: str = ""
    answered: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    subject: str = ""
    text: str = ""
    html: Markup = NOTHING
    quoted: Markup = NOTHING
    files: list[DraftFile] = field(default_factory=list)
    sender: str = ""
    identities: list[JsonObject] = field(default_factory=list)

    @property
    def form(self) -> str:
        """The id of the form."""
        return f"{self.where}-form"

    @property
    def title(self) -> str:
        """The heading of the window."""
        return self.subject or {"forward": "Forward", "reply": "Reply", "replyAll": "Reply"}.get(
            self.mode, "New Message"
        )


@register_shared_part
def compose_window(view: View) -> JsonObject:
    """The compose window that the address asks for: a new mail, or a draft."""
    wanted = view.query.get(WINDOW, "")
    if not wanted or view.block not in (None, WINDOW):
        return {}
    if wanted != "new":
        return {"writing": _find_draft(view, WINDOW, wanted), "schedule_times": list_schedule_times(view)}
    begun = {name: view.query[name] for name in ("to", "cc", "bcc", "subject") if name in view.query}
    made = _add_signature(view, _replace_fields(ComposeForm(WINDOW, text=view.query.get("body", "")), **begun))
    return {"writing": made, "schedule_times": list_schedule_times(view)}


def answer_form(view: View) -> JsonObject:
    """The answer that is being written below a conversation: `?answer=replyAll.<message>` or `?answer=draft.<draft>`."""
    how, _, id = view.query.get(ANSWER, "").partition(".")
    if how == "draft":
        return {"answering": _find_draft(view, ANSWER, id), "schedule_times": list_schedule_times(view)}
    if how not in MODES:
        return {}
    begun = view.attempt("mail.prepare", id=id, mode=how)
    if begun is None:
        return {}
    files = [DraftFile(f"{id}/{one['partId']}", one["filename"] or "noname", one["size"]) for one in begun["files"]]
    made = ComposeForm(
        ANSWER,
        mode=how,
        answered=id,
        to=format_people(begun["to"]),
        cc=format_people(begun["cc"]),
        subject=begun["subject"],
        quoted=render_editable_html(begun["quoted"]),
        files=files,
    )
    return {"answering": _add_signature(view, made), "schedule_times": list_schedule_times(view)}


def format_people(people: list[dict[str, str]]) -> str:
    """Format people as somebody would type them."""
    return ", ".join(_format_person(one) for one in people)


def _format_person(one: dict[str, str]) -> str:
    name = one["name"].replace('"', "").replace("\\", "")
    quoted = f'"{name}"' if set(name) & set(",;:<>()@.[]") else name
    return f"{quoted} <{one['email']}>" if name else one["email"]


def _list_identities(view: View) -> list[JsonObject]:
    found = view.attempt("users.settings.sendAs.list")
    return [
        one for one in (found or {"sendAs": []})["sendAs"] if one.get("verificationStatus", "accepted") == "accepted"
    ]


def _add_signature(view: View, made: ComposeForm) -> ComposeForm:
    """A new mail with the signature of who writes it."""
    own = _list_identities(view)
    usual = next((one for one in own if one.get("isDefault")), own[0] if own else {})
    signature = render_editable_html(str(usual.get("signature", "")))
    text = made.text + (f"\n\n-- \n{Markup(signature).striptags()}" if signature else "")
    html = render_editable_html(from_text(made.text)) + (
        Markup("<br><br><div>-- </div><div>{}</div>").format(signature) if signature else ""
    )
    return _replace_fields(made, text=text, html=html, identities=own, sender=str(usual.get("sendAsEmail", "")))


def _replace_fields(made: ComposeForm, **values: Any) -> ComposeForm:
    return ComposeForm(**{name: getattr(made, name) for name in ComposeForm.__slots__} | values)


def _find_draft(view: View, where: str, id: str) -> ComposeForm | None:
    """A draft to go on with; None when it is gone."""
    message = view.attempt("mail.draft", id=id)
    if message is None:
        return None
    text, own, quoted = (
        split_draft(message)
        if message["answers"]
        else (message["text"], message["html"] or from_text(message["text"]), "")
    )
    mode = "new" if not message["answers"] else "forward" if message["subject"].lower().startswith("fwd:") else "reply"
    files = [
        DraftFile(f"{message['id']}/{one['partId']}", one["filename"] or "noname", one["size"])
        for one in message["files"]
    ]
    return ComposeForm(
        where,
        mode=mode,
        draft=id,
        answered=message["answers"],
        to=format_people(message["to"]),
        cc=format_people(message["cc"]),
        bcc=format_people(message["bcc"]),
        subject=message["subject"],
        text=text,
        html=render_editable_html(own),
        quoted=render_editable_html(quoted),
        files=files,
        identities=_list_identities(view),
        sender=message["sender"]["email"],
    )


# what the forms send


@pages.compose("mail.send", "mail.saveDraft", "mail.schedule")
def mail_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Typed lists of people become people, chosen and kept files become attachments."""
    given = dict(arguments)
    for name in ("to", "cc", "bcc"):
        given[name] = [one for text in _to_list(given.get(name)) for one in parse_people(text)]
    kept = [_parse_held_file(value) for value in _to_list(given.pop("kept", None))]
    given["attachments"] = [*kept, *(_encode_uploaded_file(one) for one in _to_list(given.get("attachments")))]
    if given.get("quote") in ("", None):
        given.pop("quote", None)
    return given


def _to_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def parse_people(text: object) -> list[str]:
    """Return the people of a typed list; unreadable text stays for the operation to read or refuse."""
    typed = str(text).strip().strip(",; ")
    found = parse_addresses(typed.replace(";", ",").replace("\n", " "))
    if len(found) < 2 or not all("@" in one.email for one in found):
        return [typed] if typed else []
    return [_format_person({"name": one.name, "email": one.email}) for one in found]


def _parse_held_file(value: str) -> dict[str, str]:
    message, _, part = str(value).partition("/")
    return {"messageId": message, "partId": part}


def _encode_uploaded_file(file: object) -> object:
    """A file that was chosen; one that is described as the operation wants it stays so."""
    if not isinstance(file, dict) or not isinstance(file.get("data"), bytes):
        return file
    kind = str(file["mimetype"]).partition(";")[0].strip()
    return {"filename": str(file["filename"]), "mimeType": kind, "data": b64encode(file["data"]).decode()}


def is_empty(view: View, given: JsonObject) -> bool:
    """Whether nothing was written that a draft would keep."""
    return not any(given.get(name) for name in ("to", "cc", "bcc", "subject", "text", "html", "attachments", "draftId"))


@pages.action("compose.close")
def close_window(view: View, arguments: dict[str, object]) -> Response:
    """Without scripts: keep what was written as a draft, and close the window."""
    given = mail_arguments(view, arguments)
    saved = None if is_empty(view, given) else view.submit("mail.saveDraft", _mail_fields(given))
    return _redirect_back(
        view,
        {WINDOW: None, ANSWER: None, "to": None, "cc": None, "bcc": None, "subject": None, "body": None},
        "Draft saved" if saved else "",
    )


@pages.action("compose.discard")
def discard_draft(view: View, arguments: dict[str, object]) -> Response:
    """Throw the draft away, and close the window."""
    if arguments.get("draftId"):
        view.submit("users.drafts.delete", {"id": arguments["draftId"]})
    return _redirect_back(view, CLOSED, "Draft discarded")


@pages.action("compose.undo")
def undo_send(view: View, arguments: dict[str, object]) -> Response:
    """Take a sent mail back, and open it again to go on writing."""
    taken = view.submit("mail.undoSend", {"id": arguments.get("id", "")})
    return _redirect_back(view, {WINDOW: taken["id"], ANSWER: None}, "Sending undone.")


@pages.action("compose.schedule")
def schedule_send(view: View, arguments: dict[str, object]) -> Response:
    """Send it at a time of the menu, or one that was picked."""
    given = mail_arguments(view, arguments)
    at = _parse_asked_time(view, str(given.pop("at", "")), str(given.pop("own_time", "")))
    planned = view.submit("mail.schedule", _mail_fields(given) | {"sendAt": at // SECOND})
    toast = {
        "text": f"Send scheduled for {format_future_time(at, view.now, view.page_state.me.tz)}",
        "undo": "mail.unschedule",
        "args": orjson.dumps({"id": planned["id"]}).decode(),
    }
    return _redirect_back(view, CLOSED, toast)


def _parse_asked_time(view: View, at: str, own: str) -> int:
    if at.isascii() and at.isdecimal():
        return whole_number(at, most=10**16)
    try:
        local = datetime.fromisoformat(own)
    except ValueError:
        raise InvalidArguments([("own_time", "choose a date and a time")]) from None
    return from_datetime(local.replace(tzinfo=zone_info(view.page_state.me.tz)))


def list_schedule_times(view: View) -> list[JsonObject]:
    """Return the choices of the menu for scheduled sending."""
    local = to_datetime(view.now, view.page_state.me.tz).replace(minute=0, second=0, microsecond=0)
    tomorrow = local + timedelta(days=1)
    offered = [
        ("Tomorrow morning", tomorrow.replace(hour=8)),
        ("Tomorrow afternoon", tomorrow.replace(hour=13)),
        ("Monday morning", (local + timedelta(days=7 - local.weekday())).replace(hour=8)),
    ]
    return [
        {"name": name, "value": from_datetime(when), "said": f"{when:%b} {when.day}, {hour_minute(when)}"}
        for name, when in offered
    ]


def _mail_fields(given: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in given.items() if name not in ("undo",)}


def _redirect_back(view: View, changed: Mapping[str, object], toast: str | dict[str, str]) -> Response:
    """Redirect to the page with the form, loaded anew."""
    path, _, _query = view.here_inner.partition("?")
    address = view.here(**changed) if path else view.url("/")
    fragment = response_headers.is_fragment(view.request)
    response = response_headers.elsewhere(address) if fragment else response_headers.see_other(address)
    if toast:
        response_headers.set_flash(response, {"text": toast} if isinstance(toast, str) else toast)
    return response


@pages.page("/people", template="compose_people.html", free=("suggestions",))
def suggest_people(view: View) -> JsonObject:
    """Return suggestions for a typed name or address."""
    text = view.query.get("q", "").strip()
    found = view.attempt("mail.people", q=text)
    listed = list((found or {"people": []})["people"])
    typed = [one for one in parse_addresses(text) if _is_address(one)]
    known = {one["email"].lower() for one in listed}
    new = [{"name": one.name, "email": one.email} for one in typed[:1] if one.email.lower() not in known]
    return {"title": "People", "found": [*new, *listed][:8], "typed_as": _format_person}


def _is_address(one: Address) -> bool:
    local, at, domain = one.email.partition("@")
    return bool(local and at and "." in domain.strip("."))
