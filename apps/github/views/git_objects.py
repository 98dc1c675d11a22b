"""JSON shapes of git objects: commits, trees, refs, tags, branches. Source: the published OpenAPI description."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import orjson

from apps.github.domain.context import GithubContext, git_node, stamp
from apps.github.domain.revisions import to_displayable
from apps.github.git import Entry, Repo, Signature
from apps.github.git.graph import Row
from apps.github.models import Account, Repository
from apps.github.views.accounts import UserJson, user_json
from world.core.json_types import JsonObject

LAST_SECOND = 253_402_300_799  # the end of the year 9999: commits may name any time
UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}
NOREPLY = re.compile(r"(\d{1,15})\+[^@]*@users\.noreply\.github\.com")
PROTECTED = "SELECT pattern FROM github_protection WHERE repo_id = :repo ORDER BY pattern"
_BY_EMAIL = """SELECT lower(email), id FROM github_account
    WHERE kind <> 'Organization' AND lower(email) IN (SELECT value FROM json_each(:emails)) ORDER BY id DESC"""
_COMMENTS = """SELECT sha, count(*) FROM github_commit_comment
    WHERE repo_id = :repo AND sha IN (SELECT value FROM json_each(:shas)) GROUP BY sha"""


class PersonJson(TypedDict):
    """Author or committer, as named in the commit."""

    name: str
    email: str
    date: str


class RefJson(TypedDict):
    """A ref (schema git-ref)."""

    ref: str
    node_id: str
    url: str
    object: dict[str, str]


def when(seconds: int) -> str:
    """Format a commit's time for the API."""
    return stamp(min(max(seconds, 0), LAST_SECOND) * 1_000_000) or ""


def accounts_by_email(context: GithubContext, emails: Iterable[str]) -> dict[str, Account]:
    """Return the accounts of commit addresses, by address in lower case."""
    wanted = sorted({email.lower() for email in emails})
    found = {email: id for email, id in context.call.all(_BY_EMAIL, {"emails": orjson.dumps(wanted).decode()})}
    for email in wanted:
        if email not in found and (plain := NOREPLY.fullmatch(email)):
            found[email] = int(plain[1])
    context.preload(found.values())
    return {
        email: account for email, id in found.items() if (account := context.call.session.get(Account, id)) is not None
    }


def person_json(name: str, email: str, at: int) -> PersonJson:
    """Render author or committer, as named in the commit."""
    return {"name": name, "email": email, "date": when(at)}


class Commits:
    """Rows of commits with the accounts and counts that their JSON needs, read together."""

    def __init__(self, context: GithubContext, repo: Repository, rows: Sequence[Row]) -> None:
        self.context, self.repo, self.rows = context, repo, rows
        self.people = accounts_by_email(
            context, {mail for row in rows for mail in (row.author_email, row.committer_email)}
        )
        shas = orjson.dumps([row.sha1 for row in rows]).decode()
        self.comments: dict[str, int] = {
            sha: count for sha, count in context.call.all(_COMMENTS, {"repo": repo.id, "shas": shas})
        }

    def in_order(self) -> list[JsonObject]:
        """Render every commit for a list."""
        return [self.json(row) for row in self.rows]

    def json(self, row: Row) -> dict[str, Any]:
        """Render one commit (schema commit, without stats and files)."""
        url = f"{self.context.repo_api(self.repo)}/commits/{row.sha1}"
        return {
            "sha": row.sha1,
            "node_id": git_node("C", self.repo.id, row.sha1),
            "commit": self._inside(row),
            "url": url,
            "html_url": f"{self.context.repo_html(self.repo)}/commit/{row.sha1}",
            "comments_url": f"{url}/comments",
            "author": self._user(row.author_email),
            "committer": self._user(row.committer_email),
            "parents": [parent_json(self.context, self.repo, sha) for sha in row.parents.split()],
        }

    def _inside(self, row: Row) -> JsonObject:
        api = self.context.repo_api(self.repo)
        return {
            "author": person_json(row.author_name, row.author_email, row.authored_at),
            "committer": person_json(row.committer_name, row.committer_email, row.committed_at),
            "message": row.message.removesuffix("\n"),
            "tree": {"sha": row.tree, "url": f"{api}/git/trees/{row.tree}"},
            "url": f"{api}/git/commits/{row.sha1}",
            "comment_count": self.comments.get(row.sha1, 0),
            "verification": UNSIGNED,
        }

    def _user(self, email: str) -> UserJson | None:
        found = self.people.get(email.lower())
        return None if found is None else user_json(self.context, found)


