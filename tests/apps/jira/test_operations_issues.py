"""Issues: creating, reading, editing, assigning and deleting them, and who may."""

from tests.apps.jira.tracker import BUG, CAUSE, DONE, EPIC, SEVERITY, SUBTASK, TODO, Tracker

ADA, BO, CY, DEE, EVE = "5fADA", "5fBO", "5fCYRUS", "5fDEE", "5fEVE"


def test_a_created_issue_gets_the_next_number_and_is_read_back(tracker: Tracker):
    made = tracker.call(
        "bo",
        "createIssue",
        fields={
            "project": {"key": "SHOP"},
            "issuetype": {"name": "Task"},
            "summary": "  Rotate the key ",
            "description": "h1. Why\nbecause",
        },
    )
    assert made["key"] == "SHOP-5" and made["id"] == "10010" and made["self"].endswith("/rest/api/3/issue/10010")
    fields = tracker.fields("SHOP-5", "*all")
    assert fields["summary"] == "Rotate the key"
    assert fields["description"]["content"][0]["type"] == "heading"
    assert fields["status"]["name"] == "To Do" and fields["priority"]["name"] == "Medium"
    assert fields["reporter"]["accountId"] == fields["creator"]["accountId"] == BO
    assert fields["assignee"] is None and fields["resolution"] is None and fields["labels"] == []
    assert fields["created"].endswith("+0000") and "comment" in fields
    assert fields["watches"]["watchCount"] == 1


def test_creating_writes_the_issue_its_watch_and_counters_only(tracker: Tracker):
    tracker.create("bo")
    assert {table for table, _ in tracker.journal()} == {"jira_issue", "jira_watcher", "jira_project", "jira_counter"}


def test_an_issue_without_summary_type_or_project_is_refused_in_the_vendors_words(tracker: Tracker):
    fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}}
    assert tracker.errors("bo", "createIssue", fields=fields) == {"summary": "You must specify a summary of the issue."}
    assert tracker.errors("bo", "createIssue", fields={"summary": "x"}) == {
        "project": "Specify a valid project ID or key"
    }
    assert tracker.errors("bo", "createIssue", fields={"summary": "x", "project": {"key": "NOPE"}}) == {
        "project": "valid project is required"
    }
    wrong = {"summary": "x", "project": {"key": "SHOP"}, "issuetype": {"name": "Poem"}}
    assert tracker.errors("bo", "createIssue", fields=wrong) == {"issuetype": "Specify a valid issue type"}


def test_a_field_the_screen_requires_must_be_given(tracker: Tracker):
    fields = {"project": {"key": "SHOP"}, "issuetype": {"id": str(BUG)}, "summary": "Crash"}
    assert tracker.errors("bo", "createIssue", fields=fields) == {SEVERITY: "Severity is required."}
    made = tracker.call("bo", "createIssue", fields={**fields, SEVERITY: {"value": "SEV2"}})
    assert tracker.fields(made["key"], SEVERITY)[SEVERITY]["value"] == "SEV2"


def test_a_field_that_is_not_on_the_screen_is_refused(tracker: Tracker):
    said = tracker.errors(
        "bo", "editIssue", issueIdOrKey="SHOP-1", fields={"resolution": {"name": "Done"}, "nonsense": 1}
    )
    assert said["resolution"] == "Field 'resolution' cannot be set. It is not on the appropriate screen, or unknown."
    assert said["nonsense"] == "Field 'nonsense' cannot be set. It is not on the appropriate screen, or unknown."


def test_a_refused_edit_leaves_nothing_behind(tracker: Tracker):
    tracker.errors("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"summary": "Changed", "labels": ["two words"]})
    assert tracker.fields("SHOP-1", "summary") == {"summary": "Login fails"} and tracker.journal() == []


def test_an_edit_writes_one_changelog_entry_with_an_item_per_field(tracker: Tracker):
    tracker.call(
        "bo",
        "editIssue",
        issueIdOrKey="SHOP-1",
        fields={
            "summary": "Login fails twice",
            "priority": {"name": "High"},
            "customfield_10016": 5,
            "duedate": "2026-04-01",
        },
        update={"labels": [{"add": "urgent"}, {"remove": "auth"}], "components": [{"add": {"name": "Billing"}}]},
    )
    log = tracker.call("ada", "getChangeLogs", issueIdOrKey="SHOP-1")
    assert log["total"] == 1 and log["isLast"] is True
    (entry,) = log["values"]
    assert entry["author"]["accountId"] == BO
    items = {item["field"]: (item["fromString"], item["toString"]) for item in entry["items"]}
    assert items["summary"] == ("Login fails", "Login fails twice")
    assert items["priority"] == ("Medium", "High")
    assert items["Story point estimate"] == ("3", "5")
    assert items["Component"] == (None, "Billing")
    labels = [item["toString"] for item in entry["items"] if item["field"] == "labels"]
    assert labels == ["auth urgent", "urgent"]
    shown = tracker.fields("SHOP-1", "labels", "components", "duedate")
    assert shown["labels"] == ["urgent"] and [c["name"] for c in shown["components"]] == ["Web", "Billing"]


def test_editing_to_the_same_value_leaves_no_changelog(tracker: Tracker):
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"summary": "Login fails"})
    assert tracker.journal() == []


