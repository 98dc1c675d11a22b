"""Match of a search against single mails: the specification for faster searches."""

from apps.gmail.query.document import Document, list_entries, list_people
from apps.gmail.query.normal_form import (
    Anywhere,
    At,
    Has,
    Label,
    Larger,
    MessageId,
    Moment,
    Node,
    NotBefore,
    OwnAddress,
    Proximity,
    Smaller,
    System,
    Term,
    Until,
    Words,
)
from apps.gmail.query.scope import search_scope
from apps.gmail.query.tokens import are_near, holds_phrase, label_key, message_key, tokens
from world.core.boolean_tree import And, Not, Or


def is_found(node: Node, mail: Document) -> bool:
    """Whether a search of the mailbox finds a mail: it matches, outside trash and spam unless these are searched."""
    asked = search_scope(node)
    hidden = ("TRASH" in mail.system and not asked.trash) or ("SPAM" in mail.system and not asked.spam)
    return not hidden and matches(node, mail)


def matches(node: Node, mail: Document) -> bool:
    """Whether a mail matches a search with bounded dates. Filters use this, since they ignore trash and spam."""
    if isinstance(node, And):
        return all(matches(part, mail) for part in node.parts)
    if isinstance(node, Or):
        return any(matches(part, mail) for part in node.parts)
    return not matches(node.part, mail) if isinstance(node, Not) else _matches_leaf(node, mail)


def _matches_leaf(leaf: Term, mail: Document) -> bool:
    if isinstance(leaf, (Words, Proximity)):
        return any(_matches_text(leaf, tokens(entry)) for entry in list_entries(mail, leaf.field))
    if isinstance(leaf, OwnAddress):
        own = {address.casefold() for address in mail.owner}
        return any(person.address.casefold() in own for person in list_people(mail, leaf.field))
    if isinstance(leaf, (NotBefore, Until, Larger, Smaller)):
        return _matches_measure(leaf, mail)
    return _matches_mark(leaf, mail)


def _matches_text(leaf: Words | Proximity, words: tuple[str, ...]) -> bool:
    if isinstance(leaf, Words):
        return holds_phrase(words, leaf.tokens)
    return are_near(words, leaf.left, leaf.right, leaf.distance, leaf.ordered)


def _matches_measure(leaf: NotBefore | Until | Larger | Smaller, mail: Document) -> bool:
    if isinstance(leaf, Larger):
        return mail.size_bytes > leaf.size_bytes
    if isinstance(leaf, Smaller):
        return mail.size_bytes < leaf.size_bytes
    return (
        mail.at_us >= _moment_us(leaf.moment) if isinstance(leaf, NotBefore) else mail.at_us < _moment_us(leaf.moment)
    )


def _moment_us(moment: Moment) -> int:
    if not isinstance(moment, At):
        raise TypeError("a search is matched after its dates are bounded")
    return moment.at_us


def _matches_mark(leaf: System | Label | Anywhere | Has | MessageId, mail: Document) -> bool:
    if isinstance(leaf, System):
        return leaf.id in mail.system
    if isinstance(leaf, Label):
        return any(label_key(name) == leaf.key for name in mail.labels)
    if isinstance(leaf, MessageId):
        return message_key(mail.message_id) == leaf.text
    return isinstance(leaf, Anywhere) or _matches_has(leaf, mail)


def _matches_has(leaf: Has, mail: Document) -> bool:
    if leaf.kind == "attachment":
        return bool(mail.filenames)
    return bool(mail.labels) if leaf.kind == "userlabels" else leaf.kind in mail.features
