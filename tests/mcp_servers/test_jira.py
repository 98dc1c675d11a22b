"""The tracker surfaces against the small tracker: every tool called, and what is written is what REST would write."""

from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.jira
from tests.apps.jira.tracker import BUG, SEVERITY, rows
from tests.company import START, as_person, image, unmetered
from tests.mcp_servers.calls import Desk, same_as_rest
from world.core.clock import DAY, iso
from world.run.host import Host

CLOUD = "11111111-2222-4333-8444-555555555555"


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("jira"), [apps.jira.app], rows)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    return unmetered(sealed, tmp_path, apps.jira.app, worlds=("w", "rest"))


class Json(Desk):
    """Calls tools that answer JSON; the vendor's get the site's id."""

    def get(self, tool: str, who: str = "ada", /, **given: Any) -> Any:
        """The answer of a call that must be accepted."""
        return orjson.loads(self.say(tool, who, **given))

    def site(self, tool: str, who: str = "ada", /, **given: Any) -> Any:
        """The same with the site's id."""
        return self.get(tool, who, cloudId=CLOUD, **given)


@pytest.fixture
def vendor(firm: Host) -> Json:
    return Json(firm, "jira")


@pytest.fixture
def community(firm: Host) -> Json:
    return Json(firm, "jira", "community")


def test_the_site_is_found_and_a_foreign_one_refused(vendor: Json) -> None:
    site = vendor.get("getAccessibleAtlassianResources")[0]
    assert site["id"] == CLOUD
    assert vendor.get("getJiraIssue", cloudId=site["url"], issueIdOrKey="SHOP-1")["key"] == "SHOP-1"
    refused, text = vendor.ask("getJiraIssue", cloudId="22222222-2222-4333-8444-555555555555", issueIdOrKey="SHOP-1")
    assert refused and text.startswith("cloudId: no such site")
    assert vendor.ask("getJiraIssue", issueIdOrKey="SHOP-1") == (True, "cloudId: is required")


def test_you_and_others_are_found_by_name_and_address(vendor: Json) -> None:
    me = vendor.get("atlassianUserInfo")
    assert (me["account_id"], me["email"]) == ("5fADA", "ada@tiny.example")
    found = vendor.site("lookupJiraAccountId", searchString="bo@")["users"]
    assert [(one["accountId"], one["displayName"]) for one in found] == [("5fBO", "Bo Lindqvist")]


def test_texts_are_markdown_unless_documents_are_asked_for(vendor: Json) -> None:
    fields = vendor.site("getJiraIssue", issueIdOrKey="SHOP-1", fields=["description", "comment"])["fields"]
    assert fields["description"] == "Login fails after a retry."
    assert fields["comment"]["comments"][0]["body"] == "Login fails after a retry."
    adf = vendor.site("getJiraIssue", issueIdOrKey="SHOP-1", fields=["description"], contentFormat="adf")["fields"]
    assert adf["description"]["type"] == "doc"
    assert vendor.ask("getJiraIssue", cloudId=CLOUD, issueIdOrKey="SHOP-1", contentFormat="wiki")[1] == (
        "contentFormat: must be one of: markdown, adf"
    )


def test_search_pages_by_token(vendor: Json) -> None:
    first = vendor.site("searchJiraIssuesUsingJql", jql="project = SHOP ORDER BY key ASC", maxResults=3)
    assert not first["isLast"] and [one["key"] for one in first["issues"]] == ["SHOP-1", "SHOP-2", "SHOP-3"]
    assert set(first["issues"][0]["fields"]) == {"summary", "description", "status", "issuetype", "priority", "created"}
    again = vendor.site(
        "searchJiraIssuesUsingJql",
        jql="project = SHOP ORDER BY key ASC",
        maxResults=3,
        nextPageToken=first["nextPageToken"],
    )
    assert again["isLast"] and [one["key"] for one in again["issues"]] == ["SHOP-4"]
    refused, text = vendor.ask("searchJiraIssuesUsingJql", cloudId=CLOUD, jql="nonsense ~")
    assert refused and orjson.loads(text)["errorMessages"]


