"""Ref updates of one push, applied in turn; each is done or refused with git's or the vendor's message."""

from dataclasses import dataclass, field

from apps.github.domain.context import GithubContext
from apps.github.domain.ref_rules import judge_ref_update
from apps.github.domain.ref_updates import BRANCH, Update, update_of
from apps.github.git import ZERO, Repo
from apps.github.git.paths import check_ref, well_formed
from apps.github.git.repo import SHA
from apps.github.git.store import COMMIT
from apps.github.git.wire.push import Command
from apps.github.git.wire.reach import kinds
from apps.github.models import Repository

HIDDEN = ("refs/pull/",)


@dataclass(slots=True)
class RefChanges:
    """Result of each ref update, in request order, and the messages to the person who pushes."""

    context: GithubContext
    repo: Repository
    results: dict[str, str | None] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)

    @property
    def git(self) -> Repo:
        """The repository's git data."""
        return self.context.git(self.repo)

    def run(self, commands: list[Command]) -> None:
        """Apply the allowed updates; deletions first, so that `a` can make room for `a/b`."""
        self.results = {one.ref: None for one in commands}
        for one in sorted(commands, key=lambda command: command.new != ZERO):
            self.results[one.ref] = self._one(one)

    def _one(self, command: Command) -> str | None:
        """Update one ref; return the reason if it is refused."""
        old, new = (None if sha == ZERO else sha for sha in (command.old, command.new))
        problem = self._improper(command.ref, new) or self._find_lock_error(command.ref, old, new)
        if problem is not None or old == new:
            return problem
        ruling = judge_ref_update(self.context, self.repo, command.ref, old, new)
        self.said += ruling.said
        if ruling.declined is not None:
            return ruling.declined
        update = update_of(self.context, self.repo, command.ref, old, new)
        self.git.set_ref(command.ref, new, old)
        self.updates.append(update)
        return None

    def _improper(self, ref: str, new: str | None) -> str | None:
        """Return the reason to refuse an update whatever the ref's present value, else None."""
        if check_ref(ref) is not None:
            return self._refuse_name(ref)
        if ref.startswith(HIDDEN):
            return "deny updating a hidden ref"
        if new is None:
            return f"refusing to delete the current branch: {ref}" if ref == BRANCH + self.repo.default_branch else None
        kind = kinds(self.git, [new]).get(new)
        if kind is None:
            return "missing necessary objects"
        if ref.startswith(BRANCH) and kind != COMMIT:
            self.said.append(
                f"error: cannot update ref '{ref}': trying to write non-commit object {new} to branch '{ref}'"
            )
            return "failed to update ref"
        return None

    def _refuse_name(self, ref: str) -> str:
        name = ref.rpartition("/")[2]
        if not SHA.fullmatch(name) or not well_formed(ref):
            return "funny refname"
        self.said += [
            "error: GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed.",
            f'error: Invalid branch or tag name "{name}"',
        ]
        return "pre-receive hook declined"

    def _find_lock_error(self, ref: str, old: str | None, new: str | None) -> str | None:
        """Return an error if the ref is not at the client's old value, or cannot exist."""
        now = self.git.ref(ref)
        if now == old:
            clash = self._clash(ref) if old is None and new is not None else None
            return f"cannot lock ref '{ref}': '{clash}' exists; cannot create '{ref}'" if clash else None
        if now is None:
            return f"cannot lock ref '{ref}': unable to resolve reference '{ref}'"
        if old is None:
            return f"cannot lock ref '{ref}': reference already exists"
        return f"cannot lock ref '{ref}': is at {now} but expected {old}"

    def _clash(self, ref: str) -> str | None:
        """Find an existing ref whose path conflicts with this one as folder and file."""
        parts = ref.split("/")
        above = ("/".join(parts[:end]) for end in range(3, len(parts)))
        found = next((name for name in above if self.git.ref(name) is not None), None)
        return found or next(iter(self.git.refs(ref + "/")), None)
