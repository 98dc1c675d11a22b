"""Contents of files that other apps keep in their own tables: creation, reading, export, copying, deletion and search.

The drive itself stores only bytes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from apps.drive.access import FileRow
from world.core.call import Call
from world.core.errors import OperationError

Cell = tuple[int | None, int | None, int | None]  # sheet, and the lines a comment hangs on; nothing for the whole file


@dataclass(frozen=True, slots=True)
class Content:
    """Declared content of one media type.

    `table` has a row for each file, keyed by the file's id, whose `state` differs whenever the content does. `texts`
    are statements of (file id, text) for a `:like`. `exports` are the export types. Ids are those of rows, keys those
    of the vendor.
    """

    app: str
    media_type: str
    table: str
    texts: tuple[str, ...]
    exports: Mapping[str, str]
    create: Callable[[Call, str, int | None], str]  # name, folder -> key
    import_file: Callable[[Call, str, bytes, str, int | None], str]  # name, bytes, their type, folder -> key
    replace: Callable[[Call, str, bytes, str], None]  # key, bytes, their type
    export: Callable[[Call, str, str], bytes]  # key, type wanted
    copy: Callable[[Call, int, int, str], None]  # id of the original, id and key of a file without content
    delete: Callable[[Call, int], None]  # id
    find_anchor: Callable[[Call, FileRow, str], Cell]  # what a comment's anchor names
    render_anchor: Callable[[Call, int, Cell], str]  # id; where that stands now, empty once it is gone


_DECLARED: dict[str, Content] = {}


def declare_content(content: Content) -> None:
    """Declare the content of a media type. Raises ValueError if another app has declared it."""
    known = _DECLARED.setdefault(content.media_type, content)
    if known.app != content.app:
        raise ValueError(f"{content.media_type} is kept by {known.app}")


def find_content(call: Call, media_type: str) -> Content | None:
    """Return the declared content of a media type in this world, or None."""
    found = _DECLARED.get(media_type)
    return found if found is not None and found.app in call.apps else None


def app_of(media_type: str) -> str | None:
    """The app that keeps the content of a media type, None for bytes and folders."""
    found = _DECLARED.get(media_type)
    return None if found is None else found.app


def get(call: Call, media_type: str) -> Content:
    """Return the declared content of a media type. Raises type_unsupported if there is none."""
    found = find_content(call, media_type)
    if found is None:
        raise OperationError("type_unsupported")
    return found


def list_contents(call: Call) -> Iterator[Content]:
    """Every content kept by an app of this world, by media type."""
    return (one for _, one in sorted(_DECLARED.items()) if one.app in call.apps)
