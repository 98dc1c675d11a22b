"""People, searches, repositories, notifications and runs by the code host's tools."""

from tests.apps.github.ci import Ci
from tests.company import as_person
from tests.mcp_servers.github.json_answers import FEATURE, HERE, Json, later
from world.run.host import Host


def test_you_are_told_who_you_are_and_which_teams_there_are(hub: Json) -> None:
    me = hub.get("get_me", "bo")
    assert (me["login"], me["details"]["name"], me["details"]["email"]) == ("bo", "Bo Lindqvist", "bo@tiny.example")
    assert hub.get("get_teams", "bo") == [{"org": "tiny", "teams": [{"name": "Core", "slug": "core"}]}]
    assert hub.get("get_teams", user="Cyrus")[0]["teams"] == [{"name": "Support", "slug": "support"}]
    assert hub.get("get_team_members", org="tiny", team_slug="core") == ["ada", "bo"]
    assert hub.why("get_team_members", org="tiny", team_slug="none") == "Not Found"


def test_searches_are_narrowed_by_the_tools_arguments(hub: Json) -> None:
    found = hub.get("search_code", query="unpack repo:tiny/app path:docs OR guide", fields=["path", "repository"])
    assert {"path": "docs/guide.md", "repository": "tiny/app"} in found["items"]
    assert hub.get("search_code", query="tuple in:file", perPage=1)["items"] == []
    assert {one["repository"]["full_name"] for one in hub.get("search_commits", query="guide")["items"]} == {
        "tiny/app",
        "tiny/site",
    }
    assert [one["full_name"] for one in hub.get("search_repositories", query="app")["items"]] == ["tiny/app"]
    assert "owner" in hub.get("search_repositories", query="app", minimal_output=False)["items"][0]
    assert [one["login"] for one in hub.get("search_users", query="lindqvist")["items"]] == ["bo"]
    assert [one["login"] for one in hub.get("search_orgs", query="tiny")["items"]] == ["tiny"]
    hub.get("create_pull_request", "bo", **FEATURE, body="slow")
    assert [one["number"] for one in hub.get("search_issues", query="slow")["items"]] == [1]
    assert hub.get("search_issues", query="slow", owner="tiny", repo="site")["items"] == []
    assert hub.get("search_issues", query="is:closed", owner="tiny", fields=["number", "state"])["items"] == [
        {"number": 2, "state": "closed"}
    ]
    assert [one["number"] for one in hub.get("search_pull_requests", query="tuples", **HERE)["items"]] == [3]
    assert hub.why("search_issues", query="x", sort="size").startswith("sort: ")


def test_repositories_are_made_forked_starred_and_deleted(hub: Json) -> None:
    assert hub.get("create_repository", name="mine")["url"].endswith("/ada/mine")
    assert hub.get("create_repository", name="ours", organization="tiny", autoInit=True)["url"].endswith("/tiny/ours")
    assert hub.get("search_repositories", query="ours")["items"][0]["private"] is True
    assert hub.why("create_repository", name="mine") == "Validation Failed"
    assert hub.get("fork_repository")["url"].endswith("/ada/app")
    hub.get("delete_repository", owner="ada", repo="mine")
    assert hub.why("delete_repository", owner="ada", repo="mine") == "Not Found"
    assert {one["login"]: one["role_name"] for one in hub.get("list_repository_collaborators")}["cyrus"] == "triage"
    hub.get("star_repository")
    assert [one["name"] for one in hub.get("list_starred_repositories")] == [
        one["name"] for one in hub.get("list_starred_repositories", "bo", username="ada")
    ]
    hub.get("unstar_repository")
    assert hub.get("list_starred_repositories") == []


