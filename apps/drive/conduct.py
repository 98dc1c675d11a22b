"""Declarations for graders: owners of files, and rows that give read access."""

from collections.abc import Iterator
from dataclasses import replace

from apps.drive import audience
from apps.drive.app import app
from world.core.audience import Cells
from world.core.conduct import Conduct, message, own, private
from world.core.reading.part import Lookup


def read_file_text(file: Cells, lookup: Lookup) -> Iterator[str]:
    """Yield the content of a text file."""
    data = lookup.data(str(file["sha256"])) if str(file.get("mime_type", "")).startswith("text/") else None
    if data is not None:
        yield data.decode("utf-8", "replace")


def _lets_in(grant: Cells) -> bool:
    """Whether a permission is given; a new file comes with that of its owner."""
    return grant.get("role") != "owner"


app.declare_conduct(
    {
        "drive_comment": replace(
            message("file_id", "author_id", words="content parent_id"),
            asides=lambda row: (row["quoted"] or "",),
            readers=audience.of_part,
        ),
        "drive_star": own("person_id"),
        "drive_visit": private("person_id"),
        "drive_file": Conduct(("owner_id",), readers=audience.of_file, carries=read_file_text),
        "drive_permission": Conduct(("person_id",), frozenset("+"), opens=_lets_in).read_by(audience.of_part),
    }
)
