"""Whose a file is, and which rows let others read it."""

from apps.drive.app import app
from world.core.conduct import Conduct, message, opening, own

app.declare_conduct(
    {
        "drive_comment": message("file_id", "author_id", words="content parent_id"),
        "drive_star": own("person_id"),
        "drive_visit": own("person_id"),
        "drive_file": Conduct(("owner_id",)),
        "drive_permission": opening(),
    }
)