def test_a_private_project_does_not_exist_for_outsiders(tracker: Tracker):
    for operation, arguments in (
        ("getIssue", {"issueIdOrKey": "OPS-1"}),
        ("getIssue", {"issueIdOrKey": "10004"}),
        ("getComments", {"issueIdOrKey": "OPS-1"}),
        ("editIssue", {"issueIdOrKey": "OPS-1", "fields": {"summary": "x"}}),
        ("deleteIssue", {"issueIdOrKey": "OPS-1"}),
    ):
        assert tracker.refused("eve", operation, **arguments).code == "issue_not_found", operation
    assert tracker.refused("eve", "getProject", projectIdOrKey="OPS").code == "project_not_found"
    assert tracker.errors("eve", "createIssue", fields={"project": {"key": "OPS"}, "summary": "x"}) == {
        "project": "valid project is required"
    }
    assert tracker.fields("OPS-1", "summary", who="bo") == {"summary": "Secret migration"}


def test_viewers_of_a_limited_project_read_and_comment_only(tracker: Tracker):
    assert tracker.fields("SUP-1", "summary", who="eve") == {"summary": "Customer asks"}
    tracker.call("eve", "addComment", issueIdOrKey="SUP-1", body="I can help")
    assert tracker.refused("eve", "editIssue", issueIdOrKey="SUP-1", fields={"summary": "x"}).code == "cannot_edit"
    assert tracker.refused("eve", "assignIssue", issueIdOrKey="SUP-1", accountId=EVE).code == "cannot_assign"
    assert (
        tracker.refused("eve", "doTransition", issueIdOrKey="SUP-1", transition={"id": "21"}).code
        == "cannot_transition"
    )
    assert (
        tracker.refused("eve", "createIssue", fields={"project": {"key": "SUP"}, "summary": "x"}).code
        == "cannot_create"
    )
    tracker.call("cyrus", "editIssue", issueIdOrKey="SUP-1", fields={"summary": "Customer asks again"})


def test_only_administrators_delete_issues(tracker: Tracker):
    assert tracker.refused("bo", "deleteIssue", issueIdOrKey="SHOP-2").code == "cannot_delete"
    tracker.call("ada", "deleteIssue", issueIdOrKey="SHOP-2")
    assert tracker.refused("ada", "getIssue", issueIdOrKey="SHOP-2").code == "issue_not_found"
    assert tracker.call("ada", "searchForIssuesUsingJql", jql="key in (SHOP-1, SHOP-3)")["total"] == 2


def test_an_issue_with_subtasks_is_deleted_only_with_them(tracker: Tracker):
    assert tracker.refused("ada", "deleteIssue", issueIdOrKey="SHOP-1").code == "has_subtasks"
    tracker.call("ada", "deleteIssue", issueIdOrKey="SHOP-1", deleteSubtasks=True)
    assert tracker.refused("ada", "getIssue", issueIdOrKey="SHOP-4").code == "issue_not_found"


