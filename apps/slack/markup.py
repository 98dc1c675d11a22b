"""Messages as safe HTML for pages: mrkdwn, blocks and attachments; all text from people is escaped here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from apps.slack.text import Block, Inline, from_rich_text, parse, to_plain

Json = Mapping[str, Any]
_TAGS = (("code", "code"), ("strike", "del"), ("italic", "em"), ("bold", "strong"))
_SCHEMES = ("http://", "https://", "mailto:", "tel:")


def _no_name(name: str) -> str | None:
    return None


@dataclass(frozen=True)
class Names:
    """Display names of ids. `me`: the reader's user and group ids; `link` makes local addresses."""

    users: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    me: frozenset[str] = frozenset()
    link: Callable[[str], str] = str
    emoji: Callable[[str], str | None] = _no_name

    def of(self, piece: Inline) -> str:
        """Return the text of a mention."""
        if piece.kind == "channel":
            return "#" + (self.channels.get(piece.value) or piece.label or "private-channel")
        if piece.kind == "usergroup":
            return "@" + (self.groups.get(piece.value) or piece.label.lstrip("@") or piece.value)
        return "@" + (self.users.get(piece.value) or piece.label.lstrip("@") or piece.value)


def render_text(text: str, names: Names) -> str:
    """Stored mrkdwn as HTML."""
    return "".join(_render_block(block, names) for block in parse(text))


def render_plain_text(text: str, names: Names) -> str:
    """Stored mrkdwn as one readable string."""
    return to_plain(text, names.of)


def _render_block(block: Block, names: Names) -> str:
    lines = ["".join(_render_piece(piece, names) for piece in line) for line in block.lines]
    if block.kind == "preformatted":
        return f"<pre>{lines[0]}</pre>"
    if block.kind == "quote":
        return f"<blockquote>{'<br>'.join(lines)}</blockquote>"
    if block.kind in ("bullet", "ordered"):
        tag = "ol" if block.kind == "ordered" else "ul"
        start = f' start="{block.offset + 1}"' if block.offset else ""
        items = "".join(f"<li>{line}</li>" for line in lines)
        return f'<{tag}{start} class="indent-{min(block.indent, 4)}">{items}</{tag}>'
    return f"<p>{'<br>'.join(lines)}</p>"


def _render_piece(piece: Inline, names: Names) -> str:
    html = _render_bare_piece(piece, names)
    for style, tag in _TAGS:
        if style in piece.style:
            html = f"<{tag}>{html}</{tag}>"
    return html


def _render_bare_piece(piece: Inline, names: Names) -> str:
    if piece.kind == "link":
        return _render_anchor(piece.value, piece.label or piece.value.removeprefix("mailto:"))
    if piece.kind == "emoji":
        return _render_emoji(piece.value, names)
    if piece.kind == "broadcast":
        return f'<span class="mention mention-me">@{escape(piece.value)}</span>'
    if piece.kind == "channel":
        return f'<a class="mention" href="{escape(names.link("/client/" + piece.value))}">{escape(names.of(piece))}</a>'
    if piece.kind in ("user", "usergroup"):
        mine = " mention-me" if piece.value in names.me else ""
        shown = escape(names.of(piece))
        if piece.kind == "usergroup":
            return f'<span class="mention{mine}">{shown}</span>'
        return f'<a class="mention{mine}" href="{escape(names.link("/team/" + piece.value))}">{shown}</a>'
    return escape(piece.label or piece.value if piece.kind == "date" else piece.value)


def _render_anchor(url: str, label: str) -> str:
    if not url.lower().startswith(_SCHEMES):
        return escape(label)
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{escape(label)}</a>'


def _render_emoji(value: str, names: Names) -> str:
    name = value.partition("::")[0]
    shown = names.emoji(name)
    if shown is None:
        return f":{escape(value)}:"
    return (
        f'<span class="emoji" role="img" aria-label=":{escape(name)}:" title=":{escape(name)}:">{escape(shown)}</span>'
    )


