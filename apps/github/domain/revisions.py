"""Helpers of git data operations: writable repositories, revisions, times, signatures, and displayable paths."""

import binascii
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line
from apps.github.git import Repo, Signature
from apps.github.models import Repository
from apps.github.refusals import unprocessable
from world.core.errors import OperationError
from world.core.params import Params, Text

WEB = ("GitHub", "noreply@github.com")  # who commits what is done on the site
WIDTH = 60  # letters of base64 in a line of a file's content


class SignatureParams(Params):
    """Author or tagger of a commit or tag: name, address and time."""

    name: Annotated[Text, Field(max_length=256)] = Field(description="The name.", examples=["Mia Berg"])
    email: Annotated[Text, Field(max_length=256)] = Field(description="The address.", examples=["mia@example.com"])
    date: Line | None = Field(default=None, description="When, in ISO 8601 with a zone; now if left out.")


def get_writable_repository(context: GithubContext, owner: str, name: str, level: str = "push") -> Repository:
    """Return a repository the caller may write to. Raises not_found, archived."""
    repo = context.repo(owner, name)
    context.need(repo, level, code="not_found")
    return repo


def get_started_git(context: GithubContext, repo: Repository) -> Repo:
    """Return the git data of a repository that has commits. Raises empty_repository."""
    if context.call.first("SELECT 1 FROM github_ref WHERE repo_id = :repo LIMIT 1", {"repo": repo.id}) is None:
        raise OperationError("empty_repository")
    return context.git(repo)


def head_of(context: GithubContext, repo: Repository, revision: str | None) -> str:
    """Return the commit of a revision, by default of the default branch. Raises empty_repository, no_such."""
    git = get_started_git(context, repo)
    found = git.resolve(revision or repo.default_branch)
    if found is None:
        raise OperationError("no_such", why=f"No commit found for the ref {revision or repo.default_branch}")
    return found


def moment(text: str, name: str) -> datetime:
    """Parse a time in ISO 8601. Raises unprocessable."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise unprocessable(f"Invalid request.\n\n{text!r} is not a valid date-time for {name}.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def seconds(text: str | None, name: str) -> int | None:
    """Parse a time in ISO 8601 as seconds since the epoch. Raises unprocessable."""
    return None if text is None else int(moment(text, name).timestamp())


def signature(context: GithubContext, given: SignatureParams | None) -> Signature | None:
    """Return the signature of a person given in a request; None for none. Raises unprocessable."""
    if given is None:
        return None
    if given.date is None:
        return Signature(given.name, given.email, context.call.now // 1_000_000)
    at = moment(given.date, "date")
    offset = at.utcoffset()
    return Signature(
        given.name, given.email, max(int(at.timestamp()), 0), int(offset.total_seconds() // 60) if offset else 0
    )


def by_web(context: GithubContext) -> Signature:
    """Return the committer signature of changes made on the site or by the API."""
    return Signature(*WEB, context.call.now // 1_000_000)


def to_displayable(path: str) -> str:
    """Convert a path or name for JSON: invalid UTF-8 becomes U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def encode_base64(data: bytes) -> str:
    """Encode bytes in base64 with a newline after every 60 characters, as the vendor returns files."""
    text = b64encode(data).decode()
    return "".join(text[at : at + WIDTH] + "\n" for at in range(0, len(text), WIDTH))


def decode_base64(text: str) -> bytes:
    """Decode a base64 text, however it is wrapped. Raises unprocessable."""
    try:
        return b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise unprocessable("content is not valid Base64") from None
