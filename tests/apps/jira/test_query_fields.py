"""What JQL finds and in which order on a small site, and the sentences for values, functions and operators that do not
fit.

Sentences: Jira's validator tests and messages people quote in public trackers; orders: own reading of `ORDER BY` of
support.atlassian.com/jira-software-cloud/docs/jql-operators/.
"""

from dataclasses import replace

import pytest
from sqlmodel import col

from apps.jira.models import Comment
from apps.jira.query import JqlError, compile_query, parse
from tests.apps.jira.query_site import Site, build

DATES = (
    "Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g."
    " '-5d', '4w 2d'."
)
LONG = "The maximum number of fields to sort by is 7."


@pytest.fixture(scope="module")
def site() -> Site:
    return build()


def messages(site: Site, jql: str) -> list[str]:
    with pytest.raises(JqlError) as refused:
        compile_query(parse(jql), site.context)
    return refused.value.messages


@pytest.mark.parametrize(
    ("jql", "sentence"),
    [
        ("universe = 42", "Field 'universe' does not exist or you do not have permission to view it."),
        ("cf[99999] = 1", "Field 'cf[99999]' does not exist or you do not have permission to view it."),
        ("project = INVALID", "The value 'INVALID' does not exist for the field 'project'."),
        ("project = VAULT", "The value 'VAULT' does not exist for the field 'project'."),
        ("assignee = 1", "A value with ID '1' does not exist for the field 'assignee'."),
        ("priority was 7", "A value with ID '7' does not exist for the field 'priority'."),
        ("status changed from fred", "The value 'fred' does not exist for the field 'status'."),
        ("summary = test", "The operator '=' is not supported by the 'summary' field."),
        ("summary in test", "Operator 'in' does not support the non-list value '\"test\"' for field 'summary'."),
        (
            "status in currentUser()",
            "Operator 'in' does not support the non-list value 'currentUser()' for field 'status'.",
        ),
        (
            "assignee = membersOf(devs)",
            "Operator '=' does not support the list value 'membersOf(devs)' for field 'assignee'.",
        ),
        ("status > Done", "The operator '>' is not supported by the 'status' field."),
        ("status ~ Open", "The operator '~' is not supported by the 'status' field."),
        ("text !~ x", "The operator '!~' is not supported by the 'text' field."),
        ("status is Done", "Operator 'is' does not support searching for non-empty values for field 'status'."),
        ("status is not Done", "Operator 'is not' does not support searching for non-empty values for field 'status'."),
        (
            "created > EMPTY",
            "Operator '>' does not support the empty value representation 'EMPTY' for field 'created'.",
        ),
        ("key is EMPTY", "The field 'key' does not support searching for EMPTY values."),
        ("comment ~ EMPTY", "The field 'comment' does not support searching for EMPTY values."),
        ("status = currentUser()", "A value provided by the function 'currentUser' is invalid for the field 'status'."),
        (
            "created > currentUser()",
            "A date for the field 'created' provided by the function 'currentUser' is not valid.",
        ),
        ("assignee = bogus(a, 2)", "Unable to find JQL function 'bogus(a, 2)'."),
        ("assignee changed by bogus()", "Unable to find JQL function 'bogus()'."),
        ("updated >= now(-1d)", "Function 'now' expected '0' arguments but received '1'."),
        ("assignee = currentUser(x)", "Function 'currentUser' expected '0' arguments but received '1'."),
        (
            "created > startOfDay(1d, 2d)",
            "Function 'startOfDay' expected between '0' and '1' arguments but received '2'.",
        ),
        (
            "status was Done AFTER startOfDay(invalid)",
            "Duration for function 'startOfDay' should have the format (+/-)n(yMwdm), e.g -1M for 1 month earlier.",
        ),
        (
            "assignee in membersOf(nosuchgroup)",
            (
                "Function 'membersOf' can not generate a list of usernames for group 'nosuchgroup'; the group does not"
                " exist."
            ),
        ),
        (
            "issue in linkedIssues()",
            (
                "Incorrect number of arguments for function 'linkedIssues'. Usage: 'linkedIssues ( issuekey [,"
                " linkDescription ]* )'."
            ),
        ),
        ("issue in linkedIssues(SHOP-999)", "Issue 'SHOP-999' could not be found in function 'linkedIssues'."),
        (
            "issue in linkedIssues(SHOP-1, eats)",
            "Issue link type 'eats' could not be found in function 'linkedIssues'.",
        ),
        ("created >= -100milestone", f"Date value '-100milestone' for field 'created' is invalid. {DATES}"),
        ('status changed after "20/12/10"', f"Date value '20/12/10' for predicate 'after' is invalid. {DATES}"),
        (
            "status changed after currentUser()",
            "A date for the predicate 'after' provided by the function 'currentUser' is not valid.",
        ),
        ("status changed before (11, 12)", "The BEFORE predicate must be supplied with only 1 date value."),
        (
            "status was Done after ('2026-01-01', '2026-01-02')",
            "The AFTER predicate must be supplied with only 1 date value.",
        ),
        ("status changed during 11", "The DURING predicate must be supplied with exactly 2 date values."),
        ("key = SHOP-999", "An issue with key 'SHOP-999' does not exist for field 'key'."),
        ("parent = VAULT-3", "An issue with key 'VAULT-3' does not exist for field 'parent'."),
        ("Issue = 10015", "A value with ID '10015' does not exist for the field 'Issue'."),
        ("key = nonsense", "The issue key 'nonsense' for field 'key' is invalid."),
        ('text ~ ""', "The field 'text' does not support searching for an empty string."),
        ("text ~ 'AND'", "Unable to parse the text 'AND' for field 'text'."),
        (
            "text ~ '*x'",
            (
                "The text query '*x' for field 'text' is not valid: the '*' and '?' are not allowed as first character"
                " in wildcard query."
            ),
        ),
        ("labels was red", "History searches do not support the 'labels' field."),
        ("project = SHOP order by notfound", "Not able to sort using field 'notfound'."),
        ("project = SHOP order by text", "Field 'text' does not support sorting."),
        ("order by key, key, key, key, key, key, key, key", LONG),
        ("filter = Nobody", "The value 'Nobody' does not exist for the field 'filter'."),
        ("filter = Theirs", "The value 'Theirs' does not exist for the field 'filter'."),
    ],
)
def test_what_does_not_fit_is_refused_in_jiras_words(site: Site, jql: str, sentence: str) -> None:
    assert messages(site, jql) == [sentence]


