"""Addresses with numeric ids, such as `url` of a team, translated to addresses with names."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from world.store import Bound
from world.store.queries import row

FORMS: Mapping[re.Pattern[str], tuple[str, str]] = {
    re.compile(r"/organizations/(\d{1,18})/team/(\d{1,18})(?=/|$)"): (
        "/orgs/{}/teams/{}",
        (
            "SELECT a.login, t.slug FROM github_team t JOIN github_account a ON a.id = t.org_id WHERE a.id = ? AND"
            " t.id = ?"
        ),
    ),
    re.compile(r"/organizations/(\d{1,18})(?=/|$)"): ("/orgs/{}", "SELECT login FROM github_account WHERE id = ?"),
    re.compile(r"/repositories/(\d{1,18})(?=/|$)"): (
        "/repos/{}/{}",
        "SELECT a.login, r.name FROM github_repository r JOIN github_account a ON a.id = r.owner_id WHERE r.id = ?",
    ),
}


def by_name(bound: Bound, path: str) -> str:
    """Translate ids in a path to names; other paths and unknown ids stay. Permission is checked afterwards."""
    if not path.startswith(("/organizations/", "/repositories/")):
        return path
    for form, (names, sql) in FORMS.items():
        found = form.match(path)
        if found is not None:
            named = row(bound, sql, *map(int, found.groups()))
            return path if named is None else names.format(*map(quote, map(str, named))) + path[found.end() :]
    return path
