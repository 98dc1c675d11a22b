"""Operations of git clients: list refs, fetch a pack, and push; a push is one call, whatever it contains.

Packs pass as bytes inside the process and are base64 wherever JSON is written: in records, and at doors that speak
JSON.
"""

import base64
import zlib
from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, RepoRef
from apps.github.domain.push_commands import RefChanges
from apps.github.domain.ref_updates import BRANCH, record_push
from apps.github.git import ZERO, Repo
from apps.github.git.extent import TreeTooLarge
from apps.github.git.store import TAG
from apps.github.git.wire import limits
from apps.github.git.wire.fetch import FILTER, INFINITE
from apps.github.git.wire.pack_reader import FileTooLarge, PackRefused
from apps.github.git.wire.pack_writer import pack, select, sort_out, target_of
from apps.github.git.wire.push import Command
from apps.github.git.wire.quarantine import Quarantine, take_in
from apps.github.git.wire.reach import Edge, ObjectMissing, can_reach, edge_by_choice, edge_by_depth, kinds
from apps.github.models import Repository
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = "git-scm.com/docs"
HERE = {"owner": "quayline", "repo": "payments"}
MOST_SHAS = 20_000
LARGE = "error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com."
TOO_LARGE = f"error: An object of {{:.2f}} MB exceeds the file size limit of {limits.MAX_FILE / limits.MIB:.2f} MB"


class ToReportJson(TypedDict):
    """Response of `_to_report`."""

    unpack: str
    results: list[dict[str, str | None]]
    said: list[str]


def _bytes(value: object) -> object:
    """Return bytes unchanged, or decode base64."""
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except ValueError:  # text that is not ASCII too
        raise ValueError("not base64") from None


def _check_name(value: str) -> str:
    """Refuse a ref name that cannot be stored; nothing is normalised."""
    if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError("not a ref name")
    return value


Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Shas = Annotated[list[Sha], Field(max_length=MOST_SHAS)]
RefName = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_check_name)]
Pack = Annotated[bytes, BeforeValidator(_bytes), Field(max_length=limits.MAX_PACK + limits.MIB)]


class ListRefs(RepoRef):
    """The refs to list for a client."""

    service: Literal["upload-pack", "receive-pack"] = Field(
        default="upload-pack", description="What the client is about to do."
    )
    prefixes: list[RefName] = Field(
        default=[], max_length=limits.MAX_LINES, description="Only refs that begin with one of these."
    )


class FetchParams(RepoRef):
    """A client's wants and haves, and the depth of the clone."""

    wants: Shas = Field(description="Objects to send with all they reach.", min_length=1)
    haves: Shas = Field(default=[], description="Objects the client has, with all they reach.")
    shallow: Shas = Field(default=[], description="Commits whose parents the client does not have.")
    depth: Annotated[int, Field(ge=1, le=INFINITE)] | None = Field(
        default=None, description="Only so many commits from the tips."
    )
    relative: bool = Field(default=False, description="Whether depth counts from the client's shallow commits.")
    since: Annotated[int, Field(ge=0, le=2**40)] | None = Field(
        default=None, description="Only commits from this time on, in seconds since 1970."
    )
    excluded: list[Line] = Field(default=[], max_length=100, description="Only commits that these refs do not reach.")
    filter: Annotated[str, Field(pattern=f"^({FILTER.pattern})$")] | None = Field(
        default=None, description="blob:none, blob:limit=n or tree:0."
    )
    done: bool = Field(default=True, description="Whether to send the pack now.")
    early: bool = Field(default=False, description="Whether to send the pack as soon as the haves are enough.")
    include_tag: bool = Field(default=False, description="Whether to send tags of what is sent.")


class FetchAnswer(BaseModel):
    """Response to a fetch: the common commits, whether they suffice, the new edge of a shallow clone, and the pack."""

    model_config = ConfigDict(ser_json_bytes="base64")
    common: list[str]
    ready: bool
    shallow: list[str]
    unshallow: list[str]
    pack: bytes | None
    objects: int


class RefUpdate(BaseModel):
    """A ref to move; 40 zeros for an absent one."""

    ref: RefName = Field(description="The full name of the ref.", examples=["refs/heads/topic"])
    old: Sha = Field(description="What it points to now.")
    new: Sha = Field(description="What it shall point to.")


