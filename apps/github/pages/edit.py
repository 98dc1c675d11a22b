"""Editing of files on the site: editor, new files, uploads, deletion, and the commit dialog."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue
from starlette.responses import HTMLResponse, Response

from apps.github.git.diff import hunks
from apps.github.pages import prose
from apps.github.pages.code import EMPTY, around, crumbs, render_markdown
from apps.github.pages.diffs import file_of
from apps.github.pages.ui import pages
from apps.github.refusals import unprocessable
from apps.github.views.urls import quote_path
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View, response_headers
from world.web.fields import read_files

MOST_PATCHES = 100
EDITED_MEANWHILE = "has been changed since you started editing. Copy your changes, reload the page and try again."


def _spot(view: View, owner: str, repo: str, place: str) -> JsonObject:
    """Return the branch and folder of a new file; an empty repository has a future branch."""
    try:
        return view.read("web/revision", owner=owner, repo=repo, place=place)
    except OperationError as refused:
        if refused.code not in EMPTY:
            raise
        return {"ref": place.strip("/"), "kind": "branch", "sha": None, "path": "", "address": "", "barred": False}


def dialog_context(view: View, found: dict[str, Any], shown: Mapping[str, object]) -> JsonObject:
    """Return the context of the commit dialog: whether the reader may commit here, and a name for a new branch."""
    taken = set(found["refs"]["branches"])
    me = view.read("users/get-authenticated")["login"]
    names = (f"{me.removesuffix('[bot]')}-patch-{number}" for number in range(1, MOST_PATCHES))
    free = next((name for name in names if name not in taken), "")
    return {"place": shown, "new_branch": free, "barred": shown["barred"], "first": shown["sha"] is None}


@pages.page("/{owner}/{repo}/edit/{place:path}", template="code_edit.html", free=("overlay",))
def edit(view: View, owner: str, repo: str, place: str) -> JsonObject:
    """Show the editor of a file."""
    found = around(view, owner, repo)
    shown = view.call("web/content", owner=owner, repo=repo, place=place)
    if shown["type"] != "file" or shown["text"] is None or shown["lossy"]:
        raise unprocessable("This file cannot be edited here: it is no text.")
    title = f"Editing {found['name']}/{shown['path']} at {shown['ref']} · {found['full_name']}"
    return (
        found
        | dialog_context(view, found, shown)
        | {
            "crumbs": crumbs(found, shown),
            "old": shown,
            "file_path": shown["path"],
            "text": shown["text"],
            "title": title,
            "doing": "edit",
            "commit_words": f"Update {shown['name']}",
            "back": found["file_at"]("blob", shown["ref"], shown["address"]),
        }
    )


@pages.page("/{owner}/{repo}/new/{place:path}", template="code_edit.html", free=("overlay",))
def new_file(view: View, owner: str, repo: str, place: str) -> JsonObject:
    """Show the editor of a new file."""
    found = around(view, owner, repo)
    shown = _spot(view, owner, repo, place)
    folder = f"{shown['path']}/" if shown["path"] else ""
    return (
        found
        | dialog_context(view, found, shown)
        | {
            "old": None,
            "file_path": folder + view.query.get("filename", ""),
            "text": view.query.get("value", ""),
            "doing": "new",
            "commit_words": "Create new file",
            "title": f"New file at /{shown['path']} · {found['full_name']}",
            "back": found["file_at"]("tree", shown["ref"], shown["address"]) if shown["sha"] else found["at"](),
        }
    )


@pages.page("/{owner}/{repo}/upload/{place:path}", template="code_upload.html")
def upload(view: View, owner: str, repo: str, place: str) -> JsonObject:
    """Show the upload form of a folder."""
    found = around(view, owner, repo)
    shown = _spot(view, owner, repo, place)
    return (
        found
        | dialog_context(view, found, shown)
        | {
            "commit_words": "Add files via upload",
            "title": f"Upload files · {found['full_name']}",
            "back": found["file_at"]("tree", shown["ref"], shown["address"]) if shown["sha"] else found["at"](),
        }
    )


@pages.page("/{owner}/{repo}/delete/{place:path}", template="code_delete.html")
def delete(view: View, owner: str, repo: str, place: str) -> JsonObject:
    """Show the form to delete a file."""
    found = around(view, owner, repo)
    shown = view.call("web/content", owner=owner, repo=repo, place=place)
    if shown["type"] not in ("file", "symlink"):
        raise unprocessable("Only files can be deleted here.")
    return (
        found
        | dialog_context(view, found, shown)
        | {
            "crumbs": crumbs(found, shown),
            "old": shown,
            "commit_words": f"Delete {shown['name']}",
            "files": [_diff(shown["path"], shown["text"] or "", "")],
            "back": found["file_at"]("blob", shown["ref"], shown["address"]),
            "title": f"Delete {shown['path']} · {found['full_name']}",
        }
    )


# -- what the forms do


class Change:
    """Input of a commit form: repository, branch and message."""

    def __init__(self, view: View, given: Mapping[str, object]) -> None:
        self.view, self.given = view, given
        self.here = {"owner": str(given.get("owner")), "repo": str(given.get("repo"))}
        self.base = str(given.get("branch") or "")
        self.by_pull = given.get("target") == "branch"
        self.branch = str(given.get("new_branch") or "").strip() if self.by_pull else self.base
        title = str(given.get("message") or "").strip() or str(given.get("commit_words") or "Update")
        body = str(given.get("description") or "").strip()
        self.message = f"{title}\n\n{body}" if body else title

    def at(self, path: str, **query: object) -> str:
        """Return an address in the repository."""
        return self.view.url(f"/{self.here['owner']}/{self.here['repo']}{path}", **query)

    def begin(self) -> None:
        """Create the new branch, if one is wanted. Raises unprocessable."""
        if not self.by_pull:
            return
        if not self.branch:
            raise unprocessable("A name for the new branch is needed.")
        head = self.view.submit("git/get-ref", {**self.here, "ref": f"heads/{self.base}"})["object"]["sha"]
        self.view.submit("git/create-ref", {**self.here, "ref": f"refs/heads/{self.branch}", "sha": head})

    def redirect_after(self, address: str) -> Response:
        """Redirect to a new pull request, or to the changed file."""
        pull = f"/compare/{quote_path(self.base)}...{quote_path(self.branch)}"
        there = self.at(pull, expand=1) if self.by_pull else address
        return (
            response_headers.elsewhere(there)
            if response_headers.is_fragment(self.view.request)
            else response_headers.see_other(there)
        )

    def blob(self, data: bytes) -> str:
        """Store a file's content; return its SHA."""
        return self.view.submit(
            "git/create-blob", {**self.here, "content": b64encode(data).decode(), "encoding": "base64"}
        )["sha"]

    def commit_tree(self, files: dict[str, str | None]) -> None:
        """Commit changes of several files, by path: new content or removal."""
        entries: list[JsonValue] = [
            {"path": path, "mode": "100644", "type": "blob", "sha": sha} for path, sha in files.items()
        ]
        head = self.view.submit("git/get-ref", {**self.here, "ref": f"heads/{self.branch}"})["object"]["sha"]
        tree = self.view.submit("git/create-tree", {**self.here, "base_tree": head, "tree": entries})["sha"]
        made = self.view.submit(
            "git/create-commit", {**self.here, "message": self.message, "tree": tree, "parents": [head]}
        )["sha"]
        self.view.submit("git/update-ref", {**self.here, "ref": f"heads/{self.branch}", "sha": made})


