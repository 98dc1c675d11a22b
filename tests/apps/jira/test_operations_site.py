"""Searching, projects, people, boards, sprints, filters and the site's vocabulary."""

from tests.apps.jira.tracker import Tracker


def keys(answer: dict) -> list[str]:
    """Issue keys of a search."""
    return [issue["key"] for issue in answer["issues"]]


def test_search_returns_ids_only_unless_fields_are_named(tracker: Tracker):
    bare = tracker.call("bo", "searchAndReconsileIssuesUsingJql", jql="project = SHOP ORDER BY key ASC")
    assert bare == {"issues": [{"id": "10000"}, {"id": "10001"}, {"id": "10002"}, {"id": "10003"}], "isLast": True}
    full = tracker.call("bo", "searchAndReconsileIssuesUsingJql", jql="key = SHOP-1", fields=["summary", "status"])
    assert set(full["issues"][0]["fields"]) == {"summary", "status"} and full["issues"][0]["key"] == "SHOP-1"


def test_search_pages_by_token_and_survives_writes_between_pages(tracker: Tracker):
    ask = {"jql": "project = SHOP ORDER BY summary ASC, created DESC", "fields": ["key"], "maxResults": 2}
    first = tracker.call("bo", "searchAndReconsileIssuesUsingJql", **ask)
    assert keys(first) == ["SHOP-1", "SHOP-2"] and first["isLast"] is False
    tracker.create("bo", summary="Aardvark")
    second = tracker.call("bo", "searchAndReconsileIssuesUsingJql", **ask, nextPageToken=first["nextPageToken"])
    assert keys(second) == ["SHOP-3", "SHOP-4"] and second["isLast"] is True and "nextPageToken" not in second


def test_search_pages_through_empty_values_without_loss(tracker: Tracker):
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-2", fields={"duedate": "2026-05-01"})
    for direction in ("ASC", "DESC"):
        found: list[str] = []
        token = None
        while True:
            page = tracker.call(
                "bo",
                "searchAndReconsileIssuesUsingJql",
                jql=f"project = SHOP ORDER BY due {direction}",
                fields=["key"],
                maxResults=1,
                nextPageToken=token,
            )
            found += keys(page)
            token = page.get("nextPageToken")
            if token is None:
                break
        assert sorted(found) == ["SHOP-1", "SHOP-2", "SHOP-3", "SHOP-4"], direction


def test_a_page_token_of_another_query_or_a_forged_one_is_refused(tracker: Tracker):
    first = tracker.call("bo", "searchAndReconsileIssuesUsingJql", jql="project = SHOP", maxResults=1)
    for jql, token in (
        ("project = SUP", first["nextPageToken"]),
        ("project = SHOP", "AAAA"),
        ("project = SHOP", "%%%"),
        ("project = SHOP", first["nextPageToken"][:-3] + "abc"),
    ):
        assert (
            tracker.refused("bo", "searchAndReconsileIssuesUsingJql", jql=jql, nextPageToken=token).code
            == "bad_page_token"
        )


def test_an_unbounded_search_is_refused_but_the_legacy_one_is_not(tracker: Tracker):
    for jql in ("", "ORDER BY created"):
        assert tracker.refused("bo", "searchAndReconsileIssuesUsingJql", jql=jql).code == "empty_search"
        assert tracker.refused("bo", "countIssues", jql=jql).code == "empty_search"
    found = tracker.call("eve", "searchForIssuesUsingJql", jql="", maxResults=2)
    assert found["total"] == 5 and len(found["issues"]) == 2, "eve does not see OPS"
    assert tracker.call("ada", "searchForIssuesUsingJql", jql="", maxResults=0)["total"] == 6


def test_bad_jql_comes_back_with_the_vendors_sentences(tracker: Tracker):
    refused = tracker.refused("bo", "searchAndReconsileIssuesUsingJql", jql="nonsense = 1")
    assert refused.code == "bad_jql"
    assert refused.detail["messages"] == ["Field 'nonsense' does not exist or you do not have permission to view it."]
    parsed = tracker.call("bo", "parseJqlQueries", queries=["project = SHOP", "project ="])
    assert "errors" not in parsed["queries"][0] and parsed["queries"][1]["errors"]


