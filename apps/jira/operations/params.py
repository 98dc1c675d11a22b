"""Parameters that many operations share."""

from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, BeforeValidator, Field

from world.core.json_types import SCALARS
from world.core.params import INT64_MAX, Params, Text, clean_text

_NOTHING_ELSE = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS


def _number_to_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _split_list(value: object) -> object:
    """`a,b` and repeated query values are lists too."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _normalise_texts(value: object) -> object:
    """Every text inside, normalised; NUL, lone surrogates and what is no JSON are refused."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_normalise_texts(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(name): _normalise_texts(item) for name, item in value.items()}
    if type(value) not in SCALARS:
        raise ValueError("is not a JSON value")
    return value


def _is_plain(value: object) -> bool:
    """Whether a value is JSON in which no text needs a closer look."""
    try:
        written = orjson.dumps(value, option=_NOTHING_ELSE)
    except orjson.JSONEncodeError:
        return False
    return written.isascii() and b"\\u0000" not in written


def _clean_json(value: object) -> object:
    return value if _is_plain(value) else _normalise_texts(value)


# `Any`: pydantic's JsonValue asks Python for the type of each value, when it reads and when it writes
JsonParam = Annotated[Any, AfterValidator(_clean_json)]
JsonObjectParam = Annotated[dict[str, Any], AfterValidator(_clean_json)]
Id = Annotated[Text, Field(max_length=60), BeforeValidator(_number_to_text)]
IssueRef = Annotated[Id, Field(description="Issue key or id.", examples=["SHOP-1"])]
ProjectRef = Annotated[Id, Field(description="Project key or id.", examples=["SHOP"])]
Word = Annotated[Text, Field(max_length=255)]
Words = Annotated[list[Annotated[Text, Field(max_length=255)]], BeforeValidator(_split_list)]
Refs = Annotated[list[Id], Field(max_length=1000), BeforeValidator(_split_list)]
Expand = Annotated[
    Text, Field(max_length=500), BeforeValidator(lambda v: ",".join(map(str, v)) if isinstance(v, list) else v)
]
StartAt = Annotated[int, Field(ge=0, le=INT64_MAX, description="Index of the first item.")]
MaxResults = Annotated[int, Field(ge=0, le=2**31 - 1, description="Most items on the page.")]


class PageParams(Params):
    """A page by offset."""

    startAt: StartAt = 0
    maxResults: MaxResults | None = Field(default=None, description="Most items on the page.")


class BodyFormat(Params):
    """Format of texts in request and response."""

    contentFormat: Literal["adf", "wiki", "markdown"] | None = Field(
        default=None,
        description="How rich text is sent and returned: adf, wiki or markdown. Default: adf out; strings in are wiki.",
    )


def split_commas(text: str | None) -> list[str]:
    """The words of a comma-separated parameter."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]
