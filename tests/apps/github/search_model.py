"""What a search of issues finds, issue by issue in plain Python: the specification the real one has to agree with; and
searches at random.
"""

import random
import re
from dataclasses import dataclass, field
from typing import Any

from apps.github.models_issues import Assignee, Comment, Issue, IssueLabel, Label, Reaction
from apps.github.models_pulls import Pull, Review, ReviewRequest
from tests.apps.github.conftest import ADA, APP, BO, CY, DAY, DEE, EVE, SECRET, SITE
from tests.company import START
from world.core.clock import iso

LOGINS = {ADA: "ada", BO: "bo", CY: "cyrus", DEE: "dee", EVE: "eve"}
NAMES = {APP: "tiny/app", SITE: "tiny/site", SECRET: "tiny/secret"}
SEES = {"ada": set(NAMES), "cyrus": set(NAMES), "eve": {SITE, SECRET}}
VOCABULARY = ("retry", "loop", "Payment", "café", "time-out", "v2", "@bo", "@ada", "RETRY_loop", "über")
LABELS = ("bug", "good first issue", "P1")
MARCH = START // DAY * DAY
Query = tuple[Any, ...]


@dataclass
class Doc:
    """What is known of one issue."""

    id: int
    repo: int
    number: int
    pull: bool
    title: str
    body: str
    author: str
    state: str
    locked: bool
    created: int
    updated: int
    closed: int | None
    merged: int | None = None
    draft: bool = False
    head: str = ""
    labels: set[str] = field(default_factory=set)
    assignees: set[str] = field(default_factory=set)
    said: list[tuple[str, str]] = field(default_factory=list)
    comments: int = 0
    reactions: int = 0
    reviewers: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    asked_teams: set[str] = field(default_factory=set)


def corpus(count: int = 60) -> list[Doc]:
    """Issues with all kinds of things on them, the same each time."""
    rng = random.Random(7)
    return [_doc(rng, number) for number in range(1, count + 1)]


def _doc(rng: random.Random, number: int) -> Doc:
    pull, closed = rng.random() < 0.4, rng.random() < 0.4
    created = MARCH - rng.randrange(30 * DAY)
    merged = created + 5 if pull and closed and rng.random() < 0.5 else None
    doc = Doc(
        2000 + number,
        rng.choice(list(NAMES)),
        100 + number,
        pull,
        _text(rng, 3),
        _text(rng, 6),
        rng.choice(list(LOGINS.values())),
        "closed" if closed else "open",
        rng.random() < 0.2,
        created,
        created + rng.randrange(DAY),
        created + 5 if closed else None,
        merged,
        pull and rng.random() < 0.3,
        rng.choice(("feature", "fix-loop", "features/x")) if pull else "",
    )
    doc.labels, doc.assignees = _some(rng, LABELS), _some(rng, ("ada", "bo"))
    doc.said = [(rng.choice(("bo", "dee")), _text(rng, 3)) for _ in range(rng.randrange(3))]
    doc.comments, doc.reactions = len(doc.said), rng.randrange(3)
    if pull:
        doc.reviewers, doc.asked, doc.asked_teams = (
            _some(rng, ("cyrus", "bo")),
            _some(rng, ("ada", "dee")),
            _some(rng, ("core",)),
        )
    return doc


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(VOCABULARY) for _ in range(words))


def _some(rng: random.Random, of: tuple[str, ...]) -> set[str]:
    return {one for one in of if rng.random() < 0.4}


def rows(docs: list[Doc]) -> list[Any]:
    """The rows of the issues."""
    ids = {login: id for id, login in LOGINS.items()}
    made: list[Any] = []
    numbers = {
        (repo, name): 50 + at for at, (repo, name) in enumerate((repo, name) for repo in NAMES for name in LABELS)
    }
    del numbers[APP, "bug"]
    made += [Label(id=id, repo_id=repo, name=name.replace("bug", "Bug")) for (repo, name), id in numbers.items()]
    numbers[APP, "bug"] = 1
    for doc in docs:
        made.append(
            Issue(
                id=doc.id,
                repo_id=doc.repo,
                number=doc.number,
                is_pull=doc.pull,
                title=doc.title,
                body=doc.body,
                author_id=ids[doc.author],
                state=doc.state,
                locked=doc.locked,
                created_at=doc.created,
                updated_at=doc.updated,
                closed_at=doc.closed,
            )
        )
        made += [IssueLabel(issue_id=doc.id, label_id=numbers[doc.repo, name]) for name in sorted(doc.labels)]
        made += [Assignee(issue_id=doc.id, account_id=ids[login]) for login in sorted(doc.assignees)]
        made += [
            Comment(
                id=doc.id * 10 + at,
                repo_id=doc.repo,
                issue_id=doc.id,
                author_id=ids[who],
                body=text,
                created_at=doc.created,
                updated_at=doc.created,
            )
            for at, (who, text) in enumerate(doc.said)
        ]
        made += [
            Reaction(
                id=doc.id * 10 + at,
                subject="issue",
                subject_id=doc.id,
                account_id=ADA,
                content="+1",
                created_at=doc.created,
            )
            for at in range(doc.reactions)
        ]
        made += _pull_rows(doc, ids) if doc.pull else []
    return made