def test_an_issue_is_created_from_flat_arguments(firm: Host, vendor: Json) -> None:
    made = vendor.site(
        "createJiraIssue",
        projectKey="SHOP",
        issueTypeName="Task",
        summary="Rotate",
        description="Do **it**",
        parent="SHOP-3",
        assignee_account_id="5fBO",
        additional_fields={"labels": ["security"]},
    )
    assert made["key"] == "SHOP-5"
    same_as_rest(
        firm,
        "createIssue",
        contentFormat="markdown",
        fields={
            "project": {"key": "SHOP"},
            "issuetype": {"name": "Task"},
            "summary": "Rotate",
            "description": "Do **it**",
            "parent": {"key": "SHOP-3"},
            "assignee": {"accountId": "5fBO"},
            "labels": ["security"],
        },
    )
    shown = vendor.site("getJiraIssue", issueIdOrKey="SHOP-5", fields=["description", "labels", "assignee"])["fields"]
    assert (shown["description"], shown["labels"], shown["assignee"]["accountId"]) == (
        "Do **it**",
        ["security"],
        "5fBO",
    )


def test_refusals_read_as_the_rest_api_words_them(vendor: Json) -> None:
    refused, text = vendor.ask("createJiraIssue", cloudId=CLOUD, projectKey="SHOP", issueTypeName="Bug", summary="x")
    assert refused and set(orjson.loads(text)["errors"]) == {SEVERITY}
    refused, text = vendor.ask("getJiraIssue", "bo", cloudId=CLOUD, issueIdOrKey="NO-1")
    assert orjson.loads(text) == {
        "errorMessages": ["Issue does not exist or you do not have permission to see it."],
        "errors": {},
    }


def test_an_issue_is_edited_moved_and_commented(firm: Host, vendor: Json) -> None:
    edited = vendor.site("editJiraIssue", issueIdOrKey="SHOP-1", fields={"summary": "Login fails twice"})
    assert edited["fields"]["summary"] == "Login fails twice"
    steps = vendor.site("getTransitionsForJiraIssue", issueIdOrKey="SHOP-1")["transitions"]
    start = next(step["id"] for step in steps if step["name"] == "Start")
    moved = vendor.site("transitionJiraIssue", issueIdOrKey="SHOP-1", transition={"id": start})
    assert moved == {"success": True, "key": "SHOP-1", "status": "In Progress"}
    said = vendor.site("addCommentToJiraIssue", issueIdOrKey="SHOP-1", commentBody="Look at `it`")
    assert said["body"] == "Look at `it`"
    logged = vendor.site("addWorklogToJiraIssue", issueIdOrKey="SHOP-1", timeSpent="1h", comment="dug")
    assert (logged["timeSpent"], logged["comment"]) == ("1h", "dug")
    private = vendor.site(
        "addCommentToJiraIssue",
        issueIdOrKey="SHOP-1",
        commentBody="x",
        commentVisibility={"type": "role", "value": "Administrator"},
    )
    assert private["visibility"]["value"] == "Administrator"


def test_a_document_may_be_sent_as_json(vendor: Json) -> None:
    document = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "hi"}]}],
    }
    said = vendor.site(
        "addCommentToJiraIssue", issueIdOrKey="SHOP-1", commentBody=orjson.dumps(document).decode(), contentFormat="adf"
    )
    assert said["body"] == document


def test_projects_types_and_their_fields_are_described(vendor: Json) -> None:
    found = vendor.site("getVisibleJiraProjects", "bo", searchString="Oper")
    assert [one["key"] for one in found["values"]] == ["OPS"] and found["isLast"]
    kinds = vendor.site("getJiraProjectIssueTypesMetadata", projectIdOrKey="SHOP")["issueTypes"]
    assert {"Task", "Bug"} <= {one["name"] for one in kinds}
    fields = vendor.site("getJiraIssueTypeMetaWithFields", projectIdOrKey="SHOP", issueTypeId=str(BUG))["fields"]
    assert {one["fieldId"] for one in fields if one["required"]} >= {"summary", SEVERITY}


def test_issues_are_linked(vendor: Json) -> None:
    kinds = vendor.site("getIssueLinkTypes")["issueLinkTypes"]
    assert {one["name"] for one in kinds} == {"Blocks", "Relates"}
    vendor.site("createIssueLink", inwardIssue="SHOP-1", outwardIssue="SHOP-2", type="Blocks", comment="**see**")
    links = vendor.site("getJiraIssue", issueIdOrKey="SHOP-1", fields=["issuelinks"])["fields"]["issuelinks"]
    assert [(one["type"]["name"], one["outwardIssue"]["key"]) for one in links] == [("Blocks", "SHOP-2")]
    assert vendor.site("getJiraIssueRemoteIssueLinks", issueIdOrKey="SHOP-1") == []