def test_search_finds_words_people_and_sprints(tracker: Tracker):
    for jql, expected in (
        ("text ~ retries", ["SHOP-1"]),
        ("assignee = currentUser()", ["SHOP-1"]),
        ("sprint in openSprints()", ["SHOP-1"]),
        ("labels = auth", ["SHOP-1"]),
        ("component = Web", ["SHOP-1"]),
        ("parent = SHOP-3", ["SHOP-2"]),
        ('"Epic Link" = SHOP-3', ["SHOP-2"]),
        ("project = OPS", ["OPS-1"]),
        ("issuetype = Sub-task", ["SHOP-4"]),
        ("watcher = '5fDEE'", ["SHOP-1"]),
        ("status changed", []),
        ("statusCategory = 'To Do' AND project = SUP", ["SUP-1"]),
    ):
        assert keys(tracker.call("bo", "searchAndReconsileIssuesUsingJql", jql=jql, fields=["key"])) == expected, jql
    tracker.call("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId="5fEVE")
    tracker.call("bo", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "21"})
    for jql in (
        "assignee was currentUser()",
        "status changed from 'To Do' to 'In Progress' by currentUser()",
        "assignee was '5fBO'",
    ):
        assert tracker.call("bo", "countIssues", jql=jql)["count"] == 1, jql


def test_projects_are_listed_by_what_the_caller_may_see(tracker: Tracker):
    assert [p["key"] for p in tracker.call("eve", "getAllProjects")] == ["SHOP", "SUP"]
    assert [p["key"] for p in tracker.call("bo", "getAllProjects")] == ["OPS", "SHOP", "SUP"]
    page = tracker.call("bo", "searchProjects", maxResults=2)
    assert page["total"] == 3 and page["isLast"] is False and "startAt=2" in page["nextPage"]
    assert [p["key"] for p in tracker.call("bo", "searchProjects", query="oper")["values"]] == ["OPS"]
    assert [p["key"] for p in tracker.call("eve", "searchProjects", action="create")["values"]] == ["SHOP"]
    project = tracker.call("bo", "getProject", projectIdOrKey="SHOP")
    assert project["lead"]["accountId"] == "5fADA" and project["issueTypes"][0]["name"] == "Task"
    assert {c["name"] for c in project["components"]} == {"Web", "Billing"} and project["style"] == "classic"
    assert tracker.call("bo", "getProject", projectIdOrKey="10000")["key"] == "SHOP"


def test_statuses_of_a_project_come_by_issue_type(tracker: Tracker):
    by_type = tracker.call("bo", "getAllStatuses", projectIdOrKey="SHOP")
    assert {t["name"] for t in by_type} == {"Task", "Story", "Bug", "Epic", "Sub-task"}
    assert [s["name"] for s in by_type[0]["statuses"]] == ["To Do", "In Progress", "In Review", "Done"]


def test_create_metadata_names_required_fields_and_allowed_values(tracker: Tracker):
    types = tracker.call("bo", "getCreateIssueMetaIssueTypes", projectIdOrKey="SHOP")
    bug = next(t for t in types["issueTypes"] if t["name"] == "Bug")
    fields = {
        f["fieldId"]: f
        for f in tracker.call("bo", "getCreateIssueMetaIssueTypeId", projectIdOrKey="SHOP", issueTypeId=bug["id"])[
            "fields"
        ]
    }
    assert fields["customfield_10050"]["required"] is True
    assert [o["value"] for o in fields["customfield_10050"]["allowedValues"]] == ["SEV1", "SEV2", "SEV3"]
    assert fields["summary"]["required"] and fields["project"]["required"] and not fields["labels"]["required"]
    legacy = tracker.call("bo", "getCreateIssueMeta", projectKeys=["SHOP"], expand="projects.issuetypes.fields")
    assert legacy["projects"][0]["issuetypes"][0]["fields"]["summary"]["name"] == "Summary"
    assert tracker.refused("eve", "getCreateIssueMetaIssueTypes", projectIdOrKey="SUP").code == "cannot_create"


def test_people_are_found_by_word_starts_and_the_inactive_are_not(tracker: Tracker):
    assert [u["displayName"] for u in tracker.call("bo", "findUsers", query="nov")] == ["Ada Novak"]
    assert tracker.call("bo", "findUsers", query="gus") == []
    assert "5fGUS" in [u["accountId"] for u in tracker.call("bo", "getAllUsers")]
    assert tracker.call("bo", "getUser", accountId="5fGUS")["active"] is False
    assert [u["accountId"] for u in tracker.call("bo", "findAssignableUsers", project="OPS")] == ["5fADA", "5fBO"]
    assert tracker.refused("eve", "findAssignableUsers", project="OPS").code == "project_not_found"
    assert tracker.call("bo", "getCurrentUser")["emailAddress"] == "bo@tiny.example"
    assert tracker.refused("bo", "getUser", accountId="nobody").code == "user_not_found"
    assert tracker.refused("bo", "findUsers", username="bo").code == "bad_request"
    assert tracker.call("bo", "getUsersFromGroup", groupname="support")["values"][0]["accountId"] == "5fCYRUS"


