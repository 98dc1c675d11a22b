"""Bulk for benchmarks, to a wanted size: an old mailbox, and old channels and an old project copied by SQL from what
was said.
"""

import json
from collections.abc import Callable

from sqlalchemy import Connection, text

from seeds.company import Company
from seeds.filler_mail import fill_mail
from seeds.spec import Spec
from world.core.clock import DAY, SECOND
from world.core.ids import Ids

CHANNELS = 40
MB = 1 << 20
MESSAGE_SHARE = 0.8
SHRINK = 0.88  # share of the file left after sealing: VACUUM packs its pages
PROJECT = 10900
LEAST = 60_000  # bytes a round is taken to add when merged full-text pages hide its growth
FIRST_MESSAGE, FIRST_ISSUE = 10_000_000, 10_000_000

CHANNEL = text(
    "INSERT INTO slack_channel(id, name, kind, creator_id, created_at, topic, topic_by, topic_at, purpose, purpose_by,"
    " purpose_at, is_general, posting, latest_ts, updated_at)"
    " VALUES (:id, :name, 'public', :creator, :at, '', '', 0, '', '', 0, 0, 'everyone', '', :at)"
)
MEMBER = text(
    "INSERT INTO slack_member(channel_id, person_id, joined_at, last_read, is_muted, is_starred, is_open)"
    " VALUES (:channel, :person, :at, '0000000000.000000', 0, 0, 1)"
)
# One round copies every message people wrote into the old channels, each an hour block earlier than the round before.
MESSAGES = text("""
    INSERT INTO slack_message(id, channel_id, ts, person_id, text, is_broadcast, reply_count, has_files)
    SELECT :base + row_number() OVER (ORDER BY m.id),
        (SELECT value FROM json_each(:channels) WHERE key = (m.id + :round) % :n),
        printf('%d.%06d', :second - :round * 3600 + m.id % 3600, (m.id * 7919 + :round * 104729) % 1000000),
        (SELECT value FROM json_each(:people) WHERE key = (m.id * 31 + :round) % :p),
        m.text || ' ' || substr('abcdefghijklmnopqrstuvwxyz', 1 + (m.id + :round) % 26, 1) || ((m.id * 17 + :round * 13)
        % 9973),
        0, 0, 0
    FROM slack_message m WHERE m.id < :base0 AND instr(m.text, '<@') = 0""")
LATEST = text("""
    UPDATE slack_channel SET latest_ts = (SELECT max(ts) FROM slack_message m WHERE m.channel_id = slack_channel.id)
    WHERE name LIKE 'archive-%'""")
PROJECT_ROW = text("""
    INSERT INTO jira_project(id, key, name, description, lead_id, type_key, style, access, url, assignee_type,
        issue_counter, created_at, updated_at)
    SELECT :id, 'ARCH', 'Archive', 'Issues of former projects.', lead_id, type_key, style, access, url, assignee_type,
        0, created_at, created_at
    FROM jira_project WHERE key = 'SHOP'""")
PROJECT_TYPES = text("""
    INSERT INTO jira_project_type
    SELECT :id, issue_type_id, position, workflow_id, create_screen_id, edit_screen_id FROM jira_project_type
    WHERE project_id = (SELECT id FROM jira_project WHERE key = 'SHOP')""")
ISSUES = text("""
    INSERT INTO jira_issue(id, project_id, number, key, issue_type_id, status_id, priority_id, resolution_id,
        summary, description, description_text, environment_text, creator_id, reporter_id, assignee_id, labels,
        component_ids, fix_version_ids, affects_version_ids, past_sprint_ids,
        story_points, rank, custom, created_at, updated_at, resolved_at, status_changed_at)
    SELECT :base + row_number() OVER (ORDER BY i.id), :project, :number + row_number() OVER (ORDER BY i.id),
        'ARCH-' || (:number + row_number() OVER (ORDER BY i.id)), i.issue_type_id, 10001, i.priority_id, 10000,
        i.summary || ' (' || :round || ')', i.description, i.description_text, '', i.creator_id, i.reporter_id,
        i.assignee_id, i.labels, '[]', '[]', '[]', '[]', i.story_points, i.rank || printf('%06d', :round), '{}',
        i.created_at - :shift, i.created_at - :shift,
        i.created_at - :shift, i.created_at - :shift
    FROM jira_issue i WHERE i.id < :base0 AND i.project_id = (SELECT id FROM jira_project WHERE key = 'SHOP')
        AND i.issue_type_id IN (SELECT id FROM jira_issue_type WHERE level = 0)""")
