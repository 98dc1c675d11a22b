"""Parameter types of the drive's operations."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from world.core.json_types import JsonObject
from world.core.params import Params, Text

DOCS = "developers.google.com/workspace/drive/api/reference/rest/v3/"
READ, WRITE = "drive.readonly", "drive"
EXAMPLE = "$drive.files.create:id"
MOST_BASE64 = 70 * 1024 * 1024


def many(value: object) -> object:
    """Return a list; a query with a single value becomes a list of one."""
    return [value] if isinstance(value, str) else [] if value is None else value


Key = Annotated[Text, Field(min_length=1, max_length=200)]
Line = Annotated[Text, Field(max_length=2000)]
Long = Annotated[Text, Field(max_length=50_000)]
Keys = Annotated[list[Key], BeforeValidator(many), Field(max_length=100)]
Pairs = Annotated[dict[Text, Text | None], Field(max_length=200)]
Object = Annotated[JsonObject, Field()]
PageSize = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]
Token = Annotated[Text, Field(max_length=1000)]
Alt = Literal["json", "media"]


class FileParams(Params):
    """One file."""

    fileId: Key = Field(description="Id of the file or folder; `root` is My Drive.", examples=[EXAMPLE])


class PageParams(Params):
    """A page of a list."""

    pageToken: Token = Field(default="", description="`nextPageToken` of the page before.")


def size(asked: int | None, usual: int, most: int) -> int:
    """Return the number of rows of a page, cut to the maximum."""
    return usual if asked is None else asked if asked <= most else most
