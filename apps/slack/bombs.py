"""Inputs made to cost at the chat service's parsers: searches, markup, blocks, files, documents."""

from collections.abc import Mapping

from world.bench.attacker import Attacker
from world.bench.bombs import Bomb, repeat

ROOM = "#random"


def _say(text: str) -> Bomb:
    return lambda at: at.call("chat.postMessage", channel=ROOM, text=text)


def _seek(query: str) -> Bomb:
    return lambda at: at.call("search.all", query=query, count=100)


def _note(markdown: str) -> Bomb:
    content = {"type": "markdown", "markdown": markdown}

    def write(at: Attacker) -> None:
        at.call("canvases.create", title="x", document_content=content)
        at.page("/more")

    return write


def _nest(depth: int) -> dict[str, object]:
    inner: dict[str, object] = {"type": "text", "text": "x"}
    for _ in range(depth):
        inner = {"type": "rich_text_section", "elements": [inner]}
    return inner


bombs: Mapping[str, Bomb] = {
    "a search of 2,000 characters of words": _seek(repeat("w{} ", 2_000)),
    "a search of phrases": _seek(repeat('"a b{}" ', 2_000)),
    "a search of prefixes": _seek(repeat("p{}* ", 2_000)),
    "a search of people": _seek(repeat("-from:@u{} ", 2_000)),
    "a search of rooms": _seek(repeat("in:c{} ", 2_000)),
    "a search of a megabyte": lambda at: at.tool("search_all", {"query": repeat("w{} ", 1_000_000)}),
    "a message of stars": _say("*a " * 13_000),
    "a message of quotes": _say("> " * 20_000),
    "a message of back ticks": _say("`" * 40_000),
    "a message of mentions": _say("<@U1> " * 6_500),
    "a message of open links": _say("<http://" * 5_000),
    "a message of emoji": _say(":a" * 20_000),
    "a message of addresses": _say("a.b@" * 10_000),
    "markdown of brackets": lambda at: at.call("chat.postMessage", channel=ROOM, markdown_text="[" * 12_000),
    "markdown of lists": lambda at: at.call("chat.postMessage", channel=ROOM, markdown_text="- " * 6_000),
    "markdown of links": lambda at: at.call("chat.postMessage", channel=ROOM, markdown_text="![a](" * 2_400),
    "blocks of 300 levels": lambda at: at.call(
        "chat.postMessage", channel=ROOM, blocks=[{"type": "rich_text", "elements": [_nest(300)]}]
    ),
    "blocks of 20,000 parts": lambda at: at.call(
        "chat.postMessage",
        channel=ROOM,
        blocks=[{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [_nest(0)] * 20_000}]}],
    ),
    "attachments of 2,000 fields": lambda at: at.call(
        "chat.postMessage",
        channel=ROOM,
        text="x",
        attachments=[{"text": "*a " * 500, "fields": [{"title": "a", "value": "*b"}] * 20}] * 100,
    ),
    "a canvas of quotes": _note("> " * 20_000 + "x"),
    "a canvas of table cells": _note("|a" * 20_000 + "\n" + "|-" * 20_000),
    "a canvas of stars": _note("**a " * 20_000),
    "a file of a million lines": lambda at: at.call("files.upload", channels=[ROOM], content="a\n" * 500_000),
    "a reminder of many words": lambda at: at.call("reminders.add", text="x", time="in 1 " * 5_000),
    "a manifest of 900 levels": lambda at: at.call("apps.manifest.create", manifest='{"a":' * 900 + "1" + "}" * 900),
    "a room's name of 50,000 characters": lambda at: at.call("conversations.create", name="a-" * 25_000),
    "a switcher's query": lambda at: at.page("/jump?find=" + "a" * 20_000),
    "a page of search": lambda at: at.page("/search?q=" + "%22a%20" * 3_000),
}
