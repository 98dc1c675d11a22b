"""Git data of one repository: commits, branches and merges of its series."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.github.git import Signature
from seeds.repositories import Tree
from seeds.rows.github_context import Facts, RepositoryContext
from world.core.clock import SECOND

WEB = ("GitHub", "noreply@github.com")
GENERIC = ("review-me", "conflict-me", "red", "stale-1", "stale-2")  # purposes, not names, of branches


@dataclass(slots=True)
class PullHistory:
    """Git data of a pull request once its commits are made."""

    base: str
    head: str
    commits: list[str] = field(default_factory=list)
    merge: str = ""


class History:
    """The commits of one repository."""

    def __init__(self, context: RepositoryContext) -> None:
        self.context = context
        self.shas: dict[str, str] = {}
        self.trees: dict[str, Tree] = {}
        self.merged: dict[str, PullHistory] = {}
        self.names: dict[str, str] = {}  # of open branches
        self.landed: list[tuple[int, str]] = []  # when main moved, and its commit then

    def make(self) -> None:
        """Make all commits and branches."""
        tree, head = Tree(self.context.git, {}, None), ""
        commits: list[Facts] = self.context.series["commits"]
        start = 0
        while start < len(commits):
            pull = commits[start].get("pr")
            end = start + 1
            while pull and end < len(commits) and commits[end].get("pr") == pull:
                end += 1
            group = commits[start:end]
            tree, head = self._land(pull, group, tree, head) if pull else self._commit_directly(group[0], tree, head)
            start = end
        self.context.git.set_ref("refs/heads/main", head, None)
        for name, branch in self.context.series["branches"].items():
            self._branch(name, branch)
        for handle, one in self.merged.items():
            self.context.git.set_ref(f"refs/pull/{self.context.numbers[handle]}/head", one.head, None)

    def _message(self, one: Facts, subject: str = "") -> str:
        body = self.context.text(one.get("body", "") or "", one)
        return f"{subject or self._subject(one)}\n" + (f"\n{body}\n" if body else "")

    def _subject(self, one: Facts) -> str:
        """The first line of a commit; it names the issue of its pull request."""
        return self.context.name_issue(one["subject"], self.context.series["pulls"].get(one.get("pr"), {}))

    def _commit(self, one: Facts, tree: Tree, parents: list[str], *, web: int | None = None, subject: str = "") -> str:
        author = self.context.build_signature(one["author"], one["days"])
        committer = author if web is None else Signature(*WEB, web // SECOND, 0)
        assert tree.sha is not None
        return self.context.git.put_commit(tree.sha, parents, self._message(one, subject), author, committer)

    def _commit_directly(self, one: Facts, tree: Tree, head: str) -> tuple[Tree, str]:
        made = self.context.change(tree, one)
        sha = self._commit(one, made, [head] if head else [])
        self._remember([one], [made], [sha])
        self.landed.append((self.context.at(one["days"]), sha))
        return made, sha

    def _land(self, pull: str, group: Sequence[Facts], tree: Tree, base: str) -> tuple[Tree, str]:
        """The commits of a pull request on its branch, and how they came into main."""
        facts = self.context.series["pulls"][pull]
        done, head = PullHistory(base, base), base
        trees: list[Tree] = []
        ends: list[str] = []
        now = tree
        for one in group:
            before, now = now, self.context.change(now, one)
            trees.append(now)
            head = self._commit_drafts(one, before, head, done)
            if head == done.base or self.context.git.tree_of(head) != now.sha:
                head = self._commit(one, now, [head])
                done.commits.append(head)
            ends.append(head)
        done.head = head
        merged, number = self.context.at(facts["merged_days"]), self.context.numbers[pull]
        if facts["merge"] == "merge":
            done.merge = self._merge_commit(facts, now, base, head, merged, number)
            landed = [*ends[:-1], done.merge]
        elif facts["merge"] == "squash":
            done.merge = self._commit(
                {**group[-1], "days": facts["merged_days"]},
                now,
                [base],
                web=merged,
                subject=f"{self.context.name_issue(facts['title'], facts)} (#{number})",
            )
            landed = [done.merge] * len(group)
        else:
            landed, parent = [], base
            for one, made in zip(group, trees, strict=True):
                parent = self._commit(one, made, [parent], web=merged)
                landed.append(parent)
            done.merge = parent
        self._remember(group, trees, landed)
        self.merged[pull] = done
        self.landed.append((merged, done.merge))
        return now, done.merge

    def _commit_drafts(self, one: Facts, before: Tree, head: str, done: PullHistory) -> str:
        """The attempts on the branch that came before a commit's final form."""
        for draft in one.get("fixups") or ():
            before = self.context.change(before, draft)
            head = self._commit(draft, before, [head])
            done.commits.append(head)
        return head

    def _merge_commit(self, facts: Facts, tree: Tree, base: str, head: str, merged: int, number: int) -> str:
        message = (
            f"Merge pull request #{number} from {self.context.hub.login}/{self.context.branch_name(facts)}"
            f"\n\n{self.context.name_issue(facts['title'], facts)}\n"
        )
        author = self.context.build_signature(facts["author"], facts["merged_days"])
        assert tree.sha is not None
        return self.context.git.put_commit(
            tree.sha, [base, head], message, author, Signature(*WEB, merged // SECOND, 0)
        )

    def _remember(self, group: Sequence[Facts], trees: Sequence[Tree], shas: Sequence[str]) -> None:
        for one, tree, sha in zip(group, trees, shas, strict=True):
            self.trees[one["id"]], self.shas[one["id"]] = tree, sha

    def _branch(self, name: str, branch: Facts) -> None:
        tree, base = self.trees[branch["base"]], self.shas[branch["base"]]
        head, commits = base, []
        for one in branch["commits"]:
            tree = self.context.change(tree, one)
            subject = self.context.name_issue(one["subject"], branch.get("pull", {}))
            head = self._commit(one, tree, [head], subject=subject)
            commits.append(head)
        facts = branch.get("pull")
        own = "" if name in GENERIC or "files" in branch["commits"][0] else name
        self.names[name] = self.context.branch_name(facts, own) if facts else name
        self.context.git.set_ref(f"refs/heads/{self.names[name]}", head, None)
        if facts:
            self.merged[name] = PullHistory(base, head, commits)

    def find_main(self, at: int) -> str:
        """The commit that main had at a time."""
        return max((one for one in self.landed if one[0] <= at), key=lambda one: one[0])[1]
