"""Searching messages, files, and channels, as far as the caller may see them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from pydantic import BeforeValidator, Field

from apps.slack import conversation_access, file_views, message_views
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.limits import CLIENT, DOCS, TIER2
from apps.slack.message_views import Row
from apps.slack.operations.conversations import parse_kinds
from apps.slack.params import Count, Line, limit_field
from apps.slack.profiles import Roster
from apps.slack.query import TOKEN, CompiledQuery, Filter, Term, Words, compile_query, highlight, parse, parse_span
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text
from world.core.rng import digest

TOP_COUNT, TOP_PAGE = 100, 100  # docs.slack.dev/reference/methods/search.messages
_SEEN = "m.deleted_at IS NULL AND (v.person_id IS NOT NULL OR (c.kind = 'public' AND NOT :guest))"
_FROM = """slack_message m JOIN slack_channel c ON c.id = m.channel_id
  LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me"""


class Search(Params):
    """Query, order and page of a search."""

    query: Annotated[Text, Field(max_length=2000)] = Field(
        description=(
            'Words, "phrases", -negations and modifiers: from:@ada in:#general to: with: has:link is:thread'
            " before:2026-03-01 after: on: during:march."
        ),
        examples=["deploy from:@ada in:#general"],
    )
    sort: Annotated[Literal["score", "timestamp"], BeforeValidator(lambda v: v or "score")] = Field(
        default="score", description="score (best first) or timestamp."
    )
    sort_dir: Annotated[Literal["asc", "desc"], BeforeValidator(lambda v: v or "desc")] = Field(
        default="desc", description="desc or asc."
    )
    count: Count = limit_field(20, TOP_COUNT)
    page: Count = Field(default=1, description="Page number, from 1 to 100.")
    highlight: bool = Field(default=False, description="Mark the hits in the text.")


class SearchMessages(Search):
    """Query, order and page of a message search."""

    public_only: bool = Field(default=False, description="Only public channels.")


class Pagination(TypedDict):
    """Position of a page among all results."""

    total_count: int
    page: int
    per_page: int
    page_count: int
    first: int
    last: int


class Paging(TypedDict):
    """Position of a page among all results, in the older form."""

    count: int
    total: int
    page: int
    pages: int


class Matches(TypedDict):
    """A page of hits."""

    total: int
    pagination: Pagination
    paging: Paging
    matches: list[JsonObject]


class MessageHits(TypedDict):
    """Messages that match."""

    query: str
    messages: Matches


class FileHits(TypedDict):
    """Files that match."""

    query: str
    files: Matches


class AllHits(TypedDict):
    """Messages and files that match, and posts, which the service no longer has."""

    query: str
    messages: Matches
    files: Matches
    posts: JsonObject


class ChannelHits(TypedDict):
    """Channels that match."""

    channels: list[JsonObject]


class SearchChannels(Params):
    """Words to look for in channel names, topics and purposes."""

    query: Line = Field(description="Part of a name, topic or purpose; all channels if empty.", examples=["general"])
    types: Line = Field(
        default="public_channel,private_channel", description="Comma-separated: public_channel, private_channel, mpim."
    )
    include_archived: bool = Field(default=False, description="Archived channels too.")
    limit: Count = limit_field(20, 100)


class Names:
    """Names in a query, as the searcher sees the workspace."""

    def __init__(self, call: Call, roster: Roster) -> None:
        self.call, self.roster = call, roster

    def person(self, name: str) -> str | None:
        """Directory id of `me`, `@handle`, `<@U…>`, `U…`, a mail address, or a display name."""
        bare = name.removeprefix("<").removesuffix(">").removeprefix("@").split("|")[0]
        if bare.lower() in ("me", "myself"):
            return self.call.person
        user = self.roster.by_handle(bare) or self.roster.find(bare)
        if user is not None:
            return user.person_id
        return self.call.scalar(_BY_NAME, {"name": bare})

    def channels(self, name: str) -> list[str]:
        """Ids of `#name`, `C…`, `<#C…>`, or of the direct messages with `@handle`."""
        bare = name.removeprefix("<").removesuffix(">").split("|")[0]
        room = conversation_access.find_channel_named(
            self.call, bare.removeprefix("#").lower()
        ) or conversation_access.find_any(self.call, bare.removeprefix("#"))
        if room is not None:
            return [room.id]
        person = self.person(bare)
        direct = conversation_access.find_direct(self.call, [self.call.person, person]) if person else None
        return [direct.id] if direct else []

    def word(self, word: str) -> str:
        """Return `@handle` and `#channel` as their ids in stored text."""
        if word.startswith("@") and (user := self.roster.by_handle(word[1:])):
            return user.id
        if word.startswith("#") and (room := conversation_access.find_channel_named(self.call, word[1:].lower())):
            return room.id
        return word


_BY_NAME = (
    "SELECT id FROM person WHERE lower(full_name) = lower(:name) OR lower(display_name) = lower(:name) ORDER BY id"
    " LIMIT 1"
)


def _check_allowed(call: Call) -> None:
    if call.principal.kind == "bot":
        raise OperationError("not_allowed_token_type")


def _page_bounds(params: Search) -> tuple[int, int]:
    return min(max(params.count or 20, 1), TOP_COUNT), min(max(params.page or 1, 1), TOP_PAGE)


def _matches_to_json(total: int, count: int, page: int, matches: list[JsonObject]) -> Matches:
    pages, first = -(-total // count), (page - 1) * count + 1
    return {
        "total": total,
        "pagination": {
            "total_count": total,
            "page": page,
            "per_page": count,
            "page_count": pages,
            "first": first if matches else 0,
            "last": first + len(matches) - 1 if matches else 0,
        },
        "paging": {"count": count, "total": total, "page": page, "pages": pages},
        "matches": matches,
    }


# bm25 counts the words of every message there is, so its numbers would tell of rooms one is not in
BRIEF_FIRST = "round(20.0 / (1.0 + length(m.text) / 80.0), 5)"


def _find_messages(
    call: Call, params: Search, roster: Roster, public_only: bool = False
) -> tuple[int, list[Row], list[float]]:
    """Count the matching messages, and return rows and scores of the requested page."""
    terms, count = parse(params.query.strip()), _page_bounds(params)[0]
    if not terms:
        raise OperationError("no_query")
    compiled = compile_query(terms, Names(call, roster), call.now, call.me.tz)
    if not compiled.match and not any(isinstance(term, Filter) or term.negated for term in terms):
        return 0, [], []
    source, where = _search_source(compiled, public_only)
    values = {**compiled.values, "me": call.person, "guest": roster.me.is_guest, "match": compiled.match}
    score = BRIEF_FIRST if compiled.match else "0"
    turn = "ASC" if params.sort_dir == "asc" else "DESC"
    order = f"ts {turn}, id {turn}" if params.sort == "timestamp" else f"score {turn}, ts {turn}, id {turn}"
    hit = f"WITH hit AS MATERIALIZED (SELECT m.id AS id, m.ts AS ts, {score} AS score FROM {source} WHERE {where})"
    statement = f"{hit} SELECT id, score, (SELECT count(*) FROM hit) FROM hit ORDER BY {order} LIMIT :n OFFSET :skip"
    hits = call.all(statement, {**values, "n": count, "skip": (_page_bounds(params)[1] - 1) * count})
    found = {row.id: row for row in message_views.list_by_ids(call, [hit[0] for hit in hits])}
    total = hits[0][2] if hits else call.scalar(f"SELECT count(*) FROM {source} WHERE {where}", values)
    return total, [found[hit[0]] for hit in hits], [hit[1] for hit in hits]


def _search_source(compiled: CompiledQuery, public_only: bool) -> tuple[str, str]:
    where = [_SEEN, *compiled.where]
    if public_only:
        where.append("c.kind = 'public'")
    if not compiled.match:
        return _FROM, " AND ".join(where)
    return f"slack_message_fts JOIN {_FROM}", " AND ".join(
        ["slack_message_fts MATCH :match", "m.id = slack_message_fts.rowid", *where]
    )


def _search_messages(call: Call, params: Search, roster: Roster, public_only: bool = False) -> Matches:
    count, page = _page_bounds(params)
    total, rows, scores = _find_messages(call, params, roster, public_only)
    terms = parse(params.query.strip()) if params.highlight else ()
    places = {
        channel: _place_to_json(call, channel, roster) for channel in dict.fromkeys(row.channel_id for row in rows)
    }
    shapes = message_views.messages_to_json(call, rows, roster)
    matches = [
        _match_to_json(call, row, shape, roster, {"score": score, "channel": places[row.channel_id]}, terms)
        for row, shape, score in zip(rows, shapes, scores, strict=True)
    ]
    return _matches_to_json(total, count, page, matches)


def _place_to_json(call: Call, channel: str, roster: Roster) -> JsonObject:
    room = conversation_access.find_any(call, channel)
    if room is None:
        raise LookupError(f"no conversation {channel}")
    group = room.kind == "mpim"
    out: JsonObject = {
        "id": room.id,
        "is_channel": not room.is_direct,
        "is_group": group,
        "is_im": room.kind == "im",
        "is_mpim": group,
        "is_shared": False,
        "is_org_shared": False,
        "is_ext_shared": False,
        "is_private": room.kind != "public",
        "is_pending_ext_shared": False,
        "pending_shared": [],
        "name": room.name,
        "name_normalized": room.name,
    }
    if room.kind == "im":
        other = next((person for person in room.people if person != call.person), call.person)
        out |= {"user": roster.user_id(other), "name": roster.user_id(other), "name_normalized": roster.user_id(other)}
    return out


def _match_to_json(
    call: Call, row: Row, shape: dict[str, object], roster: Roster, hit: dict[str, Any], terms: Sequence[Term]
) -> dict[str, object]:
    user = roster.get(row.person_id)
    mark = digest("slack search", row.channel_id, row.ts, size=16).hex()
    out: dict[str, object] = {
        "iid": f"{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}",
        "team": shape["team"],
        **hit,
        "type": "im" if hit["channel"]["is_im"] else "message",
        "user": shape["user"],
        "username": row.username or (user.handle if user else "slackbot"),
        "ts": row.ts,
        "text": highlight(row.text, terms),
        "permalink": message_views.permalink(call, row.channel_id, row.ts, row.thread_ts),
        "no_reactions": not shape.get("reactions"),
    }
    for name in ("blocks", "attachments", "files"):
        if name in shape:
            out[name] = shape[name]
    return out


@app.operation(
    "search.messages",
    source=DOCS + "search.messages",
    scope="search:read",
    limit=TIER2,
    examples=[{"query": "deploy"}],
    raises=("no_query", "not_allowed_token_type", "missing_scope"),
)
def search_messages(call: Call, params: SearchMessages) -> MessageHits:
    """Search messages in every conversation you may see: words, "phrases", -words and modifiers like from:@ada in:#ops.

    Words match whole words; a trailing * matches beginnings. Dates are days in your own time zone.
    """
    _check_allowed(call)
    return {"query": params.query, "messages": _search_messages(call, params, Roster(call), params.public_only)}


_FILES = """slack_file f WHERE f.deleted_at IS NULL AND (f.person_id = :me OR EXISTS (
  SELECT 1 FROM slack_file_share s JOIN slack_message m ON m.id = s.message_id AND m.deleted_at IS NULL
  JOIN slack_channel c ON c.id = s.channel_id LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me
  WHERE s.file_id = f.id AND (v.person_id IS NOT NULL OR (c.kind = 'public' AND NOT :guest))))"""


def _search_files(call: Call, params: Search, roster: Roster) -> Matches:
    terms, (count, page) = parse(params.query.strip()), _page_bounds(params)
    if not terms:
        raise OperationError("no_query")
    rows = call.all(
        f"SELECT {file_views.COLUMNS} FROM {_FILES} ORDER BY f.created_at DESC, f.id",
        {"me": call.person, "guest": roster.me.is_guest},
    )
    names = Names(call, roster)
    found = [row for row in rows if all(_matches_file(call, row, term, names) != term.negated for term in terms)]
    if params.sort_dir == "asc":
        found.reverse()
    hits = [file_views.file_to_json(call, tuple(row), roster) for row in found[(page - 1) * count : page * count]]
    return _matches_to_json(len(found), count, page, hits)


_SHARED_IN = "SELECT channel_id FROM slack_file_share WHERE file_id = :id ORDER BY channel_id"


def _matches_file(call: Call, row: Sequence[Any], term: Term, names: Names) -> bool:
    """Whether a file's name, owner, place or day matches a term."""
    if isinstance(term, Words):
        have, want = _split_tokens(f"{row[2]} {row[3]}"), _split_tokens(term.text)
        spots = range(len(have) - len(want) + 1)
        if not want:
            return True
        if term.prefix:
            return any(
                have[n : n + len(want) - 1] == want[:-1] and have[n + len(want) - 1].startswith(want[-1]) for n in spots
            )
        return any(have[n : n + len(want)] == want for n in spots)
    if term.name == "from":
        return row[1] == names.person(term.value)
    if term.name == "in":
        return bool({item[0] for item in call.all(_SHARED_IN, {"id": row[0]})} & set(names.channels(term.value)))
    if term.name in ("before", "after", "on", "during"):
        days = parse_span(term.value, call.now, call.me.tz)
        if days is None:
            return False
        at = row[9]
        return {"before": at < days.low, "after": at >= days.high}.get(term.name, days.low <= at < days.high)
    return False


