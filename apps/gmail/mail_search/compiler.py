"""Compiler of a search to SQL: conditions on a message `m` of one mailbox, full-text expressions, all values bound.

Adjacent words become one full-text expression. Blind copies are searchable only in mail the owner wrote, so a text has
two expressions: one for mail the owner wrote (`delivered_to` is empty), one for received mail. `a AROUND 3 b` and its
kin are compiled to a superset: `unsure` says that results must be checked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from apps.gmail import content, outgoing
from apps.gmail.mailbox import Mailbox
from apps.gmail.query import Node
from apps.gmail.query.normal_form import (
    Anywhere,
    At,
    Has,
    Label,
    Larger,
    MessageId,
    NotBefore,
    OwnAddress,
    Proximity,
    Smaller,
    System,
    Term,
    TextField,
    Until,
    Words,
)
from apps.gmail.query.tokens import are_near, holds_phrase, label_key, tokens
from world.core.boolean_tree import And, Leaf, Not, Or, Tree, negate
from world.core.json_types import JsonObject

DEEPEST = 12  # brackets inside each other that full text is given; its parser takes about 30
LARGEST = 2**62  # what a size or a time of a query is cut to
PLAIN_STAR = "yellow-star"  # the only star there is; its label is STARRED
# Per field: where mail the owner wrote has it, and where mail that came in has it.
_COLUMNS: dict[TextField, tuple[str, str]] = {
    "any": ("{words bcc}", "words"),
    "from": ("sender", "sender"),
    "to": ("{receiver bcc}", "receiver"),
    "cc": ("cc", "cc"),
    "bcc": ("bcc", ""),
    "subject": ("subject", "subject"),
    "filename": ("filename", "filename"),
    "list": ("list", "list"),
}
_LABELLED = "EXISTS (SELECT 1 FROM gmail_message_label l WHERE l.message_id = m.id AND l.label_id {})"
_SIZE = (
    "CASE WHEN m.mail_id > 0 THEN (SELECT c.size FROM gmail_mail c WHERE c.id = m.mail_id)"
    " ELSE (SELECT d.size FROM gmail_draft d WHERE d.mail_id = m.mail_id) END"
)
_OF_CONTENT = "SELECT id FROM gmail_mail WHERE {0} UNION ALL SELECT mail_id FROM gmail_draft WHERE {0}"
_STATES = {"UNREAD": "m.is_unread", "SPAM": "m.is_spam", "TRASH": "m.trashed_at IS NOT NULL"}
_PROBE = "EXISTS (SELECT 1 FROM gmail_mail_fts WHERE gmail_mail_fts MATCH {} AND rowid = m.mail_id)"
_SET = "m.mail_id IN (SELECT rowid FROM gmail_mail_fts WHERE gmail_mail_fts MATCH {})"


@dataclass(frozen=True, slots=True)
class Text(Leaf):
    """Full-text expressions for mail the owner wrote and for received mail ('' matches none of it), and their depth."""

    own: str
    received: str
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Fact(Leaf):
    """A condition on a message. `label`: a label whose messages these are; `state`: a flag of the message.

    `mails`: a select of the ids of all matching mail; `since` and `until` bound the time.
    """

    sql: str
    label: str = ""
    state: str = ""
    mails: str = ""
    since: int | None = None
    until: int | None = None


Test = Tree[Text | Fact]
ALWAYS: Test = And(())
NEVER: Test = Or(())


@dataclass(slots=True)
class Compiler:
    """Compiles searches of one mailbox; `values` are the bound values and `words` the words so far."""

    box: Mailbox
    values: JsonObject = field(default_factory=dict)
    unsure: bool = False
    words: int = 0
    _labels: dict[str, list[str]] | None = None
    _delivered: list[str] | None = None
    _addresses: list[str] | None = None

    def bind(self, value: object) -> str:
        """Bind a value as a parameter of the statement."""
        name = f"p{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def test(self, node: Node, wanted: bool = True) -> Test:
        """Compile a node to a test; `wanted` is False below an odd number of negations."""
        if isinstance(node, Not):
            return negate_test(self.test(node.part, not wanted))
        if isinstance(node, And):
            return join_all([self.test(part, wanted) for part in node.parts])
        if isinstance(node, Or):
            return join_any([self.test(part, wanted) for part in node.parts])
        return self._leaf(node, wanted)

    def _leaf(self, leaf: Term, wanted: bool) -> Test:
        if isinstance(leaf, (Words, Proximity)):
            return self._delivery(leaf) if leaf.field == "deliveredto" else self._text(leaf, wanted)
        if isinstance(leaf, OwnAddress):
            return self._mine(leaf)
        if isinstance(leaf, (NotBefore, Until, Larger, Smaller)):
            return self._compare_leaf(leaf)
        return self._match_labels(leaf)

    # words

    def _text(self, leaf: Words | Proximity, wanted: bool) -> Test:
        if isinstance(leaf, Words):
            self.words += len(leaf.tokens)
            return _match_columns(leaf.field, f'"{" ".join(leaf.tokens)}"')
        self.words += len(leaf.left) + len(leaf.right)
        self.unsure = True
        if not wanted:
            return NEVER
        pair = f'NEAR("{" ".join(leaf.left)}" "{" ".join(leaf.right)}", {leaf.distance})'
        return _match_columns(leaf.field, pair)

    def _mine(self, leaf: OwnAddress) -> Test:
        if leaf.field == "deliveredto":
            own = {address.casefold() for address in self.addresses}
            return self._match_delivered_to([address for address in self.delivered if address.casefold() in own])
        own_marks, received = _MARKS[leaf.field]
        return join_any(
            [Text(_match_marks(own_marks, address), _match_marks(received, address)) for address in self.addresses]
        )

    @property
    def addresses(self) -> list[str]:
        """The owner's addresses."""
        if self._addresses is None:
            self._addresses = sorted({one.email.casefold() for one in outgoing.list_identities(self.box)})
        return self._addresses

    def _delivery(self, leaf: Words | Proximity) -> Test:
        check: Callable[[str], bool] = lambda address: text_holds(leaf, tokens(address))  # noqa: E731
        return self._match_delivered_to([address for address in self.delivered if check(address)])

    def _match_delivered_to(self, addresses: Sequence[str]) -> Test:
        return (
            Fact(f"m.delivered_to IN (SELECT value FROM json_each({self.bind(content.to_sql_list(addresses))}))")
            if addresses
            else NEVER
        )

    @property
    def delivered(self) -> list[str]:
        """The addresses by which mail came to this mailbox."""
        if self._delivered is None:
            rows = self.box.call.all(
                "SELECT DISTINCT delivered_to FROM gmail_message WHERE person_id = :me ORDER BY 1",
                {"me": self.box.person},
            )
            self._delivered = [row[0] for row in rows if row[0]]
        return self._delivered

    # times, sizes, labels

    def _compare_leaf(self, leaf: NotBefore | Until | Larger | Smaller) -> Fact:
        if isinstance(leaf, (Larger, Smaller)):
            value = self.bind(min(leaf.size_bytes, LARGEST))
            sign = ">" if isinstance(leaf, Larger) else "<"
            return Fact(f"{_SIZE} {sign} {value}", mails=_OF_CONTENT.format(f"size {sign} {value}"))
        if not isinstance(leaf.moment, At):
            raise TypeError("a search is compiled after its dates are bounded")
        at = max(-LARGEST, min(leaf.moment.at_us, LARGEST))
        return (
            Fact(f"m.internal_at >= {self.bind(at)}", since=at)
            if isinstance(leaf, NotBefore)
            else Fact(f"m.internal_at < {self.bind(at)}", until=at)
        )

    def _match_labels(self, leaf: System | Label | Anywhere | Has | MessageId) -> Test:
        if isinstance(leaf, System):
            return self.match_label(leaf.id)
        if isinstance(leaf, Label):
            return join_any([self.match_label(id) for id in self.labels_of(leaf.key)])
        if isinstance(leaf, MessageId):
            value = self.bind(f"<{leaf.text}>")
            mails = _OF_CONTENT.format(f"message_id = {value}")
            return Fact(f"m.mail_id IN ({mails})", mails=mails)
        return ALWAYS if isinstance(leaf, Anywhere) else self._has(leaf)

    def match_label(self, id: str) -> Fact:
        """Return the test for messages under a label or in a state."""
        if id in _STATES:
            return Fact(_STATES[id], state=id)
        return Fact(_LABELLED.format(f"= {self.bind(id)}"), label=id)

    def labels_of(self, key: str) -> list[str]:
        """Return the owner's labels that a query's name matches."""
        if self._labels is None:
            self._labels = {}
            for id, name in self.box.call.all(
                "SELECT id, name FROM gmail_label WHERE person_id = :me ORDER BY id", {"me": self.box.person}
            ):
                self._labels.setdefault(label_key(name), []).append(id)
        return self._labels.get(key, [])

    def _has(self, leaf: Has) -> Test:
        if leaf.kind == "userlabels":
            return Fact(_LABELLED.format("GLOB 'Label_*'"))
        if leaf.kind == PLAIN_STAR:
            return self.match_label("STARRED")
        if leaf.kind.endswith(("-star", "-bang", "-guillemet", "-check", "-info", "-question")):
            return NEVER
        mark = f'mark : "{leaf.kind}"'
        return Text(mark, mark)

    # SQL

    def sql(self, test: Test, sets: bool) -> str:
        """Return a test as an SQL condition.

        Words are tested per message, or with `sets` as the set of all matching mail.
        """
        if isinstance(test, Fact):
            return test.sql
        if isinstance(test, Not):
            return f"NOT ({self.sql(test.part, sets)})"
        if isinstance(test, Text):
            return self._match_text(test, _SET if sets else _PROBE)
        return _balance([self.sql(part, sets) for part in test.parts], " AND " if isinstance(test, And) else " OR ")

    def _match_text(self, text: Text, form: str) -> str:
        if not text.own:
            return "0"
        return f"({form.format(self.bind(text.own))} AND {self.build_confirmation(text, form)})"

    def build_confirmation(self, text: Text, form: str = _SET) -> str:
        """Return the further condition on mail found by the owner's expression, which matches blind copies too."""
        if text.own == text.received:
            return "1"
        if not text.received:
            return "m.delivered_to = ''"
        blind = _SET.format(self.bind(f'mark : "{content.BLIND}"'))
        return f"(m.delivered_to = '' OR NOT {blind} OR {form.format(self.bind(text.received))})"