def test_words_are_searched_and_what_is_found_is_fetched(vendor: Json) -> None:
    found = vendor.get("searchAtlassian", query='login "fails')["results"]
    assert found[0]["title"] == "SHOP-1: Login fails" and found[0]["id"] == f"ari:cloud:jira:{CLOUD}:issue/10000"
    assert vendor.get("fetchAtlassian", id=found[0]["id"])["fields"]["description"] == "Login fails after a retry."
    assert vendor.ask("fetchAtlassian", id="SHOP-1")[1].startswith("id: must be an id from searchAtlassian")


def test_community_issues_are_short_and_in_markdown(community: Json) -> None:
    one = community.get("jira_get_issue", issue_key="SHOP-1")
    assert one["key"] == "SHOP-1" and one["description"] == "Login fails after a retry."
    assert one["status"] == {"name": "To Do", "category": "To Do"} and one["assignee"]["email"] == "bo@tiny.example"
    every = community.get("jira_get_issue", issue_key="SHOP-1", fields="*all", comment_limit=1, expand="changelog")
    assert len(every["comments"]) == 1 and every["comments"][0]["body"] == "Login fails after a retry."
    assert "comments" not in community.get("jira_get_issue", issue_key="SHOP-1", fields="summary", comment_limit=0)


def test_community_search_filters_by_project_and_keeps_the_order(community: Json) -> None:
    found = community.get("jira_search", jql="status = 'To Do' ORDER BY key DESC", projects_filter="SHOP,OPS", limit=2)
    assert [one["key"] for one in found["issues"]] == ["SHOP-4", "SHOP-3"] and found["max_results"] == 2
    more = community.get("jira_search", jql="ORDER BY key DESC", projects_filter="SHOP", start_at=2)
    assert [one["key"] for one in more["issues"]] == ["SHOP-2", "SHOP-1"]
    assert [one["key"] for one in community.get("jira_get_project_issues", project_key="shop", limit=1)["issues"]]
    assert community.ask("jira_get_project_issues", project_key="x OR y")[1] == "project_key: must be a project key"
    assert "summary" in {one["id"] for one in community.get("jira_search_fields", keyword="summ")}


def test_community_creation_takes_people_by_address_and_fields_beside(firm: Host, community: Json) -> None:
    made = community.get(
        "jira_create_issue",
        project_key="SHOP",
        summary="Rotate",
        issue_type="Task",
        assignee="bo@tiny.example",
        description="Do **it**",
        components="Web, Billing",
        additional_fields={"labels": ["a"], "parent": "SHOP-3"},
    )["issue"]
    assert (made["assignee"]["account_id"], made["components"], made["labels"]) == ("5fBO", ["Web", "Billing"], ["a"])
    assert made["parent"]["key"] == "SHOP-3" and made["description"] == "Do **it**"
    same_as_rest(
        firm,
        "createIssue",
        contentFormat="markdown",
        fields={
            "labels": ["a"],
            "parent": {"key": "SHOP-3"},
            "project": {"key": "SHOP"},
            "summary": "Rotate",
            "issuetype": {"name": "Task"},
            "description": "Do **it**",
            "components": [{"name": "Web"}, {"name": "Billing"}],
            "assignee": {"accountId": "5fBO"},
        },
    )


def test_community_batches_report_what_failed(community: Json) -> None:
    wanted = [
        {"project_key": "SHOP", "issue_type": "Task", "summary": "one", "assignee": "Eve Martin", "description": "d"},
        {"project_key": "SHOP", "issue_type": "Nothing", "summary": "two", "components": ["Web"]},
    ]
    made = community.get("jira_batch_create_issues", issues=orjson.dumps(wanted).decode())
    assert [one["assignee"]["display_name"] for one in made["issues"]] == ["Eve Martin"] and len(made["errors"]) == 1
    assert community.ask("jira_batch_create_issues", issues="7")[1] == "issues: must be a JSON list of objects"
    assert community.ask("jira_batch_create_issues", issues="[]", validate_only=True)[0]