def test_every_wrong_clause_is_named_at_once(site: Site) -> None:
    assert messages(site, "project = NOPE and (bogus = 3 or status in (x, Done, y)) order by zz") == [
        "The value 'NOPE' does not exist for the field 'project'.",
        "Field 'bogus' does not exist or you do not have permission to view it.",
        "The value 'x' does not exist for the field 'status'.",
        "The value 'y' does not exist for the field 'status'.",
        "Not able to sort using field 'zz'.",
    ]


def test_a_filter_that_contains_itself_is_refused(site: Site) -> None:
    (message,) = messages(site, "filter = Loop")
    assert message.startswith("Field 'filter' with value 'Loop' matches filter 'Loop' and causes a cyclical reference")
    assert site.ids("filter = Mine") == site.ids("assignee = currentUser()") != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("type = Bug", "issuetype = 3"),
        ("project = shop", "project = 'Web Shop'"),
        ("NOT assignee = acc-1", "assignee != acc-1"),
        ("assignee = EMPTY", "assignee is null"),
        ("assignee != EMPTY", "assignee is not empty"),
        ("resolution = Unresolved", "resolution is EMPTY"),
        ("resolution != unresolved", "resolution is not EMPTY"),
        ("cf[10016] >= 2", "'Story Points' >= 2"),
        ("'Story point estimate' >= 2", "'Story Points' >= 2"),
        ("cf[10020] = 'Sprint 2'", "Sprint = 42"),
        ("'Epic Link' is EMPTY", "parent is EMPTY"),
        ("component in componentsLeadByUser('Cy Young')", "component is not EMPTY"),
        ("project in projectsLeadByUser()", "project = SHOP"),
        ("timespent >= 1h", "timespent >= 60"),
        ("originalEstimate = 1d", "originalEstimate = 8h"),
        ("statusCategory = done", "statusCategory = 3"),
        ("category = Customer", "project = SHOP"),
        ("duedate < '2026-01-28'", "due < '2026/1/28 09:00'"),
        ("created >= '2026-01-01'", "created >= '2026/01/01 00:00'"),
        ("created >= startOfYear()", "created >= '2026/01/01 00:00'"),
        ("created < startOfMonth(-1M)", "created < '2025-12-01'"),
        ("created <= endOfMonth('-1M')", "created <= '2025/12/31 23:59'"),
        ("created < startOfWeek(-1)", "created < '2026-01-19'"),
        ("created > startOfDay('+14h')", "created > '2026-01-31 14:00'"),
        ("due <= endOfMonth()", "due <= '2026-01-31'"),
        ("created >= -336h", "created >= '-2w'"),
        ("created >= '-1w 7d'", "created >= -2w"),
        ("created >= 1769860800000", "created >= '2026-01-31 13:00'"),
        ("text ~ 'login AND crash'", "text ~ 'crash +login'"),
        ("summary ~ 'login NOT crash'", "summary ~ 'login' and summary !~ 'crash'"),
        ("summary ~ '(login OR crash) cache'", "summary ~ 'login cache' or summary ~ 'crash cache'"),
        ("issue in linkedIssues(SHOP-1)", "issueLink = SHOP-1"),
        ("issue in watchedIssues()", "watcher = currentUser()"),
        ("issue in votedIssues()", "voter = currentUser()"),
        ("level is EMPTY", "project in (SHOP, OPS)"),
        ("issuetype in subtaskIssueTypes()", "hierarchyLevel < 0"),
        ("Severity = S1", "cf[10050] = 71"),
        ("fixVersion = earliestUnreleasedVersion(OPS)", "fixVersion = 33"),
        ("fixVersion = latestReleasedVersion(SHOP)", "fixVersion = 31"),
    ],
)
def test_two_ways_to_ask_the_same_find_the_same(site: Site, one: str, other: str) -> None:
    assert site.ids(one) == site.ids(other)