_MARKS = {
    "from": (("from",), ("from",)),
    "to": (("to", "bcc"), ("to",)),
    "cc": (("cc",), ("cc",)),
    "bcc": (("bcc",), ()),
}


def _match_marks(fields: Sequence[str], address: str) -> str:
    return " OR ".join(f'mark : "{content.address_mark(one, address)}"' for one in fields)


def _match_columns(field: TextField, phrase: str) -> Text:
    own, received = _COLUMNS[field]
    return Text(f"{own} : {phrase}", f"{received} : {phrase}" if received else "")


def text_holds(leaf: Words | Proximity, words: tuple[str, ...]) -> bool:
    """Whether a text meets a search."""
    return (
        holds_phrase(words, leaf.tokens)
        if isinstance(leaf, Words)
        else are_near(words, leaf.left, leaf.right, leaf.distance, leaf.ordered)
    )


def negate_test(test: Test) -> Test:
    """The opposite of a test."""
    if test in (ALWAYS, NEVER):
        return NEVER if test == ALWAYS else ALWAYS
    return negate(test)


def join_all(parts: Iterable[Test]) -> Test:
    """Return the conjunction of tests; wanted words become one expression, and so do unwanted ones."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    if NEVER in flat:
        return NEVER
    wanted, unwanted, rest = _sort_tests(flat)
    new = [*_merge_texts(wanted, " AND "), *(Not(text) for text in _merge_texts(unwanted, " OR ")), *rest]
    return new[0] if len(new) == 1 else And(tuple(new))


def join_any(parts: Iterable[Test]) -> Test:
    """Return the disjunction of tests."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    if ALWAYS in flat:
        return ALWAYS
    wanted, unwanted, rest = _sort_tests(flat)
    new = [*_merge_texts(wanted, " OR "), *(Not(text) for text in _merge_texts(unwanted, " AND ")), *rest]
    return new[0] if len(new) == 1 else Or(tuple(new))


def _sort_tests(parts: Iterable[Test]) -> tuple[list[Text], list[Text], list[Test]]:
    wanted: list[Text] = []
    unwanted: list[Text] = []
    rest: list[Test] = []
    for part in dict.fromkeys(parts):
        if isinstance(part, Text):
            wanted.append(part)
        elif isinstance(part, Not) and isinstance(part.part, Text):
            unwanted.append(part.part)
        else:
            rest.append(part)
    return wanted, unwanted, rest


def _merge_texts(texts: Sequence[Text], sign: str) -> list[Text]:
    depth = 1 + max((text.depth for text in texts), default=0)
    if len(texts) < 2 or depth > DEEPEST:
        return list(texts)
    received = [text.received for text in texts]
    said = "" if sign == " AND " and "" in received else sign.join(f"({one})" for one in received if one)
    return [Text(sign.join(f"({text.own})" for text in texts), said, depth)]


def _balance(parts: Sequence[str], sign: str) -> str:
    """Balance a chain into a shallow tree: SQLite refuses a deep one."""
    if len(parts) < 2:
        return parts[0] if parts else ("1" if sign == " AND " else "0")
    half = len(parts) // 2
    return f"({_balance(parts[:half], sign)}{sign}{_balance(parts[half:], sign)})"
