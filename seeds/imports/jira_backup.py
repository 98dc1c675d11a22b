"""Reader of Jira's JSON form, which its importer takes: users, projects with their issues, links.

Form: confluence.atlassian.com/adminjiraserver/importing-data-from-json-938847609.html. `statuses`, `sprints` and `adf` are
additions that exports of an image have; other readers ignore them. Answers of the search API (`issues` with `fields`) are
read too.
"""

import re

from apps.jira.bodies.adf import validate
from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from seeds.imports.jira_records import (
    KEY,
    Body,
    JiraChange,
    JiraExport,
    JiraIssue,
    JiraNote,
    JiraProject,
    JiraSprint,
    parse_day,
    parse_moment,
)
from seeds.imports.json_document import JsonNode

SPENT = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
POINTS = frozenset({"story points", "story point estimate"})


def is_jira_backup(document: JsonNode) -> bool:
    """Whether a JSON document has projects with issues, or issues with fields."""
    value = document.value
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("projects"), list) or _is_search(value)


def _is_search(value: dict[str, object]) -> bool:
    issues = value.get("issues")
    return isinstance(issues, list) and bool(issues) and isinstance(issues[0], dict) and "fields" in issues[0]


def read_jira_backup(document: JsonNode, found: JiraExport, intake: Intake) -> None:
    """Add the issues of a document. Raises ImportRefused."""
    if _is_search(document.value):
        for one in document.field("issues").objects():
            found.add(_search_issue(one, found), intake)
        return
    for one in document.field("users").objects():
        _read_user(one, found)
    for one in document.field("statuses").objects():
        found.categories[one.need("name")] = one.need("category")
    external: dict[str, str] = {}
    for project in document.field("projects").objects():
        _read_project(project, found, external, intake)
    for one in document.field("links").objects():
        source, other = (external.get(one.need(name), one.need(name)) for name in ("sourceId", "destinationId"))
        found.links.add((one.need("name"), source, other))


def _read_user(one: JsonNode, found: JiraExport) -> None:
    name, address = one.need("name"), one.text("email").lower()
    is_active = not one.has("active") or one.flag("active")
    handle = name if re.fullmatch(r"[a-z][a-z0-9._-]+", name) else ""
    emails = (address,) if address else ()
    kind = "bot" if one.text("kind") == "bot" else "employee"
    found.people[name] = Identity(
        "jira",
        name,
        name=one.text("fullname"),
        handle=handle,
        emails=emails,
        is_active=is_active,
        place=one.place,
        kind=kind,
    )


def _read_project(one: JsonNode, found: JiraExport, external: dict[str, str], intake: Intake) -> None:
    key = one.need("key")
    if not KEY.fullmatch(f"{key}-1"):
        raise one.field("key").refuse(f"{key!r} is no key of a project")
    project = JiraProject(key, one.text("name"), one.text("description"), found.meet(one.text("lead"), one.place))
    project.versions = [
        (
            version.need("name"),
            version.flag("released"),
            _day(version, "startDate"),
            _day(version, "releaseDate"),
            version.text("description"),
        )
        for version in one.field("versions").objects()
    ]
    for part in one.field("components").items():
        is_text = isinstance(part.value, str)
        project.components.append((part.value, "") if is_text else (part.need("name"), part.text("description")))
    found.projects[key] = project
    for sprint in one.field("sprints").objects():
        name = sprint.need("name")
        times = [_moment(sprint, field) for field in ("startDate", "endDate", "completeDate")]
        found.sprints[key, name] = JiraSprint(key, name, sprint.text("state"), sprint.text("goal"), *times)
    for number, issue in enumerate(one.field("issues").objects(), 1):
        made = _issue(issue, issue.text("key") or f"{key}-{number}", found)
        external[issue.text("externalId") or made.key] = made.key
        found.add(made, intake)


def _issue(one: JsonNode, key: str, found: JiraExport) -> JiraIssue:
    if not KEY.fullmatch(key):
        raise one.field("key").refuse(f"{key!r} is no key of an issue")

    def who(name: str) -> str:
        return found.meet(one.text(name), one.place)

    issue = JiraIssue(
        key,
        type=one.text("issueType") or "Task",
        status=one.text("status") or "To Do",
        priority=one.text("priority") or "Medium",
        resolution=one.text("resolution"),
        summary=one.text("summary") or key,
        description=_body(one, "description", "descriptionAdf"),
        environment=_body(one, "environment", "environmentAdf"),
        reporter=who("reporter"),
        assignee=who("assignee"),
        creator=who("creator"),
        created_at=_moment(one, "created"),
        updated_at=_moment(one, "updated"),
        resolved_at=_moment(one, "resolutionDate"),
        due_on=_day(one, "duedate"),
        parent=one.text("parent"),
        original_s=_seconds(one, "originalEstimate"),
        remaining_s=_seconds(one, "estimate"),
        spent_s=_seconds(one, "timeSpent"),
        labels=one.texts("labels"),
        components=one.texts("components"),
        fixes=one.texts("fixedVersions"),
        affects=one.texts("affectedVersions"),
        sprints=one.texts("sprints"),
        watchers=[found.meet(name, one.place) for name in one.texts("watchers")],
        comments=[_note(comment, found) for comment in one.field("comments").objects()],
        worklogs=[_note(worklog, found) for worklog in one.field("worklogs").objects()],
        history=[_change(change, found) for change in one.field("history").objects()],
    )
    for value in one.field("customFieldValues").objects():
        _add_custom(value, issue)
    return issue


