"""Sharing pages: grantees and roles; sharing with people, teams, the company or by link; and its end."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from apps.drive import contents
from apps.drive.new_files import permission_key
from apps.drive.pages.ui import pages
from apps.drive.timestamps import format_timestamp
from apps.drive.vendor_types import File, Permission
from world.core.clock import from_datetime, to_datetime, zone_info
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonObject
from world.web import View

ROLES = (("reader", "Viewer"), ("commenter", "Commenter"), ("writer", "Editor"))
NAMES = {**dict(ROLES), "owner": "Owner"}
ADDRESS = re.compile(r"[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+")
SOON = timedelta(days=30)


def permissions(view: View, file: File) -> list[Permission]:
    """Return the grantees of a file, the owner first; readers who may not see them get the owner and themselves."""
    listed = view.attempt("drive.permissions.list", fileId=file["id"], pageSize=100)
    if listed is None:
        owner = file["owners"][0]
        told: Permission = {
            "id": "",
            "type": "user",
            "role": "owner",
            "displayName": owner["displayName"],
            "emailAddress": owner.get("emailAddress", ""),
        }
        role = "commenter" if file["capabilities"]["canComment"] else "reader"
        me = view.page_state.me
        mine: Permission = {
            "id": "",
            "type": "user",
            "role": role,
            "displayName": me.full_name,
            "emailAddress": me.email,
        }
        return [told, mine] if file.get("sharedWithMeTime") or file.get("sharingUser") else [told]
    order = {"owner": 0}
    return sorted(
        listed["permissions"],
        key=lambda one: (order.get(one["role"], 1), one["type"] != "user", str(one.get("displayName", "")).lower()),
    )


def build_share_dialog(view: View, file: File) -> JsonObject:
    """Return the context of the sharing dialog."""
    found = permissions(view, file)
    general = next((one for one in found if one["type"] == "anyone"), None) or next(
        (one for one in found if one["type"] == "domain"), None
    )
    return {
        "people": [one for one in found if one["type"] in ("user", "group")],
        "general": general,
        "roles": ROLES,
        "role_names": NAMES,
        "may_share": file["capabilities"]["canShare"],
        "may_give": file["ownedByMe"],
        "my_key": next((one["id"] for one in found if one.get("emailAddress") == view.page_state.me.email), ""),
        "link": absolute(view, address_of(view, file)),
    }


def absolute(view: View, address: str) -> str:
    """An address with its host."""
    return address if "://" in address else view.place.origin + address


def link_of(file: Mapping[str, Any]) -> str:
    """The address of a file's page in the app."""
    at = file.get("shortcutDetails")
    file = {"id": at["targetId"], "mimeType": at["targetMimeType"]} if at else file
    kind = str(file["mimeType"]).rpartition(".")[2]
    return (
        f"/d/{file['id']}/edit"
        if kind == "spreadsheet"
        else f"/folders/{file['id']}"
        if kind == "folder"
        else f"/file/d/{file['id']}/view"
    )


def address_of(view: View, file: Mapping[str, Any]) -> str:
    """Return the address of a file's page, in the app that keeps its content."""
    at = file.get("shortcutDetails")
    app = contents.app_of(str(at["targetMimeType"] if at else file["mimeType"]))
    path = link_of(file)
    return view.url(path) if app in (None, view.place.app) else view.place.app_url(app, path)


def addresses(value: object) -> list[str]:
    """The addresses of a field: chosen ones, and what was typed with commas or blanks between."""
    texts = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(part.lower() for text in texts for part in re.split(r"[\s,;]+", str(text or "")) if part))


@pages.action("share")
def share(view: View, arguments: JsonObject) -> JsonObject:
    """Share a file with people and groups together; an error with one is named and does not affect the others."""
    key, role = str(arguments.get("fileId") or ""), str(arguments.get("role") or "reader")
    wanted = addresses(arguments.get("emails"))
    wrong = [one for one in wanted if not ADDRESS.fullmatch(one)]
    if not wanted or wrong:
        raise InvalidArguments([("emails", f"{wrong[0]} is no address" if wrong else "say whom to share with")])
    notify = str(arguments.get("notify") or "") == "true"
    message = str(arguments.get("message") or "") if notify else ""
    asked = {
        "fileId": key,
        "recipients": [{"emailAddress": email, "role": role} for email in wanted],
        "sendNotificationEmail": notify,
    }
    told = view.submit("web.share", {**asked, **({"emailMessage": message} if message else {})})
    for one in told["failures"][:1]:
        raise OperationError(one["code"], email=one["emailAddress"])
    return {
        "said": (
            "Access updated." if not notify else "Person added." if len(wanted) == 1 else f"{len(wanted)} people added."
        )
    }