@pytest.mark.parametrize(
    "jql",
    [
        "type = Bug",
        "project = shop",
        "assignee = EMPTY",
        "resolution = Unresolved",
        "cf[10016] >= 2",
        "cf[10020] = 'Sprint 2'",
        "timespent >= 1h",
        "duedate < '2026-01-28'",
        "created < startOfMonth(-1M) or created > -1w",
        "text ~ 'login AND crash'",
        "summary ~ 'login NOT crash'",
        "issue in watchedIssues()",
        "Severity = S1",
        "Regions in (EU)",
        "'Customer note' ~ login",
        "Cost > 10",
        "team = Platform",
        "worklogAuthor = currentUser()",
        "issueLinkType = blocks",
        "status was 'In Progress' by ('Ada Byron', acc-1, acc-2, acc-3)",
        "issue in updatedBy(ada, -20d)",
        "fixVersion > '1.0'",
        "worklogDate >= '2026-01-10'",
        "parentEpic = SHOP-1 or parent is not EMPTY",
    ],
)
def test_each_kind_of_clause_finds_some_issues_and_not_all(site: Site, jql: str) -> None:
    everything = len(site.ids("order by key"))
    assert 0 < len(site.ids(jql)) < everything


def test_link_directions_differ(site: Site) -> None:
    blockers = site.ids("issueLinkType = blocks")
    blocked = site.ids("issueLinkType = 'is blocked by'")
    assert sorted({*blockers, *blocked}) == sorted(site.ids("issueLinkType = Blocks"))
    assert blockers != blocked


def test_keys_compare_by_number_inside_their_project(site: Site) -> None:
    pivot = site.keys("project = SHOP order by key asc")[3]
    later = site.keys(f"key > {pivot} order by key asc")
    assert later == site.keys("project = SHOP order by key asc")[4:]


def test_priority_sorts_highest_first_when_descending_and_by_default(site: Site) -> None:
    order = [site.facts[number].row.priority_id for number in site.ids("order by priority")]
    assert order == sorted(order)
    assert site.ids("order by priority") == site.ids("order by priority desc")


