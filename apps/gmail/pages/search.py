"""Search page: results, options, and suggestions while typing."""

from collections.abc import Mapping

from starlette.responses import Response

from apps.gmail.pages.lists import list_page
from apps.gmail.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

# an option of the search dialog -> how the search says it
SAID = {"from": "from:({})", "to": "to:({})", "subject": "subject:({})", "words": "{}", "without": "-{{{}}}"}


def build_query(query: Mapping[str, str]) -> str:
    """Build the query of the search options."""
    parts = [
        _format_term(form, query.get(name, "").strip()) for name, form in SAID.items() if query.get(name, "").strip()
    ]
    if query.get("size", "").isdecimal():
        parts.append(f"{query.get('size_is', 'larger')}:{query['size']}{query.get('size_unit', 'M')}")
    if query.get("within"):
        parts.append(f"newer_than:{query['within']}")
    place = query.get("in", "")
    parts += [f"label:{_quote_name(place[6:])}" if place.startswith("label:") else f"in:{place}"] if place else []
    return " ".join([*filter(None, parts), *(["has:attachment"] if query.get("attachment") else [])])


def _format_term(form: str, value: str) -> str:
    """One word needs no brackets."""
    plain = value if value.isalnum() or ("@" in value and " " not in value) else None
    return form.format(value) if plain is None else form.replace("({})", "{}").replace("{{{}}}", "{}").format(plain)


def _quote_name(name: str) -> str:
    return f'"{name}"' if " " in name else name


@pages.page("/mail/search", template="search.html", free=("overlay",))
def search(view: View) -> JsonObject | Response:
    """Show the results of a search. Options instead of `q` redirect to the search they stand for."""
    query = view.query.get("q", "").strip()
    made = build_query(view.query) if not query else ""
    if made:
        return Response(status_code=303, headers={"Location": view.url("/mail/search", q=made)})
    if not query:
        return Response(status_code=303, headers={"Location": view.url("/mail/all")})
    return list_page(view, "Search results", "/mail/search", "search", q=query)


@pages.page("/mail/suggest", template="suggest.html", free=("suggestions",))
def suggest(view: View) -> JsonObject:
    """Suggest people and a search for the text in the search field."""
    text = view.query.get("q", "").strip()
    last = text.rpartition(" ")[2].rpartition(":")[2]
    found = view.attempt("mail.people", q=last, limit=5) if last else None
    return {"title": "Search mail", "text": text, "people": (found or {"people": []})["people"]}
