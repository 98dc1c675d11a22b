"""Atlassian Document Format: the node types a body may hold, building blocks, and the check of what callers send.

Node and mark types: developer.atlassian.com/cloud/jira/platform/apis/document/structure/
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import isfinite
from typing import Any, NoReturn

import orjson

Node = dict[str, Any]
Mark = Node
Adf = Node

MAX_DEPTH = 64
NOT_A_DOCUMENT = "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
INVALID = "INVALID_INPUT"

TEXT, WHOLE, NUMBER, FLAG = (str,), (int,), (int, float), (bool,)
LOCAL = {"localId": TEXT}


@dataclass(frozen=True, slots=True)
class Spec:
    """Content model of a node or mark: child types, attributes with their Python types, required ones, mark types."""

    children: frozenset[str] = frozenset()
    attrs: Mapping[str, tuple[type, ...]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    fewest: int = 0


def split_names(words: str) -> frozenset[str]:
    return frozenset(words.split())


INLINE = split_names("text hardBreak mention emoji inlineCard date status mediaInline placeholder")
_LISTS = split_names("bulletList orderedList")
_MEDIA = split_names("mediaSingle mediaGroup")
_CELL = (
    split_names(
        "paragraph heading codeBlock blockquote panel rule taskList decisionList blockCard embedCard nestedExpand"
    )
    | _LISTS
    | _MEDIA
)
_INNER = _CELL - {"nestedExpand"}
TOP = _INNER | {"table", "expand"}
_BLOCK_MARKS = split_names("alignment indentation")
_NOTED = split_names("annotation")
INLINE_MARKS = split_names("code em strike strong subsup textColor backgroundColor underline link annotation")

NODES: dict[str, Spec] = {
    "doc": Spec(TOP, {}),
    "paragraph": Spec(INLINE, LOCAL, marks=_BLOCK_MARKS),
    "heading": Spec(INLINE, {"level": WHOLE, **LOCAL}, split_names("level"), _BLOCK_MARKS),
    "bulletList": Spec(split_names("listItem"), LOCAL, fewest=1),
    "orderedList": Spec(split_names("listItem"), {"order": NUMBER, **LOCAL}, fewest=1),
    "listItem": Spec(split_names("paragraph codeBlock mediaSingle taskList") | _LISTS, LOCAL, fewest=1),
    "codeBlock": Spec(
        split_names("text"), {"language": TEXT, "uniqueId": TEXT, **LOCAL}, marks=split_names("breakout")
    ),
    "blockquote": Spec(split_names("paragraph codeBlock mediaSingle mediaGroup") | _LISTS, LOCAL, fewest=1),
    "panel": Spec(
        split_names("paragraph heading codeBlock rule taskList decisionList blockCard") | _LISTS | _MEDIA,
        {"panelType": TEXT, "panelColor": TEXT, "panelIcon": TEXT, "panelIconId": TEXT, "panelIconText": TEXT, **LOCAL},
        split_names("panelType"),
        fewest=1,
    ),
    "rule": Spec(attrs=LOCAL),
    "table": Spec(
        split_names("tableRow"),
        {"isNumberColumnEnabled": FLAG, "layout": TEXT, "width": NUMBER, "displayMode": TEXT, **LOCAL},
        fewest=1,
    ),
    "tableRow": Spec(split_names("tableCell tableHeader"), LOCAL),
    "tableCell": Spec(_CELL, {"colspan": NUMBER, "rowspan": NUMBER, "colwidth": (list,), "background": TEXT, **LOCAL}),
    "tableHeader": Spec(
        _CELL, {"colspan": NUMBER, "rowspan": NUMBER, "colwidth": (list,), "background": TEXT, **LOCAL}
    ),
    "mediaSingle": Spec(
        split_names("media caption"),
        {"layout": TEXT, "width": NUMBER, "widthType": TEXT, **LOCAL},
        marks=split_names("link"),
        fewest=1,
    ),
    "mediaGroup": Spec(split_names("media"), LOCAL, fewest=1),
    "caption": Spec(INLINE, LOCAL),
    "media": Spec(
        attrs={
            "type": TEXT,
            "id": TEXT,
            "collection": TEXT,
            "url": TEXT,
            "alt": TEXT,
            "width": NUMBER,
            "height": NUMBER,
            "occurrenceKey": TEXT,
            "__fileName": TEXT,
            **LOCAL,
        },
        required=split_names("type"),
        marks=split_names("link border annotation"),
    ),
    "mediaInline": Spec(
        attrs={
            "type": TEXT,
            "id": TEXT,
            "collection": TEXT,
            "alt": TEXT,
            "width": NUMBER,
            "height": NUMBER,
            "occurrenceKey": TEXT,
            "data": (dict,),
            **LOCAL,
        },
        required=split_names("id collection"),
        marks=split_names("link border annotation"),
    ),
    "expand": Spec(_CELL, {"title": TEXT, **LOCAL}, marks=split_names("breakout"), fewest=1),
    "nestedExpand": Spec(_INNER - split_names("blockCard embedCard"), {"title": TEXT, **LOCAL}, fewest=1),
    "taskList": Spec(split_names("taskItem taskList"), LOCAL, split_names("localId"), fewest=1),
    "taskItem": Spec(INLINE, {"state": TEXT, **LOCAL}, split_names("localId state")),
    "decisionList": Spec(split_names("decisionItem"), LOCAL, split_names("localId"), fewest=1),
    "decisionItem": Spec(INLINE, {"state": TEXT, **LOCAL}, split_names("localId state")),
    "blockCard": Spec(
        attrs={"url": TEXT, "data": (dict,), "datasource": (dict,), "width": NUMBER, "layout": TEXT, **LOCAL}
    ),
    "embedCard": Spec(
        attrs={
            "url": TEXT,
            "layout": TEXT,
            "width": NUMBER,
            "originalHeight": NUMBER,
            "originalWidth": NUMBER,
            **LOCAL,
        },
        required=split_names("url layout"),
    ),
    "text": Spec(marks=INLINE_MARKS),
    "hardBreak": Spec(attrs={"text": TEXT, **LOCAL}),
    "mention": Spec(
        attrs={"id": TEXT, "text": TEXT, "accessLevel": TEXT, "userType": TEXT, **LOCAL},
        required=split_names("id"),
        marks=_NOTED,
    ),
    "emoji": Spec(
        attrs={"shortName": TEXT, "id": TEXT, "text": TEXT, **LOCAL}, required=split_names("shortName"), marks=_NOTED
    ),
    "inlineCard": Spec(attrs={"url": TEXT, "data": (dict,), **LOCAL}, marks=_NOTED),
    "date": Spec(attrs={"timestamp": TEXT, **LOCAL}, required=split_names("timestamp"), marks=_NOTED),
    "status": Spec(
        attrs={"text": TEXT, "color": TEXT, "style": TEXT, **LOCAL}, required=split_names("text color"), marks=_NOTED
    ),
    "placeholder": Spec(attrs={"text": TEXT, **LOCAL}, required=split_names("text")),
}

MARKS: dict[str, Spec] = {
    "code": Spec(),
    "em": Spec(),
    "strike": Spec(),
    "strong": Spec(),
    "underline": Spec(),
    "subsup": Spec(attrs={"type": TEXT}, required=split_names("type")),
    "textColor": Spec(attrs={"color": TEXT}, required=split_names("color")),
    "backgroundColor": Spec(attrs={"color": TEXT}, required=split_names("color")),
    "link": Spec(
        attrs={"href": TEXT, "title": TEXT, "id": TEXT, "collection": TEXT, "occurrenceKey": TEXT},
        required=split_names("href"),
    ),
    "annotation": Spec(attrs={"id": TEXT, "annotationType": TEXT}, required=split_names("id annotationType")),
    "alignment": Spec(attrs={"align": TEXT}, required=split_names("align")),
    "indentation": Spec(attrs={"level": WHOLE}, required=split_names("level")),
    "breakout": Spec(attrs={"mode": TEXT, "width": NUMBER}, required=split_names("mode")),
    "border": Spec(attrs={"size": NUMBER, "color": TEXT}, required=split_names("size color")),
}
# Outermost first: the order in which a rendering nests marks.
MARK_ORDER = (
    "link",
    "annotation",
    "textColor",
    "backgroundColor",
    "em",
    "strong",
    "strike",
    "subsup",
    "underline",
    "code",
)
_BESIDE_CODE = split_names("code link annotation")
_MARK_FIELDS = split_names("type attrs")
_NODE_FIELDS = split_names("type attrs content marks")
_TEXT_FIELDS = _NODE_FIELDS | {"text"}
_RANK = {name: rank for rank, name in enumerate(MARK_ORDER)}
_ONLY = {
    ("panel", "panelType"): split_names("info note warning error success tip custom"),
    ("taskItem", "state"): split_names("TODO DONE"),
    ("subsup", "type"): split_names("sub sup"),
    ("media", "type"): split_names("file link external"),
}


def validate(value: object) -> Adf:
    """Return the document if it is valid. Raises ValueError with the vendor's text."""
    if not isinstance(value, dict) or value.get("type") != "doc":
        raise ValueError(NOT_A_DOCUMENT)
    if value.get("version") != 1 or isinstance(value["version"], bool) or not isinstance(value.get("content"), list):
        raise ValueError(NOT_A_DOCUMENT)
    if set(value) - {"type", "version", "content"}:
        _refuse()
    _check_children(value["content"], NODES["doc"], 1)
    return value