def test_assigning_takes_members_and_refuses_those_who_left_or_may_not(tracker: Tracker):
    tracker.call("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId=EVE)
    assert tracker.fields("SHOP-1", "assignee")["assignee"]["displayName"] == "Eve Martin"
    assert tracker.errors("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId="5fGUS") == {
        "assignee": "User '5fGUS' cannot be assigned issues."
    }
    assert tracker.errors("bo", "assignIssue", issueIdOrKey="OPS-1", accountId=EVE) == {
        "assignee": "User '5fEVE' cannot be assigned issues."
    }
    assert tracker.errors("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId="nobody") == {
        "assignee": "User 'nobody' does not exist."
    }
    tracker.call("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId=None)
    assert tracker.fields("SHOP-1", "assignee") == {"assignee": None}


def test_a_components_lead_becomes_the_assignee(tracker: Tracker):
    key = tracker.create("bo", components=[{"name": "Web"}])
    assert tracker.fields(key, "assignee")["assignee"]["accountId"] == EVE


def test_parents_follow_the_hierarchy(tracker: Tracker):
    refused = "Given parent work item does not belong to appropriate hierarchy."
    assert tracker.errors("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"parent": {"key": "SHOP-2"}}) == {
        "parent": refused
    }
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"customfield_10014": "SHOP-3"})
    shown = tracker.fields("SHOP-1", "parent", "customfield_10014")
    assert shown["parent"]["key"] == "SHOP-3" and shown["customfield_10014"] == "SHOP-3"
    orphan = {"project": {"key": "SHOP"}, "issuetype": {"id": str(SUBTASK)}, "summary": "x"}
    assert tracker.errors("bo", "createIssue", fields=orphan) == {
        "issuetype": "Issue type is a sub-task but parent issue key or id not specified."
    }
    made = tracker.call("bo", "createIssue", fields={**orphan, "parent": {"key": "SHOP-1"}})
    assert [s["key"] for s in tracker.fields("SHOP-1", "subtasks")["subtasks"]] == ["SHOP-4", made["key"]]
    assert tracker.errors("bo", "editIssue", issueIdOrKey="SHOP-4", fields={"parent": None})["parent"].startswith(
        "Issue type is a sub-task"
    )


def test_bulk_create_reports_each_failure_beside_the_successes(tracker: Tracker):
    good = {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "one"}}
    bad = {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}}}
    answer = tracker.call("bo", "createIssues", issueUpdates=[good, bad, good])
    assert [i["key"] for i in answer["issues"]] == ["SHOP-5", "SHOP-6"]
    (failed,) = answer["errors"]
    assert failed["failedElementNumber"] == 1 and failed["status"] == 400
    assert failed["elementErrors"]["errors"] == {"summary": "You must specify a summary of the issue."}
    assert tracker.rows("SELECT count(*) FROM jira_issue WHERE summary = 'one'") == [(2,)]


def test_fields_can_be_chosen_left_out_and_named(tracker: Tracker):
    assert set(tracker.fields("SHOP-1", "summary", "Story point estimate")) == {"summary", "customfield_10016"}
    everything = tracker.fields("SHOP-1", "*all", "-comment")
    assert "comment" not in everything and "attachment" in everything
    assert "comment" not in tracker.fields("SHOP-1", "*navigable")
    assert "customfield_10052" not in everything, "not on the screen, never set"
    assert everything[CAUSE] is None, "on the screen, not set"


def test_expansions_add_names_schema_changelog_transitions_and_html(tracker: Tracker):
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"summary": "Other"})
    shown = tracker.call(
        "bo",
        "getIssue",
        issueIdOrKey="SHOP-1",
        expand="names,schema,changelog,transitions,renderedFields,editmeta,operations",
    )
    assert shown["names"]["summary"] == "Summary" and shown["schema"]["summary"] == {
        "type": "string",
        "system": "summary",
    }
    assert shown["changelog"]["total"] == 1
    assert [t["id"] for t in shown["transitions"]] == ["11", "21", "61"]
    assert shown["renderedFields"]["description"].startswith("<p>Login fails")
    assert shown["editmeta"]["fields"]["summary"]["required"] is True


def test_texts_come_in_the_asked_form(tracker: Tracker):
    tracker.call(
        "bo", "editIssue", issueIdOrKey="SHOP-1", fields={"description": "# Title\n\n* one"}, contentFormat="markdown"
    )
    kinds = [node["type"] for node in tracker.fields("SHOP-1", "description")["description"]["content"]]
    assert kinds == ["heading", "bulletList"]
    wiki = tracker.call("bo", "getIssue", issueIdOrKey="SHOP-1", fields=["description"], contentFormat="wiki")
    assert wiki["fields"]["description"].startswith("h1. Title")
    markdown = tracker.call("bo", "getIssue", issueIdOrKey="SHOP-1", fields=["description"], contentFormat="markdown")
    assert markdown["fields"]["description"].startswith("# Title")
    assert tracker.rows("SELECT description_text FROM jira_issue WHERE key = 'SHOP-1'")[0][0].startswith("Title")


