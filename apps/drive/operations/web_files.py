"""Operations of the pages only: possible grantees, access requests, activity of a file."""

from collections.abc import Iterator
from typing import Literal, TypedDict

from pydantic import Field

from apps.drive import access, activity, file_lookup, groups, mail_notifications
from apps.drive.app import app
from apps.drive.operations.params import EXAMPLE, READ, WRITE, Key, Long
from apps.drive.timestamps import format_timestamp
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params, Text

SOURCE = "support.google.com/docs/topic/9046002"
MOST = 20
_PEOPLE = (
    "SELECT full_name, email, title FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY full_name, id"
)


class CompleteNameParams(Params):
    """Request fields for completing a name or address."""

    q: Text = Field(
        default="", max_length=200, description="The beginning of a name or of an address.", examples=["ad"]
    )
    limit: Int64 = Field(default=8, ge=1, le=MOST, description="Most to name.")


class PersonOrGroup(TypedDict):
    """A person or a group."""

    name: str
    email: str
    about: str
    type: str


class People(TypedDict):
    """People and groups."""

    people: list[PersonOrGroup]


@app.operation("web.people", source=SOURCE, scope=READ, examples=[{"q": "a"}])
def people(call: Call, params: CompleteNameParams) -> People:
    """Complete the name or the address of a colleague, a team or everybody, for sharing and for comments."""
    wanted = params.q.strip().lower().lstrip("@+")
    found = [one for one in _list_people(call) if _begins(one, wanted)] if groups.is_employee(call, call.person) else []
    return {"people": found[: params.limit]}


def _list_people(call: Call) -> Iterator[PersonOrGroup]:
    """List everybody here, then the group addresses."""
    for name, email, title in call.all(_PEOPLE):
        yield {"name": name, "email": email, "about": title, "type": "user"}
    for group in groups.every(call):
        yield {"name": group.name, "email": group.address, "about": "Group", "type": "group"}


def _begins(one: PersonOrGroup, wanted: str) -> bool:
    words = [*one["name"].lower().replace("-", " ").split(), one["name"].lower(), one["email"].lower()]
    return any(word.startswith(wanted) for word in words)


class RequestAccessParams(Params):
    """Request fields of an access request."""

    fileId: Key = Field(description="Id of the file.", examples=[EXAMPLE])
    role: Literal["reader", "commenter", "writer"] = Field(
        default="reader", description="What for: reader, commenter or writer."
    )
    message: Long = Field(default="", description="A text for the owner.", examples=["I need it for the report."])


@app.operation(
    "web.requestAccess",
    source="support.google.com/drive/answer/6109494",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "message": "I need it for the report."}],
    raises=("not_found",),
)
def request_access(call: Call, params: RequestAccessParams) -> None:
    """Ask the owner of a file for access to it: they are mailed, unless you have it."""
    file = access.by_key(call, params.fileId)
    if file is None or file.trashed_at is not None:
        raise OperationError("not_found", id=params.fileId)
    if access.ROLES[access.role(call, file)] < access.ROLES[params.role]:
        mail_notifications.send_access_request(call, file, params.role, params.message)


class ItemParams(Params):
    """A file or folder."""

    fileId: Key = Field(description="Id of the file or folder.", examples=[EXAMPLE])


class ActivityLine(TypedDict):
    """One action in the activity of a file."""

    time: str
    who: JsonObject
    said: str
    more: str


class Activity(TypedDict):
    """Activity of a file, newest first."""

    activity: list[ActivityLine]


@app.operation(
    "web.activity",
    source="support.google.com/drive/answer/6310686",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden"),
)
def list_activity(call: Call, params: ItemParams) -> Activity:
    """List the activity of a file or folder, by person: edits, names, places, comments, and for its writers sharing."""
    views = Views(call)
    found = activity.of(call, file_lookup.get_file(call, params.fileId))
    return {
        "activity": [
            {
                "time": format_timestamp(one.at),
                "who": views.author(one.person),
                "said": one.said,
                "more": activity.with_name(call, one.more),
            }
            for one in found
        ]
    }