def test_notifications_are_read_dismissed_and_silenced(hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE, reviewers=["ada"])
    [one] = hub.get("list_notifications")
    assert (one["reason"], one["repository"]) == ("review_requested", "tiny/app")
    assert hub.get("list_notifications", owner="tiny", repo="site") == []
    assert hub.get("get_notification_details", notificationID=one["id"])["subject"]["title"] == "Tuples"
    hub.text("dismiss_notification", threadID=one["id"], state="read")
    assert (
        hub.get("list_notifications") == []
        and len(hub.get("list_notifications", filter="include_read_notifications", **HERE)) == 1
    )
    assert hub.why("dismiss_notification", threadID=one["id"], state="gone") == "state: must be one of: read, done"
    assert hub.why("dismiss_notification", threadID="x", state="done") == "threadID: must be a whole number"
    assert hub.get("manage_notification_subscription", notificationID=one["id"], action="ignore")["ignored"] is True
    hub.get("manage_notification_subscription", notificationID=one["id"], action="delete")
    assert hub.get("manage_repository_notification_subscription", action="watch")["subscribed"] is True
    hub.get("manage_repository_notification_subscription", action="delete")
    hub.get("mark_all_notifications_read")
    hub.get("mark_all_notifications_read", **HERE)


def test_runs_are_listed_read_and_started_again_with_their_logs(firm: Host, hub: Json) -> None:
    ci = Ci(
        firm,
        lambda operation, who="ada", **given: firm.call(as_person(firm, who), "rest", operation, {**HERE, **given}),
    )
    ci.workflow(
        "on: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo"
        " hello; exit 1\n"
    )
    later(firm, 600)
    assert [one["path"] for one in hub.get("actions_list", method="list_workflows")["workflows"]] == [
        ".github/workflows/ci.yml"
    ]
    [run] = hub.get(
        "actions_list", method="list_workflow_runs", workflow_runs_filter={"branch": "main", "status": "failure"}
    )["workflow_runs"]
    assert (
        hub.get(
            "actions_list", method="list_workflow_runs", resource_id="ci.yml", workflow_runs_filter={"branch": "x"}
        )["workflow_runs"]
        == []
    )
    of_run, id = {"resource_id": str(run["id"])}, run["id"]
    [job] = hub.get("actions_list", method="list_workflow_jobs", **of_run, workflow_jobs_filter={"filter": "latest"})[
        "jobs"
    ]
    assert (
        hub.get("actions_list", method="list_workflow_run_artifacts", **of_run)["artifacts"] == []
        and job["conclusion"] == "failure"
    )
    assert hub.why("actions_list", method="list_workflow_jobs") == "resource_id: is required"
    assert hub.get("actions_get", method="get_workflow_run", **of_run)["conclusion"] == "failure"
    assert hub.get("actions_get", method="get_workflow_job", resource_id=str(job["id"]))["run_id"] == id
    assert hub.get("actions_get", method="get_workflow", resource_id="ci.yml")["state"] == "active"
    assert hub.get("actions_get", method="get_workflow_run_usage", **of_run)["run_duration_ms"] > 0
    assert hub.get("actions_get", method="get_workflow_run_logs_url", **of_run)["logs_url"].startswith("http")
    assert hub.why("actions_get", method="get_workflow_run", resource_id="x") == "resource_id: must be a whole number"
    assert hub.get("get_job_logs", job_id=job["id"])["logs_url"].startswith("http")
    tail = hub.get("get_job_logs", job_id=job["id"], return_content=True, tail_lines=2)["logs_content"].splitlines()
    assert len(tail) == 2 and tail[0].endswith("##[error]Process completed with exit code 1.")
    failed = hub.get("get_job_logs", run_id=id, failed_only=True, return_content=True)
    assert (failed["total_jobs"], failed["failed_jobs"]) == (1, 1) and "hello" in failed["logs"][0]["logs_content"]
    assert hub.why("get_job_logs", run_id=id) == "job_id: give job_id, or run_id with failed_only"
    hub.get("actions_run_trigger", method="rerun_failed_jobs", run_id=id)
    assert hub.get("actions_run_trigger", method="cancel_workflow_run", run_id=id)["run_id"] == id
    later(firm, 600)
    hub.get("actions_run_trigger", method="rerun_workflow_run", run_id=id)
    later(firm, 600)
    hub.get("actions_run_trigger", method="delete_workflow_run_logs", run_id=id)
    hub.get("actions_run_trigger", method="run_workflow", workflow_id="ci.yml", ref="main", inputs={})
    assert (
        hub.get("actions_list", method="list_workflow_runs", workflow_runs_filter={"event": "workflow_dispatch"})[
            "total_count"
        ]
        == 1
    )
    assert hub.why("actions_run_trigger", method="run_workflow", workflow_id="no.yml", ref="main") == "Not Found"
