"""Labels: the vendor's and the owner's."""

import unicodedata
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_LABEL
from apps.gmail.labels import HIDDEN_BY_DEFAULT, MOST, MOST_NAME, PALETTE, SYSTEM
from apps.gmail.limits import quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.params import Id, MailboxParams, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels/"
SCOPE = "gmail.labels"
# Names that stand for something already, besides the system labels' own; observed (GAM-team/got-your-back issues 82,
# 95)
RESERVED = frozenset(
    name.lower()
    for name in (
        *SYSTEM,
        "Chats",
        "Drafts",
        "Sent Mail",
        "All Mail",
        "Bin",
        "Muted",
        "Snoozed",
        "Scheduled",
        "Archive",
        "Read",
    )
)
_COLUMNS = "id, name, list_visibility, message_visibility, text_color, background_color"
_ALL = f"SELECT {_COLUMNS} FROM gmail_label WHERE person_id = :me ORDER BY name, id"
_ONE = f"SELECT {_COLUMNS} FROM gmail_label WHERE person_id = :me AND id = :id"
_NEW = ":me, :id, :name, :list_visibility, :message_visibility, :text_color, :background_color"
_ADD = f"INSERT INTO gmail_label(person_id, {_COLUMNS}) VALUES ({_NEW})"
_CHANGE = (
    "UPDATE gmail_label SET name = :name, list_visibility = :list_visibility, message_visibility = :message_visibility,"
    " text_color = :text_color, background_color = :background_color WHERE person_id = :me AND id = :id"
)
_TOTALS = (
    "SELECT coalesce(sum(n), 0), coalesce(sum(unread), 0), count(*), coalesce(sum(unread > 0), 0) FROM"
    " (SELECT count(*) n, sum(m.is_unread) unread FROM {} WHERE m.person_id = :me AND {} GROUP BY m.thread_id)"
)
_IN_USE = "NOT m.is_spam AND m.trashed_at IS NULL"
_WITH = {
    "UNREAD": _TOTALS.format("gmail_message m", f"m.is_unread AND {_IN_USE}"),
    "SPAM": _TOTALS.format("gmail_message m", "m.is_spam AND m.trashed_at IS NULL"),
    "TRASH": _TOTALS.format("gmail_message m", "m.trashed_at IS NOT NULL"),
}
_LABELLED = _TOTALS.format(
    "gmail_message_label l JOIN gmail_message m ON m.id = l.message_id",
    f"l.person_id = :me AND l.label_id = :label AND {_IN_USE}",
)
_HAVING = "SELECT message_id FROM gmail_message_label WHERE person_id = :me AND label_id = :label ORDER BY message_id"

ListVisibility = Literal["labelShow", "labelShowIfUnread", "labelHide"]
MessageVisibility = Literal["show", "hide"]
Colour = Annotated[Word, Field(description="One of the vendor's colours, #rrggbb.", examples=["#ffffff"])]


class LabelColor(TypedDict):
    """The colours of a label."""

    textColor: str
    backgroundColor: str


class LabelShape(TypedDict):
    """A label; the counts stand when one label is read."""

    id: str
    name: str
    type: Literal["system", "user"]
    messageListVisibility: NotRequired[str]
    labelListVisibility: NotRequired[str]
    color: NotRequired[LabelColor]
    messagesTotal: NotRequired[int]
    messagesUnread: NotRequired[int]
    threadsTotal: NotRequired[int]
    threadsUnread: NotRequired[int]


class LabelList(TypedDict):
    """All labels of a mailbox."""

    labels: list[LabelShape]


class Colours(Params):
    """The colours of a label, of which both are needed."""

    textColor: Colour = ""
    backgroundColor: Colour = ""


class LabelFields(Params):
    """Request fields of a label; fields left out get their defaults."""

    name: Word | None = Field(default=None, description="Its name; `a/b` lies below `a`.", examples=["Receipts"])
    labelListVisibility: ListVisibility | None = Field(default=None, description="Whether the list of labels shows it.")
    messageListVisibility: MessageVisibility | None = Field(default=None, description="Whether messages show it.")
    color: Colours | None = Field(default=None, description="Its colours.")


