"""What the attacks try against the drive."""

from apps.drive.app import app
from world.core.probes import Probes

app.probes = Probes(
    undo={
        "drive.comments.create": (
            "drive.comments.delete",
            lambda given, made: {"fileId": given["fileId"], "commentId": made["id"]},
        )
    }
)