def test_community_changes_to_an_issue(community: Json) -> None:
    changed = community.get(
        "jira_update_issue",
        issue_key="SHOP-1",
        fields='{"summary": "New", "assignee": "Ada Novak"}',
        additional_fields={"labels": ["b"]},
        components="Billing",
    )["issue"]
    assert (changed["summary"], changed["assignee"]["account_id"], changed["labels"]) == ("New", "5fADA", ["b"])
    assert community.ask("jira_update_issue", issue_key="SHOP-1", fields="x")[1] == "fields: must be a JSON object"
    assert community.ask("jira_update_issue", issue_key="SHOP-1", fields="{}", attachments="/a")[0]
    given = community.get("jira_assign_issue", issue_key="SHOP-1", assignee="Bo Lindqvist")["issue"]
    assert given["assignee"]["account_id"] == "5fBO"
    assert community.get("jira_assign_issue", issue_key="SHOP-1")["issue"]["assignee"] == {"display_name": "Unassigned"}
    history = community.get("jira_batch_get_changelogs", issue_ids_or_keys="SHOP-1,SHOP-2", fields="summary", limit=5)
    assert [item["toString"] for one in history[0]["changelogs"] for item in one["items"]] == ["New"]
    assert history[1]["changelogs"] == []


def test_community_transitions_take_fields_and_a_comment(community: Json) -> None:
    steps = {one["name"]: one["id"] for one in community.get("jira_get_transitions", issue_key="SHOP-1")}
    community.get("jira_transition_issue", issue_key="SHOP-1", transition_id=steps["Start"])
    done = community.get(
        "jira_transition_issue",
        issue_key="SHOP-1",
        transition_id="41",
        fields='{"resolution": {"name": "Done"}}',
        comment="**ok**",
    )["issue"]
    assert done["status"]["name"] == "Done" and done["comments"][-1]["body"] == "**ok**"
    refused, text = community.ask("jira_transition_issue", issue_key="SHOP-2", transition_id="41")
    assert refused and orjson.loads(text)["errorMessages"]


def test_community_comments_and_worklogs(community: Json) -> None:
    admins = '{"type": "role", "value": "Administrator"}'
    said = community.get("jira_add_comment", issue_key="SHOP-1", body="*a*", visibility=admins)
    assert said["author"]["email"] == "ada@tiny.example"
    changed = community.get("jira_edit_comment", issue_key="SHOP-1", comment_id=said["id"], body="**b**")
    assert changed["body"] == "**b**"
    work = community.get(
        "jira_add_worklog", issue_key="SHOP-1", time_spent="1h 30m", comment="dug", remaining_estimate="2h"
    )
    assert work["worklog"]["timeSpentSeconds"] == 5400
    assert [one["comment"] for one in community.get("jira_get_worklog", issue_key="SHOP-1")["worklogs"]] == ["dug"]
    assert community.ask("jira_add_worklog", issue_key="SHOP-1", time_spent="1h", original_estimate="3h")[0]


def test_community_people(community: Json) -> None:
    for name in ("bo@tiny.example", "Bo Lindqvist", "5fBO"):
        assert community.get("jira_get_user_profile", user_identifier=name)["user"]["account_id"] == "5fBO"
    assert community.ask("jira_get_user_profile", user_identifier="nobody")[0]
    found = community.get("jira_search_assignable_users", query="Eve", project_key="SHOP")
    assert [one["account_id"] for one in found] == ["5fEVE"]
    community.get("jira_add_watcher", issue_key="SHOP-1", user_identifier="Eve Martin")
    watching = community.get("jira_get_issue_watchers", issue_key="SHOP-1")
    assert watching["watcher_count"] == 2 and {"Eve Martin", "Dee Okafor"} == {
        one["name"] for one in watching["watchers"]
    }


def test_community_projects_boards_and_sprints(community: Json) -> None:
    assert {one["key"] for one in community.get("jira_get_all_projects", include_archived=False)} >= {"SHOP", "OPS"}
    assert [one["key"] for one in community.get("jira_search_projects", query="SHOP")] == ["SHOP"]
    assert community.get("jira_get_project_issue_types", project_key="SHOP")["issueTypes"]
    assert [one["name"] for one in community.get("jira_get_project_components", project_key="SHOP")] == [
        "Billing",
        "Web",
    ]
    assert [one["name"] for one in community.get("jira_get_project_versions", project_key="SHOP")] == ["1.0", "1.1"]
    board = community.get("jira_get_agile_boards", project_key="SHOP", board_type="scrum")[0]
    found = community.get("jira_get_board_issues", board_id=str(board["id"]), jql="assignee is not EMPTY", limit=5)
    assert [one["key"] for one in found["issues"]] == ["SHOP-1"]
    sprint = community.get("jira_get_sprints_from_board", board_id=str(board["id"]), state="active")[0]
    assert [one["key"] for one in community.get("jira_get_sprint_issues", sprint_id=str(sprint["id"]))["issues"]] == [
        "SHOP-1"
    ]