class PushParams(RepoRef):
    """Refs to move, and a pack with the objects they need."""

    model_config = ConfigDict(ser_json_bytes="base64")
    commands: list[RefUpdate] = Field(min_length=1, max_length=limits.MAX_COMMANDS, description="The refs to move.")
    pack: Pack = Field(default=b"", description="A git pack, in base64.")
    atomic: bool = Field(default=False, description="Whether all refs move or none.")


@app.operation(
    "git/ls-refs", source=f"{SOURCE}/protocol-v2#_ls_refs", examples=[HERE], raises=("not_found", "no_push", "archived")
)
def ls_refs(call: Call, params: ListRefs) -> list[dict[str, str | None]]:
    """List branches, tags and other refs with their targets, as a git client sees them; HEAD first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if params.service == "receive-pack":
        context.need(repo, "push", code="no_push")
    git = context.git(repo)
    refs, tags = git.refs(), _list_peeled_refs(git)
    head = f"refs/heads/{repo.default_branch}"
    told = [{"name": "HEAD", "sha": refs.get(head), "symref": head, "peeled": None}]
    told += [{"name": name, "sha": sha, "symref": None, "peeled": tags.get(name)} for name, sha in refs.items()]
    prefixes = tuple(params.prefixes) or ("",)
    return [one for one in told if str(one["name"]).startswith(prefixes)]


def _list_peeled_refs(git: Repo) -> dict[str, str]:
    """List refs that point to tag objects, with the targets of these."""
    found = git.call.all(
        "SELECT name, data FROM github_ref JOIN github_object ON github_object.repo_id = github_ref.repo_id AND sha1 ="
        " target WHERE github_ref.repo_id = :repo AND kind = :tag ORDER BY name",
        {"repo": git.id, "tag": TAG},
    )
    return {name: _end_of(git, target_of(zlib.decompress(data))) for name, data in found}


def _end_of(git: Repo, sha: str) -> str:
    for _ in range(limits.MAX_TAGS):
        kind, raw = git.store.raw(sha)
        if kind != TAG:
            break
        sha = target_of(raw)
    return sha


@app.operation(
    "git/upload-pack",
    source=f"{SOURCE}/protocol-v2#_fetch",
    examples=[{**HERE, "wants": ["$git/ls-refs:0.sha"], "depth": 1}],
    raises=("not_found", "not_our_ref"),
)
def upload_pack(call: Call, params: FetchParams) -> FetchAnswer:
    """Fetch the objects of a repository that a client lacks, as a git pack."""
    context = GithubContext(call)
    git = context.git(context.repo(params.owner, params.repo))
    try:
        return _fetch(git, params)
    except ObjectMissing as problem:
        raise OperationError("not_our_ref", why=str(problem)) from None


def _fetch(git: Repo, params: FetchParams) -> FetchAnswer:
    wanted = sort_out(git, params.wants)
    here = kinds(git, params.haves)
    common = [sha for sha in dict.fromkeys(params.haves) if sha in here]
    ready = params.early and can_reach(git.graph, wanted.commits, common)
    edge = _edge(git, wanted.commits, params)
    answer = FetchAnswer(
        common=common, ready=ready, shallow=edge.shallow, unshallow=edge.unshallow, pack=None, objects=0
    )
    if params.done or ready:
        tags = _tag_objects(git) if params.include_tag else []
        sent = select(
            git,
            wanted,
            common,
            has_cut=frozenset(params.shallow),
            cut=edge.cut,
            filter=params.filter,
            tags=tags,
        )
        answer.pack, answer.objects = pack(sent), len(sent)
    return answer


def _edge(git: Repo, heads: list[str], params: FetchParams) -> Edge:
    client = list(params.shallow)
    if params.depth is not None and params.relative and client:
        return edge_by_depth(
            git.graph, [sha for sha in client if git.graph.find(sha)], min(params.depth + 1, INFINITE), client
        )
    if params.depth is not None:
        return edge_by_depth(git.graph, heads, params.depth, client)
    if params.since is not None or params.excluded:
        return edge_by_choice(
            git.graph, heads, params.since, [_resolve_name(git, name) for name in params.excluded], client
        )
    return Edge(frozenset(client))


def _resolve_name(git: Repo, name: str) -> str:
    found = git.resolve(name)
    if found is None:
        raise ObjectMissing(f"git upload-pack: deepen-not is not a ref: {name}")
    return found


def _tag_objects(git: Repo) -> list[tuple[str, str]]:
    """Return the tag objects of the repository's tags, and the target of each."""
    refs = git.refs("refs/tags/")
    return [(refs[name], end) for name, end in _list_peeled_refs(git).items() if name in refs]


