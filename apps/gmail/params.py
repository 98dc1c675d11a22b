"""Parameter types that several operations share."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from world.core.params import Params, Text

Word = Annotated[Text, Field(max_length=1000)]
Id = Annotated[Text, Field(min_length=1, max_length=200)]
Address = Annotated[Text, Field(max_length=320)]


def _many(value: object) -> object:
    """Return a list; a query with a single value becomes a list of one."""
    return [value] if isinstance(value, str) else [] if value is None else value


Ids = Annotated[list[Id], BeforeValidator(_many), Field(max_length=1000)]
LabelIds = Annotated[list[Word], BeforeValidator(_many), Field(max_length=100)]
HistoryKind = Literal["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"]
HistoryKinds = Annotated[list[HistoryKind], BeforeValidator(_many), Field(max_length=100)]
HistoryId = Annotated[Word, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)]
PageSize = Annotated[int, BeforeValidator(lambda value: None if value == "" else value), Field(ge=0, le=2**31 - 1)]
PageToken = Annotated[
    Text,
    Field(
        max_length=400, description="Where to go on: nextPageToken of the previous answer; empty for the first page."
    ),
]


class MailboxParams(Params):
    """Mailbox of a call."""

    userId: Word = Field(default="me", description="The mailbox: `me`, or your own address.", examples=["me"])
