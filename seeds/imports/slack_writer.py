"""Writer of a Slack export: the workspace of an image as a zip in the form that `slack_archive` reads."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from apps.slack import models as s
from seeds.imports.archive_writer import write_zip
from seeds.imports.table_reader import Tables
from world.core.clock import SECOND, to_datetime
from world.core.directory import Account, Blob, Person
from world.core.json_types import JsonObject

FILES = {"public": "channels.json", "private": "groups.json", "im": "dms.json", "mpim": "mpims.json"}
Rows = Mapping[str, Any]


def write_slack_export(tables: Tables, path: Path) -> None:
    """Write the workspace as a zip; the same image gives the same bytes."""
    writer = _Writer(tables)
    write_zip(path, {**writer.list_users(), **writer.list_channels(), **writer.list_days(), **writer.list_uploads()})


def encode(value: object) -> bytes:
    """JSON as the archive has it."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2)


class _Writer:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.ids = {row["person_id"]: row["external_id"] for row in tables.rows(Account) if row["app"] == "slack"}
        self.profiles = {row["person_id"]: row for row in tables.rows(s.Profile)}
        self.team = tables.rows(s.Workspace)[0]["id"]
        self.channels = tables.rows(s.Channel)
        self.blobs = {row["sha256"]: row["data"] for row in tables.rows(Blob)}
        self.files = {row["id"]: row for row in tables.rows(s.File) if row["deleted_at"] is None}
        self.messages = tables.rows(s.Message)
        self.times = {row["id"]: row["ts"] for row in self.messages}

    def user(self, person: str | None) -> str:
        return self.ids.get(person or "", "USLACKBOT")

    # -- people

    def list_users(self) -> dict[str, bytes]:
        return {"users.json": encode([self._user(row) for row in self.tables.rows(Person) if row["id"] in self.ids])}

    def _user(self, row: Rows) -> JsonObject:
        own: Rows = self.profiles.get(row["id"], {})
        profile: JsonObject = {
            "title": row["title"],
            "phone": row["phone"],
            "real_name": row["full_name"],
            "display_name": row["display_name"],
            "first_name": row["first_name"],
            "last_name": row["last_name"],
            "pronouns": row["pronouns"],
            "status_text": own.get("status_text", ""),
            "status_emoji": own.get("status_emoji", ""),
            "status_expiration": own.get("status_expires_at", 0) // SECOND,
            "team": self.team,
        }
        if row["kind"] == "bot":
            profile |= {"bot_id": own.get("bot_id") or "", "api_app_id": own.get("app_id") or ""}
        profile["email"] = row["email"]
        return {
            "id": self.ids[row["id"]],
            "team_id": self.team,
            "name": row["handle"],
            "deleted": row["status"] != "active",
            "real_name": row["full_name"],
            "tz": row["tz"],
            "profile": profile,
            "is_admin": bool(own.get("is_admin")),
            "is_owner": bool(own.get("is_owner")),
            "is_primary_owner": bool(own.get("is_primary_owner")),
            "is_restricted": bool(own.get("is_guest")),
            "is_bot": row["kind"] == "bot",
            "updated": own.get("updated_at", 0) // SECOND,
        }

    # -- conversations

    def list_channels(self) -> dict[str, bytes]:
        members: dict[str, list[Rows]] = defaultdict(list)
        for row in self.tables.rows(s.Member):
            members[row["channel_id"]].append(row)
        pins: dict[str, list[JsonObject]] = defaultdict(list)
        for row in self.tables.rows(s.Pin):
            pins[row["channel_id"]].append(self._pin(row))
        listed: dict[str, list[JsonObject]] = {name: [] for name in FILES.values()}
        for row in self.channels:
            people = sorted(members[row["id"]], key=lambda one: (one["joined_at"], one["person_id"]))
            listed[FILES[row["kind"]]].append(self._channel(row, [self.user(one["person_id"]) for one in people], pins))
        return {name: encode(found) for name, found in listed.items()}

    def _pin(self, row: Rows) -> JsonObject:
        ts = self.times[row["message_id"]]
        return {"id": ts, "type": "C", "created": row["pinned_at"] // SECOND, "user": self.user(row["person_id"])}

    def _channel(self, row: Rows, members: list[str], pins: Mapping[str, list[JsonObject]]) -> JsonObject:
        out: JsonObject = {"id": row["id"], "created": row["created_at"] // SECOND, "members": members}
        if row["kind"] == "im":
            return {**out, "creator": self.user(row["creator_id"])}
        about: JsonObject = {
            name: {
                "value": row[name],
                "creator": self.user(row[f"{name}_by"]) if row[f"{name}_by"] else "",
                "last_set": row[f"{name}_at"] // SECOND,
            }
            for name in ("topic", "purpose")
        }
        return {
            **out,
            "name": row["name"],
            "creator": self.user(row["creator_id"]),
            "is_archived": row["archived_at"] is not None,
            "is_general": row["is_general"],
            **about,
            "pins": pins.get(row["id"], []),
        }

    # -- messages

    def list_days(self) -> dict[str, bytes]:
        folders = {
            row["id"]: row["name"] if row["kind"] != "im" and row["name"] else row["id"] for row in self.channels
        }
        days: dict[str, list[tuple[str, JsonObject]]] = defaultdict(list)
        lists = self._by_message()
        for row in self.messages:
            if row["deleted_at"] is None or row["reply_count"]:
                days[_day(folders, row)].append((row["ts"], self._message(row, lists)))
        for row in self.tables.rows(s.Activity):
            days[_day(folders, row)].append((row["ts"], self._line(row)))
        return {
            name: encode([one for _, one in sorted(found, key=lambda pair: pair[0])]) for name, found in days.items()
        }

    def _by_message(self) -> tuple[dict[int, list[JsonObject]], dict[int, list[JsonObject]]]:
        """Reactions and files of each message."""
        names: dict[int, dict[str, list[str]]] = defaultdict(dict)
        for row in sorted(
            self.tables.rows(s.Reaction), key=lambda row: (row["created_at"], row["name"], row["person_id"])
        ):
            names[row["message_id"]].setdefault(row["name"], []).append(self.user(row["person_id"]))
        reactions: dict[int, list[JsonObject]] = {
            id: [{"name": name, "users": users, "count": len(users)} for name, users in found.items()]
            for id, found in names.items()
        }
        files: dict[int, list[JsonObject]] = defaultdict(list)
        for row in sorted(self.tables.rows(s.FileShare), key=lambda row: (row["message_id"], row["position"])):
            if row["file_id"] in self.files:
                files[row["message_id"]].append(self._file(self.files[row["file_id"]]))
        return reactions, files

    def _file(self, row: Rows) -> JsonObject:
        return {
            "id": row["id"],
            "created": row["created_at"] // SECOND,
            "name": row["name"],
            "title": row["title"],
            "mimetype": row["mimetype"],
            "filetype": row["filetype"],
            "user": self.user(row["person_id"]),
            "size": row["size"],
            "mode": "hosted",
        }

    def _line(self, row: Rows) -> JsonObject:
        return {
            "type": "message",
            "subtype": row["subtype"],
            "ts": row["ts"],
            "user": self.user(row["person_id"]),
            "text": row["text"],
            **(row["facts"] or {}),
        }

    def _message(self, row: Rows, lists: tuple[dict[int, list[JsonObject]], dict[int, list[JsonObject]]]) -> JsonObject:
        person = row["person_id"]
        out: JsonObject = {"type": "message", "user": self.user(person), "ts": row["ts"], "text": row["text"]}
        subtype = "tombstone" if row["deleted_at"] is not None else row["subtype"]
        bot = self.profiles.get(person, {}).get("bot_id")
        optional = {
            "subtype": subtype,
            "bot_id": bot,
            "thread_ts": row["thread_ts"] or (row["ts"] if row["reply_count"] else None),
            "client_msg_id": row["client_msg_id"],
            "username": row["username"],
            "icons": ({"emoji": row["icon"]} if row["icon"].startswith(":") else {"image_48": row["icon"]})
            if row["icon"]
            else None,
            "blocks": row["blocks"],
            "attachments": row["attachments"],
            "reactions": lists[0].get(row["id"]),
            "files": lists[1].get(row["id"]),
        }
        out |= {name: value for name, value in optional.items() if value}
        if row["edited_ts"]:
            out["edited"] = {"user": self.user(row["edited_by"]), "ts": row["edited_ts"]}
        if row["reply_count"]:
            out |= {"reply_count": row["reply_count"], "latest_reply": row["latest_reply"]}
        return out

    # -- bytes

    def list_uploads(self) -> dict[str, bytes]:
        shared = {row["file_id"] for row in self.tables.rows(s.FileShare)}
        return {
            f"__uploads/{row['id']}/{row['name'].replace('/', '_')}": self.blobs[row["sha256"]]
            for row in self.files.values()
            if row["id"] in shared and self.blobs.get(row["sha256"])
        }


def _day(folders: Mapping[str, str], row: Rows) -> str:
    seconds = int(row["ts"].partition(".")[0])
    return f"{folders[row['channel_id']]}/{to_datetime(seconds * SECOND):%Y-%m-%d}.json"
