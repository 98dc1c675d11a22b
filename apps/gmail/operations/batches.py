"""Operations that combine several calls for tools: read several messages, get or create a label."""

from typing import Annotated, Literal, TypedDict

from pydantic import Field

from apps.gmail import views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_MESSAGE
from apps.gmail.limits import CLIENT
from apps.gmail.operations.compose import CLIENT_PAGE
from apps.gmail.operations.labels import CreateLabelParams, LabelShape, create_label, list_labels
from apps.gmail.params import Ids, MailboxParams
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError

MOST = 100


class BatchGetParams(MailboxParams):
    """Request fields for reading several messages."""

    ids: Annotated[Ids, Field(min_length=1, max_length=MOST)] = Field(description="Ids of the messages.")
    format: Literal["full", "metadata", "minimal"] = Field(default="full", description="How much of each.")


class Messages(TypedDict):
    """Messages, in the order asked for."""

    messages: list[MessageShape]


@app.operation(
    "mail.messages",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    examples=[{"ids": [A_MESSAGE]}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_several(call: Call, params: BatchGetParams) -> Messages:
    """Read several messages at once."""
    box = open_mailbox(call, params.userId)
    found = box.messages(params.ids)
    if len(found) < len(set(params.ids)):
        raise OperationError("not_found")
    return {"messages": views.messages_to_json(box, found, params.format)}


@app.operation(
    "mail.ensureLabel",
    writes=True,
    source=CLIENT_PAGE,
    scope="gmail.labels",
    units=CLIENT,
    examples=[{"name": "Travel"}],
    raises=(
        "delegation_denied",
        "invalid_label_name",
        "label_exists",
        "invalid_label_color",
        "too_many_labels",
        "mail_service_not_enabled",
    ),
)
def ensure_label(call: Call, params: CreateLabelParams) -> LabelShape:
    """Get the label of a name; it is created if there is none."""
    wanted = (params.name or "").casefold()
    listed = list_labels(call, MailboxParams(userId=params.userId))["labels"]
    found = next((one for one in listed if one["type"] == "user" and one["name"].casefold() == wanted), None)
    return found or create_label(call, params)
