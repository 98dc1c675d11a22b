"""JQL evaluated one issue at a time over plain Python values: slow, obvious, and written apart from the SQL."""

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from apps.jira.query.tree import And, Clause, Empty, Function, Node, Not, Operand, OperandList, Or, Predicate, Value
from tests.apps.jira import query_site as site
from tests.apps.jira.query_site import Fact
from world.core.clock import from_datetime, to_datetime

SECOND = 1_000_000
NAMES = {
    "project": {name: i for i, names in site.PROJECTS.items() for name in names},
    "issuetype": {name: i for i, (name, _) in site.TYPES.items()},
    "status": {name: i for i, (name, _) in site.STATUSES.items()},
    "priority": {name: i for i, name in site.PRIORITIES.items()},
    "resolution": {name: i for i, name in site.RESOLUTIONS.items()},
    "sprint": {name: i for i, (name, _) in site.SPRINTS.items()},
}
PEOPLE_FIELDS = ("assignee", "reporter", "creator", "watcher", "voter", "worklogAuthor")
HELD: dict[str, Callable[[Fact], set]] = {
    "project": lambda f: {f.row.project_id},
    "issuetype": lambda f: {f.row.issue_type_id},
    "status": lambda f: {f.row.status_id},
    "statusCategory": lambda f: {site.STATUSES[f.row.status_id][1]},
    "priority": lambda f: {f.row.priority_id},
    "resolution": lambda f: {f.row.resolution_id} - {None},
    "assignee": lambda f: {f.row.assignee_id} - {None},
    "reporter": lambda f: {f.row.reporter_id} - {None},
    "creator": lambda f: {f.row.creator_id},
    "watcher": lambda f: f.watchers,
    "voter": lambda f: f.voters,
    "worklogAuthor": lambda f: f.workers,
    "labels": lambda f: {label.lower() for label in f.row.labels},
    "component": lambda f: set(f.row.component_ids),
    "fixVersion": lambda f: set(f.row.fix_version_ids),
    "sprint": lambda f: {f.row.sprint_id, *f.row.past_sprint_ids} - {None},
    "parent": lambda f: {f.row.parent_id} - {None},
}
NUMBERS: dict[str, Callable[[Fact], float | None]] = {
    "votes": lambda f: len(f.voters),
    "watchers": lambda f: len(f.watchers),
    "'Story Points'": lambda f: f.row.story_points,
}
TIMES: dict[str, Callable[[Fact], int | None]] = {
    "created": lambda f: f.row.created_at,
    "updated": lambda f: f.row.updated_at,
    "resolved": lambda f: f.row.resolved_at,
}
TEXTS = {
    "summary": lambda f: [f.row.summary],
    "description": lambda f: [f.row.description_text],
    "comment": lambda f: f.comments,
}
PAST = {
    "status": "status",
    "assignee": "assignee",
    "priority": "priority",
    "reporter": "reporter",
    "fixVersion": "fixVersions",
}


def holds(node: Node | None, fact: Fact) -> bool:
    """Whether an issue is among those a query finds."""
    if node is None:
        return True
    if isinstance(node, And):
        return all(holds(child, fact) for child in node.clauses)
    if isinstance(node, Or):
        return any(holds(child, fact) for child in node.clauses)
    if isinstance(node, Not):
        return refused(node.clause, fact)
    return clause_holds(node, fact)


def refused(node: Node, fact: Fact) -> bool:
    """NOT, which asks every clause below for its opposite: an empty field fails both."""
    if isinstance(node, And):
        return any(refused(child, fact) for child in node.clauses)
    if isinstance(node, Or):
        return all(refused(child, fact) for child in node.clauses)
    if isinstance(node, Not):
        return holds(node.clause, fact)
    field, operator = node.field.name, node.operator
    if operator in ("=", "!=", "in", "not in", "is", "is not", "~", "!~"):
        flipped = {
            "=": "!=",
            "!=": "=",
            "in": "not in",
            "not in": "in",
            "is": "is not",
            "is not": "is",
            "~": "!~",
            "!~": "~",
        }
        return clause_holds(Clause(node.field, flipped[operator], node.operand), fact)
    if operator in ("<", "<=", ">", ">="):
        return has_value(field, fact) and not clause_holds(node, fact)
    return not clause_holds(node, fact)


