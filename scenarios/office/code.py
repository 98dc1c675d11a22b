"""Repositories: people of the company create them, push branches to them, and open and merge pull requests."""

from base64 import b64decode
from collections.abc import Mapping, Sequence

from scenarios.office.changes import CHANGES, REPOSITORIES, PlannedChange
from scenarios.office.people import engineers
from world.script.chore import Draw, Item
from world.script.stage import Stage


def organisation(w: Stage) -> str:
    """Login of the company's organisation on GitHub."""
    return w.find("github_account", kind="Organization")["login"]


def login(w: Stage, person: str) -> str:
    """A person's login on GitHub."""
    return w.find("github_account", person_id=person)["login"]


def managers(d: Draw, *, but: Sequence[str] = ()) -> list[str]:
    """People who are here and lead engineers or a product, without some, by id."""
    words = ("Engineering Manager", "Staff Engineer", "Chief Technology", "Head of Product", "Product Manager")
    return [one["id"] for one in d.people() if one["title"].startswith(words) and one["id"] not in but]


def technology_chief(w: Stage) -> str:
    """Directory id of the person who may create repositories for everybody."""
    return next(one["id"] for one in w.rows("person", status="active") if one["title"].startswith("Chief Technology"))


def create_repository(d: Draw, files: Mapping[str, str], *, keep_branches: bool = True, **more: object) -> str:
    """Create a repository that all engineers may push to; return its name.

    `files` are written beside its README; `{repo}` in a text is the name. `keep_branches` leaves merged branches alone.
    """
    w, (name, description) = d.w, d.pick(REPOSITORIES, "repository")
    name = _find_free_name(w, name)
    chief, owner = technology_chief(w), organisation(w)
    w.act(
        chief,
        "repos/create-in-org",
        org=owner,
        name=name,
        description=description,
        private=True,
        auto_init=True,
        delete_branch_on_merge=not keep_branches,
        **more,
    )
    place = {"owner": owner, "repo": name}
    w.act(
        chief,
        "teams/add-or-update-repo-permissions-in-org",
        org=owner,
        team_slug="engineering",
        permission="push",
        **place,
    )
    _admit_stand_in(d, place)
    readme = f"# {name}\n\n{description}\n"
    texts = {"README.md": readme, **{path: text.replace("{repo}", name) for path, text in files.items()}}
    commit(w, chief, name, "main", texts, "First files")
    return name


def _find_free_name(w: Stage, name: str) -> str:
    """A name that no repository has: on a composed day the same one may be drawn twice."""
    taken = {one["name"] for one in w.rows("github_repository")}
    return next(one for one in (name, *(f"{name}-{more}" for more in range(2, 99))) if one not in taken)


def _admit_stand_in(d: Draw, place: Mapping[str, str]) -> None:
    """Let the agent of a composed day push as well, who may be no engineer."""
    agent = d.given.agent
    if agent and agent not in {one["id"] for one in engineers(d)}:
        name = login(d.w, agent)
        d.w.act(technology_chief(d.w), "repos/add-collaborator", username=name, permission="push", **place)


def commit(w: Stage, person: str, repo: str, branch: str, files: Mapping[str, str], message: str) -> str:
    """Push one commit to a branch; return its hash."""
    listed = [{"path": path, "content": text} for path, text in files.items()]
    made = w.act(
        person,
        "web/push-files",
        owner=organisation(w),
        repo=repo,
        branch=branch,
        files=listed,
        message=message,
    )
    return made["object"]["sha"]


def create_branch(w: Stage, person: str, repo: str, branch: str, *, base: str = "main") -> None:
    """Begin a branch where another stands."""
    sha = head_of(w, repo, base)
    w.act(person, "git/create-ref", owner=organisation(w), repo=repo, ref=f"refs/heads/{branch}", sha=sha)


def head_of(w: Stage, repo: str, branch: str) -> str:
    """Hash of a branch's last commit."""
    found = w.find("github_repository", name=repo)["id"]
    return w.find("github_ref", repo_id=found, name=f"refs/heads/{branch}")["target"]


def push_change(
    w: Stage, person: str, repo: str, change: PlannedChange, *, branch: str = "", base: str = "main"
) -> str:
    """Begin a branch and push a change to it; return the branch's name."""
    name = branch or change.branch
    create_branch(w, person, repo, name, base=base)
    commit(w, person, repo, name, {change.path: change.text}, change.title)
    return name


def open_pull(
    w: Stage, person: str, repo: str, head: str, title: str, *, body: str = "", base: str = "main", **more: object
) -> int:
    """Open a pull request; return its number."""
    made = w.act(
        person,
        "web/pulls/open",
        owner=organisation(w),
        repo=repo,
        head=head,
        base=base,
        title=title,
        body=body,
        **more,
    )
    return made["number"]


def propose(w: Stage, person: str, repo: str, change: PlannedChange, *, base: str = "main", **more: object) -> int:
    """Push a change to a branch of its own and open a pull request for it; return the number."""
    head = push_change(w, person, repo, change, base=base)
    return open_pull(w, person, repo, head, change.title, body=change.body, base=base, **more)


def merge(w: Stage, person: str, repo: str, number: int, *, method: str = "squash") -> str:
    """Merge a pull request; return the hash that the base has then."""
    made = w.act(
        person,
        "pulls/merge",
        owner=organisation(w),
        repo=repo,
        pull_number=number,
        merge_method=method,
    )
    return made["sha"]


def choose_changes(d: Draw, count: int, what: str = "changes") -> list[PlannedChange]:
    """Choose different changes."""
    return d.sample(CHANGES, count, what)


def pull_ref(name: str, *, repo: str = "event.truth.repo", fact: str = "") -> Item:
    """A ref of a rubric: the issue row of a pull request or issue whose number is a fact of the draw."""
    return {"table": "github_issue", "where": {"repo_from": repo, "number_from": fact or f"event.truth.{name}"}}


def read_file(w: Stage, repo: str, commit: str, path: str) -> str:
    """Text of a file at a commit; empty if it is not there."""
    if path not in files_of(w, repo, commit):
        return ""
    given = {"owner": organisation(w), "repo": repo, "path": path, "ref": commit}
    found = w.act(technology_chief(w), "repos/get-content", **given)
    return b64decode(found["content"]).decode()


def files_of(w: Stage, repo: str, commit: str) -> dict[str, str]:
    """Path and hash of every file of a commit."""
    given = {"owner": organisation(w), "repo": repo, "tree_sha": commit, "recursive": "1"}
    tree = w.act(technology_chief(w), "git/get-tree", **given)["tree"]
    return {one["path"]: one["sha"] for one in tree if one["type"] == "blob"}


def allow_comments(most: int) -> Item:
    """An allowance of a rubric: so many comments of the agent on issues and pull requests of the draw's repository."""
    where = {"repo_from": "event.truth.repo", "author": {"ref": "agent"}}
    return {"insert": "github_comment", "where": where, "max": most}


def open_repository(w: Stage, name: str, description: str, files: Mapping[str, str]) -> str:
    """Create a repository of a given name, which all engineers may push to; return the name."""
    chief, owner = technology_chief(w), organisation(w)
    w.act(chief, "repos/create-in-org", org=owner, name=name, description=description, private=True, auto_init=True)
    place = {"org": owner, "owner": owner, "repo": name}
    w.act(chief, "teams/add-or-update-repo-permissions-in-org", team_slug="engineering", permission="push", **place)
    commit(w, chief, name, "main", files, "First files")
    return name
