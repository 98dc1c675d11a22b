"""Reading tools on a generated company: the busiest places fit, and every form can be read back."""

import csv
import io
from typing import Any

import orjson
import pytest

from mcp_servers.truncation import CAP
from seeds import Spec
from seeds.build import build
from tests.mcp_servers.calls import Desk
from world.core.settings import Settings
from world.run.host import Host, open_host

ROOM = """SELECT c.id, m.person_id FROM slack_channel c JOIN slack_member m ON m.channel_id = c.id JOIN person p ON p.id
    = m.person_id
 WHERE p.status = 'active' AND p.kind = 'employee'
 ORDER BY (SELECT count(*) FROM slack_message x WHERE x.channel_id = c.id) DESC, c.id, p.id LIMIT 1"""
THREAD = "SELECT channel_id, ts FROM slack_message WHERE channel_id = ? ORDER BY reply_count DESC, ts LIMIT 1"
ISSUE = (
    "SELECT i.key FROM jira_issue i ORDER BY (SELECT count(*) FROM jira_comment c WHERE c.issue_id = i.id) DESC, i.id"
    " LIMIT 1"
)
MAILBOX = "SELECT person_id FROM gmail_message GROUP BY person_id ORDER BY count(*) DESC, person_id LIMIT 1"
LONGEST = (
    "SELECT thread_id, min(id) FROM gmail_message WHERE person_id = ? GROUP BY thread_id ORDER BY count(*) DESC,"
    " thread_id LIMIT 1"
)
OWNER = """SELECT a.person_id, a.login FROM github_account a JOIN github_org_member m ON m.account_id = a.id
 WHERE m.role = 'admin' ORDER BY a.id LIMIT 1"""
PULL = """SELECT i.number FROM github_issue i JOIN github_repository r ON r.id = i.repo_id JOIN github_pull p ON
    p.issue_id = i.id
 WHERE r.name = 'payments' ORDER BY (SELECT count(*) FROM github_review_comment c WHERE c.issue_id = i.id) DESC,
 i.number LIMIT 1"""
OPEN = """SELECT i.number, a.person_id FROM github_issue i JOIN github_repository r ON r.id = i.repo_id JOIN
    github_account a ON a.id = i.author_id
 WHERE r.name = 'payments' AND i.is_pull AND i.state = 'open' ORDER BY i.number LIMIT 1"""
RUN = """SELECT j.run_id FROM github_job j JOIN github_run n ON n.id = j.run_id JOIN github_repository r ON r.id =
    n.repo_id
 WHERE r.name = 'payments' AND j.conclusion = 'failure' ORDER BY j.id LIMIT 1"""
PAYMENTS = {"owner": "quayline", "repo": "payments"}
JSON = {("jira", "vendor"), ("jira", "community"), ("slack", "reference"), ("gmail", "vendor"), ("github", "reference")}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    folder = tmp_path_factory.mktemp("seeded")
    made = open_host(build(Spec(size="XS"), folder / "images"), folder / "worlds")
    made.create("w", Settings(limits="off"))
    return made


def one(host: Host, sql: str, *values: Any) -> tuple[Any, ...]:
    return host.actors["w"].bound.raw.execute(sql, values).fetchone()


