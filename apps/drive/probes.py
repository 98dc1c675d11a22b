"""Probes of the gate and the attacks against the drive."""

from collections.abc import Mapping

from apps.drive.app import app
from world.core.probes import Probes, Surroundings


def find_file_slots(world: Surroundings) -> Mapping[str, object]:
    """Find a file of somebody else that the agent may read."""
    shared = world.lookup.rows("drive_permission", person_id=world.lookup.me, type="user")
    for grant in shared:
        for file in world.lookup.rows("drive_file", id=grant["file_id"], trashed_at=None):
            if file["owner_id"] != world.lookup.me:
                return {"file": file["key"]}
    listed = world.ask("drive.files.list", {"q": "not 'me' in owners", "pageSize": 1})
    return {"file": listed["files"][0]["id"]} if listed and listed["files"] else {}


app.probes = Probes(
    undo={
        "drive.comments.create": (
            "drive.comments.delete",
            lambda given, made: {"fileId": given["fileId"], "commentId": made["id"]},
        )
    },
    slots=find_file_slots,
)