def test_permissions_say_what_the_caller_may_do(tracker: Tracker):
    mine = tracker.call(
        "eve", "getMyPermissions", projectKey="SUP", permissions=["ADD_COMMENTS", "EDIT_ISSUES", "ADMINISTER"]
    )["permissions"]
    assert {name: row["havePermission"] for name, row in mine.items()} == {
        "ADD_COMMENTS": True,
        "EDIT_ISSUES": False,
        "ADMINISTER": False,
    }
    assert (
        tracker.call("ada", "getMyPermissions", permissions=["ADMINISTER"])["permissions"]["ADMINISTER"][
            "havePermission"
        ]
        is True
    )
    assert (
        tracker.call("bo", "getProjectRole", projectIdOrKey="OPS", id="10003")["actors"][0]["actorUser"]["accountId"]
        == "5fBO"
    )


def test_administrators_grant_and_revoke_access_by_role(tracker: Tracker):
    add = {"projectIdOrKey": "OPS", "id": "10003", "user": ["5fEVE"]}
    assert tracker.refused("bo", "addActorUsers", **add).code == "cannot_administer"
    assert tracker.refused("ada", "addActorUsers", **{**add, "user": ["nobody"]}).code == "user_not_found"
    tracker.call("ada", "addActorUsers", **add)
    assert tracker.fields("OPS-1", "summary", who="eve") == {"summary": "Secret migration"}
    tracker.call("ada", "deleteActor", projectIdOrKey="OPS", id="10003", user="5fEVE")
    assert tracker.refused("eve", "getIssue", issueIdOrKey="OPS-1").code == "issue_not_found"
    tracker.call("ada", "addActorUsers", projectIdOrKey="OPS", id="10004", group=["support"])
    assert tracker.fields("OPS-1", "summary", who="cyrus") == {"summary": "Secret migration"}
    assert tracker.refused("cyrus", "editIssue", issueIdOrKey="OPS-1", fields={"summary": "x"}).code == "cannot_edit"


def test_a_project_is_changed_by_its_administrators(tracker: Tracker):
    assert tracker.refused("bo", "updateProject", projectIdOrKey="SHOP", name="Shop").code == "cannot_administer"
    tracker.call("ada", "updateProject", projectIdOrKey="SHOP", leadAccountId="5fBO", assigneeType="PROJECT_LEAD")
    assert tracker.fields(tracker.create("dee"), "assignee")["assignee"]["accountId"] == "5fBO"


def test_a_board_shows_its_project_and_the_backlog_leaves_out_sprints(tracker: Tracker):
    assert [b["name"] for b in tracker.call("eve", "getAllBoards")["values"]] == ["SHOP board"]
    assert keys(tracker.call("bo", "getIssuesForBoard", boardId="1", fields=["summary"])) == [
        "SHOP-1",
        "SHOP-2",
        "SHOP-4",
    ]
    assert keys(tracker.call("bo", "getIssuesForBacklog", boardId=1, fields=["summary"])) == ["SHOP-2", "SHOP-4"]
    assert keys(
        tracker.call("bo", "getIssuesForBoard", boardId="1", jql="assignee = currentUser()", fields=["summary"])
    ) == ["SHOP-1"]
    columns = tracker.call("bo", "getConfiguration", boardId="1")["columnConfig"]["columns"]
    assert [c["name"] for c in columns] == ["To Do", "Doing", "Done"]
    assert tracker.refused("eve", "getBoard", boardId="2").code == "board_not_found"