@app.operation(
    "git/receive-pack",
    writes=True,
    source=f"{SOURCE}/pack-protocol#_pushing_data_to_a_server",
    examples=[{**HERE, "commands": [{"ref": "refs/heads/from-git", "old": ZERO, "new": "$git/ls-refs:0.sha"}]}],
    raises=("not_found", "no_push", "archived", "unpack_failed", "push_declined"),
)
def receive_pack(call: Call, params: PushParams) -> ToReportJson:
    """Push: receive a pack and move refs, all in one call. Answers per ref with the reason if it was refused."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="no_push")
    git = context.git(repo)
    held = _receive_objects(git, params)
    commands = [Command(one.ref, one.old, one.new) for one in params.commands]
    changes = RefChanges(context, repo)
    _check_objects(git, held, commands)
    held.keep(git)
    first = not git.refs(BRANCH)
    changes.run(commands)
    _settle(changes, atomic=params.atomic)
    if first:
        _adopt_default(repo, changes)
    record_push(context, repo, changes.updates)
    return _to_report(changes.results, [*changes.said, *_invitation(context, repo, changes, first=first)])


def _receive_objects(git: Repo, params: PushParams) -> Quarantine:
    """Return the objects of a push. Raises unpack_failed."""
    if not params.pack:
        return Quarantine()
    try:
        return take_in(git, params.pack)
    except FileTooLarge as large:
        raise _push_declined(
            {one.ref: "pre-receive hook declined" for one in params.commands},
            [LARGE, TOO_LARGE.format(large.size / limits.MIB)],
        ) from None
    except PackRefused as problem:
        results, said = (
            {one.ref: "unpacker error" for one in params.commands},
            [*problem.before, f"fatal: {problem.why}"],
        )
        raise OperationError(
            "unpack_failed", why="index-pack failed", said=said, results=_results_json(results)
        ) from None


def _check_objects(git: Repo, held: Quarantine, commands: list[Command]) -> None:
    """Check that the objects of a push are complete, and unfold within the limits. Raises push_declined."""
    if held.find_missing_object(git) is not None:
        raise _push_declined({one.ref: "missing necessary objects" for one in commands}, [])
    try:
        held.check_trees(git)
    except TreeTooLarge as large:
        said = [f"fatal: {large.detail['why']}"]
        raise _push_declined({one.ref: "pre-receive hook declined" for one in commands}, said) from None


def _settle(changes: RefChanges, *, atomic: bool) -> None:
    """Undo a push without any successful update. Raises push_declined."""
    refused = [reason for reason in changes.results.values() if reason is not None]
    if atomic and refused:
        changes.results = {ref: reason or "atomic push failure" for ref, reason in changes.results.items()}
    if len(refused) == len(changes.results) or (atomic and refused):
        raise _push_declined(changes.results, changes.said)


def _push_declined(results: Mapping[str, str | None], said: list[str]) -> OperationError:
    return OperationError(
        "push_declined",
        why="; ".join(f"{ref}: {reason}" for ref, reason in results.items()),
        said=said,
        results=_results_json(results),
    )


def _to_report(results: Mapping[str, str | None], said: list[str]) -> ToReportJson:
    return {"unpack": "ok", "results": _results_json(results), "said": said}


def _results_json(results: Mapping[str, str | None]) -> list[dict[str, str | None]]:
    return [{"ref": ref, "error": reason} for ref, reason in results.items()]


def _adopt_default(repo: Repository, changes: RefChanges) -> None:
    """Make the first pushed branch the default of an empty repository, unless its named default is among them."""
    made = [update.branch for update in changes.updates if update.branch is not None]
    if made and repo.default_branch not in made:
        repo.default_branch = made[0]


def _invitation(context: GithubContext, repo: Repository, changes: RefChanges, *, first: bool) -> list[str]:
    """Return the vendor's hint after a new branch."""
    made = [update.branch for update in changes.updates if update.branch is not None and update.old is None]
    if first or len(made) != 1 or made[0] == repo.default_branch:
        return []
    address = f"{context.repo_html(repo)}/pull/new/{quote(made[0])}"
    return ["", f"Create a pull request for '{made[0]}' on GitHub by visiting:", f"     {address}", ""]