def _pull_rows(doc: Doc, ids: dict[str, int]) -> list[Any]:
    made: list[Any] = [
        Pull(
            issue_id=doc.id,
            repo_id=doc.repo,
            head_repo_id=doc.repo,
            head_ref=doc.head,
            head_sha=f"{doc.id:040x}",
            base_ref="main",
            base_sha="b" * 40,
            draft=doc.draft,
            merged_at=doc.merged,
        )
    ]
    made += [
        Review(
            id=doc.id * 10 + at,
            repo_id=doc.repo,
            issue_id=doc.id,
            author_id=ids[who],
            state="COMMENTED",
            commit_sha="c" * 40,
            created_at=doc.created,
            updated_at=doc.created,
            submitted_at=doc.created,
        )
        for at, who in enumerate(sorted(doc.reviewers))
    ]
    made.append(
        Review(
            id=doc.id * 10 + 9,
            repo_id=doc.repo,
            issue_id=doc.id,
            author_id=EVE,
            state="PENDING",
            body="retry zebra",
            commit_sha="c" * 40,
            created_at=doc.created,
            updated_at=doc.created,
        )
    )
    made += [
        ReviewRequest(issue_id=doc.id, account_id=ids[who], requester_id=ADA, created_at=doc.created)
        for who in sorted(doc.asked)
    ]
    made += [
        ReviewRequest(issue_id=doc.id, team_id=1, requester_id=ADA, created_at=doc.created) for _ in doc.asked_teams
    ]
    return made


# -- what a search means


def found(docs: list[Doc], query: Query, who: str) -> list[int]:
    """Numbers of the issues a search finds for somebody, the newest first."""
    fitting = [doc for doc in docs if doc.repo in SEES[who] and fits(doc, query, who)]
    return [doc.number for doc in sorted(fitting, key=lambda doc: (-doc.created, -doc.id))]


def fits(doc: Doc, query: Query, who: str, where: tuple[str, ...] = ("title", "body", "comments")) -> bool:
    """Whether a search finds an issue."""
    kind, *parts = query
    if kind == "all":
        inside = tuple(value for part in parts if part[:2] == ("given", "in") for value in part[2].split(",")) or where
        places = [part[2] for part in parts if part[:2] == ("given", "repo")]
        rest = [part for part in parts if part[:2] not in (("given", "repo"), ("given", "in"))]
        return (not places or NAMES[doc.repo] in places) and all(fits(doc, part, who, inside) for part in rest)
    if kind == "any":
        return any(fits(doc, part, who, where) for part in parts)
    if kind == "not":
        return not fits(doc, parts[0], who, where)
    return _holds(doc, parts[0], where) if kind == "words" else _given(doc, parts[0], parts[1], who)