def _refuse() -> NoReturn:
    raise ValueError(INVALID)


def _check_children(children: object, spec: Spec, depth: int) -> None:
    if not isinstance(children, list) or depth > MAX_DEPTH or len(children) < spec.fewest:
        _refuse()
    for child in children:
        if not isinstance(child, dict) or child.get("type") not in spec.children:
            _refuse()
        _check_node(child, depth)


def _check_node(node: Node, depth: int) -> None:
    kind = node["type"]
    spec = NODES[kind]
    if not node.keys() <= (_TEXT_FIELDS if kind == "text" else _NODE_FIELDS):
        _refuse()
    if kind == "text" and not (isinstance(node.get("text"), str) and node["text"]):
        _refuse()
    _check_attrs(kind, node.get("attrs", {}), spec)
    if "marks" in node:
        _check_marks(node["marks"], spec)
    if kind == "heading" and not 1 <= node["attrs"]["level"] <= 6:
        _refuse()
    if "content" in node and not spec.children and node["content"] != []:
        _refuse()
    if "content" in node or spec.fewest or depth >= MAX_DEPTH:
        _check_children(node.get("content", []), spec, depth + 1)


def _check_attrs(kind: str, attrs: object, spec: Spec) -> None:
    if not isinstance(attrs, dict) or not spec.required <= attrs.keys():
        _refuse()
    for name, value in attrs.items():
        allowed = spec.attrs.get(name)
        if allowed is None or not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            _refuse()
        if isinstance(value, float) and not isfinite(value):
            _refuse()
        if (kind, name) in _ONLY and value not in _ONLY[kind, name]:
            _refuse()


