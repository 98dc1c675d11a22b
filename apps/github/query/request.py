"""Parameters and responses shared by all searches: query, page, matches, and the vendor's limits."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from apps.github.domain.params import PageParams
from apps.github.query import errors
from apps.github.query.compiler import Page
from apps.github.query.grammar import parse
from apps.github.query.tokens import fold
from apps.github.query.tree import Node, every, terms
from apps.github.refusals import unprocessable
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "docs.github.com/rest/search/search"
MOST = 1000  # results of a search; docs.github.com/rest/search#about-search
AROUND = 60  # characters shown on both sides of a match
MOST_SHOWN = 2  # matches shown of one text
BEYOND = "Only the first 1000 search results are available"
Query = Annotated[Text, Field(max_length=8192)]


class Search(PageParams):
    """Query and order of a search."""

    q: Query = Field(
        default="", description="Words and qualifiers, as on the vendor's search page.", examples=["payments"]
    )
    order: Literal["asc", "desc"] = Field(default="desc", description="asc or desc; only with `sort`.")


class TextMatches(Params):
    """Whether to include the positions of matches; the REST door takes it from the Accept header."""

    mediaType: Literal["text-match"] | None = Field(
        default=None, description="text-match: with the places where the words stand."
    )


def get_page(params: PageParams) -> Page:
    """Return the requested page. Raises unprocessable beyond the vendor's limit."""
    if params.start >= MOST:
        raise unprocessable(BEYOND)
    return Page(params.start, min(params.size, MOST - params.start))


def parse_tree(text: str, names: frozenset[str]) -> Node:
    """Parse the query of a search. Raises validation_failed."""
    if not text.strip():
        raise errors.query_missing()
    return parse(text.strip(), names)


def choose_sort(node: Node, sort: str | None, order: str) -> tuple[str | None, str]:
    """Return sort key and direction, from the arguments or from `sort:updated-asc` in the query."""
    if sort:
        return sort, order
    wanted = next((one.value.lower() for one in every(node, "sort")), "")
    name, _, direction = wanted.rpartition("-")
    if direction in ("asc", "desc") and name:
        return name, direction
    return wanted or None, "desc"


def results_json(items: Sequence[Mapping[str, object]], total: int, *, incomplete: bool = False) -> JsonObject:
    """Render the response of a search; all results have the same score. `incomplete`: not everything was searched."""
    return {"total_count": total, "incomplete_results": incomplete, "items": [{**item, "score": 1.0} for item in items]}


def add_matches(items: Sequence[Mapping[str, Any]], kind: str, texts: tuple[str, ...], node: Node) -> list[JsonObject]:
    """Add to each result the positions of the searched words in some of its fields."""
    wanted = terms(node)
    return [
        {
            **item,
            "text_matches": list_matches(str(item.get("url", "")), kind, {name: item[name] for name in texts}, wanted),
        }
        for item in items
    ]


def list_matches(url: str, kind: str, texts: Mapping[str, str | None], terms: list[str]) -> list[JsonObject]:
    """List the matching fragments of a result's texts, by property, with the positions of words."""
    wanted = [fold(term) for term in terms]
    return [
        {
            "object_url": url,
            "object_type": kind,
            "property": name,
            "fragment": piece,
            "matches": _match_places(piece, wanted),
        }
        for name, text in texts.items()
        for piece in _list_fragments(text or "", wanted)
    ]


def _list_fragments(text: str, terms: list[str]) -> list[str]:
    folded, out, upto = fold(text), list[str](), 0
    while len(out) < MOST_SHOWN and len(folded) == len(text):
        at, end = min(
            ((spot, spot + len(term)) for term in terms if (spot := folded.find(term, upto)) >= 0), default=(-1, -1)
        )
        if at < 0:
            break
        start, upto = (
            _fragment_start(text, max(at - AROUND, upto), at),
            _fragment_end(text, end, max(end, min(at + AROUND, len(text)))),
        )
        out.append(text[start:upto])
    return out


def _fragment_start(text: str, start: int, at: int) -> int:
    """Return the start of a fragment: the first whole line from `start`, else the first whole word, before `at`."""
    if start == 0 or text[start - 1] == "\n":
        return start
    line = text.find("\n", start, at)
    return (
        line + 1 if line >= 0 else next((place + 1 for place in range(start - 1, at) if text[place].isspace()), start)
    )


def _fragment_end(text: str, end: int, upto: int) -> int:
    """Return the end of a fragment: the last whole line up to `upto`, else the last whole word, after the match."""
    if upto == len(text):
        return upto
    line = text.rfind("\n", end, upto + 1)
    return line if line >= 0 else next((place for place in range(upto, end - 1, -1) if text[place].isspace()), upto)


def _match_places(piece: str, terms: list[str]) -> list[JsonObject]:
    folded = fold(piece)
    spots = sorted({(at, at + len(term)) for term in terms for at in range(len(folded)) if folded.startswith(term, at)})
    return [{"text": piece[start:end], "indices": [start, end]} for start, end in spots]