def _split_tokens(said: str) -> list[str]:
    return [token.casefold() for token in TOKEN.findall(said)]


@app.operation(
    "search.files",
    source=DOCS + "search.files",
    scope="search:read",
    limit=TIER2,
    examples=[{"query": "report"}],
    raises=("no_query", "not_allowed_token_type", "missing_scope"),
)
def search_files(call: Call, params: Search) -> FileHits:
    """Search the files you may see by name, title, owner (from:), conversation (in:) and day."""
    _check_allowed(call)
    return {"query": params.query, "files": _search_files(call, params, Roster(call))}


@app.operation(
    "search.all",
    source=DOCS + "search.all",
    scope="search:read",
    limit=TIER2,
    examples=[{"query": "report"}],
    raises=("no_query", "not_allowed_token_type", "missing_scope"),
)
def search_all(call: Call, params: Search) -> AllHits:
    """Search messages and files at once."""
    _check_allowed(call)
    roster = Roster(call)
    return {
        "query": params.query,
        "messages": _search_messages(call, params, roster),
        "files": _search_files(call, params, roster),
        "posts": {"total": 0, "matches": []},
    }


_CHANNELS = (
    f"SELECT {conversation_access.COLUMNS} FROM {conversation_access.SOURCE} WHERE instr(:kinds, ' ' || c.kind || ' ')"
    " AND (:archived OR c.archived_at IS NULL)"
    " AND (m.joined_at IS NOT NULL OR (c.kind = 'public' AND NOT :guest))"
    " AND instr(lower(c.name || ' ' || c.topic || ' ' || c.purpose), lower(:query))"
    " ORDER BY c.name <> lower(:query), instr(c.name, lower(:query)) <> 1, instr(c.name, lower(:query)) = 0,"
    " c.name, c.id LIMIT :n"
)


@app.operation(
    "conversations.search",
    source=CLIENT + " (search.modules)",
    examples=[{"query": "general"}],
    raises=("invalid_types", "missing_scope"),
)
def search_channels(call: Call, params: SearchChannels) -> ChannelHits:
    """Find channels by part of their name, topic or purpose."""
    roster, kinds = Roster(call), parse_kinds(call, params.types)
    values = {
        "me": call.person,
        "kinds": f" {' '.join(kinds)} ",
        "archived": params.include_archived,
        "guest": roster.me.is_guest,
        "query": params.query.removeprefix("#"),
        "n": min(max(params.limit or 20, 1), 100),
    }
    found = [Room(*row) for row in call.all(_CHANNELS, values)]
    sizes = conversation_access.count_members(call, [room.id for room in found])
    return {
        "channels": [conversation_access.conversation_to_json(room, roster, sizes.get(room.id, 0)) for room in found]
    }
