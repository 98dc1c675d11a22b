"""Reading tools on a generated company: the busiest places fit, and every form can be read back."""

import csv
import io
from typing import Any

import orjson
import pytest

import seeds
from mcp_servers.sizes import CAP
from tests.mcp_servers.calls import Desk
from world.home import open_host
from world.host import Host
from world.settings import Settings

ROOM = """SELECT c.id, m.person_id FROM slack_channel c JOIN slack_member m ON m.channel_id = c.id JOIN person p ON p.id = m.person_id
 WHERE p.status = 'active' AND p.kind = 'employee'
 ORDER BY (SELECT count(*) FROM slack_message x WHERE x.channel_id = c.id) DESC, c.id, p.id LIMIT 1"""
THREAD = "SELECT channel_id, ts FROM slack_message WHERE channel_id = ? ORDER BY reply_count DESC, ts LIMIT 1"
ISSUE = "SELECT i.key FROM jira_issue i ORDER BY (SELECT count(*) FROM jira_comment c WHERE c.issue_id = i.id) DESC, i.id LIMIT 1"
MAILBOX = "SELECT person_id FROM gmail_message GROUP BY person_id ORDER BY count(*) DESC, person_id LIMIT 1"
LONGEST = "SELECT thread_id, min(id) FROM gmail_message WHERE person_id = ? GROUP BY thread_id ORDER BY count(*) DESC, thread_id LIMIT 1"
JSON = {("jira", "vendor"), ("jira", "community"), ("slack", "reference"), ("gmail", "vendor")}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    folder = tmp_path_factory.mktemp("seeded")
    made = open_host(seeds.build(seeds.Spec(size="XS"), folder / "images"), folder / "worlds")
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
    return {
        ("slack", "vendor"): {
            "slack_read_channel": {"channel_id": channel, "limit": 999}, "slack_read_thread": {"channel_id": channel, "message_ts": ts},
            "slack_search_public": {"query": "the", "limit": 100}, "slack_search_public_and_private": {"query": "the", "limit": 100},
            "slack_search_channels": {"query": "a", "limit": 100}, "slack_search_users": {"query": "a", "limit": 100},
            "slack_read_user_profile": {},
        },
        ("slack", "reference"): {
            "slack_list_channels": {"limit": 200}, "slack_get_channel_history": {"channel_id": channel, "limit": 999},
            "slack_get_thread_replies": {"channel_id": channel, "thread_ts": ts}, "slack_get_users": {"limit": 1000},
        },
        ("slack", "community"): {
            "channels_list": {"channel_types": "public_channel,private_channel,im,mpim", "limit": 999}, "channels_me": {},
            "conversations_history": {"channel_id": channel, "limit": "900"}, "users_search": {"query": "a", "limit": 100},
            "conversations_replies": {"channel_id": channel, "thread_ts": ts, "limit": "900"}, "usergroups_list": {"include_users": True},
            "conversations_search_messages": {"search_query": "the", "limit": 100}, "conversations_unreads": {"max_channels": 500},
        },
        ("jira", "vendor"): {
            "getJiraIssue": {**site, "issueIdOrKey": key}, "searchJiraIssuesUsingJql": {**site, "jql": every, "maxResults": 100, "fields": ["*all"]},
            "getVisibleJiraProjects": site, "getJiraProjectIssueTypesMetadata": {**site, "projectIdOrKey": project},
            "searchAtlassian": {"query": "payments"}, "lookupJiraAccountId": {**site, "searchString": "a"},
        },
        ("jira", "community"): {
            "jira_get_issue": {"issue_key": key, "fields": "*all", "comment_limit": 100, "expand": "changelog"},
            "jira_search": {"jql": every, "limit": 50, "fields": "*all"}, "jira_get_all_projects": {}, "jira_get_agile_boards": {},
            "jira_get_project_issues": {"project_key": project, "limit": 50}, "jira_get_link_types": {}, "jira_search_fields": {"limit": 100},
            "jira_batch_get_changelogs": {"issue_ids_or_keys": key}, "jira_get_project_versions": {"project_key": project},
        },
        ("gmail", "vendor"): {
            "search_threads": {"query": "", "pageSize": 50}, "get_thread": {"threadId": thread}, "get_message": {"messageId": message},
            "list_drafts": {"pageSize": 50}, "list_labels": {},
        },
        ("gmail", "community"): {
            "search_emails": {"query": "in:anywhere", "maxResults": 200}, "read_email": {"messageId": message}, "list_email_labels": {},
            "list_filters": {},
        },
        ("gmail", "workspace"): {
            "search_gmail_messages": {"query": "in:anywhere", "page_size": 200, "include_headers": True}, "list_gmail_labels": {},
            "get_gmail_thread_content": {"thread_id": thread}, "get_gmail_threads_content_batch": {"thread_ids": [thread] * 9},
            "get_gmail_message_content": {"message_id": message, "body_format": "raw"}, "list_gmail_filters": {},
            "get_gmail_messages_content_batch": {"message_ids": [message] * 9},
        },
    }  # fmt: skip


def test_the_widest_questions_are_answered_within_the_cap(host: Host) -> None:
    person, owner = one(host, ROOM)[1], one(host, MAILBOX)[0]
    for (app, surface), questions in reads(host).items():
        desk = Desk(host, app, surface)
        for tool, given in questions.items():
            answer = desk.answer(tool, owner if app == "gmail" else person, **given)
            first = answer.content[0].text
            assert not answer.is_error, (tool, first)
            assert len(first.encode()) <= CAP, tool
            if (app, surface) in JSON:
                orjson.loads(first)
            elif (app, surface) == ("slack", "community"):
                assert next(csv.reader(io.StringIO(first)))
