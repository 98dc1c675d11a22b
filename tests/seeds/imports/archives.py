"""Small archives in the published formats, written by hand for tests."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

USERS: list[dict[str, Any]] = [
    {
        "id": "U01ANNA",
        "team_id": "T01",
        "name": "anna.berg",
        "deleted": False,
        "real_name": "Anna Berg",
        "tz": "Europe/Berlin",
        "is_admin": True,
        "is_owner": True,
        "updated": 1717200000,
        "profile": {
            "real_name": "Anna Berg",
            "display_name": "anna",
            "email": "anna@acme.test",
            "title": "Head of Ops",
        },
    },
    {
        "id": "U02JON",
        "team_id": "T01",
        "name": "jon",
        "deleted": True,
        "updated": 1717200000,
        "profile": {"real_name": "Jon Ahlgren", "email": "jon.ahlgren@acme.test", "phone": "+49 30 1234567"},
    },
    {
        "id": "U03BOT",
        "team_id": "T01",
        "name": "deploybot",
        "is_bot": True,
        "updated": 1717200000,
        "profile": {"real_name": "Deploy Bot", "bot_id": "B03BOT", "api_app_id": "A03BOT"},
    },
]
CHANNELS: list[dict[str, Any]] = [
    {
        "id": "C01GENERAL",
        "name": "general",
        "created": 1717225200,
        "creator": "U01ANNA",
        "is_general": True,
        "members": ["U01ANNA", "U02JON"],
        "topic": {"value": "All of Acme", "creator": "U01ANNA", "last_set": 1717225201},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "pins": [{"id": "1717500000.000100", "type": "C", "created": 1717500500, "user": "U02JON"}],
    }
]
DAY: list[dict[str, Any]] = [
    {
        "type": "message",
        "subtype": "channel_join",
        "user": "U02JON",
        "ts": "1717225300.000200",
        "text": "<@U02JON> has joined the channel",
    },
    {
        "type": "message",
        "user": "U01ANNA",
        "ts": "1717500000.000100",
        "text": "Release 4.2 is out, thanks <@U02JON>. Notes: https://acme.slack.com/archives/C01GENERAL/p1717500000000100",
        "thread_ts": "1717500000.000100",
        "reply_count": 1,
        "reactions": [{"name": "tada", "users": ["U02JON", "U01ANNA"], "count": 2}],
        "edited": {"user": "U01ANNA", "ts": "1717500060.000000"},
    },
    {
        "type": "message",
        "user": "U02JON",
        "ts": "1717500100.000300",
        "text": "nice, mail me at jon.ahlgren@acme.test",
        "thread_ts": "1717500000.000100",
        "files": [
            {
                "id": "F01",
                "name": "plan.txt",
                "title": "plan",
                "mimetype": "text/plain",
                "filetype": "text",
                "user": "U02JON",
                "created": 1717500100,
                "size": 5,
            }
        ],
    },
    {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B03BOT",
        "ts": "1717500200.000400",
        "text": "deployed 4.2",
        "username": "Deploy",
    },
    {"type": "message", "subtype": "bot_message", "ts": "1717500300.000500", "text": "a hook", "username": "Hook"},
    {"type": "message", "user": "UGONE", "ts": "1717500400.000600", "text": "from somebody who is not listed"},
]
DMS = [{"id": "D01", "created": 1717225400, "members": ["U01ANNA", "U02JON"]}]
DM_DAY = [{"type": "message", "user": "U02JON", "ts": "1717501000.000100", "text": "got a minute?"}]


def slack_files() -> dict[str, object]:
    """The files of a small workspace: three users, a channel with a thread, a conversation of two."""
    return {
        "users.json": USERS,
        "channels.json": CHANNELS,
        "dms.json": DMS,
        "integration_logs.json": [],
        "general/2024-06-01.json": DAY[:1],
        "general/2024-06-04.json": DAY[1:],
        "D01/2024-06-04.json": DM_DAY,
        "__uploads/F01/plan.txt": b"a plan",
    }


def write_archive(path: Path, files: Mapping[str, object]) -> Path:
    """A zip of files: bytes as they are, other values as JSON."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, value in files.items():
            opened.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