def test_community_sprints_are_made_filled_and_emptied(community: Json) -> None:
    days = {"start_date": iso(START + 20 * DAY), "end_date": iso(START + 30 * DAY)}
    made = community.get("jira_create_sprint", board_id="1", name="S3", **days)
    id = str(made["id"])
    community.get("jira_add_issues_to_sprint", sprint_id=id, issue_keys="SHOP-2, SHOP-1")
    assert {one["key"] for one in community.get("jira_get_sprint_issues", sprint_id=id)["issues"]} == {
        "SHOP-1",
        "SHOP-2",
    }
    community.get("jira_move_issues_to_backlog", issue_keys="SHOP-1")
    assert [one["key"] for one in community.get("jira_get_sprint_issues", sprint_id=id)["issues"]] == ["SHOP-2"]
    assert community.get("jira_update_sprint", sprint_id=id, goal="g")["goal"] == "g"


def test_community_links_epics_versions_and_deletion(firm: Host, community: Json) -> None:
    assert [one["name"] for one in community.get("jira_get_link_types", name_filter="block")] == ["Blocks"]
    ends = {"inward_issue_key": "SHOP-1", "outward_issue_key": "SHOP-2"}
    community.get("jira_create_issue_link", link_type="Blocks", comment="c", **ends)
    link = community.get("jira_get_issue", issue_key="SHOP-2", fields="issuelinks")["issuelinks"][0]
    assert link["inward_issue"]["key"] == "SHOP-1"
    community.get("jira_remove_issue_link", link_id=link["id"])
    assert "issuelinks" not in community.get("jira_get_issue", issue_key="SHOP-2", fields="issuelinks")
    community.get(
        "jira_create_remote_issue_link", issue_key="SHOP-1", url="https://x.example/a", title="A", relationship="doc"
    )
    remote = firm.peek(as_person(firm), "rest", "getRemoteIssueLinks", {"issueIdOrKey": "SHOP-1"})
    assert [one["object"]["title"] for one in remote] == ["A"]
    assert (
        community.get("jira_link_to_epic", issue_key="SHOP-1", epic_key="SHOP-3")["issue"]["parent"]["key"] == "SHOP-3"
    )
    assert community.get("jira_create_version", project_key="SHOP", name="2.0")["name"] == "2.0"
    made = community.get("jira_create_issue", project_key="SHOP", summary="x", issue_type="Task")["issue"]["key"]
    assert community.get("jira_delete_issue", issue_key=made)["success"] is True
    assert community.ask("jira_get_issue", issue_key=made)[0]


def test_every_tool_of_every_surface_is_in_these_tests(vendor: Json, community: Json) -> None:
    said = Path(__file__).read_text(encoding="utf-8")
    for desk in (vendor, community):
        assert [name for name in desk.tools.tools if f'"{name}"' not in said] == []


def test_what_a_surface_maps_can_be_mapped_back(community: Json) -> None:
    asked = {"issueIdOrKey": "SHOP-1", "body": "x", "contentFormat": "markdown"}
    assert community.tools.arguments_for("addComment", asked) == (
        "jira_add_comment",
        {"issue_key": "SHOP-1", "body": "x"},
    )
    assert community.tools.arguments_for("addComment", {"issueIdOrKey": "SHOP-1", "body": "x"}) is None
    step = {
        "issueIdOrKey": "SHOP-1",
        "transition": {"id": "41"},
        "contentFormat": "markdown",
        "update": {"comment": [{"add": {"body": "x"}}]},
    }
    assert community.tools.arguments_for("doTransition", step) == (
        "jira_transition_issue",
        {"issue_key": "SHOP-1", "transition_id": "41", "comment": "x"},
    )
    epic = {"epicIdOrKey": "SHOP-3", "issues": ["SHOP-1"]}
    assert community.tools.arguments_for("moveIssuesToEpic", epic) == (
        "jira_link_to_epic",
        {"issue_key": "SHOP-1", "epic_key": "SHOP-3"},
    )
    two = {"epicIdOrKey": "SHOP-3", "issues": ["SHOP-1", "SHOP-2"]}
    assert community.tools.arguments_for("moveIssuesToEpic", two) is None