def _check_marks(marks: object, spec: Spec) -> None:
    if not isinstance(marks, list):
        _refuse()
    kinds: list[str] = []
    for mark in marks:
        if not isinstance(mark, dict) or mark.get("type") not in spec.marks or not mark.keys() <= _MARK_FIELDS:
            _refuse()
        kinds.append(mark["type"])
        _check_attrs(mark["type"], mark.get("attrs", {}), MARKS[mark["type"]])
    if len(set(kinds)) != len(kinds) or ("code" in kinds and not _BESIDE_CODE.issuperset(kinds)):
        _refuse()


def dumps(document: Adf) -> str:
    """The canonical text of a document: compact, keys sorted."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS).decode()


def loads(stored: str) -> Adf:
    """The document of its canonical text."""
    document: Adf = orjson.loads(stored)
    return document


def doc(content: Iterable[Node]) -> Adf:
    """A document of blocks."""
    return {"type": "doc", "version": 1, "content": list(content)}


def block(kind: str, content: Iterable[Node] = (), **attrs: object) -> Node:
    """A node with children; attributes only when given."""
    node: Node = {"type": kind}
    if attrs:
        node["attrs"] = attrs
    inside = list(content)
    if inside or kind not in ("paragraph", "rule", "codeBlock"):
        node["content"] = inside
    return node


def leaf(kind: str, **attrs: object) -> Node:
    """A node without children."""
    return {"type": kind, "attrs": attrs} if attrs else {"type": kind}


def text(words: str, marks: Iterable[Mark] = ()) -> Node:
    """A text node with its marks in canonical order."""
    node: Node = {"type": "text", "text": words}
    ordered = sorted(marks, key=lambda mark: _RANK.get(mark["type"], len(_RANK)))
    if ordered:
        node["marks"] = ordered
    return node


def mark(kind: str, **attrs: object) -> Mark:
    """A mark."""
    return {"type": kind, "attrs": attrs} if attrs else {"type": kind}


def link_mark(href: str) -> Mark:
    """A link."""
    return mark("link", href=href)


def marks_of(node: Node) -> dict[str, Mark]:
    """The marks of a node by type."""
    return {item["type"]: item for item in node.get("marks", ())}


def children(node: Node) -> list[Node]:
    """The content of a node."""
    found: list[Node] = node.get("content") or []
    return found


def attr(node: Node, name: str, default: object = "") -> Any:
    """An attribute of a node."""
    return (node.get("attrs") or {}).get(name, default)


def merge_text_nodes(nodes: Iterable[Node]) -> list[Node]:
    """Inline nodes with neighbouring text of the same marks joined and empty text left out."""
    out: list[Node] = []
    kept = (node for node in nodes if node["type"] != "text" or node["text"])
    for (is_text, marks), group in groupby(kept, key=lambda node: (node["type"] == "text", node.get("marks"))):
        if is_text:
            out.append(text("".join(node["text"] for node in group), marks or ()))
        else:
            out.extend(group)
    return out


def iter_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """Every node in reading order."""
    pending = list(nodes)[::-1]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))