def has_value(field: str, fact: Fact) -> bool:
    """Whether a field that is compared has anything to compare."""
    read = {**NUMBERS, "Story Points": NUMBERS["'Story Points'"], **TIMES, "due": lambda f: f.row.due_on}
    return read[field](fact) is not None if field in read else bool(HELD[field](fact))


def clause_holds(clause: Clause, fact: Fact) -> bool:
    field, operator, operand = clause.field.name, clause.operator, clause.operand
    if operator == "changed":
        return any(within(step, clause) for step in fact.steps if step.field == PAST[field])
    assert operand is not None
    if operator.startswith("was"):
        return was(fact, field, operand, clause.predicates) != ("not" in operator)
    if field in TEXTS or field == "text":
        return text_holds(fact, field, operator, operand)
    if field in TIMES or field == "due":
        return time_holds(fact, field, operator, operand)
    if field == "Story Points" or field in NUMBERS:
        return number_holds(fact, field, operator, operand)
    if operator in ("<", "<=", ">", ">="):
        return compare(operator, -fact.row.priority_id, -next(iter(ids(field, operand))))
    return set_holds(HELD[field](fact), operator, operand, ids(field, operand))


def set_holds(held: set, operator: str, operand: Operand, wanted: set) -> bool:
    empty = any(isinstance(leaf, Empty) for leaf in leaves(operand))
    if operator in ("=", "in", "is"):
        return bool(held & wanted) or (empty and not held)
    return bool(held) and not held & wanted


def leaves(operand: Operand) -> list[Operand]:
    if isinstance(operand, OperandList):
        return [leaf for item in operand.items for leaf in leaves(item)]
    return [operand]


def ids(field: str, operand: Operand) -> set:
    return {found for leaf in leaves(operand) for found in resolved(field, leaf)}


def resolved(field: str, leaf: Operand) -> set:
    if isinstance(leaf, Empty):
        return set()
    if isinstance(leaf, Function):
        return {
            "currentuser": {site.ME},
            "membersof": {"p_1", "p_2"},
            "opensprints": {42},
            "closedsprints": {41},
            "futuresprints": {43},
            "releasedversions": {31},
            "unreleasedversions": {32, 33, 34},
            "standardissuetypes": {1, 2, 3},
            "subtaskissuetypes": {4},
        }[leaf.name.lower()]
    assert isinstance(leaf, Value)
    if field in PEOPLE_FIELDS:
        return {person for person, name in site.PEOPLE.items() if leaf.text in (name, f"acc-{person[2:]}")}
    if field == "labels":
        return {leaf.text.lower()}
    if field == "component":
        return {i for i, (_, name) in site.COMPONENTS.items() if name == leaf.text}
    if field == "fixVersion":
        return {i for i, (_, name, *_) in site.VERSIONS.items() if name == leaf.text}
    if field == "parent":
        return {int(leaf.text.rsplit("-", 1)[1])}
    if field == "statusCategory":
        return {{"To Do": "new", "In Progress": "indeterminate", "Done": "done"}[leaf.text]}
    return {NAMES[field][leaf.text]}


def compare(operator: str, left: object, right: object) -> bool:
    sides = {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }  # type: ignore[operator]
    return sides[operator]


def number_holds(fact: Fact, field: str, operator: str, operand: Operand) -> bool:
    have = NUMBERS["'Story Points'" if field == "Story Points" else field](fact)
    if isinstance(operand, Empty):
        return (have is None) == (operator in ("=", "is"))
    assert isinstance(operand, Value)
    return have is not None and compare(operator, have, float(operand.text))


