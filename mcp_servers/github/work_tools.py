"""Tools of what surrounds the work: yourself, teams, notifications, workflow runs and their logs."""

from mcp_servers.github import prepare, responses, trimmed_objects
from mcp_servers.github.arguments import PAGE, choice, flag, identifier, integer, text
from mcp_servers.github.responses import by, many, message, one
from mcp_servers.tools import ArgumentForm, Surface

HERE = ("owner", "repo")
NOTICE = {"notificationID": "thread_id"}
NOTICED = {"notificationID": identifier("Id of the notification.")}
LISTED = {
    "list_workflows": "actions/list-repo-workflows",
    "list_workflow_runs": "actions/list-workflow-runs-for-repo",
    "workflow_runs": "actions/list-workflow-runs",
    "list_workflow_jobs": "actions/list-jobs-for-workflow-run",
    "list_workflow_run_artifacts": "actions/list-workflow-run-artifacts",
}
READ = {
    "get_workflow": "actions/get-workflow",
    "get_workflow_run": "actions/get-workflow-run",
    "get_workflow_job": "actions/get-job-for-workflow-run",
    "get_workflow_run_usage": "actions/get-workflow-run-usage",
    "get_workflow_run_logs_url": "actions/download-workflow-run-logs",
}
RUN = {
    "run_workflow": "actions/create-workflow-dispatch",
    "rerun_workflow_run": "actions/re-run-workflow",
    "rerun_failed_jobs": "actions/re-run-workflow-failed-jobs",
    "cancel_workflow_run": "actions/cancel-workflow-run",
    "delete_workflow_run_logs": "actions/delete-workflow-run-logs",
}


def declare(surface: Surface) -> None:
    """Add the tools to a surface."""
    _people(surface)
    _notifications(surface)
    _declare_action_reads(surface)
    _declare_action_runs(surface)
    _subscriptions(surface)


def _people(surface: Surface) -> None:
    surface.tool(
        "get_me",
        "users/get-authenticated",
        description="Tell who you are: login, name, address, and how much you own.",
        only=[],
        result=one(trimmed_objects.me),
    )
    surface.tool(
        "get_teams",
        {"own": "teams/list-for-authenticated-user", "of": "orgs/list-for-authenticated-user"},
        description="List the teams you are in, or those somebody is in.",
        pick=prepare.present_if("user", "of", "own"),
        only=["user"],
        required=[],
        ignored={"user": text("A login; you if left out.")},
        fixed={"per_page": 100},
        result=responses.teams,
    )
    surface.tool(
        "get_team_members",
        "teams/list-members-in-org",
        description="List the logins of a team's members.",
        only=["org", "team_slug"],
        fixed={"per_page": 100},
        result=responses.logins,
    )


def _notifications(surface: Surface) -> None:
    surface.tool(
        "list_notifications",
        {
            "all": "activity/list-notifications-for-authenticated-user",
            "repo": "activity/list-repo-notifications-for-authenticated-user",
        },
        description="List your notifications, of all repositories or of one.",
        rename=PAGE,
        pick=prepare.of_repository,
        only=["filter", "since", "before", *HERE, "page", "perPage"],
        required=[],
        describe={"owner": "Owner of the repository, with repo.", "repo": "Only those of this repository."},
        ignored={"filter": choice("Which of them; the unread ones by default.", "default", *prepare.NOTICES)},
        prepare=prepare.notices,
        result=many(trimmed_objects.notification),
    )
    surface.tool(
        "get_notification_details",
        "activity/get-thread",
        description="Read one notification.",
        rename=NOTICE,
        only=["notificationID"],
        required=["notificationID"],
        forms=NOTICED,
        result=one(trimmed_objects.notification),
    )
    surface.tool(
        "dismiss_notification",
        {"read": "activity/mark-thread-as-read", "done": "activity/mark-thread-as-done"},
        description="Mark a notification as read or as done.",
        by="state",
        rename={"threadID": "thread_id"},
        only=["threadID", "state"],
        required=["threadID", "state"],
        forms={"threadID": identifier("Id of the notification.")},
        describe={"state": "read or done."},
        result=lambda answer: f"Notification marked as {answer.arguments['state']}",
    )
    surface.tool(
        "mark_all_notifications_read",
        {"all": "activity/mark-notifications-as-read", "repo": "activity/mark-repo-notifications-as-read"},
        description="Mark all your notifications as read, of all repositories or of one.",
        rename={"lastReadAt": "last_read_at"},
        pick=prepare.of_repository,
        only=["lastReadAt", *HERE],
        required=[],
        describe={"owner": "Owner of the repository, with repo.", "repo": "Only those of this repository."},
        result=message("All notifications marked as read"),
    )


