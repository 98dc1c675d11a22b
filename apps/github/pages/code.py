"""Pages of a repository's code: front page, folders, files, and the list of all files."""

from typing import Any

from starlette.responses import Response

from apps.github.operations.repositories.web_content import BLAME_LINES
from apps.github.pages import highlight, prose
from apps.github.pages.frame import frame
from apps.github.pages.ui import pages
from apps.github.views.urls import quote_path
from world.core.errors import OperationError
from world.web import View
from world.web.pages import PageContext

PER_FIND = 200
MOST_FOLDERS = 20  # looked into for the pictures of one page; what is beyond is taken to be there
EMPTY = ("empty_repository", "no_such")


def around(view: View, owner: str, repo: str) -> PageContext:
    """Return the frame of a page of code, with addresses of files and the revisions to choose from."""
    found = frame(view, owner, repo, "code")
    at = found["at"]

    def file_at(kind: str, ref: str, address: str = "") -> str:
        """Return the page of a revision and path; `address` is a quoted path."""
        return at(f"/{kind}/{quote_path(ref)}" + (f"/{address}" if address else ""))

    return found | {"file_at": file_at, "refs": view.read("web/refs", owner=owner, repo=repo), "path": view.path}


def see(address: str) -> Response:
    """Redirect to a page."""
    return Response(status_code=303, headers={"Location": address})


@pages.page("/{owner}/{repo}", template="code_home.html", free=("overlay",))
def home(view: View, owner: str, repo: str) -> PageContext:
    """The front page of a repository."""
    found = around(view, owner, repo)
    about = about_of(view, owner, repo)
    try:
        place = view.call("web/content", owner=owner, repo=repo)
    except OperationError as refused:
        if refused.code not in EMPTY:
            raise
        return found | about | {"place": None, "title": found["full_name"]}
    return (
        found
        | about
        | {
            "place": place,
            "readme": readme(view, found, place),
            "title": _title(found, about["about"].get("description")),
        }
    )


def _title(found: dict[str, Any], description: str | None) -> str:
    return f"{found['full_name']}: {description}" if description else found["full_name"]


def about_of(view: View, owner: str, repo: str) -> PageContext:
    """Return the side column of the front page: description, latest release, languages, contributors."""
    here = {"owner": owner, "repo": repo}
    sizes = view.attempt("repos/list-languages", **here) or {}
    people = view.attempt("repos/list-contributors", **here, per_page=14)
    return {
        "about": view.attempt("repos/get", **here) or {},
        "latest": view.attempt("repos/get-latest-release", **here),
        "languages": shares(sizes),
        "people": people or [],
        "people_count": getattr(people, "total", 0) or 0,
    }


def shares(sizes: dict[str, int]) -> list[tuple[str, float]]:
    """Return languages with their share of all bytes, in percent; shares below 0.1 % are left out."""
    total = sum(sizes.values())
    return [(name, round(size * 100 / total, 1)) for name, size in sizes.items() if total and size * 1000 >= total]


def readme(view: View, found: dict[str, Any], place: dict[str, Any]) -> PageContext | None:
    """Return the README of a folder for its page."""
    one = place.get("readme")
    if one is None:
        return None
    return one | render_markdown(view, found, place["ref"], one["path"], one["text"])


def render_markdown(view: View, found: dict[str, Any], ref: str, path: str, text: str) -> PageContext:
    """Render a file as a page, if it is one."""
    if not prose.is_page(path, text):
        return {"html": None}
    there = _files_there(view, found, ref)
    return {
        "html": prose.render_page(
            text, path.rpartition("/")[0], lambda kind, address: found["file_at"](kind, ref, address), there
        )
    }