@pages.action("access")
def access(view: View, arguments: JsonObject) -> JsonObject:
    """Change or remove somebody's role on a file."""
    asked: JsonObject = {
        "fileId": str(arguments.get("fileId") or ""),
        "permissionId": str(arguments.get("permissionId") or ""),
    }
    role = str(arguments.get("role") or "")
    if role == "expire" or "until" in arguments:
        return expire(view, asked, str(arguments.get("until") or ""))
    if role == "remove":
        view.submit("drive.permissions.delete", asked)
        return {"said": "Access removed."}
    view.submit(
        "drive.permissions.update", {**asked, "role": role, **({"transferOwnership": True} if role == "owner" else {})}
    )
    return {"said": "Ownership transferred." if role == "owner" else "Access updated."}


def expire(view: View, asked: JsonObject, day: str) -> JsonObject:
    """Set the last day of a permission, by default in thirty days; `never` removes it."""
    if day == "never":
        view.submit("drive.permissions.update", {**asked, "removeExpiration": True})
        return {"said": "Expiration removed."}
    zone = view.page_state.me.tz
    try:
        last = date.fromisoformat(day) if day else to_datetime(view.now, zone).date() + SOON
    except ValueError:
        raise InvalidArguments([("until", "is no day")]) from None
    at = from_datetime(datetime.combine(last, time(23, 59, 59), tzinfo=zone_info(zone)))
    view.submit("drive.permissions.update", {**asked, "expirationTime": format_timestamp(at)})
    return {"said": "Expiration set."}


@pages.action("leave")
def leave(view: View, arguments: JsonObject) -> JsonObject:
    """Leave a file that was shared with the reader."""
    key = permission_key("user", view.page_state.me.email)
    view.submit("drive.permissions.delete", {"fileId": str(arguments.get("fileId") or ""), "permissionId": key})
    return {"name": str(arguments.get("name") or "")}


@pages.action("general-access")
def general_access(view: View, arguments: JsonObject) -> JsonObject:
    """Set the general access: restricted, the company, or everybody with the link."""
    key, wanted = str(arguments.get("fileId") or ""), str(arguments.get("access") or "restricted")
    role = str(arguments.get("role") or "reader")
    if wanted not in ("restricted", "domain", "anyone") or role not in dict(ROLES):
        raise InvalidArguments([("access", "is not known")])
    known = [
        one
        for one in view.read("drive.permissions.list", fileId=key)["permissions"]
        if one["type"] in ("domain", "anyone")
    ]
    for one in known:
        if one["type"] != wanted:
            view.submit("drive.permissions.delete", {"fileId": key, "permissionId": one["id"]})
    _set_general_access(view, key, wanted, role, next((one for one in known if one["type"] == wanted), None))
    return {"said": "Access updated."}


def _set_general_access(view: View, key: str, wanted: str, role: str, known: Permission | None) -> None:
    if wanted == "restricted" or (known is not None and known["role"] == role):
        return
    if known is not None:
        view.submit("drive.permissions.update", {"fileId": key, "permissionId": known["id"], "role": role})
        return
    domain = {"domain": view.page_state.me.email.partition("@")[2]} if wanted == "domain" else {}
    view.submit("drive.permissions.create", {"fileId": key, "type": wanted, "role": role, **domain})


@pages.page("/people", template="share_people.html", free=("suggestions",))
def people(view: View) -> JsonObject:
    """Return possible grantees for a typed name: colleagues and teams, else the address as typed."""
    typed = view.query.get("q", "").strip()[:200]
    listed = (view.attempt("web.people", q=typed, limit=8) or {"people": []})["people"]
    foreign = ADDRESS.fullmatch(typed) and not any(one["email"] == typed.lower() for one in listed)
    return {"title": "People", "found": listed, "foreign": typed if foreign else "", "mention": False}


@pages.page("/mention", template="share_people.html", free=("suggestions",))
def mention(view: View) -> JsonObject:
    """Return the people a comment can mention, after an @."""
    typed = view.query.get("q", "")
    listed = (
        (view.attempt("web.people", q=typed[1:][:200], limit=8) or {"people": []})["people"]
        if typed[:1] in "@+"
        else []
    )
    return {
        "title": "People",
        "found": [one for one in listed if one["type"] == "user"],
        "foreign": "",
        "mention": True,
    }


@pages.page("/access-requested", template="share_asked.html")
def confirm_request(view: View) -> JsonObject:
    """Confirm that access was requested."""
    return {"title": "Request sent"}