def _subscriptions(surface: Surface) -> None:
    surface.tool(
        "manage_notification_subscription",
        {
            "ignore": "activity/set-thread-subscription",
            "watch": "activity/set-thread-subscription",
            "delete": "activity/delete-thread-subscription",
        },
        description="Ignore, watch or forget the conversation of a notification.",
        by="action",
        rename=NOTICE,
        only=["notificationID", "action"],
        required=["notificationID", "action"],
        forms=NOTICED,
        describe={"action": "ignore, watch or delete."},
        prepare=prepare.prepare_action_values(ignore={"ignored": True}, watch={"ignored": False}),
        result=by("action", {"delete": message("Notification subscription deleted")}),
    )
    surface.tool(
        "manage_repository_notification_subscription",
        {
            "ignore": "activity/set-repo-subscription",
            "watch": "activity/set-repo-subscription",
            "delete": "activity/delete-repo-subscription",
        },
        description="Ignore, watch or no longer watch a repository.",
        by="action",
        only=[*HERE, "action"],
        required=[*HERE, "action"],
        describe={"action": "ignore, watch or delete."},
        prepare=prepare.prepare_action_values(ignore={"ignored": True}, watch={"subscribed": True}),
        result=by("action", {"delete": message("Repository subscription deleted")}),
    )


def _declare_action_reads(surface: Surface) -> None:
    surface.tool(
        "actions_list",
        LISTED,
        description="List workflows, their runs, the jobs of a run, or its artifacts.",
        pick=prepare.pick_actions_list,
        only=["method", *HERE, "resource_id", "workflow_runs_filter", "workflow_jobs_filter", "page", "per_page"],
        required=["method", *HERE],
        ignored={
            "method": choice("What to list.", *(name for name in LISTED if name != "workflow_runs")),
            "resource_id": text(
                "For runs: id or file name of a workflow, or nothing for all. For jobs and artifacts: id of the run."
            ),
            "workflow_runs_filter": _filter("Conditions on runs.", "actor", "branch", "event", "status"),
            "workflow_jobs_filter": _filter("filter: latest or all.", "filter"),
        },
        prepare=prepare.of_actions,
        result=by(
            "method",
            {
                "list_workflow_runs": many(trimmed_objects.run, "workflow_runs"),
                "list_workflow_jobs": many(trimmed_objects.job, "jobs"),
                "list_workflows": many(trimmed_objects.full, "workflows"),
                "list_workflow_run_artifacts": many(trimmed_objects.full, "artifacts"),
            },
        ),
    )
    surface.tool(
        "actions_get",
        READ,
        description="Read a workflow, a run, a job, how long a run took, or the address of its logs.",
        by="method",
        only=["method", *HERE, "resource_id"],
        required=["method", *HERE, "resource_id"],
        describe={"method": "What to read."},
        ignored={"resource_id": text("Id of the workflow (or its file name), run or job.")},
        prepare=prepare.of_actions,
        result=by(
            "method",
            {
                "get_workflow_run": one(trimmed_objects.run),
                "get_workflow_job": one(trimmed_objects.job),
                "get_workflow_run_logs_url": responses.logs_url,
            },
        ),
    )


def _declare_action_runs(surface: Surface) -> None:
    surface.tool(
        "actions_run_trigger",
        RUN,
        description="Start a workflow, run one again, cancel a run, or delete its logs.",
        by="method",
        only=["method", *HERE, "workflow_id", "ref", "inputs", "run_id"],
        required=["method", *HERE],
        describe={
            "method": "What to do.",
            "workflow_id": "Id or file name, to run a workflow.",
            "run_id": "The run, for the other methods.",
        },
        result=by(
            "method",
            {
                "run_workflow": responses.render_dispatch,
                "rerun_workflow_run": message("Workflow run has been queued for re-run", "run_id"),
                "rerun_failed_jobs": message("Failed jobs have been queued for re-run", "run_id"),
                "cancel_workflow_run": message("Workflow run has been cancelled", "run_id"),
                "delete_workflow_run_logs": message("Workflow run logs have been deleted", "run_id"),
            },
        ),
    )
    surface.tool(
        "get_job_logs",
        {"job": "actions/download-job-logs-for-workflow-run", "run": "actions/list-jobs-for-workflow-run"},
        description="Read the log of a job, or of all failed jobs of a run; set return_content for the text.",
        pick=prepare.pick_log_operation,
        only=[*HERE, "job_id", "run_id", "failed_only", "return_content", "tail_lines"],
        required=HERE,
        describe={"job_id": "A job.", "run_id": "A run, with failed_only."},
        fixed={"per_page": 100},
        ignored={
            "failed_only": flag("All failed jobs of run_id.", default=False),
            "return_content": flag("The text itself instead of its address.", default=False),
            "tail_lines": ArgumentForm({**integer("How many of the last lines.").schema, "default": 500}),
        },
        result=responses.logs,
    )


def _filter(description: str, *names: str) -> ArgumentForm:
    inside = {name: {"type": "string"} for name in names}
    return ArgumentForm({"type": "object", "description": description, "properties": inside})
