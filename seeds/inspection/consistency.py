"""What must hold for the rows of a sealed image, whatever made them."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from seeds.inspection.company_tables import open_image

# Plans lie ahead of the clock by nature.
PLANS = {
    ("shift", "start_at"),
    ("shift", "end_at"),
    ("absence", "start_at"),
    ("absence", "end_at"),
    ("jira_sprint", "start_at"),
    ("jira_sprint", "end_at"),
    ("slack_profile", "status_expires_at"),
    ("drive_permission", "expires_at"),
}
PEOPLE = re.compile(
    r"^(person|creator|reporter|assignee|author|update_author|lead|manager|inviter|owner|delegate)_id$"
    r"|^(topic|purpose|archived|edited|created|updated|modified|trashed|shared)_by$"
)
# Tables whose rows need no event behind them: settings, and what follows from another row.
UNTOLD = {
    "account",
    "company",
    "blob",
    "slack_workspace",
    "slack_profile",
    "slack_feed",
    "slack_mention",
    "slack_thread_follower",
    "slack_usergroup_member",
    "jira_site",
    "jira_counter",
    "jira_group",
    "jira_group_member",
    "jira_project_category",
    "jira_role_actor",
    "jira_issue_type",
    "jira_priority",
    "jira_resolution",
    "jira_status",
    "jira_workflow",
    "jira_transition",
    "jira_screen",
    "jira_screen_field",
    "jira_project_type",
    "jira_field",
    "jira_field_option",
    "jira_link_type",
    "jira_board_column",
    "jira_rule",
    "story_ref",
    "gmail_mailbox",
    "gmail_list_member",
    "gmail_message",
    "gmail_message_label",
    "gmail_label",
    "gmail_setting",
    "gmail_send_as",
    "gmail_forwarding_address",
    "gmail_filter",
    "gmail_outbound",
    "gmail_delegate",
    "gmail_auto_reply",
    *(
        f"github_{name}"
        for name in (
            "account",
            "assignee",
            "bug",
            "check_run",
            "check_suite",
            "comment",
            "commit",
            "counter",
            "event",
            "issue_label",
            "job",
            "label",
            "milestone",
            "notification",
            "object",
            "org_member",
            "protection",
            "pull",
            "ref",
            "release",
            "repo_team",
            "review",
            "review_comment",
            "review_request",
            "review_thread",
            "run",
            "star",
            "subscription",
            "team",
            "team_member",
            "verdict",
            "watch",
            "workflow",
        )
    ),
    *(f"drive_{name}" for name in ("permission", "star", "visit")),
    *(f"sheets_{name}" for name in ("cell", "dimension", "object", "sheet", "spreadsheet")),
}
QUERIES = {
    "a thread's counts differ from its replies": (
        """
        SELECT p.id FROM slack_message p LEFT JOIN slack_message r ON r.channel_id = p.channel_id AND r.thread_ts = p.ts
        WHERE p.thread_ts IS NULL GROUP BY p.id
        HAVING count(r.id) <> p.reply_count OR coalesce(max(r.ts), '') <> coalesce(p.latest_reply, '')"""
    ),
    "a reply has no parent": (
        """
        SELECT r.id FROM slack_message r LEFT JOIN slack_message p ON p.channel_id = r.channel_id AND p.ts = r.thread_ts
        WHERE r.thread_ts IS NOT NULL AND (p.id IS NULL OR p.thread_ts IS NOT NULL OR p.ts >= r.ts)"""
    ),
    "somebody wrote where they are not a member": (
        """
        SELECT m.id FROM slack_message m LEFT JOIN slack_member b ON b.channel_id = m.channel_id AND b.person_id =
        m.person_id
        WHERE b.person_id IS NULL"""
    ),
    "somebody reacted where they are not a member": (
        """
        SELECT r.message_id FROM slack_reaction r JOIN slack_message m ON m.id = r.message_id
        LEFT JOIN slack_member b ON b.channel_id = m.channel_id AND b.person_id = r.person_id WHERE b.person_id IS
        NULL"""
    ),
    "a channel's latest message is another": (
        """
        SELECT c.id FROM slack_channel c
        WHERE c.latest_ts <> max(coalesce((SELECT max(ts) FROM slack_message m WHERE m.channel_id = c.id), ''),
        coalesce((SELECT max(ts) FROM slack_activity a WHERE a.channel_id = c.id), ''))"""
    ),
    "a message and a line of the service share a time stamp": (
        """
        SELECT m.id FROM slack_message m JOIN slack_activity a ON a.channel_id = m.channel_id AND a.ts = m.ts"""
    ),
    "somebody wrote before they joined the channel": (
        """
        SELECT m.id FROM slack_message m JOIN slack_member b ON b.channel_id = m.channel_id AND b.person_id =
        m.person_id
        WHERE cast(replace(m.ts, '.', '') AS INTEGER) < b.joined_at"""
    ),
    "the status differs from the changelog": (
        """
        SELECT i.key FROM jira_issue i JOIN jira_change c ON c.issue_id = i.id AND c.field_id = 'status'
        WHERE c.history_id = (SELECT max(history_id) FROM jira_change WHERE issue_id = i.id AND field_id = 'status')
        AND c.to_value <> i.status_id"""
    ),
    "the assignee differs from the changelog": (
        """
        SELECT i.key FROM jira_issue i JOIN jira_change c ON c.issue_id = i.id AND c.field_id = 'assignee'
        WHERE c.history_id = (SELECT max(history_id) FROM jira_change WHERE issue_id = i.id AND field_id = 'assignee')
        AND coalesce(c.to_value, '') <> coalesce(i.assignee_id, '')"""
    ),
    "the changelog jumps": (
        """
        SELECT issue_id FROM (SELECT issue_id, from_value,
            lag(to_value) OVER (PARTITION BY issue_id ORDER BY history_id, ordinal) AS before
        FROM jira_change WHERE field_id = 'status') WHERE before IS NOT NULL AND before <> from_value"""
    ),
    "an edit comes before its issue or out of order": (
        """
        SELECT c.history_id FROM jira_change c JOIN jira_issue i ON i.id = c.issue_id WHERE c.created_at < i.created_at
        UNION ALL SELECT history_id FROM (SELECT history_id, created_at, lag(created_at) OVER (ORDER BY history_id) AS
        before
        FROM jira_change) WHERE before > created_at"""
    ),
    "a resolution without a done status, or a done status without one": (
        """
        SELECT i.key FROM jira_issue i JOIN jira_status s ON s.id = i.status_id
        WHERE (s.category = 'done') <> (i.resolution_id IS NOT NULL) OR (i.resolution_id IS NULL) <> (i.resolved_at IS
        NULL)"""
    ),
    "an issue sits in a closed sprint": (
        """
        SELECT i.key FROM jira_issue i JOIN jira_sprint s ON s.id = i.sprint_id WHERE s.state = 'closed'"""
    ),
    "more or less than one active sprint": (
        """
        SELECT board_id FROM jira_sprint GROUP BY board_id HAVING sum(state = 'active') <> 1"""
    ),
    "an issue has a type its project does not offer": (
        """
        SELECT i.key FROM jira_issue i
        LEFT JOIN jira_project_type t ON t.project_id = i.project_id AND t.issue_type_id = i.issue_type_id
        WHERE t.project_id IS NULL"""
    ),
    "a status is not in the issue's workflow": (
        """
        SELECT i.key FROM jira_issue i
        JOIN jira_project_type t ON t.project_id = i.project_id AND t.issue_type_id = i.issue_type_id
        JOIN jira_workflow w ON w.id = t.workflow_id WHERE i.status_id <> w.initial_status_id AND NOT EXISTS
        (SELECT 1 FROM jira_transition x WHERE x.workflow_id = w.id AND x.to_id = i.status_id)"""
    ),
    "issue numbers have gaps or the counter is off": (
        """
        SELECT p.key FROM jira_project p LEFT JOIN jira_issue i ON i.project_id = p.id
        GROUP BY p.id HAVING count(i.id) <> p.issue_counter OR coalesce(max(i.number), 0) <> p.issue_counter"""
    ),
    "a sub-task without parent, or a parent of the wrong level": (
        """
        SELECT i.key FROM jira_issue i JOIN jira_issue_type t ON t.id = i.issue_type_id
        LEFT JOIN jira_issue p ON p.id = i.parent_id LEFT JOIN jira_issue_type pt ON pt.id = p.issue_type_id
        WHERE (t.level = -1 AND p.id IS NULL) OR (p.id IS NOT NULL AND pt.level <> t.level + 1)"""
    ),
    "time spent differs from the worklogs": (
        """
        SELECT i.key FROM jira_issue i LEFT JOIN jira_worklog w ON w.issue_id = i.id
        GROUP BY i.id HAVING coalesce(sum(w.spent_s), 0) <> coalesce(i.time_spent_s, 0)"""
    ),
    "a thread of mail does not begin with the message it is named after": (
        """
        SELECT m.id FROM gmail_message m LEFT JOIN gmail_message f ON f.id = m.thread_id AND f.person_id = m.person_id
        WHERE f.id IS NULL OR f.internal_at > m.internal_at"""
    ),
    "a mail lies in no mailbox and went to nobody": (
        """
        SELECT c.id FROM gmail_mail c LEFT JOIN gmail_message m ON m.mail_id = c.id LEFT JOIN gmail_outbound o ON
        o.mail_id = c.id
        WHERE m.id IS NULL AND o.mail_id IS NULL"""
    ),
    "somebody has mail from before they came or after they left": (
        """
        SELECT m.id FROM gmail_message m JOIN person p ON p.id = m.person_id
        WHERE m.internal_at < p.joined_at OR m.internal_at >= coalesce(p.left_at, m.internal_at + 1)"""
    ),
    "a mail's bytes are missing": (
        """
        SELECT c.id FROM gmail_mail c LEFT JOIN blob b ON b.sha256 = c.sha256 WHERE b.size IS NOT c.size"""
    ),
    "a mail is not indexed": (
        """
        SELECT c.id FROM gmail_mail c WHERE c.id NOT IN (SELECT id FROM gmail_mail_fts_docsize)"""
    ),
    "a spreadsheet has no sheet, or a sheet no spreadsheet": (
        """
        SELECT b.file_id FROM sheets_spreadsheet b LEFT JOIN sheets_sheet s ON s.file_id = b.file_id WHERE s.id IS NULL
        UNION ALL SELECT s.id FROM sheets_sheet s LEFT JOIN sheets_spreadsheet b ON b.file_id = s.file_id WHERE
        b.file_id IS NULL"""
    ),
    "a cell lies outside its sheet, or in another spreadsheet": (
        """
        SELECT c.sheet_id FROM sheets_cell c LEFT JOIN sheets_sheet s ON s.id = c.sheet_id
        WHERE s.id IS NULL OR s.file_id <> c.file_id OR c.row >= s.rows OR c.col >= s.columns"""
    ),
    "a file has not exactly one owner, the one it names": (
        """
        SELECT f.id FROM drive_file f LEFT JOIN drive_permission p ON p.file_id = f.id AND p.role = 'owner'
        GROUP BY f.id HAVING count(p.key) <> 1 OR max(p.person_id) IS NOT f.owner_id"""
    ),
    "a file lies in no folder, or is older than its owner's time here": (
        """
        SELECT f.id FROM drive_file f LEFT JOIN drive_file d ON d.id = f.parent_id JOIN person p ON p.id = f.owner_id
        WHERE (f.parent_id IS NOT NULL AND coalesce(d.mime_type, '') <> 'application/vnd.google-apps.folder') OR
        f.created_at < p.joined_at
        OR f.modified_at < f.created_at"""
    ),
    "somebody commented on or opened a file they may not, or before it was made": (
        """
        SELECT c.key FROM drive_comment c JOIN drive_file f ON f.id = c.file_id JOIN person p ON p.id = c.author_id
        WHERE c.created_at < max(f.created_at, p.joined_at) OR c.created_at >= coalesce(p.left_at, c.created_at + 1)
        UNION ALL SELECT f.key FROM drive_visit v JOIN drive_file f ON f.id = v.file_id JOIN _now n
        WHERE v.at < f.created_at OR v.at > n.at"""
    ),
    "two issues share a title": "SELECT summary FROM jira_issue GROUP BY summary HAVING count(*) > 1",
    "an account is missing or double": (
        """
        SELECT p.id FROM person p LEFT JOIN account a ON a.person_id = p.id GROUP BY p.id HAVING count(a.app) < 2
        UNION ALL SELECT external_id FROM account GROUP BY app, external_id HAVING count(*) > 1"""
    ),
}


def find_problems(image: Path) -> list[str]:
    """Everything wrong with an image, in words; empty when sound."""
    looks = (_find_broken_rules, _find_future, _find_strangers, _find_untold, _find_mentions)
    with open_image(image) as connection:
        return [problem for look in looks for problem in look(connection)]


def _find_broken_rules(connection: sqlite3.Connection) -> Iterator[str]:
    for what, query in QUERIES.items():
        rows = [row[0] for row in connection.execute(query)]
        if rows:
            yield f"{what}: {', '.join(map(str, rows[:5]))} ({len(rows)})"


def _tables(connection: sqlite3.Connection) -> dict[str, list[str]]:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    kept = [name for name in names if not name.startswith(("_", "sqlite_")) and "_fts" not in name]
    return {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in kept}


def _find_future(connection: sqlite3.Connection) -> Iterator[str]:
    """No row, and no message time, lies after the image's clock."""
    now = connection.execute("SELECT at FROM _now").fetchone()[0]
    stamp = f"{now // 1_000_000}.{now % 1_000_000:06}"
    for table, columns in _tables(connection).items():
        for column in columns:
            limit = (
                now
                if column.endswith("_at")
                else stamp
                if column == "ts" or column.endswith(("_ts", "last_read", "latest_reply"))
                else None
            )
            if limit is None or (table, column) in PLANS:
                continue
            count = connection.execute(f"SELECT count(*) FROM {table} WHERE {column} > ?", (limit,)).fetchone()[0]
            if count:
                yield f"{table}.{column} lies after now in {count} rows"


