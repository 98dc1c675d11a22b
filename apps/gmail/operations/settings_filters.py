"""Filters: rules for mail that arrives."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import orjson
from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_FILTER
from apps.gmail.labels import CATEGORIES
from apps.gmail.limits import quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings import filter_rules, forwards
from apps.gmail.mailbox_settings.settings import get_entry
from apps.gmail.params import Address, Id, Ids, MailboxParams
from apps.gmail.query import QueryRefused
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.filters/"
READ, BASIC = "gmail.readonly", "gmail.settings.basic"
MOST_FILTERS = 1_000  # users.settings.filters/create
_LONGEST = 1_500  # characters of a criterion; own choice
# developers.google.com/workspace/gmail/api/guides/filter_settings
_ADDED = frozenset({"IMPORTANT", "STARRED", "TRASH", *CATEGORIES})
_REMOVED = frozenset({"INBOX", "UNREAD", "SPAM", "IMPORTANT"})
_LIST = "SELECT id, criteria, action FROM gmail_filter WHERE person_id = :me ORDER BY created_at, id"
_ADD = (
    "INSERT INTO gmail_filter(id, person_id, criteria, action, created_at) VALUES (:id, :me, :criteria, :action, :now)"
)
_DELETE = "DELETE FROM gmail_filter WHERE person_id = :me AND id = :id RETURNING id"
_OWN_LABELS = "SELECT id FROM gmail_label WHERE person_id = :me"
Words = Annotated[Text, Field(max_length=_LONGEST)]


class CriteriaParams(Params):
    """Criteria of a filter; a mail must meet all of them."""

    from_: Words = Field(
        default="", alias="from", description="Name or address of the sender.", examples=["billing@vendor.example"]
    )
    to: Words = Field(default="", description="Name or address of somebody under To, Cc or Bcc.")
    subject: Words = Field(default="", description="A phrase of the subject.", examples=["invoice"])
    query: Words = Field(default="", description="A search as in the search box.", examples=["has:attachment invoice"])
    negatedQuery: Words = Field(default="", description="A search that must not find the mail.")
    hasAttachment: bool = Field(default=False, description="Only mail with a file attached.")
    excludeChats: bool = Field(default=False, description="No chats.")
    size: Annotated[int, Field(ge=0, le=2**31 - 1)] = Field(
        default=0, description="Bytes that sizeComparison compares the whole mail with."
    )
    sizeComparison: Literal["unspecified", "smaller", "larger"] = Field(
        default="unspecified", description="smaller or larger than size."
    )


class ActionParams(Params):
    """Actions of a filter on matching mail."""

    addLabelIds: Ids = Field(
        default_factory=list, description="STARRED, IMPORTANT, TRASH, a category, or one label of your own."
    )
    removeLabelIds: Ids = Field(
        default_factory=list,
        description="INBOX (archive), UNREAD (mark as read), SPAM (never spam), IMPORTANT.",
        examples=[["INBOX"]],
    )
    forward: Address = Field(default="", description="A verified forwarding address the mail goes on to.")


class CreateFilterParams(MailboxParams):
    """A filter to create."""

    criteria: CriteriaParams = Field(
        default_factory=CriteriaParams, description="What it looks for.", examples=[{"from": "billing@vendor.example"}]
    )
    action: ActionParams = Field(
        default_factory=ActionParams, description="What it does.", examples=[{"removeLabelIds": ["INBOX"]}]
    )


class FilterParams(MailboxParams):
    """One filter."""

    id: Id = Field(description="Id of the filter.")


class Filter(TypedDict):
    """A filter; what was not given is left out of `criteria` and `action`. `size` is bytes."""

    id: str
    criteria: JsonObject
    action: JsonObject


class Filters(TypedDict):
    """The filters of a mailbox, the first made first; without any, `filter` is left out."""

    filter: NotRequired[list[Filter]]


def list_mailbox_filters(box: Mailbox) -> list[Filter]:
    """The filters of a mailbox, in the order they apply."""
    rows = box.call.all(_LIST, {"me": box.person})
    return [{"id": row[0], "criteria": orjson.loads(row[1]), "action": orjson.loads(row[2])} for row in rows]


def _check_criteria(given: CriteriaParams) -> dict[str, Any]:
    """Return the non-empty criteria. Raises filter_criteria_missing, invalid_query."""
    plain = {
        name: " ".join(value.split()) if isinstance(value, str) else value
        for name, value in given.model_dump(by_alias=True).items()
    }
    measured = given.sizeComparison != "unspecified"
    said = {name: value for name, value in plain.items() if (measured if name.startswith("size") else value)}
    if not said:
        raise OperationError("filter_criteria_missing")
    try:
        filter_rules.filter_search(filter_rules.parse_criteria(said))
    except QueryRefused as refused:
        raise OperationError("invalid_query", reason=str(refused)) from None
    return said


def _check_action(box: Mailbox, given: ActionParams) -> JsonObject:
    """Return the checked actions of a filter.

    Raises filter_action_missing, invalid_label, too_many_filter_labels, unrecognized_forwarding_address.
    """
    adds, removes, forward = (
        list(dict.fromkeys(given.addLabelIds)),
        list(dict.fromkeys(given.removeLabelIds)),
        given.forward.strip().lower(),
    )
    if not (adds or removes or forward):
        raise OperationError("filter_action_missing")
    own = {row[0] for row in box.call.all(_OWN_LABELS, {"me": box.person})}
    for label, allowed in (*((one, own | _ADDED) for one in adds), *((one, _REMOVED) for one in removes)):
        if label not in allowed:
            raise OperationError("invalid_label", label=label)
    if len(own & set(adds)) > 1:
        raise OperationError("too_many_filter_labels")
    if forward and forward not in forwards.list_verified_addresses(box):
        raise OperationError("unrecognized_forwarding_address")
    said = {"addLabelIds": adds, "removeLabelIds": removes, "forward": forward}
    return {name: value for name, value in said.items() if value}


@app.operation(
    "users.settings.filters.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.settings.filters.list", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def list_filters(call: Call, params: MailboxParams) -> Filters:
    """List the filters of the mailbox, in the order in which they apply to arriving mail."""
    found = list_mailbox_filters(open_mailbox(call, params.userId))
    return {"filter": found} if found else {}


@app.operation(
    "users.settings.filters.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.settings.filters.get", False),
    examples=[{"id": A_FILTER}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_filter(call: Call, params: FilterParams) -> Filter:
    """Read one filter."""
    return get_entry(list_mailbox_filters(open_mailbox(call, params.userId)), "id", params.id)


@app.operation(
    "users.settings.filters.create",
    writes=True,
    source=DOCS + "create",
    scope=BASIC,
    units=quota_units("users.settings.filters.create", True),
    examples=[
        {
            "criteria": {"from": "billing@vendor.example"},
            "action": {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]},
        }
    ],
    raises={
        "delegation_denied": "",
        "filter_criteria_missing": "",
        "invalid_query": "",
        "filter_action_missing": "",
        "invalid_label": "",
        "too_many_filter_labels": "of your own: one at most",
        "unrecognized_forwarding_address": "",
        "filter_exists": "",
        "too_many_filters": "over 1000",
        "mail_service_not_enabled": "",
    },
)
def create_filter(call: Call, params: CreateFilterParams) -> Filter:
    """Create a filter that labels, archives, deletes or forwards mail when it arrives; present mail stays unchanged."""
    box = open_mailbox(call, params.userId)
    criteria, action = _check_criteria(params.criteria), _check_action(box, params.action)
    others = list_mailbox_filters(box)
    if any(one["criteria"] == criteria and one["action"] == action for one in others):
        raise OperationError("filter_exists")
    if len(others) >= MOST_FILTERS:
        raise OperationError("too_many_filters", most=MOST_FILTERS)
    id = f"ANe1Bm{call.ids.base62(30)}"
    kept = {"criteria": orjson.dumps(criteria).decode(), "action": orjson.dumps(action).decode()}
    call.execute(_ADD, {"id": id, "me": box.person, "now": call.now, **kept})
    return {"id": id, "criteria": criteria, "action": action}


@app.operation(
    "users.settings.filters.delete",
    writes=True,
    source=DOCS + "delete",
    scope=BASIC,
    units=quota_units("users.settings.filters.delete", True),
    examples=[{"id": A_FILTER}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete_filter(call: Call, params: FilterParams) -> None:
    """Delete a filter for good."""
    box = open_mailbox(call, params.userId)
    if call.first(_DELETE, {"me": box.person, "id": params.id}) is None:
        raise OperationError("not_found")