def clean(path: object) -> str:
    """Return a typed path, without parts that lead outside. Raises unprocessable."""
    text = str(path or "").strip().strip("/")
    if not text:
        raise unprocessable("A name for the file is needed.")
    return text


@pages.action("file.commit")
def commit_file(view: View, given: Mapping[str, object]) -> Response:
    """Commit the editor's text; a file with a changed name moves."""
    change = Change(view, given)
    path, old = clean(given.get("path")), str(given.get("old_path") or "")
    text = str(given.get("content") or "")
    data = (text.replace("\n", "\r\n") if given.get("line_ends") == "crlf" else text).encode()
    change.begin()
    if old and old != path:
        blob = change.blob(data)
        change.commit_tree({old: None, path: blob})
    else:
        _put_file(view, change, path, data, str(given.get("sha") or "") or None)
    return change.redirect_after(change.at(f"/blob/{quote_path(change.branch)}/{quote_path(path)}"))


def _put_file(view: View, change: Change, path: str, data: bytes, sha: str | None) -> None:
    arguments = {
        **change.here,
        "path": path,
        "message": change.message,
        "content": b64encode(data).decode(),
        "branch": change.branch,
    }
    try:
        view.submit("repos/create-or-update-file-contents", arguments | ({"sha": sha} if sha else {}))
    except OperationError as refused:
        if refused.code == "conflict" and "does not match" in str(refused.detail.get("why")):
            raise OperationError("conflict", why=f"{path} {EDITED_MEANWHILE}") from None
        if refused.code == "unprocessable" and "sha" in str(refused.detail.get("why")):
            raise unprocessable(f"A file with the name {path} already exists. Choose another name.") from None
        raise