def _find_strangers(connection: sqlite3.Connection) -> Iterator[str]:
    """Every column that names a person names one who exists."""
    for table, columns in _tables(connection).items():
        for column in columns:
            if (PEOPLE.match(column) and table != "person") or (table, column) == ("person", "manager_id"):
                who = "github_account" if table.startswith("github_") and column != "person_id" else "person"
                unknown = f"{column} <> '' AND {column} NOT IN (SELECT id FROM {who})"
                query = f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL AND {unknown}"
                count = connection.execute(query).fetchone()[0]
                if count:
                    yield f"{table}.{column} names nobody in {count} rows"


def _find_untold(connection: sqlite3.Connection) -> Iterator[str]:
    """Every row of the company and of a seeded app has a story behind it."""
    known: dict[str, set[str]] = {}
    for table, row_id in connection.execute("SELECT table_name, row_id FROM story_ref"):
        known.setdefault(table, set()).add(row_id)
    apps = {table.partition("_")[0] for table in known if "_" in table}
    for table, columns in _tables(connection).items():
        strange = "_" in table and table.partition("_")[0] not in apps
        if strange or table in UNTOLD or not connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
            continue
        keys = [
            row[1]
            for row in sorted(connection.execute(f"PRAGMA table_info({table})"), key=lambda row: row[5])
            if row[5]
        ] or columns[:1]
        rows = [",".join(map(str, row)) for row in connection.execute(f"SELECT {', '.join(keys)} FROM {table}")]
        missing = [row for row in rows if row not in known.get(table, set())]
        if missing:
            yield f"{table}: no story behind {len(missing)} of {len(rows)} rows, as {missing[0]}"


def _find_mentions(connection: sqlite3.Connection) -> Iterator[str]:
    """Mention rows are exactly the <@U…> of the texts people wrote."""
    people = dict(connection.execute("SELECT external_id, person_id FROM account WHERE app = 'slack'"))
    wanted = set[tuple[int, str]]()
    for row_id, text in connection.execute("SELECT id, text FROM slack_message WHERE subtype IS NULL"):
        wanted |= {(row_id, people.get(user, user)) for user in re.findall(r"<@(\w+)>", text)}
    if wanted != set(connection.execute("SELECT message_id, target FROM slack_mention")):
        yield "mention rows differ from the texts"
