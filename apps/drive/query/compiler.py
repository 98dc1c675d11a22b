"""Compiler of a search to a condition over `drive_file f`; every value is bound."""

from collections.abc import Callable
from functools import cached_property

import orjson

from apps.drive import access, fulltext, groups, roots, timestamps
from apps.drive.query.tree import BadQuery, Node, NoFolder, Term
from world.core.boolean_tree import And, Not, Or
from world.core.call import Call
from world.core.json_types import JsonObject

TIMES = {
    "modifiedTime": "f.modified_at",
    "createdTime": "f.created_at",
    "viewedByMeTime": "(SELECT at FROM drive_visit WHERE person_id = :me AND file_id = f.id)",
    "sharedWithMeTime": (
        "(SELECT max(shared_at) FROM drive_permission WHERE person_id = :me AND file_id = f.id AND role != 'owner')"
    ),
}
EQUAL = ("=", "!=")
COMPARED = ("=", "!=", "<", "<=", ">", ">=")
ROLES = {"owners": ("owner",), "writers": ("owner", "writer"), "readers": ("owner", "writer", "commenter", "reader")}
VISIBLE = {  # most open first
    "anyoneCanFind": "type = 'anyone' AND discoverable",
    "anyoneWithLink": "type = 'anyone'",
    "domainCanFind": "type = 'domain' AND discoverable",
    "domainWithLink": "type = 'domain'",
}
_LOWER = " UNION SELECT c.id FROM drive_file c JOIN below b ON c.parent_id = b.id) SELECT id FROM below ORDER BY id"
_BELOW = (
    "WITH RECURSIVE below(id) AS (SELECT file_id FROM drive_permission WHERE (expires_at IS NULL OR expires_at > :now)"
    " AND ({})" + _LOWER
)
_BINNED = "WITH RECURSIVE below(id) AS (SELECT id FROM drive_file WHERE trashed_at IS NOT NULL" + _LOWER
_OWN = "WITH RECURSIVE below(id) AS (SELECT id FROM drive_file WHERE owner_id = :me" + _LOWER
_WRITING = (
    "role IN ('owner', 'writer') AND (type = 'anyone' OR (type = 'domain' AND domain = :domain) OR (type = 'user' AND"
    " person_id = :me) OR (type = 'group' AND lower(email) IN (SELECT value FROM json_each(:groups))))"
)
_WITH_ME = (
    "(f.owner_id != :me AND f.id IN (SELECT file_id FROM drive_permission WHERE (expires_at IS NULL OR expires_at >"
    " :now) AND (person_id = :me OR (type = 'group' AND lower(email) IN (SELECT value FROM json_each(:groups))))))"
)
_PROPERTY = "EXISTS(SELECT 1 FROM json_each({}) p WHERE p.key = {} AND p.value = {})"


class Condition:
    """An SQL condition and its bound values, beside `:me`, `:now`, `:groups`."""

    def __init__(self, sql: str, values: JsonObject) -> None:
        self.sql, self.values = sql, values


def compile_search(call: Call, tree: Node) -> Condition:
    """Compile a search to a condition. Raises BadQuery."""
    compiler = _Compiler(call)
    return Condition(compiler.node(tree), compiler.values)


