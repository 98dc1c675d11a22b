"""JQL on the store a world runs on: every kind of clause executes there, for the caller's projects and comments."""

from tests.apps.jira.tracker import Tracker

CLAUSES = """
project = SHOP | issuetype in standardIssueTypes() | status = Done | statusCategory != Done | resolution = Unresolved | votes >= 0
priority >= High
assignee = currentUser() | reporter is not EMPTY | creator in (5fADA, "Bo Lindqvist") | watcher = currentUser() | voter is EMPTY
labels in (a, b) | component is EMPTY | fixVersion in unreleasedVersions() | affectedVersion is EMPTY | sprint in openSprints()
sprint is EMPTY | created >= -30d | updated < now() | resolved is EMPTY | due <= endOfMonth(1) | statusCategoryChangedDate < now()
key > SHOP-1 | parent is not EMPTY | parentEpic = SHOP-1 | "Epic Link" is EMPTY | "Story Points" > 1 | cf[10016] is EMPTY
team is EMPTY
issueLinkType is EMPTY | issueLink = SHOP-1 | issue in linkedIssues(SHOP-1) | issue in watchedIssues() | issue in updatedBy(ada)
level is EMPTY | category is EMPTY | projectType = software | attachments is EMPTY | watchers > 0 | hierarchyLevel = 0
timespent > 1m | originalEstimate is EMPTY | workratio is EMPTY | worklogAuthor = currentUser() | worklogDate >= "2026/01/01"
summary ~ "login*" | description !~ zebra | environment is EMPTY | comment ~ zebra | worklogComment ~ x | cf[10050] is EMPTY
status was "To Do" before now() | status changed from "To Do" by currentUser() | assignee was not in (EMPTY)
"""


def counted(tracker: Tracker, jql: str) -> int:
    found = tracker.call("bo", "searchForIssuesUsingJql", jql=jql, maxResults=0)
    return int(found["total"])


def test_every_kind_of_clause_runs_and_excludes_its_opposite(tracker: Tracker) -> None:
    everything = counted(tracker, "")
    for clause in (part.strip() for line in CLAUSES.strip().splitlines() for part in line.split("|")):
        found = counted(tracker, clause)
        assert found + counted(tracker, f"NOT ({clause})") <= everything, clause
        assert counted(tracker, f"({clause}) AND NOT ({clause})") == 0, clause


def test_every_order_runs(tracker: Tracker) -> None:
    for fields in (
        "key, created desc, priority",
        "assignee, reporter desc, status",
        "component, fixVersion, labels, sprint",
        "rank, votes, due",
    ):
        assert counted(tracker, f"order by {fields}") == counted(tracker, "")
        tracker.call("bo", "searchForIssuesUsingJql", jql=f"project is not EMPTY order by {fields}")
