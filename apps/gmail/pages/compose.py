"""Writing mail: the window over a list, the answer below a conversation, and what their forms send."""

from base64 import b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson
from markupsafe import Markup
from starlette.responses import Response

from apps.gmail.mime.addresses import Address, addresses
from apps.gmail.mime.html import from_text
from apps.gmail.pages.bodies import draft_parts, editable
from apps.gmail.pages.thread_actions import reads
from apps.gmail.pages.ui import everywhere, pages
from world.core.clock import SECOND, from_datetime, to_datetime, zone_info
from world.core.errors import InvalidArguments
from world.web import View, response_headers
from world.web.time_format import hour_minute

WINDOW, ANSWER = "compose", "answer"
CLOSED: dict[str, Any] = dict.fromkeys((WINDOW, ANSWER, "to", "cc", "bcc", "subject", "body"))
NOTHING = Markup("")
MODES = ("reply", "replyAll", "forward")


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that a draft has, or that a forwarded mail brings along."""

    value: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Writing:
    """A form to write in. `where` is the block it stands in, and the query value that opens it."""

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
    files: list[Kept] = field(default_factory=list)
    sender: str = ""
    identities: list[dict[str, Any]] = field(default_factory=list)

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


@everywhere
def window(view: View) -> dict[str, Any]:
    """The compose window that the address asks for: a new mail, or a draft."""
    wanted = view.query.get(WINDOW, "")
    if not wanted or view.block not in (None, WINDOW):
        return {}
    if wanted != "new":
        return {"writing": _draft(view, WINDOW, wanted), "schedule_times": schedule_times(view)}
    begun = {name: view.query[name] for name in ("to", "cc", "bcc", "subject") if name in view.query}
    made = _signed(view, _changed(Writing(WINDOW, text=view.query.get("body", "")), **begun))
    return {"writing": made, "schedule_times": schedule_times(view)}


def answer(view: View) -> dict[str, Any]:
    """The answer that is being written below a conversation: `?answer=replyAll.<message>` or `?answer=draft.<draft>`."""
    how, _, id = view.query.get(ANSWER, "").partition(".")
    if how == "draft":
        return {"answering": _draft(view, ANSWER, id), "schedule_times": schedule_times(view)}
    if how not in MODES:
        return {}
    begun = view.attempt("mail.prepare", id=id, mode=how)
    if begun is None:
        return {}
    files = [Kept(f"{id}/{one['partId']}", one["filename"] or "noname", one["size"]) for one in begun["files"]]
    made = Writing(
        ANSWER,
        mode=how,
        answered=id,
        to=written(begun["to"]),
        cc=written(begun["cc"]),
        subject=begun["subject"],
        quoted=editable(begun["quoted"]),
        files=files,
    )
    return {"answering": _signed(view, made), "schedule_times": schedule_times(view)}


def written(people: list[dict[str, str]]) -> str:
    """People as somebody would type them."""
    return ", ".join(_typed(one) for one in people)


def _typed(one: dict[str, str]) -> str:
    name = one["name"].replace('"', "").replace("\\", "")
    quoted = f'"{name}"' if set(name) & set(",;:<>()@.[]") else name
    return f"{quoted} <{one['email']}>" if name else one["email"]


def _identities(view: View) -> list[dict[str, Any]]:
    found = view.attempt("users.settings.sendAs.list")
    return [
        one for one in (found or {"sendAs": []})["sendAs"] if one.get("verificationStatus", "accepted") == "accepted"
    ]


def _signed(view: View, made: Writing) -> Writing:
    """A new mail with the signature of who writes it."""
    own = _identities(view)
    usual = next((one for one in own if one.get("isDefault")), own[0] if own else {})
    signature = editable(str(usual.get("signature", "")))
    text = made.text + (f"\n\n-- \n{Markup(signature).striptags()}" if signature else "")
    html = editable(from_text(made.text)) + (
        Markup("<br><br><div>-- </div><div>{}</div>").format(signature) if signature else ""
    )
    return _changed(made, text=text, html=html, identities=own, sender=str(usual.get("sendAsEmail", "")))


def _changed(made: Writing, **values: Any) -> Writing:
    return Writing(**{name: getattr(made, name) for name in Writing.__slots__} | values)


def _draft(view: View, where: str, id: str) -> Writing | None:
    """A draft to go on with; None when it is gone."""
    message = view.attempt("mail.draft", id=id)
    if message is None:
        return None
    text, own, quoted = (
        draft_parts(message)
        if message["answers"]
        else (message["text"], message["html"] or from_text(message["text"]), "")
    )
    mode = "new" if not message["answers"] else "forward" if message["subject"].lower().startswith("fwd:") else "reply"
    files = [
        Kept(f"{message['id']}/{one['partId']}", one["filename"] or "noname", one["size"]) for one in message["files"]
    ]
    return Writing(
        where,
        mode=mode,
        draft=id,
        answered=message["answers"],
        to=written(message["to"]),
        cc=written(message["cc"]),
        bcc=written(message["bcc"]),
        subject=message["subject"],
        text=text,
        html=editable(own),
        quoted=editable(quoted),
        files=files,
        identities=_identities(view),
        sender=message["sender"]["email"],
    )


# what the forms send


@pages.compose("mail.send", "mail.saveDraft", "mail.schedule")
def filled_in(view: View, arguments: dict[str, Any]) -> dict[str, Any]:
    """Typed lists of people become people, chosen and kept files become attachments."""
    given = dict(arguments)
    for name in ("to", "cc", "bcc"):
        given[name] = [one for text in _listed(given.get(name)) for one in people_in(text)]
    kept = [_held(value) for value in _listed(given.pop("kept", None))]
    given["attachments"] = [*kept, *(_uploaded(one) for one in _listed(given.get("attachments")))]
    if given.get("quote") in ("", None):
        given.pop("quote", None)
    return given


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def people_in(text: Any) -> list[str]:
    """The people of a typed list; one alone, or what cannot be read, stays as it is, for the operation to read or
    refuse.
    """
    typed = str(text).strip().strip(",; ")
    found = addresses(typed.replace(";", ",").replace("\n", " "))
    if len(found) < 2 or not all("@" in one.email for one in found):
        return [typed] if typed else []
    return [_typed({"name": one.name, "email": one.email}) for one in found]


def _held(value: str) -> dict[str, str]:
    message, _, part = str(value).partition("/")
    return {"messageId": message, "partId": part}


def _uploaded(file: Any) -> Any:
    """A file that was chosen; one that is described as the operation wants it stays so."""
    if not isinstance(file, dict) or not isinstance(file.get("data"), bytes):
        return file
    kind = str(file["mimetype"]).partition(";")[0].strip()
    return {"filename": str(file["filename"]), "mimeType": kind, "data": b64encode(file["data"]).decode()}


def is_empty(view: View, given: dict[str, Any]) -> bool:
    """Whether nothing was written that a draft would keep."""
    return not any(given.get(name) for name in ("to", "cc", "bcc", "subject", "text", "html", "attachments", "draftId"))


@pages.action("compose.close")
def close(view: View, arguments: dict[str, Any]) -> Response:
    """Without scripts: keep what was written as a draft, and close the window."""
    given = filled_in(view, arguments)
    saved = None if is_empty(view, given) else view.submit("mail.saveDraft", _fields(given))
    return _back(
        view,
        {WINDOW: None, ANSWER: None, "to": None, "cc": None, "bcc": None, "subject": None, "body": None},
        "Draft saved" if saved else "",
    )


@pages.action("compose.discard")
def discard(view: View, arguments: dict[str, Any]) -> Response:
    """Throw the draft away, and close the window."""
    if arguments.get("draftId"):
        view.submit("users.drafts.delete", {"id": arguments["draftId"]})
    return _back(view, CLOSED, "Draft discarded")


@pages.action("compose.undo")
def undo(view: View, arguments: dict[str, Any]) -> Response:
    """Take a sent mail back, and open it again to go on writing."""
    taken = view.submit("mail.undoSend", {"id": arguments.get("id", "")})
    return _back(view, {WINDOW: taken["id"], ANSWER: None}, "Sending undone.")


@pages.action("compose.schedule")
def schedule(view: View, arguments: dict[str, Any]) -> Response:
    """Send it at a time of the menu, or one that was picked."""
    given = filled_in(view, arguments)
    at = _asked_time(view, str(given.pop("at", "")), str(given.pop("own_time", "")))
    planned = view.submit("mail.schedule", _fields(given) | {"sendAt": at // SECOND})
    toast = {
        "text": f"Send scheduled for {reads(at, view.now, view.desk.me.tz)}",
        "undo": "mail.unschedule",
        "args": orjson.dumps({"id": planned["id"]}).decode(),
    }
    return _back(view, CLOSED, toast)


def _asked_time(view: View, at: str, own: str) -> int:
    if at.isascii() and at.isdecimal():
        return int(at)
    try:
        local = datetime.fromisoformat(own)
    except ValueError:
        raise InvalidArguments([("own_time", "choose a date and a time")]) from None
    return from_datetime(local.replace(tzinfo=zone_info(view.desk.me.tz)))


def schedule_times(view: View) -> list[dict[str, Any]]:
    """What the menu of sending later offers."""
    local = to_datetime(view.now, view.desk.me.tz).replace(minute=0, second=0, microsecond=0)
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


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in ("undo",)}


def _back(view: View, changed: dict[str, Any], toast: str | dict[str, str]) -> Response:
    """To the page the form stood on, loaded anew."""
    path, _, _query = view.here_inner.partition("?")
    address = view.here(**changed) if path else view.url("/")
    fragment = response_headers.is_fragment(view.request)
    response = response_headers.elsewhere(address) if fragment else response_headers.see_other(address)
    if toast:
        response_headers.set_flash(response, {"text": toast} if isinstance(toast, str) else toast)
    return response


@pages.page("/people", template="compose_people.html", free=("suggestions",))
def people(view: View) -> dict[str, Any]:
    """Whom a typed name or address may mean."""
    text = view.query.get("q", "").strip()
    found = view.attempt("mail.people", q=text)
    listed = list((found or {"people": []})["people"])
    typed = [one for one in addresses(text) if _is_address(one)]
    known = {one["email"].lower() for one in listed}
    new = [{"name": one.name, "email": one.email} for one in typed[:1] if one.email.lower() not in known]
    return {"title": "People", "found": [*new, *listed][:8], "typed_as": _typed}


def _is_address(one: Address) -> bool:
    local, at, domain = one.email.partition("@")
    return bool(local and at and "." in domain.strip("."))