def reads(host: Host) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """The widest question to every reading tool that takes one."""
    channel, _ = one(host, ROOM)
    _, ts = one(host, THREAD, channel)
    key = one(host, ISSUE)[0]
    site = {"cloudId": one(host, "SELECT cloud_id FROM jira_site")[0]}
    thread, message = one(host, LONGEST, one(host, MAILBOX)[0])
    project, every = key.split("-")[0], "created is not EMPTY ORDER BY key ASC"
    pull, run = {**PAYMENTS, "pull_number": one(host, PULL)[0]}, one(host, RUN)[0]
    return {
        ("slack", "vendor"): {
            "slack_read_channel": {"channel_id": channel, "limit": 999},
            "slack_read_thread": {"channel_id": channel, "message_ts": ts},
            "slack_search_public": {"query": "the", "limit": 100},
            "slack_search_public_and_private": {"query": "the", "limit": 100},
            "slack_search_channels": {"query": "a", "limit": 100},
            "slack_search_users": {"query": "a", "limit": 100},
            "slack_read_user_profile": {},
        },
        ("slack", "reference"): {
            "slack_list_channels": {"limit": 200},
            "slack_get_channel_history": {"channel_id": channel, "limit": 999},
            "slack_get_thread_replies": {"channel_id": channel, "thread_ts": ts},
            "slack_get_users": {"limit": 1000},
        },
        ("slack", "community"): {
            "channels_list": {"channel_types": "public_channel,private_channel,im,mpim", "limit": 999},
            "channels_me": {},
            "conversations_history": {"channel_id": channel, "limit": "900"},
            "users_search": {"query": "a", "limit": 100},
            "conversations_replies": {"channel_id": channel, "thread_ts": ts, "limit": "900"},
            "usergroups_list": {"include_users": True},
            "conversations_search_messages": {"search_query": "the", "limit": 100},
            "conversations_unreads": {"max_channels": 500},
        },
        ("jira", "vendor"): {
            "getJiraIssue": {**site, "issueIdOrKey": key},
            "searchJiraIssuesUsingJql": {**site, "jql": every, "maxResults": 100, "fields": ["*all"]},
            "getVisibleJiraProjects": site,
            "getJiraProjectIssueTypesMetadata": {**site, "projectIdOrKey": project},
            "searchAtlassian": {"query": "payments"},
            "lookupJiraAccountId": {**site, "searchString": "a"},
        },
        ("jira", "community"): {
            "jira_get_issue": {"issue_key": key, "fields": "*all", "comment_limit": 100, "expand": "changelog"},
            "jira_search": {"jql": every, "limit": 50, "fields": "*all"},
            "jira_get_all_projects": {},
            "jira_get_agile_boards": {},
            "jira_get_project_issues": {"project_key": project, "limit": 50},
            "jira_get_link_types": {},
            "jira_search_fields": {"limit": 100},
            "jira_batch_get_changelogs": {"issue_ids_or_keys": key},
            "jira_get_project_versions": {"project_key": project},
        },
        ("gmail", "vendor"): {
            "search_threads": {"query": "", "pageSize": 50},
            "get_thread": {"threadId": thread},
            "get_message": {"messageId": message},
            "list_drafts": {"pageSize": 50},
            "list_labels": {},
        },
        ("gmail", "community"): {
            "search_emails": {"query": "in:anywhere", "maxResults": 200},
            "read_email": {"messageId": message},
            "list_email_labels": {},
            "list_filters": {},
        },
        ("gmail", "workspace"): {
            "search_gmail_messages": {"query": "in:anywhere", "page_size": 200, "include_headers": True},
            "list_gmail_labels": {},
            "get_gmail_thread_content": {"thread_id": thread},
            "get_gmail_threads_content_batch": {"thread_ids": [thread] * 9},
            "get_gmail_message_content": {"message_id": message, "body_format": "raw"},
            "list_gmail_filters": {},
            "get_gmail_messages_content_batch": {"message_ids": [message] * 9},
        },
        ("github", "vendor-full"): {
            "get_me": {},
            "get_teams": {},
            "list_label": PAYMENTS,
            "list_tags": PAYMENTS,
            "list_branches": {**PAYMENTS, "perPage": 100},
            "list_issues": {**PAYMENTS, "perPage": 100},
            "list_pull_requests": {**PAYMENTS, "state": "all", "perPage": 100},
            "list_commits": {**PAYMENTS, "perPage": 100},
            "list_releases": {**PAYMENTS, "perPage": 100},
            "get_repository_tree": {**PAYMENTS, "recursive": True},
            "get_file_contents": {**PAYMENTS, "path": "README.md"},
            "get_file_blame": {**PAYMENTS, "path": "README.md", "perPage": 100},
            "list_notifications": {"perPage": 50},
            "search_code": {"query": "def", "perPage": 100},
            "search_issues": {"query": "is:closed", "owner": "quayline", "perPage": 100},
            "search_pull_requests": {"query": "is:closed", "perPage": 100},
            "search_commits": {"query": "fix", "perPage": 100},
            "search_users": {"query": "a", "perPage": 100},
            "list_repository_collaborators": {**PAYMENTS, "perPage": 100},
            "actions_list": {**PAYMENTS, "method": "list_workflow_runs", "per_page": 100},
            "get_job_logs": {**PAYMENTS, "run_id": run, "failed_only": True, "return_content": True},
        },
        ("github", "reference"): {
            "list_issues": {**PAYMENTS, "state": "all", "per_page": 100},
            "list_pull_requests": {**PAYMENTS, "state": "all", "per_page": 100},
            "list_commits": {**PAYMENTS, "perPage": 100},
            "get_pull_request": pull,
            "get_pull_request_files": pull,
            "get_pull_request_comments": pull,
            "get_pull_request_reviews": pull,
            "search_code": {"q": "def", "per_page": 100},
            "search_issues": {"q": "is:closed", "per_page": 100},
            "get_file_contents": {**PAYMENTS, "path": "README.md"},
        },
    }


