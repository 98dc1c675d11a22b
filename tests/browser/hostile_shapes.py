"""The JSON and the mail of the vendors' own formats, with a text in every place one may stand."""

# ruff: noqa: E501 - shapes of the vendors, one line to a part

import base64
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from tests.browser.payloads import EVIL, JS


def doc(text: str) -> dict[str, Any]:
    """A document of the tracker's own format with the text wherever one may stand."""
    said = {"type": "text", "text": text}
    marks = [{"type": "link", "attrs": {"href": f"{EVIL}/{text}", "title": text}}]
    colours = [{"type": "textColor", "attrs": {"color": "#ff0000"}}]
    leaves = [
        said,
        {**said, "marks": marks},
        {**said, "marks": [{"type": "code"}]},
        {"type": "text", "text": text, "marks": colours},
        {"type": "mention", "attrs": {"id": "5fBO", "text": f"@{text}"}},
        {"type": "emoji", "attrs": {"shortName": ":x:", "text": text}},
        {"type": "inlineCard", "attrs": {"url": f"{EVIL}/{text}"}},
        {"type": "hardBreak"},
        {"type": "status", "attrs": {"text": text, "color": "red"}},
        {"type": "date", "attrs": {"timestamp": "1772438400000"}},
    ]
    paragraph = {"type": "paragraph", "content": leaves}
    cell = {"type": "tableCell", "attrs": {"background": "#ff0000"}, "content": [paragraph]}
    item = {"type": "listItem", "content": [paragraph]}
    return {
        "type": "doc",
        "version": 1,
        "content": [
            paragraph,
            {"type": "heading", "attrs": {"level": 2}, "content": [said]},
            {"type": "blockquote", "content": [paragraph]},
            {"type": "codeBlock", "attrs": {"language": text[:20]}, "content": [said]},
            {"type": "panel", "attrs": {"panelType": "info"}, "content": [paragraph]},
            {"type": "bulletList", "content": [item]},
            {"type": "orderedList", "attrs": {"order": 3}, "content": [item]},
            {"type": "rule"},
            {
                "type": "table",
                "content": [{"type": "tableRow", "content": [{"type": "tableHeader", "content": [paragraph]}, cell]}],
            },
            {"type": "expand", "attrs": {"title": text}, "content": [paragraph]},
            {"type": "blockCard", "attrs": {"url": f"{EVIL}/{text}"}},
            {
                "type": "mediaSingle",
                "attrs": {"layout": "center"},
                "content": [{"type": "media", "attrs": {"type": "external", "url": f"{EVIL}/{text}", "alt": text}}],
            },
        ],
    }


def fields(text: str) -> dict[str, Any]:
    """An issue's fields."""
    return {
        "summary": " ".join(text.split())[:250],
        "description": text,
        "environment": text,
        "labels": [re.sub(r"\s", "_", text)[:250]],
        "customfield_10051": doc(text),
    }


def update(text: str) -> dict[str, Any]:
    """Changes to an issue's fields."""
    return {"comment": [{"add": {"body": text}}], "labels": [{"add": re.sub(r"\s", "_", text)[:250]}]}


def kit(text: str) -> list[dict[str, Any]]:
    """Block Kit with the text in every place one may stand."""
    plain, rich = {"type": "plain_text", "text": text[:140], "emoji": True}, {"type": "mrkdwn", "text": text[:2900]}
    link = {"type": "link", "url": f"{EVIL}/{text}", "text": text}
    rows = [
        {"type": "text", "text": text},
        link,
        {"type": "emoji", "name": text[:80]},
        {"type": "user", "user_id": "U0BO"},
    ]
    return [
        {"type": "header", "text": plain},
        {"type": "section", "text": rich},
        {"type": "section", "fields": [plain, rich]},
        {"type": "divider"},
        {
            "type": "context",
            "elements": [rich, {"type": "image", "image_url": f"{EVIL}/i.png", "alt_text": text[:1900]}],
        },
        {
            "type": "actions",
            "elements": [
                {"type": "button", "text": plain, "url": f"javascript:{JS}", "action_id": "a", "value": text[:1900]},
                {"type": "button", "text": plain, "url": f"{EVIL}/{text[:2000]}", "action_id": "b"},
            ],
        },
        {"type": "image", "image_url": f"{EVIL}/i.png", "alt_text": text[:1900], "title": plain},
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_section", "elements": rows},
                {"type": "rich_text_quote", "elements": rows},
                {"type": "rich_text_preformatted", "elements": [rows[0]]},
                {
                    "type": "rich_text_list",
                    "style": "bullet",
                    "elements": [{"type": "rich_text_section", "elements": rows}],
                },
            ],
        },
        {"type": "markdown", "text": text[:11000]},
    ]


