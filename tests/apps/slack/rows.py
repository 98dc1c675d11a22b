"""Rows of a small workspace over the fixture company: two public channels, a private one, a direct message, a thread."""

from sqlmodel import SQLModel

from apps.slack.models import (
    Bookmark,
    Canvas,
    CanvasSection,
    Channel,
    Draft,
    File,
    FileShare,
    Member,
    Mention,
    Message,
    Pin,
    Profile,
    Reaction,
    Reminder,
    Saved,
    Scheduled,
    ThreadFollower,
    Upload,
    UserGroup,
    UserGroupMember,
    Workspace,
)
from tests.company import START
from world.core.directory import Blob

HOUR_S = 3600
BEGAN_S = START // 1_000_000 - 24 * HOUR_S
GENERAL, CORE, SECRET, OLD, IM = "C0GENERAL1", "C0CORE0001", "C0SECRET01", "C0OLD00001", "D0ADABO001"
OWN, RANDOM = "C0OWN00001", "C0RANDOM01"
EVERYBODY = ("p_ada", "p_bo", "p_cy", "p_dee", "p_eve")


def ts(n: int) -> str:
    """The ts of the n-th minute of the day before the start."""
    return f"{BEGAN_S + n * 60}.{n:06d}"


def at(n: int) -> int:
    """The simulated time of the n-th minute of the day before the start."""
    return (BEGAN_S + n * 60) * 1_000_000 + n


def channel(id: str, name: str, kind: str, creator: str, **more: object) -> Channel:
    """A conversation with plain defaults."""
    return Channel(**{"id": id, "name": name, "kind": kind, "creator_id": creator, "created_at": at(0), **more})


def member(channel_id: str, person: str, **more: object) -> Member:
    """A membership that has read nothing since the day began."""
    return Member(**{"channel_id": channel_id, "person_id": person, "joined_at": at(0), "last_read": ts(0), **more})


def message(id: int, n: int, channel_id: str, person: str, text: str, **more: object) -> Message:
    """A message of the n-th minute."""
    return Message(**{"id": id, "channel_id": channel_id, "ts": ts(n), "person_id": person, "text": text, **more})