def moment(leaf: Operand) -> int:
    zone = ZoneInfo(site.ZONE)
    now = to_datetime(site.NOW, site.ZONE)
    if isinstance(leaf, Function):
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        starts = {
            "now": now,
            "startofday": midnight,
            "startofweek": midnight - timedelta(days=midnight.weekday()),
            "startofmonth": midnight.replace(day=1),
            "endofday": midnight + timedelta(days=1, seconds=-1),
        }
        return from_datetime(starts[leaf.name.lower()])
    assert isinstance(leaf, Value)
    if leaf.text.startswith("-"):
        unit = {"d": timedelta(days=1), "w": timedelta(weeks=1), "h": timedelta(hours=1)}[leaf.text[-1]]
        return site.NOW - int(leaf.text[1:-1]) * (unit // timedelta(microseconds=1))
    form = "%Y-%m-%d %H:%M" if ":" in leaf.text else "%Y-%m-%d"
    return from_datetime(datetime.strptime(leaf.text.replace("/", "-"), form).replace(tzinfo=zone))


def time_holds(fact: Fact, field: str, operator: str, operand: Operand) -> bool:
    have = fact.row.due_on if field == "due" else TIMES[field](fact)
    if isinstance(operand, Empty):
        return (have is None) == (operator in ("=", "is"))
    if have is None:
        return False
    at = moment(operand)
    if field == "due":
        return compare(operator, have, to_datetime(at, site.ZONE).date().isoformat())
    assert isinstance(have, int)
    return compare(operator, have // SECOND, at // SECOND)


def text_holds(fact: Fact, field: str, operator: str, operand: Operand) -> bool:
    places = [text for name in (TEXTS if field == "text" else [field]) for text in TEXTS[name](fact)]
    if isinstance(operand, Empty):
        return (not any(places)) == (operator in ("~", "is"))
    assert isinstance(operand, Value)
    found = any(said(place, operand.text) for place in places)
    return found if operator == "~" else any(places) and not found


def said(place: str, wanted: str) -> bool:
    words = place.split()
    if wanted.startswith('"'):
        phrase = wanted.strip('"').split()
        return any(words[at : at + len(phrase)] == phrase for at in range(len(words)))
    if " OR " in wanted:
        return any(said(place, part) for part in wanted.split(" OR "))
    matches = [word_matches(words, word.lstrip("-")) != word.startswith("-") for word in wanted.split()]
    return all(matches)


def word_matches(words: list[str], wanted: str) -> bool:
    return any(word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted for word in words)


def span(predicate: Predicate) -> tuple[int, int]:
    """The first and the last moment a predicate allows."""
    first, *rest = [moment(leaf) // SECOND * SECOND for leaf in leaves(predicate.operand)]
    if predicate.kind == "after":
        return first + SECOND, 2**62
    if predicate.kind == "before":
        return -(2**62), first
    if predicate.kind == "during":
        return first, rest[0] + SECOND
    whole_day = not any(isinstance(leaf, Value) and ":" in leaf.text for leaf in leaves(predicate.operand))
    return first, first + (24 * 3600 if whole_day else 60) * SECOND


def limits(predicates: tuple[Predicate, ...]) -> tuple[int, int, set | None]:
    since, until, authors = -(2**62), 2**62, None
    for predicate in predicates:
        if predicate.kind == "by":
            authors = ids("assignee", predicate.operand)
        elif predicate.kind not in ("from", "to"):
            low, high = span(predicate)
            since, until = max(since, low), min(until, high)
    return since, until, authors


def within(step: site.Step, clause: Clause) -> bool:
    since, until, authors = limits(clause.predicates)
    for predicate in clause.predicates:
        if predicate.kind in ("from", "to"):
            value = step.before if predicate.kind == "from" else step.after
            wanted = {str(found) for found in ids(clause.field.name, predicate.operand)}
            empty = any(isinstance(leaf, Empty) for leaf in leaves(predicate.operand))
            if value not in wanted and not (empty and value is None):
                return False
    return since <= step.at < until and (authors is None or step.author in authors)


def was(fact: Fact, field: str, operand: Operand, predicates: tuple[Predicate, ...]) -> bool:
    """Whether some stretch of time in which the issue held a wanted value meets the limits."""
    since, until, authors = limits(predicates)
    wanted = {str(found) for found in ids(field, operand)}
    if any(isinstance(leaf, Empty) for leaf in leaves(operand)):
        wanted.add("None")
    return any(
        start < until and end > since and (authors is None or author in authors)
        for value, start, end, author in stretches(fact, field)
        if value in wanted
    )


def stretches(fact: Fact, field: str) -> list[tuple[str, int, int, str]]:
    """(value, from, until, who set it) of a field over the life of an issue, by replaying its edits backwards."""
    steps = [step for step in fact.steps if step.field == PAST[field]]
    held = {str(value) for value in HELD[field](fact)} or ({"None"} if field != "fixVersion" else set())
    out: list[tuple[str, int, int, str]] = []
    ends = dict.fromkeys(held, 2**62)
    for step in reversed(steps):
        if field != "fixVersion" or step.after is not None:
            value = str(step.after)
            out.append((value, step.at, ends.pop(value), step.author))
        if field != "fixVersion" or step.before is not None:
            ends[str(step.before)] = step.at
    return out + [(value, fact.row.created_at, end, fact.row.creator_id) for value, end in ends.items()]
