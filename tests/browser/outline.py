"""What matters of a page over plain HTTP, and what makes it whole."""

from html.parser import HTMLParser

from httpx2 import Response

from world.web.response_headers import CSP


class Outline(HTMLParser):
    """What matters of a page: ids, forms, scripts, inline handlers and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.forms: list[dict[str, str | None]] = []
        self.operations: set[str] = set()
        self.fields: list[list[str]] = []
        self.inline: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "form":
            self.forms.append(found)
            self.fields.append([])
        if tag in ("input", "textarea", "select", "button") and self.fields and found.get("name"):
            self.fields[-1].append(str(found["name"]))
        if found.get("data-operation"):
            self.operations.add(str(found["data-operation"]))
        if (tag == "script" and "src" not in found) or tag == "style":
            self.inline.append(tag)
        self.inline += [f"{tag} {name}" for name in found if name.startswith("on") or name == "style"]
        self.addresses += [
            str(found[name]) for name in ("src", "href", "action", "hx-get", "hx-post") if found.get(name)
        ]


def is_whole(answer: Response) -> Outline:
    """A whole page, and its outline: its headers, no scripts or styles of its own, ids once, a token in every form that
    is posted.
    """
    assert answer.status_code == 200, answer.text[:500]
    assert answer.text.startswith("<!doctype html>") and answer.text.rstrip().endswith("</html>")
    assert answer.headers["content-security-policy"] == CSP and answer.headers["cache-control"] == "no-store"
    assert answer.headers["vary"] == "HX-Request"
    outline = Outline(answer.text)
    assert outline.inline == []
    assert len(outline.ids) == len(set(outline.ids)), [i for i in outline.ids if outline.ids.count(i) > 1]
    posted = [
        fields for form, fields in zip(outline.forms, outline.fields, strict=True) if form.get("method") == "post"
    ]
    assert all("_token" in fields for fields in posted), posted
    return outline
