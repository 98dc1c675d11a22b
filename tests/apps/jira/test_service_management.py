"""Service desks, the configuration of the site, people by what they do, removed worklogs, development work."""

import pytest

from tests.apps.jira.tracker import DAY, START, Tracker


def test_a_service_desk_lists_what_can_be_asked_and_takes_a_request(tracker: Tracker):
    (desk,) = tracker.call("cyrus", "getServiceDesks")["values"]
    assert desk["projectKey"] == "SUP" and tracker.call("cyrus", "getServiceDeskById", serviceDeskId="SUP") == desk
    kinds = tracker.call("cyrus", "getRequestTypes", serviceDeskId=desk["id"], searchQuery="task")["values"]
    assert [kind["name"] for kind in kinds] == ["Task", "Sub-task"] or [kind["name"] for kind in kinds] == ["Task"]
    wanted = {"summary": "Reader is dead", "description": "In the *lobby*."}
    made = tracker.call(
        "cyrus", "createCustomerRequest", serviceDeskId="SUP", requestTypeId=kinds[0]["id"], requestFieldValues=wanted
    )
    assert made["issueKey"] == "SUP-2" and made["currentStatus"]["statusCategory"] == "NEW"
    assert {one["fieldId"]: one["value"] for one in made["requestFieldValues"]} == wanted
    assert made["_links"]["web"].endswith("/servicedesk/customer/portal/10002/SUP-2")
    mine = tracker.call("cyrus", "getCustomerRequests", searchTerm="READER")["values"]
    assert [one["issueKey"] for one in mine] == ["SUP-2"]
    assert tracker.call("bo", "getCustomerRequests")["values"] == []


def test_requests_of_others_and_issues_of_other_projects_are_no_requests(tracker: Tracker):
    assert tracker.refused("cyrus", "getCustomerRequestByIdOrKey", issueIdOrKey="SHOP-1").code == "request_not_found"
    assert tracker.refused("cyrus", "getServiceDeskById", serviceDeskId="SHOP").code == "service_desk_not_found"
    new = {"serviceDeskId": "SUP", "requestFieldValues": {"summary": "x"}}
    assert tracker.refused("cyrus", "createCustomerRequest", requestTypeId="1", **new).code == "request_type_not_found"
    kind = tracker.call("cyrus", "getRequestTypes", serviceDeskId="SUP")["values"][0]["id"]
    assert tracker.refused("bo", "createCustomerRequest", requestTypeId=kind, **new).code == "cannot_create"


def test_a_request_is_commented_and_moved_and_its_queue_follows(tracker: Tracker):
    ask = {"issueIdOrKey": "SUP-1"}
    inside = tracker.call("cyrus", "createRequestComment", **ask, body="Not for customers.", public=False)
    tracker.call("cyrus", "createRequestComment", **ask, body="We are on it.")
    assert inside["public"] is False and inside["author"]["displayName"]
    seen = tracker.call("cyrus", "getRequestComments", **ask, internal=False)["values"]
    assert [one["body"] for one in seen] == ["We are on it."]
    first = tracker.call("cyrus", "getRequestComments", **ask, limit=1)
    assert first["isLastPage"] is False and first["_links"]["next"].endswith("start=1&limit=1")
    queue = {"serviceDeskId": "SUP", "queueId": "1"}
    assert tracker.call("cyrus", "getQueue", **queue, includeCount=True)["issueCount"] == 1
    steps = {step["name"]: step["id"] for step in tracker.call("cyrus", "getCustomerTransitions", **ask)["values"]}
    name = next(name for name in steps if "rogress" in name or "tart" in name)
    tracker.call("cyrus", "performCustomerTransition", **ask, id=steps[name], additionalComment={"body": "Begun."})
    now, before = tracker.call("cyrus", "getCustomerRequestStatus", **ask)["values"]
    assert (now["statusCategory"], before["statusCategory"]) == ("INDETERMINATE", "NEW")
    assert [one["key"] for one in tracker.call("cyrus", "getIssuesInQueue", **queue)["values"]] == ["SUP-1"]
    assert tracker.refused("cyrus", "getQueue", serviceDeskId="SUP", queueId="9").code == "queue_not_found"