def test_a_sprint_is_planned_started_and_completed(tracker: Tracker):
    made = tracker.call("bo", "createSprint", name="Sprint 3", originBoardId=1, goal="Ship it")
    assert made["state"] == "future" and made["id"] == 3
    start = {
        "sprintId": made["id"],
        "state": "active",
        "startDate": "2026-03-02T09:00:00.000+0000",
        "endDate": "2026-03-16T09:00:00.000Z",
    }
    assert "at least one issue" in tracker.refused("bo", "partiallyUpdateSprint", **start).detail["why"]
    tracker.call(
        "bo", "moveIssuesToSprintAndRank", sprintId=made["id"], issues=["SHOP-2", "SHOP-4"], rankBeforeIssue="SHOP-1"
    )
    assert tracker.call("bo", "partiallyUpdateSprint", **start)["state"] == "active"
    assert keys(tracker.call("bo", "getIssuesForSprint", sprintId=made["id"], fields=["summary"])) == [
        "SHOP-2",
        "SHOP-4",
    ]
    assert keys(
        tracker.call("bo", "searchAndReconsileIssuesUsingJql", jql="project = SHOP ORDER BY rank", fields=["key"])
    )[:2] == ["SHOP-2", "SHOP-4"]
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-4", fields={"assignee": {"accountId": "5fBO"}})
    tracker.call("bo", "doTransition", issueIdOrKey="SHOP-4", transition={"id": "61"})
    done = tracker.call(
        "bo", "partiallyUpdateSprint", sprintId=made["id"], state="closed", incompleteIssuesDestinationId="2"
    )
    assert done["state"] == "closed" and "completeDate" in done
    shown = tracker.fields("SHOP-2", "customfield_10020")["customfield_10020"]
    assert [s["name"] for s in shown] == ["Sprint 3", "Sprint 2"]
    assert tracker.fields("SHOP-4", "customfield_10020")["customfield_10020"][0]["state"] == "closed"
    assert (
        tracker.refused("bo", "moveIssuesToSprintAndRank", sprintId=made["id"], issues=["SHOP-1"]).code
        == "sprint_closed"
    )
    assert tracker.refused("bo", "partiallyUpdateSprint", sprintId=made["id"], state="active").code == "sprint_state"
    tracker.call("bo", "moveIssuesToBacklog", issues=["SHOP-2"])
    assert [s["name"] for s in tracker.fields("SHOP-2", "customfield_10020")["customfield_10020"]] == ["Sprint 3"]


def test_sprints_are_listed_by_state_and_kanban_boards_have_none(tracker: Tracker):
    assert [s["id"] for s in tracker.call("bo", "getAllSprints", boardId="1", state="active,future")["values"]] == [
        1,
        2,
    ]
    assert tracker.refused("bo", "getAllSprints", boardId="2").detail["why"] == "The board does not support sprints"
    assert tracker.refused("eve", "getSprint", sprintId="9").code == "sprint_not_found"


def test_ranking_many_times_keeps_order_and_short_ranks(tracker: Tracker):
    for _ in range(40):
        tracker.call("bo", "rankIssues", issues=["SHOP-4"], rankBeforeIssue="SHOP-2")
        tracker.call("bo", "rankIssues", issues=["SHOP-2"], rankBeforeIssue="SHOP-4")
    order = keys(tracker.call("bo", "getIssuesForBoard", boardId="1", fields=["summary"]))
    assert order == ["SHOP-1", "SHOP-2", "SHOP-4"]
    assert max(len(rank) for (rank,) in tracker.rows("SELECT rank FROM jira_issue")) < 60


def test_epics_gather_issues(tracker: Tracker):
    assert [e["key"] for e in tracker.call("bo", "getEpics", boardId="1")["values"]] == ["SHOP-3"]
    tracker.call("bo", "moveIssuesToEpic", epicIdOrKey="SHOP-3", issues=["SHOP-1"])
    assert keys(tracker.call("bo", "getIssuesForEpic", epicIdOrKey="SHOP-3", fields=["summary"])) == [
        "SHOP-1",
        "SHOP-2",
    ]
    tracker.call("bo", "moveIssuesToEpic", epicIdOrKey="none", issues=["SHOP-1"])
    assert keys(
        tracker.call("bo", "getIssuesForEpic", epicIdOrKey="none", jql="project = SHOP", fields=["summary"])
    ) == ["SHOP-1"]
    assert tracker.refused("bo", "getEpic", epicIdOrKey="SHOP-1").code == "epic_not_found"


def test_filters_are_private_until_shared(tracker: Tracker):
    assert [f["name"] for f in tracker.call("eve", "getFiltersPaginated")["values"]] == ["Open bugs"]
    assert tracker.refused("eve", "getFilter", id="10001").code == "filter_not_found"
    made = tracker.call(
        "bo",
        "createFilter",
        name="Late",
        jql="due < now()",
        favourite=True,
        sharePermissions=[{"type": "authenticated"}],
    )
    assert made["favourite"] is True and [f["name"] for f in tracker.call("bo", "getFavouriteFilters")] == ["Late"]
    assert tracker.refused("eve", "updateFilter", id=made["id"], name="Mine now").code == "filter_not_found"
    assert tracker.call("eve", "countIssues", jql="filter = Late")["count"] == 0
    assert tracker.refused("bo", "createFilter", name="Bad", jql="due <").code == "bad_jql"
    tracker.call("bo", "deleteFilter", id=made["id"])
    assert tracker.call("bo", "getFavouriteFilters") == []


