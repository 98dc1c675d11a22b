"""Parameters that many operations share."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue

from world.core.params import INT64_MAX, Params, Text, clean_text


def _number_to_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _split_list(value: object) -> object:
    """`a,b` and repeated query values are lists too."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _normalise_texts(value: object) -> object:
    """Every text inside, normalised; NUL and lone surrogates are refused."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_normalise_texts(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(name): _normalise_texts(item) for name, item in value.items()}
    return value


JsonParam = Annotated[JsonValue, AfterValidator(_normalise_texts)]
JsonObjectParam = Annotated[dict[str, JsonValue], AfterValidator(_normalise_texts)]
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