MAILS = [
    """From anna@acme.test Tue Jun 04 10:00:00 2024
Received: from mx.acme.test by mail; Tue, 4 Jun 2024 10:00:01 +0000
From: Anna Berg <anna@acme.test>
To: Jon Ahlgren <j.ahlgren@acme.test>, team@acme.test
Cc: =?utf-8?q?Zo=C3=AB_Quist?= <zoe@client.test>
Subject: Invoice 4711
Date: Tue, 04 Jun 2024 12:00:00 +0200
Message-ID: <one@acme.test>
X-Gmail-Labels: Sent,Client work

Hi Jon,
>From next week on the price is 40 EUR.
""",
    """From zoe@client.test Tue Jun 04 11:00:00 2024
From: =?utf-8?q?Zo=C3=AB_Quist?= <zoe@client.test>
To: Anna Berg <anna@acme.test>
Subject: Re: Invoice 4711
Date: Tue, 04 Jun 2024 11:00:00 +0000
Message-ID: <two@client.test>
In-Reply-To: <one@acme.test>
References: <one@acme.test>
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable
X-Gmail-Labels: Inbox,Unread,Category Updates

Thanks, that is fine. Gr=FC=DFe, Zo=EB
""",
]


def write_mbox(path: Path, mails: list[str] = MAILS) -> Path:
    """An mbox file of mails with their From lines."""
    path.write_bytes("\n".join(mails).encode())
    return path


JIRA_CSV = (
    "Summary,Issue key,Issue id,Issue Type,Status,Status Category,Priority,Resolution,Assignee,Reporter,Created,Updated,"
    "Due date,Labels,Labels,Description,Sprint,Custom field (Story Points),Custom field (Team),"
    "Outward issue link (Blocks),Comment,Comment\n"
    '"Login fails, sometimes",OPS-7,20007,Bug,In Review,In Progress,Major,,Anna Berg,jon,01/Jun/24 10:00 AM,'
    '03/Jun/24 11:30 AM,2024-06-10,web,login,"h2. Steps\n* open *the* page","OPS Sprint 3",5.0,Blue,OPS-8,'
    '"02/Jun/24 09:00 AM;jon;seen it too; twice","02/Jun/24 10:00 AM;Anna Berg;looking"\n'
    "Write it down,OPS-8,20008,Task,Done,Done,Medium,Done,,Anna Berg,02/Jun/24 10:00 AM,,,,,,,,,,,\n"
)
JIRA_JSON: dict[str, Any] = {
    "users": [
        {"name": "anna", "fullname": "Anna Berg", "email": "anna@acme.test", "active": True},
        {"name": "jon", "fullname": "Jon Ahlgren", "email": "jon.ahlgren@acme.test", "active": False},
    ],
    "links": [{"name": "Relates", "sourceId": "1", "destinationId": "2"}],
    "projects": [
        {
            "name": "Operations",
            "key": "OPS",
            "lead": "anna",
            "versions": [{"name": "1.0", "released": True, "releaseDate": "2024-06-03"}],
            "components": ["web"],
            "issues": [
                {
                    "key": "OPS-1",
                    "externalId": "1",
                    "issueType": "Bug",
                    "status": "Closed",
                    "resolution": "Done",
                    "priority": "High",
                    "summary": "Totals are wrong",
                    "description": "See {{totals.py}}, *urgent*.",
                    "reporter": "jon",
                    "assignee": "anna",
                    "created": "2024-06-01T10:00:00.000+0200",
                    "updated": "2024-06-04T10:00:00.000+0200",
                    "resolutionDate": "2024-06-04T09:00:00.000+0200",
                    "fixedVersions": ["1.0"],
                    "components": ["web"],
                    "labels": ["money"],
                    "comments": [{"author": "jon", "body": "still wrong", "created": "2024-06-02T10:00:00.000+0200"}],
                    "worklogs": [
                        {
                            "author": "anna",
                            "comment": "fix",
                            "startDate": "2024-06-03T10:00:00.000+0200",
                            "timeSpent": "PT1H30M",
                        }
                    ],
                    "history": [
                        {
                            "author": "anna",
                            "created": "2024-06-04T09:00:00.000+0200",
                            "items": [
                                {
                                    "fieldType": "jira",
                                    "field": "status",
                                    "from": "1",
                                    "fromString": "Open",
                                    "to": "6",
                                    "toString": "Closed",
                                }
                            ],
                        }
                    ],
                    "customFieldValues": [{"fieldName": "Story Points", "fieldType": "float", "value": "3"}],
                },
                {
                    "key": "OPS-2",
                    "externalId": "2",
                    "summary": "Check again",
                    "reporter": "anna",
                    "created": "2024-06-04T12:00:00Z",
                },
            ],
        }
    ],
}