@pytest.mark.parametrize(
    ("jql", "last"), [("order by due asc", True), ("order by due desc", False), ("order by assignee asc", True)]
)
def test_issues_without_a_value_come_last_ascending_and_first_descending(site: Site, jql: str, last: bool) -> None:
    field = "assignee_id" if "assignee" in jql else "due_on"
    missing = [getattr(site.facts[number].row, field) is None for number in site.ids(jql)]
    assert missing == sorted(missing, reverse=not last)


@pytest.mark.parametrize(
    "field",
    [
        "assignee",
        "reporter",
        "creator",
        "status",
        "issuetype",
        "project",
        "resolution",
        "component",
        "fixVersion",
        "affectedVersion",
        "labels",
        "summary",
        "description",
        "environment",
        "created",
        "updated",
        "resolved",
        "due",
        "votes",
        "watchers",
        "timespent",
        "originalEstimate",
        "remainingEstimate",
        "workratio",
        "Rank",
        "Sprint",
        "'Story Points'",
        "parent",
        "cf[10051]",
        "Severity",
        "Cost",
    ],
)
def test_every_sortable_field_gives_a_total_order_of_all_issues(site: Site, field: str) -> None:
    ascending, descending = site.ids(f"order by {field} asc"), site.ids(f"order by {field} desc")
    assert sorted(ascending) == sorted(descending) == sorted(site.ids(""))
    assert ascending == site.ids(f"order by {field} asc")


def test_without_order_by_the_newest_issue_comes_first(site: Site) -> None:
    assert site.ids("project = SHOP") == sorted(site.ids("project = SHOP"), reverse=True)


def test_comments_the_caller_cannot_see_are_not_found(site: Site) -> None:
    blind = replace(site, context=replace(site.context, comments=col(Comment.author_id) == "nobody"))
    assert site.ids("comment ~ token") and not blind.ids("comment ~ token")
    assert len(blind.ids("text ~ token")) < len(site.ids("text ~ token"))


def test_text_is_matched_by_word_and_a_hyphen_joins_two_words(site: Site) -> None:
    assert site.ids("summary ~ crash-login") == site.ids('summary ~ "\\"crash login\\""')
    assert site.ids("summary ~ cras") == [] != site.ids("summary ~ 'cras*'")


def test_values_travel_as_parameters_only(site: Site) -> None:
    made = compile_query(
        parse("""labels = "x') OR 1=1 --" or summary ~ "a:b* c^2" or 'Customer note' ~ "100%_" """), site.context
    )
    assert "1=1" not in str(made.where) and "100" not in str(made.where)
    assert site.ids("""labels = "x') OR 1=1 --" """) == []


@pytest.mark.parametrize(
    "clause",
    [
        "labels != l{0}",
        "text ~ l{0}",
        "summary !~ l{0}",
        "sprint != 'Sprint 1' or labels = l{0}",
        "created in ({0}, -1d, -2d)",
        "status was not Done before '2026-01-01 10:{0:02}'",
        "issueLinkType != blocks or votes = {0}",
    ],
)
def test_two_hundred_clauses_run_and_more_are_refused(site: Site, clause: str) -> None:
    each = clause.count(" or ") + 1
    for join in (" or ", " and "):
        assert set(
            site.ids(
                join.join(
                    f"({clause.format(number % 60 if 'before' in clause else number)})" for number in range(200 // each)
                )
            )
        ) <= set(site.ids(""))
    many = " or ".join(f"labels = l{number}" for number in range(201))
    assert messages(site, many) == ["The JQL query is too complex: it may have at most 200 clauses."]


def test_a_list_of_dates_is_limited(site: Site) -> None:
    assert messages(site, f"created in ({', '.join(f'-{number}m' for number in range(201))})") == [
        "The JQL query is too complex: a list in it is too long."
    ]
    site.ids(
        " and ".join(
            [
                *(f"text ~ a{number}" for number in range(199)),
                f"created in ({', '.join(f'-{number}m' for number in range(200))})",
            ]
        )
    )


def test_a_list_of_ten_thousand_values_is_one_parameter(site: Site) -> None:
    made = compile_query(parse(f"labels in ({', '.join(f'l{number}' for number in range(10_000))}, red)"), site.context)
    assert len(str(made.where)) < 1000
    assert site.ids(f"labels in ({', '.join(f'l{number}' for number in range(10_000))}, red)") == site.ids(
        "labels = red"
    )
