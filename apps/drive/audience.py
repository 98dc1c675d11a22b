"""Readers of a file, by the rule of `access.role`: people with whom it or a folder above is shared, and owners."""

from collections.abc import Iterator

from apps.drive.access import DEEPEST
from world.core.audience import COMPANY, NOBODY, PUBLIC, Audience, Cells, among, as_readers_of
from world.core.reading.part import Lookup


def of_file(file: Cells, lookup: Lookup) -> Audience:
    """Return the owner and the people of each permission on the file or a folder above it."""
    found = NOBODY
    at: Cells | None = file
    for _ in range(DEEPEST):
        if at is None:
            break
        found |= among((str(at["owner_id"]),))
        for grant in lookup.find("drive_permission", file_id=at["id"]):
            found |= _resolve_grantee(grant, lookup)
        at = None if at["parent_id"] is None else lookup.row("drive_file", at["parent_id"])
    return found


def _resolve_grantee(grant: Cells, lookup: Lookup) -> Audience:
    """Return the people of a permission; a user without a directory entry is an outsider."""
    if grant["type"] == "anyone":
        return PUBLIC
    if grant["type"] == "domain":
        company = lookup.row("company", 1)
        return COMPANY if company and grant["domain"] == company["domain"] else NOBODY
    if grant["type"] == "group":
        return _of_group(str(grant["email"]).lower(), lookup)
    if grant["person_id"]:
        return among((str(grant["person_id"]),))
    return Audience(outsiders=frozenset((str(grant["email"]).lower(),)))


def _of_group(address: str, lookup: Lookup) -> Audience:
    local = address.partition("@")[0]
    if local == "everyone":
        return COMPANY
    teams = [str(row["id"]) for row in lookup.find("team") if str(row["id"]).removeprefix("t_").lower() == local]
    return among(_members(teams, lookup))


def _members(teams: list[str], lookup: Lookup) -> Iterator[str]:
    """The people of teams and of those below."""
    for team in teams:
        teams += [str(row["id"]) for row in lookup.find("team", parent_id=team) if row["id"] not in teams]
        yield from (str(row["id"]) for row in lookup.find("person", team_id=team, kind="employee", status="active"))


of_part = as_readers_of("drive_file", "file_id", of_file)
