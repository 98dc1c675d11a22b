"""Search of one mailbox: messages and conversations, latest first.

Few matches of words come from the full-text index and are sorted. Otherwise the mailbox is walked from its latest
message, by the index of its shortest list if the search names one, over a set of all mail with the words, which costs
half a microsecond for each. When very much mail has the words, the first messages are tested for them one by one
instead, at 20 and more.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from apps.gmail import labels as vendor
from apps.gmail.content import to_sql_list
from apps.gmail.mail_search.compiler import NEVER, Compiler, Fact, Test, Text, join_all
from apps.gmail.mail_search.documents import documents_by_id
from apps.gmail.mailbox import Mailbox
from apps.gmail.query import Node, QueryRefused, bind_dates, matches, parse, search_scope
from world.core.boolean_tree import And
from world.core.errors import OperationError

FEW = 1_500  # hits that are fetched and sorted rather than met on a walk
MANY = 10_000  # hits from which on collecting them costs more than asking a few messages
STRETCH, FEW_WORDS = 200, 4  # messages asked for one word; words that are asked for at all
FEW_OF_THREADS, MET = 4_000, 600  # hits whose conversations are sorted rather than met; messages looked at to meet some
Key = tuple[int, str]  # time and id of a message

_FTS = "SELECT rowid AS mail FROM gmail_mail_fts WHERE gmail_mail_fts MATCH {}"
_OWN = "SELECT id FROM gmail_label WHERE person_id = :me AND id IN (SELECT value FROM json_each(:ids))"
_LATEST = "{0}.internal_at DESC, {0}.{1} DESC"


class Hit(NamedTuple):
    """A message found; for a conversation, its latest message."""

    id: str
    thread_id: str
    internal_at: int


class Source(NamedTuple):
    """Rows that a walk of messages `m` reads, and the table whose columns give their order."""

    rows: str
    where: str
    table: str = "m"
    id: str = "id"


_BY_TIME = Source("gmail_message m INDEXED BY gmail_message_by_time", "m.person_id = :me")
_BY_STATE = {
    "UNREAD": Source("gmail_message m INDEXED BY gmail_message_unread", "m.person_id = :me AND m.is_unread"),
    "SPAM": Source("gmail_message m INDEXED BY gmail_message_spam", "m.person_id = :me AND m.is_spam"),
    "TRASH": Source("gmail_message m INDEXED BY gmail_message_trash", "m.person_id = :me AND m.trashed_at IS NOT NULL"),
}
_BY_LABEL = Source(
    "gmail_message_label l INDEXED BY gmail_message_label_by_time CROSS JOIN gmail_message m ON m.id = l.message_id",
    "l.person_id = :me AND l.label_id = {}",
    "l",
    "message_id",
)
_OF_MAILS = Source(
    "({}) f CROSS JOIN gmail_message m INDEXED BY gmail_message_by_mail ON m.mail_id = f.mail", "m.person_id = :me"
)


def find_messages(
    box: Mailbox,
    query: str = "",
    labels: Iterable[str] = (),
    *,
    everywhere: bool = False,
    after: Key | None = None,
    limit: int = 100,
) -> list[Hit]:
    """Return the messages a query matches, latest first, after `after` (time, id).

    `everywhere` includes spam and trash.

    Raises invalid_query, invalid_label.
    """
    return _Search(box, query, labels, everywhere).messages(after, limit)


def find_threads(
    box: Mailbox,
    query: str = "",
    labels: Iterable[str] = (),
    *,
    everywhere: bool = False,
    after: Key | None = None,
    limit: int = 100,
) -> list[Hit]:
    """Return the conversations with a matching message, each with its latest match, by whose time they are ordered.

    Raises invalid_query, invalid_label.
    """
    return _Search(box, query, labels, everywhere).threads(after, limit)


def count_found(
    box: Mailbox, query: str = "", labels: Iterable[str] = (), most: int = 1_000, *, of_threads: bool = False
) -> int:
    """Count messages or conversations: all under labels alone; of a search at most `most`.

    Raises invalid_query, invalid_label.
    """
    search = _Search(box, query, labels, False)
    if not query.strip():
        return search.size(of_threads)
    return len(search.threads(None, most) if of_threads else search.messages(None, most))


class _Search:
    """One search: its test of a message, and the indexes that can answer it."""

    def __init__(self, box: Mailbox, query: str, labels: Iterable[str], everywhere: bool) -> None:
        self.box, self.compiler = box, Compiler(box)
        listed = _check_labels(box, labels)
        self.node = _parse_query(box, query)
        self.test = join_all([*(self.compiler.match_label(id) for id in listed), self.compiler.test(self.node)])
        asked = search_scope(self.node)
        self.trash, self.spam = (
            (everywhere or asked.trash or "TRASH" in listed),
            (everywhere or asked.spam or "SPAM" in listed),
        )
        self.hits: dict[Text, int] = {}
        self.parts: tuple[Test, ...] = self.test.parts if isinstance(self.test, And) else (self.test,)

    # messages

    def messages(self, after: Key | None, limit: int) -> list[Hit]:
        """Return a page of messages."""
        if self.test == NEVER or limit <= 0:
            return []
        return self._sure(after, limit) if self.compiler.unsure else self._page(after, limit)

    def _sure(self, after: Key | None, limit: int) -> list[Hit]:
        """Check messages one by one, where the conditions match too many."""
        out: list[Hit] = []
        size = max(limit, 200)
        while found := self._page(after, size):
            out += self._filter_hits(found)
            if len(out) >= limit or len(found) < size:
                break
            after = (found[-1].internal_at, found[-1].id)
        return out[:limit]

    def _filter_hits(self, hits: list[Hit]) -> list[Hit]:
        mails = documents_by_id(self.box, self.box.messages(hit.id for hit in hits))
        return [hit for hit in hits if matches(self.node, mails[hit.id])]

    def _page(self, after: Key | None, limit: int) -> list[Hit]:
        few = self._few(FEW)
        if few is not None:
            return self._walk(few[0], few[1], after, None, limit)
        source = self._source()
        if not self._common():
            return self._walk(source, self._where(True), after, None, limit)
        edge = self._edge(source, after, self._stretch())
        found = self._walk(source, self._where(False), after, edge, limit)
        if edge is None or len(found) == limit:
            return found
        return found + self._walk(source, self._where(True), edge, None, limit - len(found))

    def _walk(self, source: Source, where: str, after: Key | None, until: Key | None, limit: int) -> list[Hit]:
        table, id = source.table, source.id
        sql = (
            f"SELECT m.id, m.thread_id, m.internal_at FROM {source.rows} WHERE {source.where} AND"
            f" {self._between(table, id, after, until)} AND {where} ORDER BY {_LATEST.format(table, id)} LIMIT :n"
        )
        return [Hit._make(row) for row in self._all(sql, after, until, n=limit)]

    # conversations

    def threads(self, after: Key | None, limit: int) -> list[Hit]:
        """Return a page of conversations."""
        if self.test == NEVER or limit <= 0:
            return []
        if self.compiler.unsure:
            rows = (
                "SELECT value AS thread FROM"
                f" json_each({self.compiler.bind(to_sql_list({hit.thread_id for hit in self._sure(None, 2**31)}))})"
            )
            return self._of_threads(rows, after, limit)
        few, source = self._few(FEW_OF_THREADS), self._source()
        if few is not None or (
            source != _BY_TIME and self._is_little(f"{source.rows} WHERE {source.where}", FEW_OF_THREADS)
        ):
            return self._of_threads(self._threads_in(*(few or (source, self._where(True)))), after, limit)
        edge = self._edge(_BY_TIME, after, self._stretch() if self._common() else MET)
        found = self._walk_threads(after, edge, limit)
        if edge is None or len(found) == limit:
            return found
        rest = self._few(MANY) or (source, self._where(True))
        return found + self._of_threads(self._threads_in(*rest), edge, limit - len(found))

    def _threads_in(self, source: Source, where: str) -> str:
        return (
            f"SELECT DISTINCT m.thread_id AS thread FROM {source.rows} WHERE {source.where} AND"
            f" {self._ranges(source.table)} AND {where}"
        )

    def _of_threads(self, rows: str, after: Key | None, limit: int) -> list[Hit]:
        sql = (
            f"SELECT m.id, m.thread_id, m.internal_at FROM ({rows}) f CROSS JOIN gmail_message m ON m.id = (SELECT x.id"
            f" FROM gmail_message x WHERE x.person_id = :me AND x.thread_id = f.thread AND {self._visible('x')} ORDER"
            f" BY {_LATEST.format('x', 'id')} LIMIT 1) WHERE {_key_condition('m', 'id', after, None)} ORDER BY"
            f" {_LATEST.format('m', 'id')} LIMIT :n"
        )
        return [Hit._make(row) for row in self._all(sql, after, None, n=limit)]

    def _walk_threads(self, after: Key | None, until: Key | None, limit: int) -> list[Hit]:
        """Walk the mailbox; return each conversation with a match at its latest message."""
        sql = (
            "SELECT t.id, t.thread_id, t.internal_at FROM gmail_message t INDEXED BY gmail_message_by_time WHERE"
            f" t.person_id = :me AND {_key_condition('t', 'id', after, until)} AND {self._ranges('t', until=False)} AND"
            f" {self._visible('t')} AND NOT EXISTS (SELECT 1 FROM gmail_message x WHERE x.person_id = :me AND"
            " x.thread_id = t.thread_id AND x.internal_at >= t.internal_at AND (x.internal_at, x.id) > (t.internal_at,"
            f" t.id) AND {self._visible('x')}) AND EXISTS (SELECT 1 FROM gmail_message m INDEXED BY"
            " gmail_message_by_thread WHERE m.person_id = :me AND m.thread_id = t.thread_id AND"
            f" {self._where(not self._common())}) ORDER BY {_LATEST.format('t', 'id')} LIMIT :n"
        )
        return [Hit._make(row) for row in self._all(sql, after, until, n=limit)]

    # counting

    def size(self, of_threads: bool) -> int:
        """Count all matching messages or conversations."""
        if self.test == NEVER:
            return 0
        source, what = self._source(), "DISTINCT m.thread_id" if of_threads else "*"
        if of_threads or len(self.parts) > 1 or self.trash or self.spam:
            return int(
                self._all(
                    f"SELECT count({what}) FROM {source.rows} WHERE {source.where} AND {self._where(True)}", None, None
                )[0][0]
            )
        return self._rows(source) - self._count_hidden()

    def _rows(self, source: Source) -> int:
        index = source.rows.partition(" CROSS JOIN ")[0]
        return int(self._all(f"SELECT count(*) FROM {index} WHERE {source.where}", None, None)[0][0])

    def _count_hidden(self) -> int:
        """Count the matches in trash and spam, which have separate indexes."""
        trash, spam = _BY_STATE["TRASH"], _BY_STATE["SPAM"]
        asked = self.compiler.sql(self.test, True)
        sql = (
            f"SELECT (SELECT count(*) FROM {trash.rows} WHERE {trash.where} AND {asked})"
            f" + (SELECT count(*) FROM {spam.rows} WHERE {spam.where} AND m.trashed_at IS NULL AND {asked})"
        )
        return int(self._all(sql, None, None)[0][0])

    # which index

    def _few(self, most: int) -> tuple[Source, str] | None:
        """Return the candidate mail from an index when it is little, and the condition left to test."""
        for part in self.parts:
            if isinstance(part, Text) and self._hits(part) <= most:
                rows, left = _FTS.format(self.compiler.bind(part.own)), [self.compiler.build_confirmation(part)]
            elif isinstance(part, Fact) and part.mails and self._is_little(f"({part.mails})", most):
                rows, left = f"SELECT id AS mail FROM ({part.mails})", []
            else:
                continue
            return _OF_MAILS._replace(rows=_OF_MAILS.rows.format(rows)), " AND ".join(
                [self._where(True, without=part), *left]
            )
        return None

    def _common(self) -> bool:
        """Whether the required words are in so much mail that messages are tested one by one."""
        listed = [part for part in self.parts if isinstance(part, Text)]
        return bool(listed) and self.compiler.words <= FEW_WORDS and all(self._hits(part) > MANY for part in listed)

    def _stretch(self) -> int:
        return STRETCH // max(1, self.compiler.words)

    def _hits(self, text: Text) -> int:
        """Count the mail with the words, up to a limit."""
        if text not in self.hits:
            self.hits[text] = self._length(f"({_FTS.format(self.compiler.bind(text.own))})", MANY)
        return self.hits[text]

    def _source(self) -> Source:
        """Return the shortest list that contains all results."""
        listed = [self._list_of(part) for part in self.parts if isinstance(part, Fact) and (part.label or part.state)]
        if len(listed) < 2:
            return listed[0] if listed else _BY_TIME
        return min(listed, key=lambda source: self._length(f"{source.rows} WHERE {source.where}", FEW))

    def _list_of(self, fact: Fact) -> Source:
        if fact.state:
            return _BY_STATE[fact.state]
        return _BY_LABEL._replace(where=_BY_LABEL.where.format(self.compiler.bind(fact.label)))

    def _is_little(self, rows: str, most: int) -> bool:
        return self._length(rows, most) <= most

    def _length(self, rows: str, most: int) -> int:
        return int(self._all(f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {most + 1})", None, None)[0][0])

    def _edge(self, source: Source, after: Key | None, size: int) -> Key | None:
        """Return the end of the first stretch of a walk; None if the walk is not longer."""
        table, id = source.table, source.id
        sql = (
            f"SELECT {table}.internal_at, {table}.{id} FROM {source.rows} WHERE {source.where} AND"
            f" {self._between(table, id, after, None)} ORDER BY {_LATEST.format(table, id)} LIMIT 1 OFFSET :n"
        )
        row = next(iter(self._all(sql, after, None, n=size)), None)
        return None if row is None else (row[0], row[1])

    # conditions

    def _where(self, sets: bool, without: Test | None = None) -> str:
        rest = [part for part in self.parts if part is not without]
        return f"{self._visible('m')} AND {self.compiler.sql(And(tuple(rest)), sets)}"

    def _visible(self, table: str) -> str:
        said = [] if self.spam else [f"NOT {table}.is_spam"]
        return " AND ".join([*said, *([] if self.trash else [f"{table}.trashed_at IS NULL"])]) or "1"

    def _between(self, table: str, id: str, after: Key | None, until: Key | None) -> str:
        return f"{_key_condition(table, id, after, until)} AND {self._ranges(table)}"

    def _ranges(self, table: str, until: bool = True) -> str:
        """Return the time bounds, on the table that is walked."""
        facts = [part for part in self.parts if isinstance(part, Fact)]
        since = [f"{table}.internal_at >= {self.compiler.bind(one.since)}" for one in facts if one.since is not None]
        before = [f"{table}.internal_at < {self.compiler.bind(one.until)}" for one in facts if one.until is not None]
        return " AND ".join([*since, *(before if until else [])]) or "1"

    def _all(self, sql: str, after: Key | None, until: Key | None, **more: object) -> Sequence[Sequence[Any]]:
        values = {"me": self.box.person, **self.compiler.values, **more}
        for name, key in (("after", after), ("until", until)):
            if key:
                values[f"{name}_at"], values[f"{name}_id"] = key
        return self.box.call.all(sql, values)


def _key_condition(table: str, id: str, after: Key | None, until: Key | None) -> str:
    row = f"({table}.internal_at, {table}.{id})"
    said = [
        *([f"{row} < (:after_at, :after_id)"] if after else []),
        *([f"{row} >= (:until_at, :until_id)"] if until else []),
    ]
    return " AND ".join(said) or "1"


def _parse_query(box: Mailbox, query: str) -> Node:
    zone = box.call.directory.zone(box.person)
    try:
        return bind_dates(parse(query), box.call.now, zone)
    except QueryRefused:
        raise OperationError("invalid_query") from None


def _check_labels(box: Mailbox, labels: Iterable[str]) -> list[str]:
    """Labels by id. Raises invalid_label."""
    listed = list(dict.fromkeys(labels))
    own = [id for id in listed if id not in vendor.SYSTEM]
    if len(box.call.all(_OWN, {"me": box.person, "ids": to_sql_list(own)})) < len(own):
        raise OperationError("invalid_label")
    return listed