def test_components_and_versions_are_managed_by_administrators(tracker: Tracker):
    assert tracker.refused("bo", "createVersion", project="SHOP", name="2.0").code == "cannot_administer"
    made = tracker.call("ada", "createVersion", projectId=10000, name="2.0", releaseDate="2026-03-01")
    assert made["overdue"] is True and made["released"] is False
    assert tracker.errors("ada", "createVersion", project="SHOP", name="2.0") == {
        "name": "A version with this name already exists in this project."
    }
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"fixVersions": [{"name": "2.0"}]})
    assert tracker.call("bo", "getVersionRelatedIssues", id=made["id"])["issuesFixedCount"] == 1
    tracker.call("ada", "deleteVersion", id=made["id"], moveFixIssuesTo="10001")
    assert [v["name"] for v in tracker.fields("SHOP-1", "fixVersions")["fixVersions"]] == ["1.1"]
    part = tracker.call(
        "ada", "createComponent", project="SHOP", name="API", leadAccountId="5fBO", assigneeType="COMPONENT_LEAD"
    )
    assert tracker.call("bo", "getComponent", id=part["id"])["assignee"]["accountId"] == "5fBO"
    tracker.call("ada", "deleteComponent", id="10000")
    assert tracker.fields("SHOP-1", "components") == {"components": []}


def test_the_vocabulary_of_the_site(tracker: Tracker):
    assert [p["name"] for p in tracker.call("bo", "getPriorities")] == ["Highest", "High", "Medium", "Low"]
    assert tracker.call("bo", "getStatus", idOrName="In Review")["statusCategory"]["key"] == "indeterminate"
    ids = {f["id"]: f for f in tracker.call("bo", "getFields")}
    assert ids["customfield_10020"]["schema"]["customId"] == 10020 and ids["customfield_10050"]["clauseNames"] == [
        "cf[10050]",
        "Severity",
    ]
    assert tracker.call("bo", "getServerInfo")["deploymentType"] == "Cloud"
    assert tracker.call("bo", "getAllLabels")["values"] == ["auth"]
    assert [o["value"] for o in tracker.call("bo", "getOptionsForContext", fieldId="customfield_10050")["values"]] == [
        "SEV1",
        "SEV2",
        "SEV3",
    ]
    assert any(f["value"] == "openSprints()" for f in tracker.call("bo", "getAutoComplete")["visibleFunctionNames"])
    assert (
        tracker.call("bo", "getFieldAutoCompleteForQueryString", fieldName="status", fieldValue="in")["results"][0][
            "displayName"
        ]
        == "In Progress"
    )
    assert [
        i["key"] for i in tracker.call("eve", "getIssuePickerResource", query="secr")["sections"][0]["issues"]
    ] == []
    assert [i["key"] for i in tracker.call("bo", "getIssuePickerResource", query="secr")["sections"][0]["issues"]] == [
        "OPS-1"
    ]


def test_changelogs_of_several_issues_can_be_narrowed_to_fields(tracker: Tracker):
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-1", fields={"summary": "One", "labels": []})
    tracker.call("bo", "editIssue", issueIdOrKey="SHOP-2", fields={"labels": ["x"]})
    logs = tracker.call("bo", "getBulkChangelogs", issueIdsOrKeys="SHOP-1,SHOP-2", fieldIds=["summary"])[
        "issueChangeLogs"
    ]
    assert [len(log["changeHistories"]) for log in logs] == [1, 0]
    assert [i["fieldId"] for i in logs[0]["changeHistories"][0]["items"]] == ["summary"]


def test_properties_keep_json_values(tracker: Tracker):
    tracker.call("bo", "setIssueProperty", issueIdOrKey="SHOP-1", propertyKey="deploy", value={"sha": "abc", "n": 1})
    assert tracker.call("eve", "getIssueProperty", issueIdOrKey="SHOP-1", propertyKey="deploy")["value"] == {
        "sha": "abc",
        "n": 1,
    }
    assert [k["key"] for k in tracker.call("eve", "getIssuePropertyKeys", issueIdOrKey="SHOP-1")["keys"]] == ["deploy"]
    tracker.call("bo", "deleteIssueProperty", issueIdOrKey="SHOP-1", propertyKey="deploy")
    assert (
        tracker.refused("eve", "getIssueProperty", issueIdOrKey="SHOP-1", propertyKey="deploy").code
        == "property_not_found"
    )


def test_a_person_who_left_is_refused(tracker: Tracker):
    assert tracker.refused("gus", "getCurrentUser").code == "account_inactive"