def card(text: str) -> list[dict[str, Any]]:
    """Legacy attachments: one full of the text, one with blocks."""
    names = (
        "pretext",
        "author_name",
        "author_link",
        "author_icon",
        "title",
        "text",
        "footer",
        "footer_icon",
        "color",
        "fallback",
        "callback_id",
    )
    more = {"title_link": f"javascript:{JS}", "image_url": f"{EVIL}/i.png", "thumb_url": f"{EVIL}/t.png"}
    return [
        {**dict.fromkeys(names, text), **more, "fields": [{"title": text, "value": text}], "mrkdwn_in": ["text"]},
        {"blocks": kit(text), "fallback": text},
    ]


def profile(text: str) -> dict[str, Any]:
    """What a person says about themselves."""
    return {
        "status_text": text[:100],
        "display_name": text[:80],
        "real_name": text[:80],
        "title": text,
        "phone": text[:40],
        "pronouns": text[:40],
    }


Builder = Callable[[str], Any]


def files(text: str) -> dict[str, Any]:
    """The files of a gist."""
    return {text[:200].replace("/", "_") or "x": {"content": text}}


SHAPES: dict[str, Builder] = {
    "body": doc,
    "comment": doc,
    "fields": fields,
    "update": update,
    "value": lambda text: {text[:200]: [text]},
    "application": lambda text: {"type": text[:200], "name": text[:200]},
    "blocks": kit,
    "attachments": card,
    "profile": profile,
    "metadata": lambda text: {"event_type": "x", "event_payload": {"text": text}},
    "document_content": lambda text: {"type": "markdown", "markdown": text},
    "changes": lambda text: [
        {"operation": "insert_at_end", "document_content": {"type": "markdown", "markdown": text}}
    ],
    "files": lambda text: {"title": text, "alt_txt": text, "highlight_type": text},
    "doTransition fields": lambda text: {"resolution": {"name": "Done"}},
    "doTransition update": lambda text: {"comment": [{"add": {"body": text}}]},
}


def letter(text: str) -> str:
    """A whole mail with the text in every place one may stand, as `raw` has it."""
    named = base64.b64encode(text[:2000].encode()).decode()
    words = f"=?utf-8?b?{named}?="
    lines = [
        f"From: {words} <zoe@acme.example>",
        f"To: {words} <ada@tiny.example>",
        f"Cc: {words} <bo@tiny.example>",
        f"Subject: {words}",
        f"X-Text: {words}",
        f"Reply-To: {words} <zoe@acme.example>",
        f"List-Unsubscribe: <{EVIL}/{named[:40]}>",
        f"List-Id: {words} <x.acme.example>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related; boundary="r"',
        "",
        "--r",
        'Content-Type: multipart/alternative; boundary="a"',
        "",
        "--a",
        "Content-Type: text/plain; charset=utf-8",
        "",
        text,
        "--a",
        "Content-Type: text/html; charset=utf-8",
        "",
        f"<p>{text}</p><p title='{text}'>{text}</p><img src=cid:one><img src=cid:{EVIL}><img src={EVIL}/p.png><style>p{{background:url({EVIL}/s)}}</style>",
        "--a--",
        "--r",
        "Content-Type: image/svg+xml",
        "Content-ID: <one>",
        "",
        f"<svg onload={JS}><script>{JS}</script></svg>",
        "--r",
        f"Content-Type: text/html; name*=utf-8''{quote(text[:200])}",
        f"Content-Disposition: attachment; filename*=utf-8''{quote(text[:200])}",
        "",
        f"<script>{JS}</script>",
        "--r--",
        "",
    ]
    return base64.urlsafe_b64encode("\r\n".join(lines).encode("utf-8", "replace")).decode()