class _Compiler:
    def __init__(self, call: Call) -> None:
        self.call = call
        self.values: JsonObject = {}
        self.words = fulltext.MOST_WORDS
        self.sets: dict[object, list[int]] = {}
        self.terms: dict[str, Callable[[Term], str]] = {
            "name": self._compile_name,
            "fullText": self._compile_text,
            "mimeType": self._compile_mime_type,
            "trashed": self._compile_trashed,
            "starred": self._compile_starred,
            "sharedWithMe": self._compile_shared_with_me,
            "parents": self._compile_parents,
            "visibility": self._compile_visibility,
            "shortcutDetails.targetId": self._compile_target,
            "properties": self._compile_properties,
            "appProperties": self._compile_app_properties,
            **dict.fromkeys(TIMES, self._compile_time),
            **dict.fromkeys(ROLES, self._compile_people),
        }

    def bind(self, value: object) -> str:
        name = f"q{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def node(self, node: Node) -> str:
        if isinstance(node, Not):
            return f"NOT ({self.node(node.part)})"
        if isinstance(node, (And, Or)):
            joined = (" AND " if isinstance(node, And) else " OR ").join(f"({self.node(part)})" for part in node.parts)
            return joined or "1"
        handler = self.terms.get(node.name)
        if handler is None:
            raise BadQuery
        return handler(node)

    def _text_of(self, term: Term, *operators: str) -> str:
        if term.operator not in operators or not isinstance(term.value, str):
            raise BadQuery
        return term.value

    def _flag(self, term: Term, sql: str) -> str:
        if term.operator not in EQUAL or not isinstance(term.value, bool):
            raise BadQuery
        return sql if term.value == (term.operator == "=") else f"NOT ({sql})"

    def _among(self, ids: list[int]) -> str:
        return f"f.id IN (SELECT value FROM json_each({self.bind(orjson.dumps(ids).decode())}))"

    def _set(self, sql: str, **values: object) -> list[int]:
        """Return the files a statement finds, read once: the number of subqueries in a statement is limited."""
        key = sql, tuple(values.values())
        if key not in self.sets:
            self.sets[key] = [row[0] for row in self.call.all(sql, values)]
        return self.sets[key]

    def _below(self, where: str, **values: object) -> str:
        """Return the files with such a permission, of their own or inherited."""
        return self._among(self._set(_BELOW.format(where), now=self.call.now, **values))

    @cached_property
    def writable_files(self) -> list[int]:
        """Files the caller may write; only these may be searched by their grantees."""
        me = self.call.person
        domain = groups.get_company_domain(self.call) if groups.is_employee(self.call, me) else None
        mine = orjson.dumps(sorted(groups.of(self.call, me))).decode()
        shared = self._set(_BELOW.format(_WRITING), now=self.call.now, domain=domain, me=me, groups=mine)
        return [*shared, *self._set(_OWN, me=me)]

    @cached_property
    def names(self) -> list[fulltext.FileText]:
        """The names of all files, read once for all terms."""
        return fulltext.names(self.call)

    def _compile_name(self, term: Term) -> str:
        value = self._text_of(term, "contains", *EQUAL)
        if term.operator == "contains":
            return self._among(fulltext.find_by_words(self.names, value))
        return ("" if term.operator == "=" else "NOT ") + self._among(fulltext.find_by_name(self.names, value))

    def _compile_text(self, term: Term) -> str:
        value = self._text_of(term, "contains")
        self.words -= len(fulltext.words(value))
        if self.words < 0:
            raise BadQuery
        return self._among(fulltext.find_by_text(self.call, value))

    def _compile_mime_type(self, term: Term) -> str:
        value = self._text_of(term, "contains", *EQUAL)
        if term.operator == "contains":
            return f"instr(lower(f.mime_type), lower({self.bind(value)})) > 0"
        return f"f.mime_type {term.operator} {self.bind(value)}"

    def _compile_time(self, term: Term) -> str:
        at = timestamps.parse_timestamp(self._text_of(term, *COMPARED))
        if at is None:
            raise BadQuery
        return f"coalesce({TIMES[term.name]} {term.operator} {self.bind(at)}, 0)"

    def _compile_trashed(self, term: Term) -> str:
        return self._flag(term, self._among(self._set(_BINNED)))

    def _compile_starred(self, term: Term) -> str:
        return self._flag(term, "EXISTS(SELECT 1 FROM drive_star WHERE person_id = :me AND file_id = f.id)")

    def _compile_shared_with_me(self, term: Term) -> str:
        return self._flag(term, _WITH_ME)

    def _compile_parents(self, term: Term) -> str:
        key = self._text_of(term, "in")
        if roots.is_root(self.call, key):
            return "(f.parent_id IS NULL AND f.owner_id = :me)"
        found = access.by_key(self.call, key)
        if found is None or not access.role(self.call, found):
            raise NoFolder
        return f"f.parent_id = {self.bind(found.id)}"

    def _compile_target(self, term: Term) -> str:
        return (
            f"coalesce(json_extract(f.settings, '$.shortcut.targetId') {term.operator}"
            f" {self.bind(self._text_of(term, *EQUAL))}, 0)"
        )

    def _compile_people(self, term: Term) -> str:
        address = self._text_of(term, "in").strip().lower()
        email = self.call.me.email if address == "me" else address
        person = self.call.directory.owner(email)
        if term.name == "owners":
            return f"f.owner_id = {self.bind(person[0] if person else '')}"
        roles = ", ".join(f"'{role}'" for role in ROLES[term.name])
        whom, id = "(lower(email) = :email OR (type = 'user' AND person_id = :person))", person[0] if person else None
        has = self._below(f"role IN ({roles}) AND {whom}", email=email.lower(), person=id)
        return (
            has
            if id == self.call.person
            else f"({has} AND (f.owner_id = {self.bind(id)} OR {self._among(self.writable_files)}))"
        )

    def _compile_visibility(self, term: Term) -> str:
        value = self._text_of(term, *EQUAL)
        if value != "limited" and value not in VISIBLE:
            raise BadQuery
        kinds = list(VISIBLE)
        wider = kinds if value == "limited" else kinds[: kinds.index(value)]
        parts = [f"NOT {self._below(VISIBLE[one])}" for one in wider]
        parts += [] if value == "limited" else [self._below(VISIBLE[value])]
        return ("" if term.operator == "=" else "NOT ") + f"({' AND '.join(parts)})"

    def _compile_properties(self, term: Term) -> str:
        value = self._text_of(term, "has")
        return _PROPERTY.format("f.properties", self.bind(term.key), self.bind(value))

    def _compile_app_properties(self, term: Term) -> str:
        value = self._text_of(term, "has")
        return _PROPERTY.format("json_extract(f.settings, '$.appProperties')", self.bind(term.key), self.bind(value))
