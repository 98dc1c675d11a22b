"""Search, completion in text boxes, and the switcher's results."""

import re

from markupsafe import Markup

from apps.slack.pages import dialogs
from apps.slack.pages.commands import list_commands
from apps.slack.pages.lists import QUICK, to_hit
from apps.slack.pages.messages import file_view
from apps.slack.pages.people import PageAuthor, People
from apps.slack.pages.ui import pages
from apps.slack.query import highlight, parse
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.emoji import BY_NAME
from world.web.pages import PageContext

COUNT = 20
NOT_TEXT = re.compile(r"(<[^>]*>|&#?\w+;)")
SHOWN = 8  # suggestions at once


@pages.page("/search", template="search.html", free=("overlay",))
def search(view: View) -> JsonObject:
    """Messages, files, channels or people that match."""
    people = People.of(view)
    query, tab = view.query.get("q", "").strip(), view.query.get("tab", "messages")
    page = whole_number(view.query.get("page"), 1, least=1)
    sort = "score" if view.query.get("sort") == "score" else "timestamp"
    context: JsonObject = {
        "title": "Search",
        "q": query,
        "tab": tab,
        "sort": sort,
        "number": page,
        "quick": QUICK,
        "paging": None,
    }
    if not query:
        return context | dialogs.open_overlay(view, people, None)
    if tab == "files":
        found = view.call("search.files", query=query, count=COUNT, page=page)["files"]
        context |= {
            "files": [(file_view(f), f, people.who(str(f["user"]))) for f in found["matches"]],
            "paging": found["paging"],
        }
    elif tab == "people":
        context["found_people"] = [
            people.who(str(u["id"])) for u in view.call("users.search", query=query, limit=40)["users"]
        ]
    elif tab == "channels":
        context["found_rooms"] = list_matching_channels(view, query)
    else:
        found = view.call("search.messages", query=query, count=COUNT, page=page, sort=sort)["messages"]
        hits = [to_hit(view, people, message, str(message["channel"]["id"])) for message in found["matches"]]
        for found_hit in hits:
            found_hit.message.html = mark_words(found_hit.message.html, query)
        context |= {"hits": hits, "paging": found["paging"]}
    return context | dialogs.open_overlay(view, people, None)


def mark_words(html: Markup, query: str) -> Markup:
    """A rendered message with the words sought marked, in its text and not in its tags and entities."""
    terms = parse(query)
    pieces = enumerate(NOT_TEXT.split(html))
    return Markup("".join(piece if at % 2 else highlight(piece, terms, "<mark>", "</mark>") for at, piece in pieces))


def list_matching_channels(view: View, query: str) -> list[object]:
    """Channels whose name or purpose holds the words."""
    wanted = query.lstrip("#").lower()
    rooms = view.call("conversations.list", types="public_channel,private_channel", limit=1000)["channels"]
    return [room for room in rooms if wanted in room["name"] or wanted in room["purpose"]["value"].lower()]


@pages.page("/jump", template="jump.html", free=("switch_results",))
def jump(view: View) -> JsonObject:
    """Return the switcher's targets."""
    found = dialogs.list_jumps(view, People.of(view), view.query.get("find", ""))
    view.is_peek = True
    return {"title": "Jump to", "jumps": found, "find": view.query.get("find", "")}


@pages.page("/complete", template="complete.html", free=("suggestions",))
def complete(view: View) -> PageContext:
    """Suggestions for what is being typed: people, channels, emoji."""
    people, text = People.of(view), view.query.get("q", "")
    if view.query.get("kind") == "people":
        return {"people_found": pick_people(view, people, text), "options": "people"}
    sign, wanted = text[:1], text[1:].lower()
    if sign == "@":
        return {
            "people_found": pick_people(view, people, wanted)
            if " " not in wanted
            else names_that_go_on(people, wanted),
            "ranges": _list_ranges(wanted),
            "options": "mentions",
        }
    if sign == "#":
        names = sorted(room["name"] for room in people.rooms.values() if room.get("name") and not room.get("is_mpim"))
        starts = [n for n in names if n.startswith(wanted)]
        return {
            "names": (starts + [n for n in names if wanted in n and n not in starts])[:SHOWN],
            "options": "channels",
        }
    if sign == "/":
        return {"commands": list_commands(wanted)[:SHOWN], "options": "commands"}
    found = [(n, c) for n, c in BY_NAME.items() if wanted and n.startswith(wanted)]
    found += [(n, c) for n, c in BY_NAME.items() if wanted and wanted in n and not n.startswith(wanted)]
    return {"emojis": found[:SHOWN], "options": "emoji"}


def _list_ranges(wanted: str) -> list[tuple[str, str]]:
    ranges = (
        ("here", "Notify every active member of this channel"),
        ("channel", "Notify every member of this channel"),
    )
    return [pair for pair in ranges if pair[0].startswith(wanted)]


def pick_people(view: View, people: People, text: str) -> list[PageAuthor]:
    """People whose name, handle or address matches, best first; those already in a channel left out if asked."""
    wanted, inside = text.strip().lstrip("@").lower(), set[str]()
    if view.query.get("out"):
        inside = set(
            (view.attempt("conversations.members", channel=view.query["out"], limit=1000) or {"members": []})["members"]
        )
    found = [
        who
        for who in people.all.values()
        if not who.is_gone and who.id not in inside and _match_rank(who, wanted) is not None
    ]
    return sorted(found, key=lambda who: (_match_rank(who, wanted), who.is_bot, who.name.lower(), who.id))[:SHOWN]


def names_that_go_on(people: People, text: str) -> list[PageAuthor]:
    """People whose name begins with words that were typed, the space after the last included."""
    found = [
        who
        for who in people.all.values()
        if not who.is_gone and any(name.lower().startswith(text) for name in (who.name, who.real_name))
    ]
    return sorted(found, key=lambda who: (who.is_bot, who.name.lower(), who.id))[:SHOWN]


def _match_rank(who: PageAuthor, wanted: str) -> int | None:
    texts = (who.name.lower(), who.real_name.lower(), who.handle.lower())
    if not wanted:
        return 1
    if wanted in (*texts, who.id.lower(), who.email.lower()):
        return 0
    if any(text.startswith(wanted) for text in texts):
        return 1
    if any(f" {wanted}" in text for text in texts):
        return 2
    return 3 if any(wanted in text for text in (*texts, who.email.lower())) else None
