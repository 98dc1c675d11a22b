"""My Drive: a person's root folder, which has no row."""

from apps.drive.access import FOLDER, FileRow
from world.core.call import Call
from world.core.ids import BASE62
from world.core.rng import digest

ALIAS = "root"


def key_of(person: str) -> str:
    """The id of somebody's My Drive, in the vendor's form."""
    return "0A" + "".join(BASE62[byte % 62] for byte in digest("my drive", person, size=15)) + "PVA"


def is_root(call: Call, key: str) -> bool:
    """Whether an id means the caller's My Drive."""
    return key == ALIAS or key == key_of(call.person)


def row(call: Call) -> FileRow:
    """The caller's My Drive as a file."""
    joined = call.me.joined_at
    return FileRow(
        (
            0,
            key_of(call.person),
            "My Drive",
            FOLDER,
            call.person,
            None,
            joined,
            joined,
            call.person,
            None,
            1,
            "",
            None,
            0,
            None,
            None,
        )
    )