def workspace_rows() -> list[SQLModel]:
    """The workspace of the fixture company."""
    return [
        Workspace(id="T0TINY0001", name="Tiny", domain="tiny", email_domain="tiny.example", created_at=at(0)),
        Profile(person_id="p_ada", snooze_until_at=START + 10**10, is_admin=True, is_owner=True, is_primary_owner=True),
        Profile(person_id="p_bo", status_text="Heads down", status_emoji=":headphones:"),
        Profile(person_id="p_bot", bot_id="B0PAGER001", app_id="A0PAGER001"),
        channel(GENERAL, "general", "public", "p_ada", is_general=True, latest_ts=ts(30)),
        channel(
            CORE,
            "core",
            "public",
            "p_bo",
            topic="Release on Thursday",
            topic_by="p_bo",
            topic_at=at(1),
            latest_ts=ts(50),
        ),
        channel(SECRET, "reorg-plans", "private", "p_ada", latest_ts=ts(20)),
        channel(OLD, "launch-2024", "public", "p_ada", archived_at=at(5), archived_by="p_ada", latest_ts=ts(3)),
        channel(OWN, "ada-notes", "public", "p_ada"),
        channel(RANDOM, "random", "public", "p_bo"),
        channel(IM, "", "im", "p_ada", members_key="p_ada,p_bo", latest_ts=ts(40)),
        *[member(GENERAL, person) for person in (*EVERYBODY, "p_bot")],
        *[member(CORE, person) for person in ("p_ada", "p_bo", "p_dee", "p_bot")],
        *[member(SECRET, person) for person in ("p_ada", "p_dee")],
        *[member(OLD, person) for person in ("p_ada", "p_bo")],
        *[member(OWN, person) for person in ("p_ada", "p_bo", "p_cy")],
        *[member(RANDOM, person) for person in ("p_bo", "p_cy")],
        *[member(IM, person) for person in ("p_ada", "p_bo")],
        message(1, 10, GENERAL, "p_ada", "Welcome to *Tiny* &amp; friends, see <https://wiki.tiny.example|the wiki>"),
        message(2, 12, GENERAL, "p_bo", "Lunch today, <!here>?"),
        message(3, 30, GENERAL, "p_bot", "[Triggered] checkout p99 above 800 ms"),
        message(
            4,
            11,
            CORE,
            "p_bo",
            "Deploy of checkout is planned for Thursday",
            reply_count=2,
            reply_users=["p_ada", "p_dee"],
            latest_reply=ts(15),
        ),
        message(5, 14, CORE, "p_ada", "I can review the deploy plan", thread_ts=ts(11)),
        message(6, 15, CORE, "p_dee", "Thanks <@U0ADA>", thread_ts=ts(11)),
        message(7, 50, CORE, "p_ada", "The report is attached", has_files=True),
        message(8, 20, SECRET, "p_ada", "Nobody may know about the deploy of the new team structure"),
        message(9, 40, IM, "p_bo", "Can you look at the checkout deploy?"),
        message(10, 3, OLD, "p_bo", "We launched"),
        Mention(message_id=2, target="!here", channel_id=GENERAL, ts=ts(12)),
        Mention(message_id=6, target="p_ada", channel_id=CORE, ts=ts(15)),
        ThreadFollower(message_id=4, person_id="p_bo", last_read=ts(11)),
        ThreadFollower(message_id=4, person_id="p_ada", last_read=ts(14)),
        ThreadFollower(message_id=4, person_id="p_dee", last_read=ts(15)),
        Reaction(message_id=1, name="wave", person_id="p_bo", created_at=at(11)),
        Reaction(message_id=1, name="wave", person_id="p_cy", created_at=at(12)),
        Reaction(message_id=1, name="tada", person_id="p_ada", created_at=at(13)),
        Reaction(message_id=4, name="eyes", person_id="p_ada", created_at=at(16)),
        Reaction(message_id=8, name="shushing_face", person_id="p_dee", created_at=at(21)),
        Pin(channel_id=GENERAL, message_id=1, person_id="p_ada", pinned_at=at(13)),
        Pin(channel_id=CORE, message_id=7, person_id="p_ada", pinned_at=at(51)),
        Saved(person_id="p_ada", message_id=4, created_at=at(42)),
        Saved(person_id="p_ada", message_id=9, created_at=at(41)),
        Bookmark(
            id="Bk0RUNBOOK1",
            channel_id=CORE,
            title="Runbook",
            link="https://wiki.tiny.example/runbook",
            person_id="p_bo",
            created_at=at(2),
        ),
        UserGroup(id="S0ONCALL01", name="On-call", handle="oncall", created_by="p_ada", created_at=at(2)),
        UserGroup(
            id="S0RETIRED1", name="Retired", handle="retired", created_by="p_ada", created_at=at(2), disabled_at=at(3)
        ),
        UserGroupMember(usergroup_id="S0ONCALL01", person_id="p_bo"),
        Blob(sha256="3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7", size=4, data=b"data"),
        File(
            id="F0REPORT01",
            person_id="p_ada",
            name="report.csv",
            title="Q1 report",
            mimetype="text/csv",
            filetype="csv",
            size=4,
            sha256="3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7",
            created_at=at(50),
        ),
        FileShare(file_id="F0REPORT01", message_id=7, channel_id=CORE),
        Upload(
            file_id="F0UPLOADING",
            secret="exampleuploadsecret",
            person_id="p_ada",
            filename="new.csv",
            length=8,
            created_at=at(61),
        ),
        Upload(
            file_id="F0UPLOADED",
            secret="othersecret",
            person_id="p_ada",
            filename="done.csv",
            length=4,
            created_at=at(61),
            sha256="3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7",
        ),
        Reminder(
            id="Rm0ADA00001",
            creator_id="p_ada",
            person_id="p_ada",
            text="look again",
            due_at=START + 10**12,
            created_at=at(62),
        ),
        Scheduled(
            id="Q0ADA000001",
            channel_id=CORE,
            person_id="p_ada",
            text="Later",
            post_at=START + 10**11,
            created_at=at(62),
        ),
        Draft(
            id="Dr0ADA00001", person_id="p_ada", channel_id=GENERAL, text="Almost", created_at=at(60), updated_at=at(60)
        ),
        Canvas(
            id="F0CANVAS01",
            title="Launch plan",
            owner_id="p_ada",
            created_at=at(4),
            updated_at=at(4),
            updated_by="p_ada",
        ),
        CanvasSection(id="temp:C:AAA1", canvas_id="F0CANVAS01", position=0, markdown="# Plan"),
        CanvasSection(id="temp:C:AAA2", canvas_id="F0CANVAS01", position=1, markdown="- first step"),
    ]