class CreateLabelParams(MailboxParams, LabelFields):
    """A new label."""


class LabelParams(MailboxParams):
    """One label."""

    id: Id = Field(description="Id of the label: INBOX, or Label_… for one of your own.")


class UpdateLabelParams(LabelParams, LabelFields):
    """A label and what it is to be like."""


@app.operation(
    "users.labels.list",
    source=DOCS + "list",
    scope=SCOPE,
    units=quota_units("users.labels.list", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def list_labels(call: Call, params: MailboxParams) -> LabelList:
    """List all labels: the system's and your own, with their ids."""
    box = open_mailbox(call, params.userId)
    return {
        "labels": [
            *map(_system_label_to_json, SYSTEM),
            *(_own_label_to_json(row) for row in call.all(_ALL, {"me": box.person})),
        ]
    }


def _system_label_to_json(id: str) -> LabelShape:
    plain: LabelShape = {"id": id, "name": id, "type": "system"}
    return (
        {**plain, "messageListVisibility": "hide", "labelListVisibility": "labelHide"}
        if id in HIDDEN_BY_DEFAULT
        else plain
    )


def _own_label_to_json(row: Any) -> LabelShape:
    id, name, in_list, in_messages, text, background = row
    plain: LabelShape = {
        "id": id,
        "name": name,
        "type": "user",
        "messageListVisibility": in_messages,
        "labelListVisibility": in_list,
    }
    return {**plain, "color": {"textColor": text, "backgroundColor": background}} if text else plain


@app.operation(
    "users.labels.get",
    source=DOCS + "get",
    scope=SCOPE,
    units=quota_units("users.labels.get", False),
    examples=[{"id": "INBOX"}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_label(call: Call, params: LabelParams) -> LabelShape:
    """Read a label, with how many messages and threads it has and how many of them are unread."""
    box = open_mailbox(call, params.userId)
    shape = (
        _system_label_to_json(params.id) if params.id in SYSTEM else _own_label_to_json(_get_label_row(box, params.id))
    )
    total, unread, threads, unread_threads = call.all(
        _WITH.get(params.id, _LABELLED), {"me": box.person, "label": params.id}
    )[0]
    return {
        **shape,
        "messagesTotal": total,
        "messagesUnread": unread,
        "threadsTotal": threads,
        "threadsUnread": unread_threads,
    }


def _get_label_row(box: Mailbox, id: str) -> Any:
    """Return the row of one of the owner's labels. Raises not_found."""
    found = box.call.first(_ONE, {"me": box.person, "id": id})
    if found is None:
        raise OperationError("not_found")
    return found


@app.operation(
    "users.labels.create",
    writes=True,
    source=DOCS + "create",
    scope=SCOPE,
    units=quota_units("users.labels.create", True),
    examples=[{"name": "Receipts"}],
    raises=(
        "delegation_denied",
        "invalid_label_name",
        "label_exists",
        "invalid_label_color",
        "too_many_labels",
        "mail_service_not_enabled",
    ),
)
def create_label(call: Call, params: CreateLabelParams) -> LabelShape:
    """Make a label of your own; `Travel/Hotels` lies below `Travel`."""
    box = open_mailbox(call, params.userId)
    values = _label_values(params, None)
    _check_free(box, values["name"], None)
    if call.scalar("SELECT count(*) FROM gmail_label WHERE person_id = :me", {"me": box.person}) >= MOST:
        raise OperationError("too_many_labels", most=MOST)
    id = f"Label_{call.ids.digits(19)}"
    call.execute(_ADD, {"me": box.person, "id": id, **values})
    return _own_label_to_json(_get_label_row(box, id))


@app.operation(
    "users.labels.update",
    writes=True,
    source=DOCS + "update",
    scope=SCOPE,
    units=quota_units("users.labels.update", True),
    examples=[{"id": A_LABEL, "name": "Receipts 2026"}],
    raises=(
        "delegation_denied",
        "not_found",
        "system_label",
        "invalid_label_name",
        "label_exists",
        "invalid_label_color",
        "mail_service_not_enabled",
    ),
)
def update_label(call: Call, params: UpdateLabelParams) -> LabelShape:
    """Replace a label of your own: its name, visibility and colours; what is left out becomes as usual."""
    return _change_label(open_mailbox(call, params.userId), params, keep=False)


@app.operation(
    "users.labels.patch",
    writes=True,
    source=DOCS + "patch",
    scope=SCOPE,
    units=quota_units("users.labels.patch", True),
    examples=[{"id": A_LABEL, "messageListVisibility": "hide"}],
    raises=(
        "delegation_denied",
        "not_found",
        "system_label",
        "invalid_label_name",
        "label_exists",
        "invalid_label_color",
        "mail_service_not_enabled",
    ),
)
def patch_label(call: Call, params: UpdateLabelParams) -> LabelShape:
    """Change a label of your own: name, visibility or colours; what is left out stays."""
    return _change_label(open_mailbox(call, params.userId), params, keep=True)


def _change_label(box: Mailbox, params: UpdateLabelParams, *, keep: bool) -> LabelShape:
    row = _get_changeable_label(box, params.id)
    values = _label_values(params, row if keep else None)
    _check_free(box, values["name"], params.id)
    box.call.execute(_CHANGE, {"me": box.person, "id": params.id, **values})
    return _own_label_to_json(_get_label_row(box, params.id))


def _get_changeable_label(box: Mailbox, id: str) -> object:
    """Return one of the owner's labels. Raises system_label, not_found."""
    if id in SYSTEM:
        raise OperationError("system_label", label=id)
    return _get_label_row(box, id)


@app.operation(
    "users.labels.delete",
    writes=True,
    source=DOCS + "delete",
    scope=SCOPE,
    units=quota_units("users.labels.delete", True),
    examples=[{"id": A_LABEL}],
    raises=("delegation_denied", "not_found", "system_label", "mail_service_not_enabled"),
)
def delete_label(call: Call, params: LabelParams) -> None:
    """Delete a label of your own for good; the messages that had it stay."""
    box = open_mailbox(call, params.userId)
    _get_changeable_label(box, params.id)
    box.change(
        box.messages(row[0] for row in call.all(_HAVING, {"me": box.person, "label": params.id})), remove=[params.id]
    )
    call.execute("DELETE FROM gmail_label WHERE person_id = :me AND id = :id", {"me": box.person, "id": params.id})


def _label_values(params: LabelFields, row: Any) -> dict[str, str]:
    """Return the columns of a label; `row` supplies fields not given.

    Raises invalid_label_name, invalid_label_color.
    """
    _, name, in_list, in_messages, text, background = row or ("", "", "labelShow", "show", "", "")
    if params.color is not None:
        text, background = _check_colours(params.color)
    return {
        "name": _check_name(params.name) if params.name is not None or row is None else name,
        "list_visibility": params.labelListVisibility or in_list,
        "message_visibility": params.messageListVisibility or in_messages,
        "text_color": text,
        "background_color": background,
    }


def _check_colours(color: Colours) -> tuple[str, str]:
    text, background = color.textColor.lower(), color.backgroundColor.lower()
    if not {text, background} <= PALETTE:
        raise OperationError("invalid_label_color", color=f"{background},{text}")
    return text, background


def _check_name(name: str | None) -> str:
    """A name a label may have, without spaces around it. Raises invalid_label_name."""
    plain = (name or "").strip()
    parts = plain.split("/")
    if len(plain) > MOST_NAME or not all(part.strip() for part in parts) or not all(map(_is_visible, plain)):
        raise OperationError("invalid_label_name")
    if plain.startswith("^") or _fold_name(plain) in RESERVED:
        raise OperationError("invalid_label_name")
    return plain


def _is_visible(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn")


def _fold_name(name: str) -> str:
    """Return a name for comparison: case folded, runs of spaces joined."""
    return "/".join(" ".join(part.split()) for part in name.casefold().split("/"))


def _check_free(box: Mailbox, name: str, own: str | None) -> None:
    """Raises label_exists."""
    rows = box.call.all("SELECT id, name FROM gmail_label WHERE person_id = :me", {"me": box.person})
    if any(id != own and _fold_name(other) == _fold_name(name) for id, other in rows):
        raise OperationError("label_exists")