def test_a_move_within_the_project_changes_the_type_and_keeps_the_key(tracker: Tracker):
    before = tracker.fields("SHOP-1", "components", "issuetype")
    story = next(t for t in tracker.call("ada", "getIssueAllTypes") if t["name"] == "Story")["id"]
    asked = {"SHOP," + story: {"issueIdsOrKeys": ["SHOP-1"]}}
    tracker.call("ada", "submitBulkMove", targetToSourcesMapping=asked)
    after = tracker.fields("SHOP-1", "components", "issuetype", "project")
    assert before["issuetype"]["name"] == "Task" and after["issuetype"]["name"] == "Story"
    assert after["components"] == before["components"] != []
    assert tracker.call("ada", "getIssue", issueIdOrKey="SHOP-1")["key"] == "SHOP-1"
    assert tracker.rows("SELECT count(*) FROM jira_issue_key_alias") == [(0,)]
    assert tracker.create("ada") == "SHOP-5"


def test_worklogs_are_listed_by_their_last_change_and_after_their_removal(tracker: Tracker):
    kept = tracker.call("bo", "addWorklog", issueIdOrKey="SHOP-1", timeSpent="1h")["id"]
    gone = tracker.call("bo", "addWorklog", issueIdOrKey="SHOP-1", timeSpent="2h")["id"]
    tracker.call("bo", "deleteWorklog", issueIdOrKey="SHOP-1", id=gone)
    changed = tracker.call("bo", "getIdsOfWorklogsModifiedSince")
    assert [str(one["worklogId"]) for one in changed["values"]] == [kept] and changed["lastPage"] is True
    assert tracker.call("bo", "getIdsOfWorklogsModifiedSince", since=changed["until"] + 1)["values"] == []
    removed = tracker.call("bo", "getIdsOfWorklogsDeletedSince", since=START // 1000)["values"]
    assert [str(one["worklogId"]) for one in removed] == [gone]
    assert [one["id"] for one in tracker.call("bo", "getWorklogsForIds", ids=[int(kept), int(gone)])] == [kept]


def test_removed_worklogs_of_a_hidden_project_stay_hidden(tracker: Tracker):
    log = tracker.call("ada", "addWorklog", issueIdOrKey="OPS-1", timeSpent="1h")["id"]
    assert tracker.call("dee", "getIdsOfWorklogsModifiedSince")["values"] == []
    tracker.call("ada", "deleteWorklog", issueIdOrKey="OPS-1", id=log)
    assert tracker.call("dee", "getIdsOfWorklogsDeletedSince")["values"] == []


def test_people_are_found_by_what_they_are_to_issues(tracker: Tracker):
    def found(query: str) -> set[str]:
        answer = tracker.call("bo", "findUsersByQuery", query=query)
        return {one["emailAddress"].partition("@")[0] for one in answer["values"]}

    assert found("is assignee of SHOP") == {"bo"}
    assert found("is reporter of (SHOP-1, SHOP-2) AND is watcher of SHOP-1") == {"dee"}
    assert found("is assignee of SHOP-1 OR is commenter of SHOP") == {"bo", "dee"}
    assert found("is assignee of SHOP AND is commenter of SHOP") == set()
    for wrong in ("assignee = bo", "is friend of SHOP", "is assignee of"):
        assert tracker.refused("bo", "findUsersByQuery", query=wrong).code == "bad_request"
    assert tracker.refused("dee", "findUsersByQuery", query="is reporter of OPS-1").code == "issue_not_found"


def test_people_are_found_by_their_permissions(tracker: Tracker):
    def found(permission: str, **place: str) -> set[str]:
        answer = tracker.call("ada", "findUsersWithAllPermissions", permissions=[permission], **place)
        return {one["emailAddress"].partition("@")[0] for one in answer}

    assert found("ADMINISTER_PROJECTS", projectKey="OPS") == {"ada"}
    assert found("BROWSE", issueKey="OPS-1") == {"ada", "bo"}
    asked = {"permissions": ["FLY"], "projectKey": "OPS"}
    assert tracker.refused("ada", "findUsersWithAllPermissions", **asked).code == "bad_request"


def test_the_project_picker_finds_the_beginnings_of_words(tracker: Tracker):
    picked = tracker.call("dee", "getProjectsForPicker", query="engi")["projects"]
    assert [(one["key"], one["html"]) for one in picked] == [("SHOP", "<b>Engi</b>neering (SHOP)")]
    assert tracker.call("dee", "getProjectsForPicker")["projects"] == []
    every = tracker.call("dee", "getProjectsForPicker", allowEmptyQuery=True)["projects"]
    assert [one["key"] for one in every] == ["SHOP", "SUP"]


def test_statuses_and_field_contexts_are_for_everybody(tracker: Tracker):
    found = tracker.call("bo", "searchStatuses", searchString="in", statusCategory="IN_PROGRESS")["values"]
    assert [one["name"] for one in found] == ["In Progress", "In Review"]
    assert tracker.call("bo", "searchStatuses", projectId="10000")["total"] == 4
    field = tracker.rows("SELECT id FROM jira_field WHERE kind = 'select'")[0][0]
    (context,) = tracker.call("bo", "getContextsForField", fieldId=field)["values"]
    options = tracker.call("bo", "getOptionsForContext", fieldId=field, contextId=context["id"])
    assert [one["value"] for one in options["values"]] == ["SEV1", "SEV2", "SEV3"]
    assert tracker.refused("bo", "getContextsForField", fieldId="customfield_99999").code == "field_not_found"


@pytest.mark.parametrize("operation", ["getWorkflowsPaginated", "getScreens", "getAuditRecords"])
def test_configuration_is_for_the_sites_administrators(tracker: Tracker, operation: str):
    assert tracker.refused("bo", operation).code == "not_site_admin"
    assert tracker.call("ada", operation)["total"] > 0


def test_a_workflow_names_its_steps_and_a_screen_its_fields(tracker: Tracker):
    (workflow,) = tracker.call("ada", "getWorkflowsPaginated")["values"]
    assert {one["name"] for one in workflow["statuses"]} == {"To Do", "In Progress", "In Review", "Done"}
    assert {one["to"] for one in workflow["transitions"]} <= {one["id"] for one in workflow["statuses"]}
    screen = next(one for one in tracker.call("ada", "getScreens")["values"] if one["name"] == "Finish")
    (tab,) = tracker.call("ada", "getAllScreenTabs", screenId=str(screen["id"]))
    fields = tracker.call("ada", "getAllScreenTabFields", screenId=str(screen["id"]), tabId=str(tab["id"]))
    assert [one["id"] for one in fields] == ["resolution", "fixVersions"]
    assert tracker.refused("ada", "getAllScreenTabs", screenId="999").code == "screen_not_found"


def test_webhooks_are_for_apps(tracker: Tracker):
    assert tracker.refused("ada", "getDynamicWebhooksForApp").code == "only_for_apps"


def test_development_work_is_counted_and_listed_as_the_issue_page_gets_it(tracker: Tracker):
    raw = tracker.host.actors["w"].bound.raw
    url = "https://github.com/acme/shop"
    for kind, rest, title, state in (
        ("pull", "/pull/7", "#7 SHOP-1 fix it", "merged"),
        ("commit", "/commit/abcdef1234", "abcdef1 SHOP-1 fix", ""),
        ("branch", "/tree/SHOP-1-fix", "SHOP-1-fix", ""),
    ):
        row = (10000, url + rest, kind, "acme/shop", title, state, "Bo", START + DAY)
        raw.execute("INSERT INTO jira_development VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    summary = tracker.call("bo", "getDevelopmentSummary", issueId="10000")["summary"]
    assert {name: summary[name]["overall"]["count"] for name in ("pullrequest", "repository", "branch", "build")} == {
        "pullrequest": 1,
        "repository": 1,
        "branch": 1,
        "build": 0,
    }
    assert summary["pullrequest"]["overall"]["state"] == "MERGED"
    (detail,) = tracker.call("bo", "getDevelopmentDetail", issueId="10000", dataType="pullrequest")["detail"]
    (pull,) = detail["pullRequests"]
    assert (pull["id"], pull["name"], pull["status"]) == ("#7", "SHOP-1 fix it", "MERGED") and not detail["branches"]
    (whole,) = tracker.call("bo", "getDevelopmentDetail", issueId="10000")["detail"]
    assert whole["repositories"][0]["commits"][0]["displayId"] == "abcdef1"
    (other,) = tracker.call("bo", "getDevelopmentDetail", issueId="10000", applicationType="stash")["detail"]
    assert other["pullRequests"] == [] and other["repositories"] == []