def _add_custom(value: JsonNode, issue: JiraIssue) -> None:
    name = value.need("fieldName")
    inner = value.field("value").value
    if isinstance(inner, list):
        text = ", ".join(value.texts("value"))
    else:
        text = value.text("value")
    if name.lower() in POINTS and text:
        issue.points = _number(value, text)
    elif text:
        issue.custom[name] = text


def _number(node: JsonNode, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise node.refuse(f"{text!r} is no number") from error


def _body(one: JsonNode, name: str, exact: str) -> Body:
    """Wiki markup, or the document that stands beside it."""
    if not one.has(exact):
        return one.text(name)
    try:
        return validate(one.field(exact).value)
    except ValueError as error:
        raise one.field(exact).refuse(f"no sound document: {error}") from error


def _note(one: JsonNode, found: JiraExport) -> JiraNote:
    body = _body(one, "comment" if one.has("comment") else "body", "bodyAdf")
    started = _moment(one, "startDate")
    spent = _seconds(one, "timeSpent") or 0
    return JiraNote(found.meet(one.text("author"), one.place), body, _moment(one, "created") or started, started, spent)


def _change(one: JsonNode, found: JiraExport) -> JiraChange:
    items = [
        tuple(item.text(name) for name in ("field", "fieldType", "from", "fromString", "to", "toString"))
        for item in one.field("items").objects()
    ]
    return JiraChange(found.meet(one.text("author"), one.place), _moment(one, "created"), items)  # type: ignore[arg-type]


def _moment(one: JsonNode, name: str) -> int:
    text = one.text(name)
    try:
        return parse_moment(text) if text else 0
    except (ValueError, OverflowError) as error:
        raise one.field(name).refuse(f"{text!r} is no time") from error


def _day(one: JsonNode, name: str) -> str:
    try:
        return parse_day(one.text(name))
    except (ValueError, OverflowError) as error:
        raise one.field(name).refuse(f"{one.text(name)!r} is no day") from error


def _seconds(one: JsonNode, name: str) -> int | None:
    """A length of time: ISO 8601's PT1H, or a number of seconds."""
    text = one.text(name)
    if not text:
        return None
    found = SPENT.fullmatch(text)
    if found is None:
        return one.number(name)
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


# -- answers of the search API


def _search_issue(one: JsonNode, found: JiraExport) -> JiraIssue:
    """An issue of developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/."""
    key, fields = one.need("key"), one.field("fields")
    if not KEY.fullmatch(key):
        raise one.field("key").refuse(f"{key!r} is no key of an issue")

    def name_of(field: str) -> str:
        return fields.field(field).text("name") if fields.has(field) else ""

    def names_of(field: str) -> list[str]:
        return [part.need("name") for part in fields.field(field).objects()]

    if fields.has("status") and fields.field("status").has("statusCategory"):
        found.categories[name_of("status")] = fields.field("status").field("statusCategory").text("key")
    comments = fields.field("comment").field("comments").objects() if fields.has("comment") else ()
    description = "descriptionAdf" if isinstance(fields.field("description").value, dict) else ""
    body = (
        _body(
            JsonNode({"descriptionAdf": fields.field("description").value}, fields.file, fields.place), "", description
        )
        if description
        else fields.text("description")
    )
    return JiraIssue(
        key,
        type=name_of("issuetype") or "Task",
        status=name_of("status") or "To Do",
        priority=name_of("priority") or "Medium",
        resolution=name_of("resolution"),
        summary=fields.text("summary") or key,
        description=body,
        reporter=_search_person(fields, "reporter", found),
        assignee=_search_person(fields, "assignee", found),
        creator=_search_person(fields, "creator", found),
        created_at=_moment(fields, "created"),
        updated_at=_moment(fields, "updated"),
        resolved_at=_moment(fields, "resolutiondate"),
        due_on=_day(fields, "duedate"),
        parent=fields.field("parent").text("key") if fields.has("parent") else "",
        labels=fields.texts("labels"),
        components=names_of("components"),
        fixes=names_of("fixVersions"),
        affects=names_of("versions"),
        comments=[_search_comment(comment, found) for comment in comments],
    )


def _search_comment(one: JsonNode, found: JiraExport) -> JiraNote:
    value = one.field("body").value
    exact = JsonNode({"bodyAdf": value}, one.file, one.place)
    body = _body(exact, "", "bodyAdf") if isinstance(value, dict) else one.text("body")
    return JiraNote(_search_person(one, "author", found), body, _moment(one, "created"))


def _search_person(one: JsonNode, name: str, found: JiraExport) -> str:
    if not one.has(name):
        return ""
    person = one.field(name)
    key = person.text("accountId") or person.text("name") or person.need("displayName")
    address = person.text("emailAddress").lower()
    if key not in found.people:
        kind = "bot" if person.text("accountType") == "app" else "employee"
        found.people[key] = Identity(
            "jira",
            key,
            name=person.text("displayName"),
            handle=person.text("name"),
            emails=(address,) if address else (),
            tz=person.text("timeZone"),
            kind=kind,
            is_active=not person.has("active") or person.flag("active"),
            place=person.place,
        )
    return key
