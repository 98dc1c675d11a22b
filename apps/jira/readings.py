"""Texts that people read in the rows of the issue tracker."""

from collections.abc import Iterable, Iterator
from functools import partial

from apps.jira.app import app
from apps.jira.bodies import to_html
from apps.jira.bodies.adf import attr, children, iter_nodes
from world.core.json_types import JsonObject
from world.core.reading.file import from_file
from world.core.reading.html import find_alt_texts, from_html, tidy_html
from world.core.reading.links import from_link
from world.core.reading.part import Lookup, Part, Row
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain

WRITTEN_KINDS = frozenset({"text", "textarea", "url", "labels"})  # of custom fields; the others offer their values


def from_document(document: JsonObject) -> Passage:
    """Read a document as the page draws it."""
    return from_html(to_html(document))


def _body(row: Row, column: str, lookup: Lookup, *, text: str = "") -> Iterator[Part]:
    """Read a document, and the search text that the app derives from it."""
    document = row[column]
    if not document:
        return
    tricks = partial(_false_mentions, document, lookup)
    yield Part("body", partial(from_document, document), (column,), tricks=tricks)
    if text:
        yield Part("body", from_plain(row[text]), (text,), "derived")


def _false_mentions(document: JsonObject, lookup: Lookup) -> Iterator[str]:
    """Yield mentions whose name differs from that of the person they notify."""
    for node in iter_nodes(children(document)):
        said = str(attr(node, "text")).removeprefix("@").strip() if node["type"] == "mention" else ""
        own = lookup.called(str(attr(node, "id")).removeprefix("accountid:")) if said else ()
        if own and not any(_means(said, name) for name in own):
            yield f"calls {own[0]} @{said}"


def _means(said: str, name: str) -> bool:
    one, other = said.casefold(), name.casefold()
    return one == other or one.startswith(f"{other} ") or other.startswith(f"{one} ")


@app.reads("jira_issue")
def read_issue(row: Row, lookup: Lookup) -> Iterable[Part]:
    """An issue: summary, description, environment, labels, the fields a site adds."""
    yield Part("heading", from_plain(row["summary"]), ("summary",))
    yield from _body(row, "description", lookup, text="description_text")
    if row["environment"]:
        columns = ("environment", "environment_text")
        yield Part("body", partial(from_document, row["environment"]), columns, "supplement")
    if row["labels"]:
        yield Part("name", from_plain("\n".join(row["labels"])), ("labels",))
    for id, value in sorted((row["custom"] or {}).items()):
        field = lookup.row("jira_field", id)
        if field is not None and field["kind"] in WRITTEN_KINDS and value:
            yield Part("body", partial(_custom, value), ("custom",), "supplement")


def _custom(value: object) -> Passage:
    if isinstance(value, dict):
        return from_document(value)
    return from_plain("\n".join(map(str, value)) if isinstance(value, list) else str(value))


@app.reads("jira_comment")
def read_comment(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a comment, and its restriction of readers."""
    yield from _body(row, "body", lookup, text="body_text")
    if row["visibility_value"]:
        said = f"{row['visibility_value']}s only" if row["visibility_type"] == "role" else row["visibility_value"]
        yield Part("aside", from_plain(str(said)), ("visibility_type", "visibility_value"), "supplement")
    if row["internal"]:
        yield Part("aside", from_plain("Internal note"), ("internal",), "supplement")


@app.reads("jira_notification")
def read_notification(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a mail about an issue: its subject, its text, and its HTML as mail programs draw it."""
    yield Part("heading", from_plain(row["subject"]), ("subject",))
    yield Part("body", from_plain(row["text"]), ("text",))
    if row["html"]:
        yield Part("body", from_html(tidy_html(row["html"])), ("html",))
        alternatives = "\n".join(find_alt_texts(row["html"]))
        if alternatives:
            yield Part("aside", from_plain(alternatives), ("html",), "supplement")


@app.reads("jira_worklog")
def read_worklog(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the comment of a worklog."""
    return _body(row, "comment", lookup, text="comment_text")


@app.reads("jira_attachment")
def read_attachment(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a file: its name and its content."""
    columns = ("filename", "media_type", "sha256")
    yield Part("name", from_plain(row["filename"]), columns, "supplement")
    data = lookup.data(row["sha256"])
    said = None if data is None else from_file(row["filename"], row["media_type"], data)
    if said is not None:
        yield Part("body", said, columns, "supplement")


@app.reads("jira_remote_link")
def read_remote_link(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A link to a page elsewhere: its title, how it relates, a line about it."""
    yield Part("name", from_link(row["title"], row["url"]), ("title", "url"))
    for column in ("relationship", "summary", "icon_title"):
        if row[column]:
            yield Part("aside", from_plain(row[column]), (column,), "supplement")


def _read_titled(row: Row, *more: str) -> Iterator[Part]:
    """Something with a name and a line or two about it."""
    yield Part("heading", from_plain(row["name"]), ("name",))
    for column in more:
        if row[column]:
            yield Part("body", from_plain(row[column]), (column,), "supplement")


@app.reads("jira_component")
@app.reads("jira_version")
def read_project_part(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A component or a release of a project."""
    return _read_titled(row, "description")


@app.reads("jira_project")
def read_project(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A project: its name, description and address."""
    return _read_titled(row, "description", "url")


@app.reads("jira_sprint")
def read_sprint(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A sprint and its goal."""
    return _read_titled(row, "goal")


@app.reads("jira_filter")
def read_filter(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A saved search: its name, description and query."""
    yield from _read_titled(row, "description")
    yield Part("aside", from_plain(row["jql"]), ("jql",), "supplement")


_SITE = "no operation changes it: it belongs to the site"
app.declare_unread(
    {
        "jira_filter_favourite": "a mark of its owner's own",
        "jira_property": "integrations keep it, no page shows it but the list of its keys",
        "jira_role_actor": "ids and a role",
        "jira_vote": "ids",
        **dict.fromkeys(
            (
                "jira_board jira_board_column jira_dashboard jira_field jira_field_option"
                " jira_group jira_group_member jira_issue_type jira_link_type jira_priority jira_project_category"
                " jira_resolution jira_rule jira_screen jira_screen_field jira_site jira_status jira_transition"
                " jira_workflow"
            ).split(),
            _SITE,
        ),
    }
)