def _files_there(view: View, found: dict[str, object], ref: str) -> prose.There:
    """Return a check for the existence of a page's pictures; folders are read once, up to a limit."""
    folders: dict[str, set[str]] = {}

    def there(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if folder not in folders and len(folders) < MOST_FOLDERS:
            listed = view.attempt("repos/get-content", owner=found["owner"], repo=found["name"], path=folder, ref=ref)
            folders[folder] = {one["name"] for one in listed} if isinstance(listed, list) else set()
        return folder not in folders or name in folders[folder]

    return there


def crumbs(found: dict[str, Any], place: dict[str, Any], kind: str = "tree") -> list[tuple[str, str]]:
    """Return the parent folders of a path, each with its address."""
    parts = place["path"].split("/")
    addresses = place["address"].split("/")
    return [
        (name, found["file_at"](kind, place["ref"], "/".join(addresses[: at + 1])))
        for at, name in enumerate(parts[:-1])
    ]


@pages.page("/{owner}/{repo}/tree/{place:path}", template="code_tree.html", free=("overlay",))
def tree(view: View, owner: str, repo: str, place: str) -> PageContext | Response:
    """Show a folder at a revision."""
    found = around(view, owner, repo)
    shown = view.call("web/content", owner=owner, repo=repo, place=place)
    if shown["type"] not in ("dir", "submodule"):
        return see(found["file_at"]("blob", shown["ref"], shown["address"]))
    if not shown["path"]:
        return (
            found
            | about_of(view, owner, repo)
            | {
                "place": shown,
                "readme": readme(view, found, shown),
                "title": f"{found['full_name']} at {shown['ref']}",
                "behind": _distance(view, owner, repo, found, shown),
            }
        )
    title = f"{found['name']}/{shown['path']} at {shown['ref']} · {found['full_name']}"
    return found | {
        "place": shown,
        "readme": readme(view, found, shown),
        "crumbs": crumbs(found, shown),
        "title": title,
    }


def _distance(view: View, owner: str, repo: str, found: dict[str, Any], shown: dict[str, Any]) -> PageContext | None:
    """Return a branch's distance from the default branch."""
    if shown["kind"] != "branch" or shown["ref"] == found["repo"]["default_branch"]:
        return None
    lines = view.read("web/branches", owner=owner, repo=repo, text=shown["ref"], per_page=100)
    return next((line for line in lines if line["name"] == shown["ref"]), None)


@pages.page("/{owner}/{repo}/blob/{place:path}", template="code_blob.html", free=("overlay",))
def blob(view: View, owner: str, repo: str, place: str) -> PageContext | Response:
    """Show a file at a revision."""
    found = around(view, owner, repo)
    shown = view.call("web/content", owner=owner, repo=repo, place=place)
    if shown["type"] in ("dir", "submodule"):
        return see(found["file_at"]("tree", shown["ref"], shown["address"]))
    return (
        found
        | file_context(view, found, shown)
        | {"title": f"{found['name']}/{shown['path']} at {shown['ref']} · {found['full_name']}"}
    )


def file_context(view: View, found: dict[str, Any], shown: dict[str, Any], *, as_page: bool = True) -> PageContext:
    """Return the context of a file's page; `as_page` renders what is written as one, unless the reader asks for its text."""
    text = shown["text"]
    as_page = as_page and prose.is_page(shown["name"], text) and view.query.get("plain") != "1"
    lines = highlight.lines(shown["name"], text) if text is not None and not as_page else ()
    plain = highlight.split(text) if text is not None else []
    return {
        "place": shown,
        "crumbs": crumbs(found, shown),
        "lines": lines,
        "line_count": len(plain),
        "full_lines": sum(1 for line in plain if line.strip()),
        "is_markdown": prose.is_page(shown["name"], text),
        "as_page": as_page,
        "html": render_markdown(view, found, shown["ref"], shown["path"], str(text))["html"] if as_page else None,
    }


@pages.page("/{owner}/{repo}/blame/{place:path}", template="code_blame.html", free=("overlay",))
def blame(view: View, owner: str, repo: str, place: str) -> PageContext | Response:
    """Show a file with the commit that introduced each line."""
    found = around(view, owner, repo)
    first = first_line(view.query.get("from", ""))
    shown = view.call("web/blame", owner=owner, repo=repo, place=place, first=first)
    context = file_context(view, found, shown, as_page=False)
    return (
        found
        | context
        | {
            "ages": ages([span["at"] for span in shown["spans"]]),
            **blame_window(shown["first"], len(context["lines"])),
            "title": f"Blaming {found['name']}/{shown['path']} at {shown['ref']} · {found['full_name']}",
        }
    )


def blame_window(first: int, lines: int) -> dict[str, int | None]:
    """Return the window's first and last line, and the first lines of the windows before and after it."""
    last = min(first + BLAME_LINES - 1, lines)
    return {
        "first": first,
        "last": last,
        "previous": max(1, first - BLAME_LINES) if first > 1 else None,
        "following": last + 1 if last < lines else None,
    }


def first_line(said: str) -> int:
    """The line that a window begins with; what is none is the first."""
    return max(1, int(said)) if said.isascii() and said.isdecimal() and len(said) < 7 else 1


def ages(times: list[str]) -> dict[str, int]:
    """Rank times by age, from 0 (oldest) to 9."""
    order = sorted(set(times))
    return {at: place * 9 // max(1, len(order) - 1) for place, at in enumerate(order)}


@pages.page("/{owner}/{repo}/find/{ref:path}", template="code_find.html", free=("found",))
def find_file(view: View, owner: str, repo: str, ref: str) -> PageContext:
    """Show all files of a revision, filtered by part of their path."""
    found = around(view, owner, repo)
    whole = view.call("git/get-tree", owner=owner, repo=repo, tree_sha=ref, recursive="1")
    text = view.query.get("q", "").strip()
    paths = [entry["path"] for entry in whole["tree"] if entry["type"] != "tree"]
    hits = (
        sorted((path for path in paths if fits(text, path)), key=lambda path: (text.lower() not in path.lower(), path))
        if text
        else paths
    )
    return found | {
        "ref": ref,
        "q": text,
        "hits": hits[:PER_FIND],
        "hit_count": len(hits),
        "title": f"Find file · {found['full_name']}",
    }


def fits(text: str, path: str) -> bool:
    """Whether the letters of a text occur in order in a path."""
    letters = iter(path.lower())
    return all(letter in letters for letter in text.lower().replace(" ", ""))
