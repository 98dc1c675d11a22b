"""Batch loader of one request: rows that resolvers need repeatedly are read together and cached until it ends."""

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar, runtime_checkable

from sqlmodel import SQLModel, col, func, select

from apps.github.columns import Condition
from apps.github.domain.context import GithubContext, rank
from apps.github.domain.pull_git import Changes
from apps.github.domain.visibility import list_visible_repositories
from apps.github.git import Repo
from apps.github.graphql.connections import Page, PageQuery, RowCursor, read_page
from apps.github.graphql.plain_rows import Conditions, form
from apps.github.graphql.values import Args
from apps.github.models import Account, Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.views.autolinks import render_text
from apps.github.views.issues import association
from world.core.call import Call

M = TypeVar("M", bound=SQLModel)
K = TypeVar("K")
T = TypeVar("T")


@runtime_checkable
class RepositoryRow(Protocol):
    """A row that belongs to a repository."""

    @property
    def repo_id(self) -> int:
        """The id of the repository."""
        ...


class Loader:
    """Context of a request, with the cache of everything its resolvers have read."""

    def __init__(self, call: Call, context: Callable[[Call], GithubContext] = GithubContext) -> None:
        self.call, self.nodes, self._hub = call, 0, context
        self.renew()

    def renew(self) -> None:
        """Clear the cache after a change."""
        self.context = self._hub(self.call)
        self.__dict__.pop("seen", None)
        self._rows: dict[tuple[type, int], Any] = {}
        self._lists: dict[str, dict[Any, Any]] = {}
        self._changes: dict[int, Changes] = {}

    @property
    def me(self) -> Account:
        """The calling account."""
        return self.context.me

    # -- rows

    def rows(self, model: type[M], ids: Iterable[int | None]) -> dict[int, M]:
        """Return rows by id; missing ones are read together."""
        wanted = {id for id in ids if id is not None}
        missing = sorted(id for id in wanted if (model, id) not in self._rows)
        if missing:
            key: Any = next(iter(model.__table__.primary_key)).name  # type: ignore[attr-defined]
            found = {getattr(row, key): row for row in self.context.rows(model, key, missing)}
            for id in missing:
                self._rows[model, id] = found.get(id)
        return {id: self._rows[model, id] for id in wanted if self._rows[model, id] is not None}

    def row(self, model: type[M], id: int | None) -> M | None:
        """Return one row by id."""
        return self.rows(model, [id]).get(id) if id is not None else None

    def lists(self, name: str, keys: Iterable[K], load: Callable[[list[K]], Iterable[tuple[K, T]]]) -> dict[K, list[T]]:
        """Return the list of rows of each key; `load` reads those of keys not cached yet, as (key, row)."""
        kept = self._lists.setdefault(name, {})
        wanted = list(dict.fromkeys(keys))
        missing = [key for key in wanted if key not in kept]
        if missing:
            kept.update({key: [] for key in missing})
            for key, row in load(missing):
                kept[key].append(row)
        return {key: kept[key] for key in wanted}

    def counts(self, name: str, sql: str, ids: Iterable[int], **values: object) -> dict[int, int]:
        """Return counts by id; `sql` selects id and count for `:ids`."""
        found = self.lists(name, ids, lambda missing: self.call.all(sql, {"ids": json.dumps(missing), **values}))  # type: ignore[arg-type]
        return {id: rows[0] if rows else 0 for id, rows in found.items()}

    def once(self, name: str, key: Hashable, make: Callable[[], T]) -> T:
        """Return a cached value, computed on first use."""
        kept = self._lists.setdefault(name, {})
        if key not in kept:
            kept[key] = make()
        return kept[key]

    # -- accounts and repositories

    def accounts(self, ids: Iterable[int | None]) -> None:
        """Read accounts ahead of their use."""
        self.context.preload(ids)

    def account(self, id: int | None) -> Account | None:
        """Return an account by id."""
        return None if id is None else self.context.account(id)

    @cached_property
    def visible_repositories(self) -> frozenset[int]:
        """The repositories the caller may see."""
        return frozenset(list_visible_repositories(self.context).ids)

    def in_seen(self) -> Conditions:
        """The condition that a row belongs to a visible repository."""
        where = Conditions()
        where.add(f"repo_id IN {where.bind_list(sorted(self.visible_repositories))}")
        return where

    def repo(self, id: int | None) -> Repository | None:
        """Return a repository, or None if the caller may not see it."""
        found = self.context.repo_by_id(id) if id is not None else None
        return found if found is not None and self.context.sees(found) else None

    def home(self, row: RepositoryRow) -> Repository:
        """Return the repository of a visible row."""
        found = self.context.repo_by_id(row.repo_id)
        assert found is not None
        return found

    def may(self, row: Repository | RepositoryRow, level: str) -> bool:
        """Whether the caller has a permission on the repository of a row, and it accepts changes."""
        repo = row if isinstance(row, Repository) else self.home(row)
        return not repo.archived and self.context.may(repo, level)

    def association(self, repo: Repository, account_id: int) -> str:
        """Return the association of an author with a repository."""
        return self.once(
            "association",
            (repo.id, account_id),
            lambda: association(self.context, repo, self.context.account(account_id)),
        )

    def at_least(self, repo: Repository, account_id: int, level: str) -> bool:
        """Whether an account has a permission on a repository."""
        return rank(self.context.level(repo, self.context.account(account_id))) >= rank(level)

    # -- addresses and texts

    def path(self, row: Repository | RepositoryRow) -> str:
        """Return the path of the page of a repository, or of something in it."""
        return f"/{self.context.full_name(row if isinstance(row, Repository) else self.home(row))}"

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return self.context.html + path

    def html(self, row: Repository | RepositoryRow, text: str | None) -> str:
        """Render a text of a repository as HTML."""
        repo = row if isinstance(row, Repository) else self.home(row)
        return render_text(self.context, repo, text) if text else ""

    # -- issues and pull requests

    def issue(self, id: int | None) -> Issue | None:
        """Return an issue by id, or None."""
        return self.row(Issue, id)

    def get_issue(self, id: int | None) -> Issue:
        """Return an issue that must exist."""
        found = self.issue(id)
        assert found is not None
        return found

    def pull(self, issue: Issue) -> Pull:
        """Return the pull request of an issue."""
        found = self.row(Pull, issue.id)
        assert found is not None
        return found

    def pulls(self, issues: Iterable[Issue]) -> None:
        """Read pull requests ahead of their use."""
        self.rows(Pull, [issue.id for issue in issues])

    def changes(self, issue: Issue) -> Changes:
        """Return the changes of a pull request."""
        if issue.id not in self._changes:
            self._changes[issue.id] = Changes(self.context, self.home(issue), issue, self.pull(issue))
        return self._changes[issue.id]

    def git(self, repo: Repository) -> Repo:
        """Return the git data of a repository."""
        return self.context.git(repo)

    # -- pages of tables

    def page_of(
        self,
        model: type[M],
        where: Sequence[Condition],
        args: Args,
        order: Any,
        *,
        descending: bool = False,
        asks: Iterable[str] = (),
        **more: object,
    ) -> Page:
        """Return a page of a table's rows, sorted by a column and then by id; reads only the rows it needs."""
        ident: Any = model.id  # type: ignore[attr-defined]

        def total() -> int:
            return self.call.scalar(select(func.count()).select_from(model).where(*where))

        def read(way: PageQuery) -> tuple[list[M], int | None]:
            limits = [_beyond(order, ident, mark) for mark in way.marks]
            ordering = (order.desc(), ident.desc()) if way.down else (order.asc(), ident.asc())
            chosen: Any = select(model, func.count().over()) if way.counted else select(model)
            found = self.call.session.exec(chosen.where(*where, *limits).order_by(*ordering).limit(way.size + 1)).all()
            return ([row for row, _ in found], found[0][1]) if way.counted and found else (list(found), None)

        return read_page(args, descending, asks, order.key, read, total, more)

    def page_by(
        self,
        model: type[M],
        where: Conditions,
        args: Args,
        order: str,
        *,
        descending: bool = False,
        asks: Iterable[str] = (),
        **more: object,
    ) -> Page:
        """Return such a page under conditions in SQL."""
        of = form(model)

        def total() -> int:
            return self.call.scalar(f"SELECT count(*) FROM {of.table} WHERE {where}", where.values)

        def read(way: PageQuery) -> tuple[list[M], int | None]:
            chosen, turn = Conditions(str(where), **where.values), "DESC" if way.down else "ASC"
            for at, mark in enumerate(way.marks):
                than, value, id = "<" if mark.down else ">", f":value{at}", f":id{at}"
                chosen.add(
                    f"({order} {than} {value} OR {order} = {value} AND id {than} {id})",
                    **{value[1:]: mark.value, id[1:]: mark.id},
                )
            counted = ", count(*) OVER ()" if way.counted else ""
            sql = (
                f"SELECT {of.columns}{counted} FROM {of.table} WHERE {chosen} ORDER BY {order} {turn}, id {turn} LIMIT"
                f" {way.size + 1}"
            )
            found = self.call.all(sql, chosen.values)
            return [of.row(values) for values in found], found[0][-1] if way.counted and found else None

        return read_page(args, descending, asks, order, read, total, more)


def _beyond(order: Any, ident: Any, mark: RowCursor) -> Any:
    """Return the condition for rows after a cursor's key."""
    if mark.down:
        return (order < mark.value) | ((order == mark.value) & (col(ident) < mark.id))
    return (order > mark.value) | ((order == mark.value) & (col(ident) > mark.id))