def test_the_widest_questions_are_answered_within_the_cap(host: Host) -> None:
    person, owner, admin = one(host, ROOM)[1], one(host, MAILBOX)[0], one(host, OWNER)[0]
    for (app, surface), questions in reads(host).items():
        desk = Desk(host, app, surface)
        for tool, given in questions.items():
            answer = desk.answer(tool, {"gmail": owner, "github": admin}.get(app, person), **given)
            first = answer.content[0].text
            assert not answer.is_error, (tool, first)
            assert len(first.encode()) <= CAP, tool
            if (app, surface) in JSON:
                orjson.loads(first)
            elif (app, surface) == ("slack", "community"):
                assert next(csv.reader(io.StringIO(first)))


def test_every_side_of_the_busiest_pull_request_is_read_within_the_cap(host: Host) -> None:
    desk, admin = Desk(host, "github"), one(host, OWNER)[0]
    given = {**PAYMENTS, "pullNumber": one(host, PULL)[0], "perPage": 100}
    for method in desk.tools.tools["pull_request_read"].wire.input_schema["properties"]["method"]["enum"]:
        answer = desk.answer("pull_request_read", admin, **given, method=method)
        assert not answer.is_error and len(answer.content[0].text.encode()) <= CAP, method
    assert orjson.loads(desk.say("pull_request_read", admin, **given, method="get_review_comments"))["totalCount"] > 0


def test_a_day_with_the_daily_tools_of_the_code_host(host: Host) -> None:
    """A branch, a change, a pull request, its review, issues, and a merge that must wait: the writing tools of the
    default surface.
    """
    host.create("day", Settings(limits="off"))
    (number, author), (admin, login) = one(host, OPEN), one(host, OWNER)
    desk = Desk(host, "github", world="day")

    def say(tool: str, who: str = admin, **given: Any) -> str:
        return desk.say(tool, who, **PAYMENTS, **given)

    say("create_branch", author, branch="notes")
    say("create_or_update_file", author, path="NOTES.md", content="One\n", message="Notes", branch="notes")
    files = [{"path": "docs/a.md", "content": "A\n"}, {"path": "docs/b.md", "content": "B\n"}]
    say("push_files", author, branch="notes", files=files, message="More")
    issue = orjson.loads(say("issue_write", author, method="create", title="Write notes"))
    above = orjson.loads(say("issue_write", author, method="create", title="All of it"))["url"].rpartition("/")[2]
    say("sub_issue_write", author, method="add", issue_number=int(above), sub_issue_id=int(issue["id"]))
    text = f"Closes #{issue['url'].rpartition('/')[2]}"
    made = orjson.loads(
        say("create_pull_request", author, title="Notes", head="notes", base="main", body=text, reviewers=[login])
    )
    pull = {"pullNumber": int(made["url"].rpartition("/")[2])}
    say("update_pull_request", author, **pull, title="Some notes")
    say("pull_request_review_write", method="create", **pull)
    say("add_comment_to_pending_review", **pull, path="NOTES.md", body="Short.", subjectType="LINE", line=1)
    say("pull_request_review_write", method="submit_pending", **pull, event="APPROVE")
    say("add_issue_comment", issue_number=number, body="Soon.")
    state = orjson.loads(say("pull_request_read", method="get", **pull))
    assert (state["title"], state["mergeable_state"] != "dirty", state["changed_files"]) == ("Some notes", True, 3)
    refused, why = desk.ask("merge_pull_request", author, **PAYMENTS, **pull)
    assert refused and "required status checks are pending" in orjson.loads(why)["message"]
