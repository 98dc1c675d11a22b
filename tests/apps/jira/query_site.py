"""A small site for query tests: three projects, sixty issues with a history, and a plain reading of the same rows."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Connection, create_engine, text
from sqlmodel import Session, SQLModel, col, select

from apps.jira import models as m
from apps.jira import models_boards as jira_boards
from apps.jira.query import Context, compile_query, parse
from world.core.clock import DAY, HOUR, SECOND, from_datetime
from world.core.directory import Account, Person, Team

NOW = from_datetime(datetime(2026, 1, 31, 12, 0, tzinfo=UTC))
ZONE = "Europe/Berlin"
ME = "p_1"
WORDS = ["login", "crash", "invoice", "export", "button", "slow", "cache", "token", "alpha", "beta"]
LABELS = ["red", "Blue", "green", "x-ray"]
VISIBLE = frozenset({1, 2})


@dataclass
class Step:
    """One changelog item."""

    at: int
    author: str
    field: str
    before: str | None
    after: str | None


@dataclass
class Fact:
    """An issue as the plain evaluator sees it."""

    row: m.Issue
    steps: list[Step] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    watchers: set[str] = field(default_factory=set)
    voters: set[str] = field(default_factory=set)
    workers: set[str] = field(default_factory=set)
    outward: list[tuple[int, int]] = field(default_factory=list)
    inward: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Site:
    """The rows, by id, and a connection that holds them."""

    connection: Connection
    facts: dict[int, Fact]
    context: Context

    def ids(self, jql: str) -> list[int]:
        """Ids of visible issues that a query finds, in its order."""
        made = compile_query(parse(jql), self.context)
        statement = select(m.Issue.id).where(made.where, col(m.Issue.project_id).in_(VISIBLE)).order_by(*made.order_by)
        return [row.id for row in self.connection.execute(statement)]

    def keys(self, jql: str) -> list[str]:
        """Keys a query finds, in its order."""
        return [self.facts[number].row.key for number in self.ids(jql)]


PEOPLE = {f"p_{n}": name for n, name in enumerate(["Ada Byron", "Bo Lind", "Cy Young", "Di Ng", "Ed Moss", "Flo Wu"])}
PROJECTS = {1: ("SHOP", "Web Shop"), 2: ("OPS", "Operations"), 3: ("VAULT", "Vault")}
TYPES = {1: ("Epic", 1), 2: ("Story", 0), 3: ("Bug", 0), 4: ("Sub-task", -1)}
STATUSES = {
    11: ("To Do", "new"),
    12: ("In Progress", "indeterminate"),
    13: ("In Review", "indeterminate"),
    14: ("Done", "done"),
}
PRIORITIES = {1: "Highest", 2: "High", 3: "Medium", 4: "Low", 5: "Lowest"}
RESOLUTIONS = {1: "Done", 2: "Won't Do"}
COMPONENTS = {21: (1, "Cart"), 22: (1, "Checkout"), 23: (2, "Network"), 24: (2, "Cart")}
VERSIONS = {31: (1, "1.0", 0, True), 32: (1, "1.1", 1, False), 33: (2, "1.0", 0, False), 34: (2, "2.0", 1, False)}
SPRINTS = {41: ("Sprint 1", "closed"), 42: ("Sprint 2", "active"), 43: ("Sprint 3", "future")}
LINKS = {51: ("Blocks", "is blocked by", "blocks"), 52: ("Relates", "relates to", "relates to")}


def _reference() -> Iterable[SQLModel]:
    for person, name in PEOPLE.items():
        handle = name.split()[0].lower()
        yield Person(
            id=person,
            full_name=name,
            display_name=handle,
            first_name=name.split()[0],
            last_name=name.split()[1],
            handle=handle,
            email=f"{handle}@example.com",
            title="",
            tz=ZONE,
        )
        yield Account(app="jira", person_id=person, external_id=f"acc-{person[2:]}")
    yield from (
        m.Project(id=i, key=k, name=n, lead_id=f"p_{i}", category_id=1 if i == 1 else None)
        for i, (k, n) in PROJECTS.items()
    )
    yield m.Category(id=1, name="Customer")
    yield from (m.IssueType(id=i, name=n, level=level) for i, (n, level) in TYPES.items())
    yield from (m.Status(id=i, name=n, category=c) for i, (n, c) in STATUSES.items())
    yield from (m.Priority(id=i, name=n, position=i) for i, n in PRIORITIES.items())
    yield from (m.Resolution(id=i, name=n) for i, n in RESOLUTIONS.items())
    yield from (m.Component(id=i, project_id=p, name=n, lead_id="p_2") for i, (p, n) in COMPONENTS.items())
    yield from (m.Version(id=i, project_id=p, name=n, position=o, released=r) for i, (p, n, o, r) in VERSIONS.items())
    yield from (jira_boards.Sprint(id=i, board_id=1, name=n, state=s) for i, (n, s) in SPRINTS.items())
    yield from (m.LinkType(id=i, name=n, inward=a, outward=b) for i, (n, a, b) in LINKS.items())
    yield m.Group(id="g1", name="devs")
    yield from (m.GroupMember(group_id="g1", person_id=p) for p in ("p_1", "p_2"))
    yield Team(id="t1", name="Platform")
    yield jira_boards.Filter(id=61, name="Mine", owner_id=ME, jql="assignee = currentUser()")
    yield jira_boards.Filter(id=62, name="Loop", owner_id=ME, jql="filter = Loop")
    yield jira_boards.Filter(id=63, name="Theirs", owner_id="p_3", jql="project = SHOP")
    yield m.CustomField(id="customfield_10050", name="Severity", kind="select")
    yield m.CustomField(id="customfield_10051", name="Customer note", kind="text")
    yield m.CustomField(id="customfield_10052", name="Cost", kind="number")
    yield m.CustomField(id="customfield_10053", name="Regions", kind="multiselect")
    yield from (
        m.FieldOption(id=i, field_id="customfield_10050", value=v, position=i) for i, v in ((71, "S1"), (72, "S2"))
    )
    yield from (
        m.FieldOption(id=i, field_id="customfield_10053", value=v, position=i) for i, v in ((73, "EU"), (74, "US"))
    )


class _Maker:
    """Makes issues from one seeded stream."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def maybe(self, values: Iterable[object], chance: float = 0.6) -> object:
        return self.random.choice(sorted(values)) if self.random.random() < chance else None  # type: ignore[type-var]

    def some(self, values: Iterable[object], most: int = 2) -> list:
        pool = sorted(values)  # type: ignore[type-var]
        return sorted(self.random.sample(pool, self.random.randint(0, min(most, len(pool)))))

    def jitter(self) -> int:
        """What puts a time at, just after or a second after the midnights that queries name."""
        return self.random.choice([0, 0, 1, 500_000, SECOND])

    def phrase(self, most: int) -> str:
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(1, most)))

    def issue(self, number: int) -> Fact:
        r = self.random
        project = number if number in PROJECTS else r.choice([1, 1, 2, 2, 3])
        days = r.choice([7, 11, 15, 16, 16, 21, 26, 30, 45, 65])
        created = NOW - days * DAY - r.choice([13, 13, 0, 5]) * HOUR + self.jitter()
        components = self.some(i for i, (p, _) in COMPONENTS.items() if p == project)
        versions = [i for i, (p, *_) in VERSIONS.items() if p == project]
        row = m.Issue(
            id=number,
            project_id=project,
            number=number,
            key=f"{PROJECTS[project][0]}-{number}",
            issue_type_id=r.choice([1, 2, 3, 4]),
            status_id=11,
            priority_id=3,
            summary=self.phrase(4),
            description_text=self.phrase(5) if r.random() < 0.7 else "",
            creator_id=r.choice(sorted(PEOPLE)),
            labels=self.some(LABELS),
            component_ids=components,
            affects_version_ids=self.some(versions),
            parent_id=r.randint(1, number - 1) if number > 5 and r.random() < 0.3 else None,
            sprint_id=self.maybe([42, 43], 0.4),
            past_sprint_ids=[41] if r.random() < 0.3 else [],
            story_points=self.maybe([1.0, 2.0, 3.5, 8.0]),
            rank=f"0|{number:05}:",
            due_on=self.maybe([f"2026-0{a}-{b:02}" for a in (1, 2) for b in (1, 15, 28)]),
            created_at=created,
            updated_at=created,
            time_spent_s=self.maybe([1800, 3600, 28800]),
            original_estimate_s=self.maybe([3600, 28800]),
            team_id=self.maybe(["t1"], 0.3),
            custom=self.custom(),
        )
        fact = Fact(row)
        self.history(fact, versions)
        row.updated_at = max([created, *(step.at for step in fact.steps)])
        row.resolved_at = row.updated_at if row.resolution_id else None
        fact.comments = [self.phrase(3) for _ in range(r.choice([0, 0, 1, 2]))]
        for people in (fact.watchers, fact.voters, fact.workers):
            people.update(self.some(PEOPLE, 3))
        return fact

    def custom(self) -> dict[str, object]:
        values = {
            "customfield_10050": self.maybe([71, 72]),
            "customfield_10051": self.maybe(WORDS),
            "customfield_10052": self.maybe([1.5, 20.0]),
            "customfield_10053": self.some([73, 74]) or None,
        }
        return {name: value for name, value in values.items() if value is not None}

    def history(self, fact: Fact, versions: list[int]) -> None:
        """Start values, then up to eight edits of the fields whose history JQL can search."""
        r, row = self.random, fact.row
        row.reporter_id, row.assignee_id = self.maybe(PEOPLE, 0.9), self.maybe(PEOPLE)
        row.fix_version_ids, row.priority_id = self.some(versions), r.choice(sorted(PRIORITIES))
        at = row.created_at
        for _ in range(r.randint(0, 8)):
            at = min((at + r.randint(1, 8) * DAY) // HOUR * HOUR + self.jitter(), NOW)
            self.edit(fact, at, versions)

    def edit(self, fact: Fact, at: int, versions: list[int]) -> None:
        r, row = self.random, fact.row
        choices = {
            "status": ("status_id", STATUSES),
            "assignee": ("assignee_id", [*PEOPLE, None]),
            "priority": ("priority_id", PRIORITIES),
            "resolution": ("resolution_id", [*RESOLUTIONS, None]),
            "reporter": ("reporter_id", PEOPLE),
            "fixVersions": ("", versions),
        }
        name = r.choice(sorted(choices))
        column, values = choices[name]
        new = r.choice(sorted(values, key=str)) if values else None
        author = r.choice(sorted(PEOPLE))
        if name == "fixVersions":
            if new is None:
                return
            had = new in row.fix_version_ids
            row.fix_version_ids = (
                [v for v in row.fix_version_ids if v != new] if had else sorted([*row.fix_version_ids, new])
            )
            fact.steps.append(Step(at, author, name, str(new) if had else None, None if had else str(new)))
            return
        old = getattr(row, column)
        if old != new:
            setattr(row, column, new)
            fact.steps.append(
                Step(at, author, name, None if old is None else str(old), None if new is None else str(new))
            )


def build(seed: int = 7, count: int = 60) -> Site:
    """The site in a database in memory."""
    engine = create_engine("sqlite://")
    connection = engine.connect()
    tables = [
        table
        for name, table in SQLModel.metadata.tables.items()
        if name.startswith("jira_") or name in ("person", "account", "team")
    ]
    SQLModel.metadata.create_all(connection, tables=tables)
    for statement in m.DDL:
        connection.execute(text(statement))
    maker = _Maker(seed)
    facts = {number: maker.issue(number) for number in range(1, count + 1)}
    with Session(bind=connection, expire_on_commit=False) as session:
        session.add_all(_reference())
        session.flush()
        _store(session, maker, facts)
        session.commit()
    context = Context(NOW, ME, ZONE, lambda statement: connection.execute(statement).all(), VISIBLE, week_start=0)
    return Site(connection, facts, context)


def _store(session: Session, maker: _Maker, facts: dict[int, Fact]) -> None:
    history = comment = 0
    for number, fact in facts.items():
        session.add(fact.row)
        for step in fact.steps:
            history += 1
            session.add(
                m.ChangeItem(
                    history_id=history,
                    ordinal=0,
                    issue_id=number,
                    author_id=step.author,
                    created_at=step.at,
                    field=step.field,
                    field_id=step.field,
                    from_value=step.before,
                    to_value=step.after,
                )
            )
        for words in fact.comments:
            comment += 1
            session.add(
                m.Comment(
                    id=comment,
                    issue_id=number,
                    author_id="p_4",
                    update_author_id="p_4",
                    body={},
                    body_text=words,
                    created_at=fact.row.created_at,
                    updated_at=fact.row.created_at,
                )
            )
        session.add_all(m.Watcher(issue_id=number, person_id=p, created_at=0) for p in sorted(fact.watchers))
        session.add_all(m.Vote(issue_id=number, person_id=p, created_at=0) for p in sorted(fact.voters))
        for index, person in enumerate(sorted(fact.workers)):
            session.add(
                m.Worklog(
                    id=number * 10 + index,
                    issue_id=number,
                    author_id=person,
                    update_author_id=person,
                    started_at=fact.row.created_at,
                    spent_s=60,
                    created_at=0,
                    updated_at=0,
                )
            )
    for index in range(20):
        drawn = (maker.random.choice([51, 52]), *maker.random.sample(sorted(facts), 2))
        kind, source, target = drawn if index else (51, 1, 2)
        session.add(m.IssueLink(id=index + 1, type_id=kind, source_id=source, destination_id=target, created_at=0))
        facts[source].outward.append((kind, target))
        facts[target].inward.append((kind, source))
