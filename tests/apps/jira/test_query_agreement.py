"""JQL in SQL against the same query evaluated issue by issue, and against text nobody meant to send."""

from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.jira.query import JqlError, compile_query, parse
from tests.apps.jira import query_plain, query_site
from tests.examples import examples
from world.core.clock import SECOND, to_datetime

NAMED = {
    "project": ["SHOP", "Operations"],
    "issuetype": ["Epic", "Story", "Bug", "Sub-task"],
    "status": ["To Do", "In Progress", "In Review", "Done"],
    "statusCategory": ["To Do", "In Progress", "Done"],
    "priority": ["Highest", "High", "Medium", "Low"],
    "resolution": ["Done", "Won't Do"],
    "labels": ["red", "BLUE", "x-ray", "nowhere"],
    "component": ["Cart", "Checkout", "Network"],
    "fixVersion": ["1.0", "1.1", "2.0"],
    "sprint": ["Sprint 1", "Sprint 2"],
    "assignee": ["Ada Byron", "acc-1", "Di Ng"],
    "reporter": ["Bo Lind", "acc-3"],
    "creator": ["Cy Young", "acc-0"],
    "watcher": ["acc-1", "Ed Moss"],
    "voter": ["acc-2"],
    "worklogAuthor": ["acc-1", "Flo Wu"],
}
SINGLE = {"assignee": ["currentUser()"], "reporter": ["currentUser()"], "watcher": ["currentUser()"]}
MANY = {
    "assignee": ["membersOf(devs)"],
    "sprint": ["openSprints()", "closedSprints()", "futureSprints()"],
    "fixVersion": ["releasedVersions()", "unreleasedVersions()"],
    "issuetype": ["standardIssueTypes()", "subtaskIssueTypes()"],
}
DATES = [
    "-2w",
    "-10d",
    "-30h",
    "2026/01/15",
    "2026-01-20 10:00",
    "now()",
    "startOfDay()",
    "startOfMonth()",
    "startOfWeek()",
    "endOfDay()",
]
ABSOLUTE = ["2026/01/05", "2026-01-15", "2026-01-16", "-1w"]
RELATIONS = ["<", "<=", ">", ">="]


@cache
def site() -> query_site.Site:
    return query_site.build()


def quoted(value: str) -> str:
    return value if value.endswith(")") else f'"{value}"'


def listed(values: list[str]) -> str:
    return f"({', '.join(quoted(value) if value != 'EMPTY' else value for value in values)})"


@st.composite
def named_clauses(draw: st.DrawFn) -> str:
    field = draw(st.sampled_from(sorted(NAMED)))
    values = st.sampled_from(NAMED[field] + SINGLE.get(field, []))
    shape = draw(st.integers(0, 4))
    if shape == 0:
        return f"{field} {draw(st.sampled_from(['=', '!=']))} {quoted(draw(values))}"
    if shape == 1:
        return f"{field} {draw(st.sampled_from(['is', 'is not']))} EMPTY"
    if shape == 2 and field in MANY:
        return f"{field} {draw(st.sampled_from(['in', 'not in']))} {draw(st.sampled_from(MANY[field]))}"
    if shape == 3 and field == "priority":
        return f"priority {draw(st.sampled_from(RELATIONS))} {quoted(draw(st.sampled_from(NAMED[field])))}"
    chosen = draw(st.lists(values | st.just("EMPTY"), min_size=1, max_size=3))
    return f"{field} {draw(st.sampled_from(['in', 'not in']))} {listed(chosen)}"


@st.composite
def compared_clauses(draw: st.DrawFn) -> str:
    field = draw(st.sampled_from(["created", "updated", "resolved", "due", "votes", "watchers", "'Story Points'"]))
    if field in ("votes", "watchers", "'Story Points'"):
        value = draw(st.sampled_from(["0", "1", "2", "3.5"]))
    else:
        value = quoted(draw(st.sampled_from(DATES)))
    if field not in ("votes", "watchers") and draw(st.booleans()):
        return f"{field} {draw(st.sampled_from(['is', 'is not']))} EMPTY"
    return f"{field} {draw(st.sampled_from([*RELATIONS, '=', '!=']))} {value}"


@st.composite
def text_clauses(draw: st.DrawFn) -> str:
    field = draw(st.sampled_from(["summary", "description", "comment", "text"]))
    word = st.sampled_from([*query_site.WORDS, "log*", "in*"])
    words = draw(st.lists(word, min_size=1, max_size=2))
    form = draw(st.sampled_from(["all", "or", "without", "phrase"]))
    plain = [word.rstrip("*") for word in words]
    sought = {
        "all": " ".join(words),
        "or": " OR ".join(words),
        "without": f"{words[0]} -cache",
        "phrase": f'\\"{" ".join(plain)}\\"',
    }
    operator = draw(st.sampled_from(["~"] if field == "text" else ["~", "!~"]))
    return f'{field} {operator} "{sought[form]}"'