def _cut(text: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", text.lower()) if word]


def _holds(doc: Doc, words: str, where: tuple[str, ...]) -> bool:
    texts = {"title": [doc.title], "body": [doc.body], "comments": [text for _, text in doc.said]}
    wanted = f" {' '.join(_cut(words))} "
    return any(wanted in f" {' '.join(_cut(text))} " for place in where for text in texts[place])


def _given(doc: Doc, name: str, value: str, who: str) -> bool:
    person = who if value == "@me" else value
    known: dict[str, Any] = {
        "is": lambda: _is(doc, value),
        "state": lambda: doc.state == value,
        "type": lambda: doc.pull == (value == "pr"),
        "author": lambda: doc.author == person,
        "assignee": lambda: bool(doc.assignees) if value == "*" else person in doc.assignees,
        "commenter": lambda: person in _speakers(doc),
        "mentions": lambda: _mentions(doc, person),
        "involves": lambda: doc.author == person or person in doc.assignees | _speakers(doc) or _mentions(doc, person),
        "label": lambda: bool(
            {one.strip('"').lower() for one in value.split(",")} & {one.lower() for one in doc.labels}
        ),
        "no": lambda: not {"label": doc.labels, "assignee": doc.assignees, "milestone": set(), "project": set()}[value],
        "draft": lambda: doc.pull and doc.draft == (value == "true"),
        "review": lambda: doc.pull and not doc.reviewers,
        "reviewed-by": lambda: person in doc.reviewers,
        "user-review-requested": lambda: person in doc.asked,
        "review-requested": lambda: person in doc.asked or (bool(doc.asked_teams) and person in ("ada", "bo")),
        "team-review-requested": lambda: bool(doc.asked_teams),
        "head": lambda: doc.pull and doc.head.startswith(value),
        "comments": lambda: _within(doc.comments, value),
        "interactions": lambda: _within(doc.comments + doc.reactions, value),
        "created": lambda: _at(doc.created, value),
        "closed": lambda: _at(doc.closed, value),
        "merged": lambda: _at(doc.merged, value),
        "repo": lambda: NAMES[doc.repo] == value,
        "sha": lambda: doc.pull and f"{doc.id:040x}".startswith(value),
    }
    return known[name]()


def _speakers(doc: Doc) -> set[str]:
    return {who for who, _ in doc.said}


def _is(doc: Doc, value: str) -> bool:
    return {
        "open": doc.state == "open",
        "closed": doc.state == "closed",
        "pr": doc.pull,
        "issue": not doc.pull,
        "merged": doc.merged is not None,
        "unmerged": doc.pull and doc.merged is None,
        "draft": doc.draft,
        "locked": doc.locked,
        "unlocked": not doc.locked,
        "public": doc.repo == SITE,
        "private": doc.repo != SITE,
        "queued": False,
    }[value]


def _mentions(doc: Doc, who: str) -> bool:
    return any(f"@{who}" in text.split() for text in (doc.body, *(text for _, text in doc.said)))


def _within(number: int, value: str) -> bool:
    low, dots, high = value.partition("..")
    if dots:
        return (low == "*" or number >= int(low)) and (high == "*" or number <= int(high))
    return (
        {">": number > int(value[1:]), "<": number < int(value[1:])}[value[0]]
        if value[0] in "<>"
        else number == int(value)
    )


def _at(at: int | None, value: str) -> bool:
    """Days before the newest day that is searched for are written -3: `created:>=-3`."""
    if at is None:
        return False
    sign, day = re.fullmatch(r"(>=|<=|>|<|)-(\d+)", value).groups()  # type: ignore[union-attr]
    start = MARCH - int(day) * DAY
    return {
        ">=": at >= start,
        ">": at >= start + DAY,
        "<": at < start,
        "<=": at < start + DAY,
        "": start <= at < start + DAY,
    }[sign]


# -- searches at random


def query(rng: random.Random, depth: int = 2) -> Query:
    """A search."""
    parts = [_part(rng, depth) for _ in range(rng.randrange(1, 4))]
    where = [("given", "in", rng.choice(("title", "title,body", "comments")))] if rng.random() < 0.2 else []
    return ("all", *where, *parts)


def _part(rng: random.Random, depth: int) -> Query:
    drawn = rng.random()
    if drawn < 0.3:
        return (
            "words",
            rng.choice(
                (
                    "retry",
                    "loop",
                    "payment",
                    "CAFÉ",
                    "time out",
                    "v2",
                    "retry loop",
                    "nothing",
                    "out",
                    "zebra",
                    "über",
                    "2",
                )
            ),
        )
    if drawn < 0.75 or depth == 0:
        return ("given", *_qualifier(rng))
    if drawn < 0.88:
        return ("not", _part(rng, 0))
    return ("any", query(rng, depth - 1), query(rng, depth - 1))


_PEOPLE = ("ada", "bo", "cyrus", "dee", "@me")
_DAYS = tuple(f"{sign}-{day}" for sign in ("", ">=", "<=", ">", "<") for day in (0, 3, 10, 29))
QUALIFIERS: dict[str, tuple[str, ...]] = {
    "is": (
        "open",
        "closed",
        "pr",
        "issue",
        "merged",
        "unmerged",
        "draft",
        "locked",
        "unlocked",
        "public",
        "private",
        "queued",
    ),
    "state": ("open", "closed"),
    "type": ("pr", "issue"),
    "author": _PEOPLE,
    "assignee": (*_PEOPLE, "*"),
    "commenter": _PEOPLE,
    "mentions": _PEOPLE,
    "involves": _PEOPLE,
    "label": ("bug", '"good first issue"', 'BUG,"p1"'),
    "no": ("label", "assignee", "milestone"),
    "draft": ("true", "false"),
    "review": ("none",),
    "reviewed-by": _PEOPLE,
    "user-review-requested": _PEOPLE,
    "review-requested": _PEOPLE,
    "team-review-requested": ("tiny/core",),
    "head": ("feature", "fix-loop", "x"),
    "comments": ("0", ">0", "<2", "1..2", "*..1"),
    "interactions": (">1", "2..*"),
    "created": _DAYS,
    "closed": _DAYS,
    "merged": _DAYS,
    "repo": ("tiny/site", "tiny/secret"),
    "sha": (f"{2003:040x}", f"{2017:040x}"),
}
EACH: list[Query] = [("all", ("given", name, value)) for name, values in QUALIFIERS.items() for value in values]


def _qualifier(rng: random.Random) -> tuple[str, str]:
    name = rng.choice(list(QUALIFIERS))
    return name, rng.choice(QUALIFIERS[name])


def written(query: Query) -> str:
    """A search as somebody types it."""
    kind, *parts = query
    if kind == "all":
        return " ".join(written(part) for part in parts)
    if kind == "any":
        return f"({written(parts[0])} OR {written(parts[1])})"
    if kind == "not":
        return f"-{written(parts[0])}"
    if kind == "words":
        return f'"{parts[0]}"' if " " in parts[0] else parts[0]
    found = re.fullmatch(r"(>=|<=|>|<|)-(\d+)", parts[1])
    return f"{parts[0]}:{found[1]}{_date(MARCH - int(found[2]) * DAY)}" if found else f"{parts[0]}:{parts[1]}"


def _date(at: int) -> str:
    return iso(at)[:10]
