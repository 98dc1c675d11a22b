"""Description of a company for authors: people, teams, places and things by name, one person, one story."""

from collections.abc import Mapping, Sequence

from world.core.tables import metadata
from world.run.images import Rows

PEOPLE = """SELECT p.handle, p.full_name, p.title, t.name, m.handle, p.tz, p.email FROM person p
    LEFT JOIN team t ON t.id = p.team_id LEFT JOIN person m ON m.id = p.manager_id
    WHERE p.kind = 'employee' AND p.status = 'active' ORDER BY p.id"""
TEAMS = "SELECT t.name, p.handle FROM team t LEFT JOIN person p ON p.id = t.lead_id ORDER BY t.id"
CHANNELS = """SELECT c.name, c.kind, group_concat(p.handle, ' ') FROM slack_channel c
    JOIN (SELECT channel_id, handle FROM slack_member JOIN person ON person.id = person_id WHERE person.kind = 'employee'
          ORDER BY handle) p ON p.channel_id = c.id
    WHERE c.kind IN ('public', 'private') GROUP BY c.id ORDER BY c.name"""
PROJECTS = """SELECT j.key, j.name, count(i.id), sum(i.resolution_id IS NULL) FROM jira_project j
    LEFT JOIN jira_issue i ON i.project_id = j.id AND i.deleted_at IS NULL GROUP BY j.id ORDER BY j.key"""
REPOSITORIES = """SELECT r.name, sum(i.is_pull), sum(NOT i.is_pull) FROM github_repository r
    LEFT JOIN github_issue i ON i.repo_id = r.id GROUP BY r.id ORDER BY r.name"""
SPREADSHEETS = """SELECT f.name, p.handle, group_concat(s.title, ', ') FROM drive_file f JOIN person p ON p.id = f.owner_id
    JOIN (SELECT file_id, title FROM sheets_sheet ORDER BY file_id, position) s ON s.file_id = f.id
    WHERE f.trashed_at IS NULL GROUP BY f.id ORDER BY f.name, f.id"""
CUSTOMERS = """SELECT o.name, o.tier, o.domain, p.handle, group_concat(k.email, ', ') FROM organisation o
    LEFT JOIN person p ON p.id = o.owner_id LEFT JOIN (SELECT organisation_id, email FROM contact ORDER BY id) k ON k.organisation_id = o.id
    WHERE o.kind = 'customer' GROUP BY o.id ORDER BY o.name"""
SECTIONS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "people": (("handle", "name", "title", "team", "manager", "zone", "mail"), PEOPLE),
    "teams": (("team", "lead"), TEAMS),
    "services": (
        ("service", "team", "tier"),
        "SELECT s.name, t.name, s.tier FROM service s JOIN team t ON t.id = s.team_id ORDER BY s.id",
    ),
    "channels": (("channel", "kind", "members"), CHANNELS),
    "projects": (("project", "name", "issues", "unresolved"), PROJECTS),
    "repositories": (("repository", "pull requests", "issues"), REPOSITORIES),
    "spreadsheets": (("spreadsheet", "owner", "tabs"), SPREADSHEETS),
    "customers": (("customer", "tier", "domain", "account owner", "contacts"), CUSTOMERS),
}
TITLES = ("key", "summary", "title", "subject", "name", "full_name", "text", "body_text")  # columns that name a row


def describe_company(rows: Rows) -> dict[str, list[dict[str, object]]]:
    """Return people, teams, services, channels, projects, repositories, spreadsheets and customers, each a list of rows."""
    return {
        section: [dict(zip(names, row, strict=True)) for row in rows(query)]
        for section, (names, query) in SECTIONS.items()
    }


def describe_person(rows: Rows, handle: str) -> dict[str, object]:
    """Return what the company knows of a person by handle or directory id. Raises LookupError."""
    found = rows("SELECT id FROM person WHERE handle = ? OR id = ?", handle, handle)
    if not found:
        raise LookupError(f"nobody has the handle {handle!r}")
    (person,) = found[0]
    columns = ("id", "handle", "full_name", "title", "status", "email", "tz", "hours_start", "hours_end")
    listed = ", ".join(columns)
    about = dict(zip(columns, rows(f"SELECT {listed} FROM person WHERE id = ?", person)[0], strict=True))
    single = "SELECT {} FROM {} WHERE {} = ? ORDER BY 1"
    return {
        **about,
        "team": _one(rows("SELECT t.name FROM team t JOIN person p ON p.team_id = t.id WHERE p.id = ?", person)),
        "manager": _one(
            rows("SELECT m.handle FROM person p JOIN person m ON m.id = p.manager_id WHERE p.id = ?", person)
        ),
        "reports": _list(rows(single.format("handle", "person", "manager_id"), person)),
        "accounts": dict(rows(single.format("app, external_id", "account", "person_id"), person)),
        "other names": _list(rows(single.format("value", "alias", "person_id"), person)),
        "channels": _list(
            rows(
                """SELECT c.name FROM slack_channel c JOIN slack_member m ON m.channel_id = c.id
            WHERE m.person_id = ? AND c.kind IN ('public', 'private') ORDER BY 1""",
                person,
            )
        ),
        "on call for": _list(rows("SELECT DISTINCT schedule_id FROM shift WHERE person_id = ? ORDER BY 1", person)),
        "unresolved issues": _list(
            rows(
                """SELECT key FROM jira_issue WHERE assignee_id = ? AND resolution_id IS NULL
            AND deleted_at IS NULL ORDER BY id""",
                person,
            )
        ),
        "customers": _list(rows(single.format("name", "organisation", "owner_id"), person)),
    }


def describe_story(rows: Rows, story: str) -> list[dict[str, object]]:
    """Return the rows that a story owns, in the order of its events, each with what names it. Raises LookupError."""
    found = rows(
        """SELECT event_id, part, table_name, row_id FROM story_ref WHERE story = ?
        ORDER BY event_id, table_name, row_id""",
        story,
    )
    if not found:
        raise LookupError(f"no story is called {story!r}")
    names = ("event", "part", "table", "row")
    return [{**dict(zip(names, one, strict=True)), "is": _name_row(rows, one[2], one[3])} for one in found]


def _name_row(rows: Rows, table: str, row: str) -> str:
    """The first line of the column that names a row, at most 80 characters."""
    known = metadata().tables.get(table)
    columns = [] if known is None else known.columns.keys()
    keys = [] if known is None else [column.name for column in known.primary_key.columns]
    title = next((name for name in TITLES if name in columns), None)
    if title is None or len(keys) != 1:
        return ""
    said = _one(rows(f'SELECT "{title}" FROM "{table}" WHERE CAST("{keys[0]}" AS TEXT) = ?', row)) or ""
    return str(said).split("\n", 1)[0][:80]


def _one(found: Sequence[tuple[object, ...]]) -> object:
    return found[0][0] if found else None


def _list(found: Sequence[tuple[object, ...]]) -> list[object]:
    return [row[0] for row in found]