def test_the_version_three_form_takes_documents_only(tracker: Tracker):
    said = tracker.errors(
        "bo", "editIssue", issueIdOrKey="SHOP-1", fields={"description": "plain"}, contentFormat="adf"
    )
    assert said == {"description": "Operation value must be an Atlassian Document (see the Atlassian Document Format)"}
    document = {"type": "doc", "version": 1, "content": []}
    assert tracker.errors(
        "bo", "editIssue", issueIdOrKey="SHOP-1", fields={"description": document}, contentFormat="wiki"
    ) == {"description": "Operation value must be a string"}


def test_a_moved_issue_answers_to_its_old_key(tracker: Tracker):
    answer = tracker.call("bo", "submitBulkMove", targetToSourcesMapping={"OPS,10002": {"issueIdsOrKeys": ["SHOP-1"]}})
    assert answer["taskId"]
    moved = tracker.call("bo", "getIssue", issueIdOrKey="SHOP-1", fields=["project"])
    assert moved["key"] == "OPS-2" and moved["fields"]["project"]["key"] == "OPS"
    assert tracker.call("bo", "getIssue", issueIdOrKey="SHOP-4", fields=["summary"])["key"] == "OPS-3", (
        "sub-tasks follow"
    )
    assert tracker.refused("eve", "getIssue", issueIdOrKey="SHOP-1").code == "issue_not_found"


def test_an_issue_type_changes_within_its_level_only(tracker: Tracker):
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"issuetype": {"name": "Story"}})
    assert tracker.fields("SHOP-1", "issuetype")["issuetype"]["name"] == "Story"
    assert tracker.errors("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"issuetype": {"id": str(SUBTASK)}}) == {
        "issuetype": "The issue type selected is invalid."
    }


def test_hostile_values_are_refused_and_never_crash(tracker: Tracker):
    base = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}}
    for field, value in (
        ("summary", "x" * 256),
        ("summary", 5),
        ("summary", "a\nb"),
        ("labels", "one"),
        ("labels", [3]),
        ("priority", "High"),
        ("priority", {"name": "Purple"}),
        ("priority", {"id": "9" * 30}),
        ("components", [{"name": "Nope"}]),
        ("duedate", "soon"),
        ("duedate", "2026-13-01"),
        ("customfield_10016", "many"),
        ("customfield_10016", True),
        ("customfield_10020", 99),
        ("assignee", {"accountId": "x"}),
        ("assignee", {"name": "bo"}),
        ("parent", {"key": "OPS-1"}),
        ("timetracking", "3h"),
        ("timetracking", {"originalEstimate": "soon"}),
        ("timetracking", {"originalEstimateSeconds": "x"}),
        ("timetracking", {"remainingEstimateSeconds": 2**40}),
        ("description", 7),
        ("description", {"type": "doc"}),
        (SEVERITY, {"value": "SEV9"}),
        ("reporter", None),
        ("description", "x" * 40_000),
    ):
        said = tracker.errors("bo", "createIssue", fields={**base, "summary": "ok", field: value})
        assert list(said) == [field], (field, value, said)
    assert tracker.refused("bo", "createIssue", fields={**base, "summary": "nul\x00"}).code == "invalid_arguments"


def test_ids_beyond_the_database_and_odd_keys_are_simply_not_found(tracker: Tracker):
    for ref in ("99999999999999999999", "0", "-1", "SHOP-", "SHOP-0", "", " ", "SHOP-1'", "shop-1" * 9):
        assert tracker.refused("bo", "getIssue", issueIdOrKey=ref).code == "issue_not_found", ref
    assert tracker.call("bo", "getIssue", issueIdOrKey="shop-1", fields=["summary"])["key"] == "SHOP-1"


def test_bulk_fetch_lists_the_hidden_as_errors(tracker: Tracker):
    answer = tracker.call("eve", "bulkFetchIssues", issueIdsOrKeys=["SHOP-1", "OPS-1"], fields=["summary"])
    assert [i["key"] for i in answer["issues"]] == ["SHOP-1"]
    assert answer["issueErrors"] == [
        {"id": "OPS-1", "errorMessage": "Issue does not exist or you do not have permission to see it."}
    ]


def test_status_and_type_numbers_of_the_fixture_are_what_the_tests_assume(tracker: Tracker):
    assert tracker.rows(f"SELECT name FROM jira_status WHERE id IN ({TODO}, {DONE}) ORDER BY id") == [
        ("To Do",),
        ("Done",),
    ]
    assert tracker.rows(f"SELECT name FROM jira_issue_type WHERE id = {EPIC}") == [("Epic",)]
