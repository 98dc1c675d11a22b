"""Paths and refs given to the API, refused in the vendor's words."""

from apps.github.git.paths import check_path, check_ref
from apps.github.refusals import unprocessable


def check_tree_path(path: str, name: str) -> str:
    """Refuse an invalid file path; `name` is the argument's. Raises unprocessable."""
    why = check_path(path)
    if why is not None:
        raise unprocessable(why.replace("path", name, 1))
    return path


def is_ref_name(ref: str) -> bool:
    """Whether a full name is a valid ref name."""
    return check_ref(ref) is None