def render_blocks(blocks: Sequence[Json], names: Names) -> str:
    """Block Kit as HTML; interactive elements are drawn, not wired."""
    return "".join(_render_kit_block(block, names) for block in blocks)


def _render_kit_block(block: Json, names: Names) -> str:
    kind = str(block.get("type", ""))
    if kind == "rich_text":
        return render_text(from_rich_text(block), names)
    if kind == "section":
        parts = [block["text"]] if block.get("text") else []
        body = "".join(_render_kit_text(item, names) for item in [*parts, *(block.get("fields") or ())])
        return f'<div class="block block-section">{body}</div>'
    if kind == "header":
        return f'<h4 class="block block-header">{_render_inline_kit_text(block.get("text"), names)}</h4>'
    if kind == "divider":
        return '<hr class="block">'
    if kind == "context":
        body = " ".join(_render_kit_text(item, names) for item in block.get("elements") or ())
        return f'<div class="block block-context">{body}</div>'
    if kind == "image":
        said = escape(str(block.get("alt_text", "")))
        return f'<figure class="block block-image" role="img" aria-label="{said}">{said}</figure>'
    if kind == "actions":
        body = "".join(_render_action(item) for item in block.get("elements") or ())
        return f'<div class="block block-actions">{body}</div>'
    if kind == "markdown":
        return f'<div class="block">{render_text(escape(str(block.get("text", "")), quote=False), names)}</div>'
    return ""


def _render_kit_text(value: object, names: Names) -> str:
    if not isinstance(value, Mapping):
        return ""
    if value.get("type") == "image":
        return f'<span class="block-image" role="img" aria-label="{escape(str(value.get("alt_text", "")))}"></span>'
    if value.get("type") == "plain_text":
        return f"<p>{_render_inline_kit_text(value, names)}</p>"
    return render_text(str(value.get("text", "")), names)


def _render_inline_kit_text(value: object, names: Names) -> str:
    text = str(value.get("text", "")) if isinstance(value, Mapping) else ""
    pieces = [piece for block in parse(escape(text, quote=False)) for line in block.lines for piece in line]
    return "".join(_render_emoji(p.value, names) if p.kind == "emoji" else escape(p.label or p.value) for p in pieces)


def _render_action(item: object) -> str:
    if not isinstance(item, Mapping):
        return ""
    text = item.get("text")
    label = str(text.get("text", "")) if isinstance(text, Mapping) else str(item.get("type", ""))
    url = str(item.get("url") or "")
    return _render_anchor(url, label) if url else f'<button type="button" disabled>{escape(label)}</button>'


def render_attachments(attachments: Sequence[Json], names: Names) -> str:
    """Legacy attachments (alert cards, unfurls) as HTML."""
    return "".join(_render_attachment(item, names) for item in attachments)


def _render_attachment(item: Json, names: Names) -> str:
    parts: list[str] = []
    if item.get("pretext"):
        parts.append(render_text(str(item["pretext"]), names))
    parts.append(f'<div class="attachment" data-colour="{escape(str(item.get("color") or ""))}">')
    if item.get("author_name"):
        parts.append(f"<p class=attachment-author>{escape(str(item['author_name']))}</p>")
    if item.get("title"):
        title, link = str(item["title"]), str(item.get("title_link") or "")
        parts.append(f"<p><strong>{_render_anchor(link, title) if link else escape(title)}</strong></p>")
    if item.get("text"):
        parts.append(render_text(str(item["text"]), names))
    for entry in item.get("fields") or ():
        if isinstance(entry, Mapping):
            parts.append(
                f"<dl><dt>{escape(str(entry.get('title', '')))}</dt><dd>{render_text(str(entry.get('value', '')), names)}</dd></dl>"
            )
    if item.get("blocks"):
        parts.append(render_blocks([b for b in item["blocks"] if isinstance(b, Mapping)], names))
    if item.get("footer"):
        parts.append(f"<p class=attachment-footer>{escape(str(item['footer']))}</p>")
    return "".join([*parts, "</div>"])


__all__ = ["Names", "render_attachments", "render_blocks", "render_plain_text", "render_text"]
