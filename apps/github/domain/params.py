"""Parameter types that many operations share."""

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, Field

from world.core.params import Int64, Params, Text

T = TypeVar("T")
Name = Annotated[Text, Field(min_length=1, max_length=100)]
Login = Annotated[Name, Field(description="The login.", examples=["mia"])]
Line = Annotated[Text, Field(max_length=256)]
Body = Annotated[Text, Field(max_length=65_536)]
Sha = Annotated[str, Field(max_length=256)]
Id = Annotated[int, Field(ge=1, le=2**53)]
Media = Literal["raw", "text", "html", "full", "diff", "patch", "object", "sha"]


def exact(value: str) -> str:
    """Return a text type that git keeps byte for byte, without normalisation."""
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise ValueError("contains a lone surrogate")
    return value


Exact = Annotated[str, AfterValidator(exact)]
Path = Annotated[Exact, Field(max_length=4096)]
Ref = Annotated[Exact, Field(max_length=512)]


MAX_PAGE = 10**9  # beyond what any list has


def as_address(text: str | None) -> str | None:
    """Return an address with its scheme, as the vendor completes one given without."""
    return f"http://{text}" if text and "://" not in text else text


Address = Annotated[Line | None, AfterValidator(as_address)]


class RepoRef(Params):
    """One repository."""

    owner: Name = Field(description="The account that owns the repository; not case sensitive.", examples=["quayline"])
    repo: Name = Field(description="The name of the repository; not case sensitive.", examples=["payments"])


class PageParams(Params):
    """Page number and size of a list."""

    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")
    page: Int64 = Field(default=1, description="Which page, from 1.")

    @property
    def size(self) -> int:
        """Results per page, within the vendor's bounds."""
        return self.per_page if 1 <= self.per_page <= 100 else 100 if self.per_page > 100 else 30

    @property
    def start(self) -> int:
        """Number of results before this page."""
        return (min(max(self.page, 1), MAX_PAGE) - 1) * self.size


class MediaType(Params):
    """Format of texts and files in the response; the REST door takes it from the Accept header."""

    mediaType: Media | None = Field(
        default=None,
        description="raw, text, html or full for bodies; diff or patch for changes; raw or object for files.",
    )


class ListPage(list[T], Generic[T]):
    """One page of a list, and the total count (None: unknown, then `more` says whether a page follows)."""

    def __init__(self, items: list[T], total: int | None, *, more: bool = False) -> None:
        super().__init__(items)
        self.total, self.more = total, more


def page_of(items: list[T], params: PageParams) -> ListPage[T]:
    """Return one page of a whole list."""
    return ListPage(items[params.start : params.start + params.size], len(items))


class Reply(dict[str, Any]):
    """A result whose HTTP status is not its operation's usual one (200 for a file changed, 201 for one created)."""

    def __init__(self, value: Mapping[str, object], status: int) -> None:
        super().__init__(value)
        self.status = status


class Raw(bytes):
    """Bytes returned unchanged, with their media type; as a download when there is a file name."""

    content_type: str
    filename: str | None

    def __new__(cls, data: bytes, content_type: str, filename: str | None = None) -> "Raw":
        """Bytes, media type, and the name of the download."""
        made = super().__new__(cls, data)
        made.content_type, made.filename = content_type, filename
        return made


class Redirect(str):
    """An address that the response redirects to with 302."""
