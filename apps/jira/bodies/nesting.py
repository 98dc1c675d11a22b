"""Fitting of blocks where the format does not allow them: unwrapped, turned into paragraphs, or left out."""

from collections.abc import Iterable

from apps.jira.bodies.adf import INLINE, NODES, Node, block, children
from apps.jira.bodies.plain_text import text_with_breaks

LEVELS = 24  # nested containers a reader keeps; deeper ones are flattened


def fit_children(nodes: Iterable[Node], parent: str) -> list[Node]:
    """The nodes as children of `parent`, at least one where the format asks for one."""
    allowed = NODES[parent].children
    out: list[Node] = []
    for node in nodes:
        if node["type"] in allowed:
            out.append(node)
        else:
            out.extend(_unwrap(node, parent))
    if not out and NODES[parent].fewest:
        out.append(block("paragraph"))
    return out


def _unwrap(node: Node, parent: str) -> list[Node]:
    kind = node["type"]
    if kind in INLINE:
        return [block("paragraph", [node])]
    if kind == "codeBlock":
        return [block("paragraph", text_with_breaks("".join(part["text"] for part in children(node))))]
    inside = children(node)
    if inside and all(child["type"] in INLINE for child in inside):
        return [block("paragraph", inside)]
    return fit_children(inside, parent) if inside else []