@st.composite
def history_clauses(draw: st.DrawFn) -> str:
    field = draw(st.sampled_from(sorted(query_plain.PAST)))
    value = st.sampled_from(NAMED[field]).map(quoted)
    when = draw(st.sampled_from(["", "after", "before", "on", "during"]))
    days = [f'"{draw(st.sampled_from(ABSOLUTE))}"' for _ in range(2)]
    on = ABSOLUTE[draw(st.integers(0, 2))]
    times = {
        "": "",
        "after": f"after {days[0]}",
        "before": f"before {days[0]}",
        "on": f'on "{on}"',
        "during": f"during ({days[0]}, {days[1]})",
    }
    by = draw(st.sampled_from(["", 'by "Ada Byron"', "by currentUser()", "by (acc-2, acc-3)"]))
    if draw(st.booleans()):
        empty = "EMPTY" if field != "fixVersion" else draw(value)
        sides = draw(
            st.sampled_from(
                ["", f"from {draw(value)}", f"to {draw(value)}", f"from {draw(value)} to {draw(value)}", f"to {empty}"]
            )
        )
        return f"{field} changed {sides} {times[when]} {by}"
    negative = draw(st.sampled_from(["", "not "]))
    if draw(st.booleans()):
        return f"{field} was {negative}in ({draw(value)}, {draw(value)}) {times[when]} {by}"
    one = draw(value | st.just("EMPTY")) if field in ("assignee", "reporter") else draw(value)
    return f"{field} was {negative}{one} {times[when]} {by}"


CLAUSES = named_clauses() | compared_clauses() | text_clauses() | history_clauses()
QUERIES = st.recursive(
    CLAUSES,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["AND", "OR", "&&", "||"]), inner).map(
            lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
        )
        | inner.map(lambda query: f"NOT ({query})")
        | inner.map(lambda query: f"! ({query})")
    ),
    max_leaves=6,
)


def agree(jql: str) -> None:
    query = parse(jql)
    expected = {
        number
        for number, fact in site().facts.items()
        if fact.row.project_id in query_site.VISIBLE and query_plain.holds(query.where, fact)
    }
    assert set(site().ids(jql)) == expected, jql


# `text` has no negative form, so a negated text search is refused rather than answered.
@given(QUERIES.filter(lambda jql: "text ~" not in jql or ("NOT" not in jql and "!" not in jql)))
@settings(
    max_examples=examples(250),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_sql_finds_what_a_plain_evaluation_finds(jql: str) -> None:
    agree(jql)


@given(history_clauses())
@settings(max_examples=examples(250), deadline=None, derandomize=True)
def test_history_in_sql_agrees_with_a_replay_of_the_changelog(jql: str) -> None:
    agree(jql)


def minute(at: int) -> str:
    return f"{to_datetime(at, query_site.ZONE):%Y-%m-%d %H:%M}"


def test_relations_agree_at_the_very_moment_an_issue_was_created() -> None:
    moments = sorted({minute(fact.row.created_at) for fact in site().facts.values()})
    for at in moments[::2]:
        for relation in (*RELATIONS, "=", "!="):
            agree(f"created {relation} '{at}'")


def test_history_agrees_at_the_very_moment_of_an_edit() -> None:
    steps = [
        step
        for fact in site().facts.values()
        for step in fact.steps
        if step.field == "status" and step.at % (60 * SECOND) == 0
    ]
    assert len(steps) > 10
    for step in steps[:12]:
        value, at = query_site.STATUSES[int(step.before or 0)][0], minute(step.at)
        for limit in (
            f"after '{at}'",
            f"before '{at}'",
            f"on '{at}'",
            f"during ('{at}', '{at}')",
            f"during ('{at[:10]}', '{at}')",
        ):
            agree(f"status was '{value}' {limit}")
            agree(f"status changed from '{value}' {limit}")


PIECES = st.sampled_from(
    [
        *"project status = != ~ !~ < > <= >= in not is was changed after before during on by from to order ASC DESC".split(),
        *"( ) [ ] , ' \" \\ \\u00 \\n EMPTY null and or ! & | cf cf[1] cf[10016] % * {} ;".split(),
        *"currentUser() now() startOfDay(-1d) -2w 2026/01/01 99999999999999999999 SHOP Done summary text assignee"
        " labels".split(),
        *"key SHOP-1 sprint openSprints membersOf( linkedIssues(SHOP-1) é \ud83d\ude00 \x00 \x7f \ufdd0".split(),
        *('"a b"', '"*"', "'~'", "\u2003"),
    ]
)


@given(st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=60) | st.lists(PIECES, max_size=14).map("".join))
@settings(max_examples=examples(2000), deadline=None, derandomize=True)
def test_any_text_is_answered_or_refused_with_a_sentence(jql: str) -> None:
    try:
        made = compile_query(parse(jql), site().context)
    except JqlError as error:
        assert error.messages and all(message.strip() for message in error.messages)
        return
    site().connection.execute(query_site.select(query_site.m.Issue.id).where(made.where).order_by(*made.order_by)).all()


SEARCHES = st.sampled_from([*"+-!&|(){}[]^~*?:\\/\"' \0éa1", "OR", "AND", "NOT", " login ", "🙂"])


@given(st.lists(SEARCHES, max_size=12).map("".join) | st.text(max_size=40))
@settings(max_examples=examples(400), deadline=None, derandomize=True)
def test_any_search_text_reaches_the_index_as_a_valid_expression(said: str) -> None:
    escaped = said.replace("\\", "\\\\").replace('"', '\\"')
    jql = f'text ~ "{escaped}"'
    try:
        site().ids(jql)
    except JqlError as error:
        assert error.messages