COPIED = text("""
    SELECT count(*) FROM jira_issue WHERE project_id = (SELECT id FROM jira_project WHERE key = 'SHOP')
        AND issue_type_id IN (SELECT id FROM jira_issue_type WHERE level = 0)""")


def fill(connection: Connection, spec: Spec, company: Company) -> None:
    """Grow the database to about `spec.mb` megabytes: a mailbox, then four fifths of the growth in Slack's messages."""
    target = int(spec.mb * MB / SHRINK)
    channels = _channels(connection, spec, company)
    people = [one.id for one in company.staff.values() if one.joined_at < spec.start - 1000 * DAY]
    fill_mail(connection, spec, company)
    connection.commit()
    begun = _size(connection)
    _grow(
        connection,
        int(begun + (target - begun) * MESSAGE_SHARE),
        lambda n: _messages(connection, spec, channels, people, n),
    )
    connection.execute(LATEST)
    connection.execute(PROJECT_ROW, {"id": PROJECT})
    connection.execute(PROJECT_TYPES, {"id": PROJECT})
    each = int(connection.execute(COPIED).scalar_one())
    _grow(connection, target, lambda n: _issues(connection, n, each))
    counter = text(
        "UPDATE jira_project SET issue_counter = (SELECT max(number) FROM jira_issue WHERE project_id = :id) WHERE id"
        " = :id"
    )
    connection.execute(counter, {"id": PROJECT})
    connection.execute(
        text("UPDATE jira_counter SET next = (SELECT max(id) + 1 FROM jira_issue) WHERE name = 'jira_issue'")
    )


def _size(connection: Connection) -> int:
    pages, free, size = (
        int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _grow(connection: Connection, target: int, add: Callable[[int], None]) -> None:
    """Add rounds, one at least, until the file has the size; each step fills about half of what is left."""
    number, rounds, size = 0, 1, _size(connection)
    while not number or size < target:
        for _ in range(rounds):
            add(number)
            number += 1
        connection.commit()  # full-text pages reach the file with the commit only
        before, size = size, max(_size(connection), size)
        rounds = max((target - size) // max((size - before) // rounds, LEAST) // 2, 1)


def _channels(connection: Connection, spec: Spec, company: Company) -> list[str]:
    seniors = [one for one in company.staff.values() if one.joined_at < spec.start - 1000 * DAY]
    made: list[str] = []
    for number in range(CHANNELS):
        channel = Ids(spec.seed, f"filler:{number}", 0).token("C", 10)
        at = spec.start - 3000 * DAY
        connection.execute(
            CHANNEL,
            {"id": channel, "name": f"archive-{number:02}", "creator": seniors[number % len(seniors)].id, "at": at},
        )
        connection.execute(MEMBER, [{"channel": channel, "person": one.id, "at": at} for one in seniors])
        made.append(channel)
    return made


def _messages(connection: Connection, spec: Spec, channels: list[str], people: list[str], number: int) -> None:
    second = (spec.window_start - 200 * DAY) // SECOND
    connection.execute(
        MESSAGES,
        {
            "base": FIRST_MESSAGE + number * 10_000,
            "base0": FIRST_MESSAGE,
            "channels": json.dumps(channels),
            "n": len(channels),
            "people": json.dumps(people),
            "p": len(people),
            "round": number,
            "second": second,
        },
    )


def _issues(connection: Connection, number: int, each: int) -> None:
    ahead = {
        "base": FIRST_ISSUE + number * each,
        "base0": FIRST_ISSUE,
        "project": PROJECT,
        "number": number * each,
        "round": number + 1,
    }
    connection.execute(ISSUES, {**ahead, "shift": (200 + number % 2000) * DAY})