def parent_json(context: GithubContext, repo: Repository, sha: str) -> dict[str, str]:
    """Render a parent of a commit."""
    return {
        "sha": sha,
        "url": f"{context.repo_api(repo)}/commits/{sha}",
        "html_url": f"{context.repo_html(repo)}/commit/{sha}",
    }


def commit_json(context: GithubContext, repo: Repository, sha: str) -> JsonObject:
    """Render one commit by SHA, without stats and files."""
    rows = context.git(repo).graph.rows([sha])
    return Commits(context, repo, rows).json(rows[0])


def git_commit_json(context: GithubContext, repo: Repository, sha: str) -> JsonObject:
    """Render a commit for the git data API (schema git-commit)."""
    (row,) = context.git(repo).graph.rows([sha])
    api = context.repo_api(repo)
    return {
        "sha": sha,
        "node_id": git_node("C", repo.id, sha),
        "url": f"{api}/git/commits/{sha}",
        "html_url": f"{context.repo_html(repo)}/commit/{sha}",
        "author": person_json(row.author_name, row.author_email, row.authored_at),
        "committer": person_json(row.committer_name, row.committer_email, row.committed_at),
        "tree": {"sha": row.tree, "url": f"{api}/git/trees/{row.tree}"},
        "message": row.message.removesuffix("\n"),
        "parents": [
            {"sha": one, "url": f"{api}/git/commits/{one}", "html_url": f"{context.repo_html(repo)}/commit/{one}"}
            for one in row.parents.split()
        ],
        "verification": UNSIGNED,
    }


def ref_json(context: GithubContext, repo: Repository, name: str, target: str) -> RefJson:
    """Render a ref (schema git-ref)."""
    api, kind = context.repo_api(repo), context.git(repo).kind(target) or "commit"
    return {
        "ref": name,
        "node_id": git_node("REF", repo.id, name),
        "url": f"{api}/git/{name}",
        "object": {"sha": target, "type": kind, "url": f"{api}/git/{kind}s/{target}"},
    }


def tag_object_json(context: GithubContext, repo: Repository, sha: str) -> JsonObject:
    """Render an annotated tag (schema git-tag)."""
    tag, api = context.git(repo).tag(sha), context.repo_api(repo)
    kind, target = tag.object[0].type_name.decode(), tag.object[1].decode()
    who = tagger_of(tag.tagger, tag.tag_time or 0)
    return {
        "node_id": git_node("TA", repo.id, sha),
        "sha": sha,
        "url": f"{api}/git/tags/{sha}",
        "tag": (tag.name or b"").decode("utf-8", "replace"),
        "tagger": person_json(who.name, who.email, who.at),
        "message": (tag.message or b"").decode("utf-8", "replace").removesuffix("\n"),
        "object": {"sha": target, "type": kind, "url": f"{api}/git/{kind}s/{target}"},
        "verification": UNSIGNED,
    }


def tagger_of(line: bytes | None, at: int) -> Signature:
    """Parse the tagger of a tag; empty for an old tag without one."""
    name, _, rest = (line or b"").decode("utf-8", "replace").partition("<")
    return Signature(name.strip(), rest.rstrip("> "), at)


def entry_json(context: GithubContext, repo: Repository, entry: Entry, size: int | None) -> JsonObject:
    """Render one entry of a tree (in schema git-tree)."""
    view: JsonObject = {
        "path": to_displayable(entry.path),
        "mode": f"{entry.mode:06o}",
        "type": entry.kind,
        "sha": entry.sha,
    }
    if entry.kind == "blob":
        view["size"] = size or 0
    if entry.kind != "commit":
        view["url"] = f"{context.repo_api(repo)}/git/{entry.kind}s/{entry.sha}"
    return view


_SIZES = """SELECT sha1, size FROM json_each(:shas) CROSS JOIN github_object ON repo_id = :repo AND sha1 = value"""


def sizes(git: Repo, entries: Iterable[Entry]) -> dict[str, int]:
    """Return the sizes of the files among entries, by SHA."""
    shas = sorted({entry.sha for entry in entries if entry.kind == "blob"})
    return {sha: size for sha, size in git.call.all(_SIZES, {"repo": git.id, "shas": orjson.dumps(shas).decode()})}