@pages.action("file.delete")
def delete_file(view: View, given: Mapping[str, object]) -> Response:
    """Commit the deletion of a file."""
    change = Change(view, given)
    path = clean(given.get("path"))
    change.begin()
    view.submit(
        "repos/delete-file",
        {**change.here, "path": path, "message": change.message, "sha": str(given.get("sha")), "branch": change.branch},
    )
    return change.redirect_after(change.at(f"/tree/{quote_path(change.branch)}"))


@pages.action("file.upload")
def upload_files(view: View, given: Mapping[str, object]) -> Response:
    """Commit the uploaded files, all in one commit."""
    change = Change(view, given)
    files = read_files(given.get("files"))
    if not files:
        raise unprocessable("Choose your files first.")
    folder = str(given.get("folder") or "")
    paths = [f"{folder}/{clean(one['filename'])}".lstrip("/") for one in files]
    change.begin()
    if given.get("first"):
        for path, one in zip(paths, files, strict=True):
            _put_file(view, change, path, one["data"], None)
    else:
        change.commit_tree({path: change.blob(one["data"]) for path, one in zip(paths, files, strict=True)})
    return change.redirect_after(
        change.at(f"/tree/{quote_path(change.branch)}" + (f"/{quote_path(folder)}" if folder else ""))
    )


def _diff(path: str, old: str, new: str) -> object:
    """Return the change of a text for display."""
    found = hunks(old.encode(), new.encode())
    patch = "\n".join("\n".join([one.header, *(f"{line.kind}{line.text}" for line in one.lines)]) for one in found)
    added, removed = (sum(line.kind == kind for one in found for line in one.lines) for kind in "+-")
    status = "added" if not old else "removed" if not new else "modified"
    counts = {"additions": added, "deletions": removed, "changes": added + removed}
    return file_of({"filename": path, "status": status, **counts, "patch": patch}, shown=True)


@pages.action("file.preview")
def preview(view: View, given: Mapping[str, object]) -> Response:
    """Preview the editor's text and its changes."""
    here = {"owner": str(given.get("owner")), "repo": str(given.get("repo"))}
    path, new = str(given.get("path") or "file"), str(given.get("content") or "")
    old = ""
    if given.get("old_path"):
        old = view.read("web/content", **here, place=f"{given.get('branch')}/{given.get('old_path')}")["text"] or ""
        new = new.replace("\n", "\r\n") if given.get("line_ends") == "crlf" else new
    found = around(view, **here)
    page = (
        render_markdown(view, found, str(given.get("branch") or ""), path, new)["html"]
        if prose.is_markdown(path)
        else None
    )
    one = _diff(path, old, new)
    context = view.door.context(view) | found | {"one": one, "page": page, "changed": old != new, "mode": "unified"}
    return HTMLResponse(view.door.env.get_template("code_preview.html").render(context))
