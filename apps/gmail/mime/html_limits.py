"""Limits on depth and length of HTML before it is parsed: parsing costs the square of its depth.

Safety is not decided here; what comes out goes through the sanitiser.
"""

import re
from itertools import islice

MAX_CHARACTERS = 200_000  # of HTML that is looked at: twice what the vendor shows before it clips; own choice
MAX_TAGS = 10_000  # own choice: twice a long newsletter
MAX_DEPTH = 100  # elements inside elements; own choice: three times the deepest newsletter
SMALL = (
    1_000  # "<" up to which no shape of markup is worth the work, as long as none begins a tag that could be this long:
)
LONG_TAG = 4_000  # characters; own choice: an attribute is compared with each before it
MAX_ATTRIBUTES = 50  # of an element; own choice

_BARE = re.compile(r"&(?![A-Za-z#])")
_VOID = {"br", "col", "hr", "img", "wbr"}
_TOKEN = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:script|style|title|textarea|xmp|noscript|template|svg|math|select)\b.*?(?:</(?:script|style|title|textarea|xmp|noscript|"
    r"template|svg|math|select)\b[^>]*+>?|\Z)|<(/?)([a-z][a-z0-9]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)>|([^<]+)|<",
    re.I | re.S,
)
_ATTRIBUTE = re.compile(r"(?<![a-z-])([a-z-]++)\s*+=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>=`]+))", re.I)


def limit_html(html: str) -> str:
    """Return small HTML unchanged; else balance its tags, limit their number and depth, and drop doubtful ones."""
    html = _BARE.sub("&amp;", html[:MAX_CHARACTERS])[:MAX_CHARACTERS]
    if html.count("<") <= SMALL and max(map(len, html.split("<"))) <= LONG_TAG:
        return html
    out: list[str] = []
    opened: list[str] = []
    tags = 0
    for closing, name, attributes, words in _TOKEN.findall(html):
        tags += bool(name)
        if tags > MAX_TAGS:
            break
        if words:
            out.append(words)
        elif closing:
            out += _close_tag(opened, name.lower())
        elif name:
            out += _open_tag(opened, name.lower(), attributes)
    return "".join([*out, *(f"</{name}>" for name in reversed(opened))])


def _open_tag(opened: list[str], name: str, attributes: str) -> list[str]:
    if name not in _VOID:
        if len(opened) >= MAX_DEPTH:
            return []
        opened.append(name)
    found = _ATTRIBUTE.finditer(attributes)
    said = (
        f' {key}="{(double or single or bare).replace(chr(34), "&quot;")}"'
        for key, double, single, bare in (one.groups("") for one in islice(found, MAX_ATTRIBUTES))
    )
    return [f"<{name}{''.join(said)}>"]


def _close_tag(opened: list[str], name: str) -> list[str]:
    """The end tags that close the last element of a name, or none if it is not open."""
    if name not in opened:
        return []
    ends = []
    while not ends or ends[-1] != f"</{name}>":
        ends.append(f"</{opened.pop()}>")
    return ends
