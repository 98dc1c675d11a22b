"""Form input as operation arguments: mentions, times, field values, link directions."""

import base64
import re
from collections.abc import Mapping
from typing import Any

from apps.jira.pages.controls import FormContext, list_controls, list_unchanged_fields, parse_form_values
from apps.jira.pages.line_ends import keep_line_ends
from apps.jira.pages.template_filters import local_input, to_api_time
from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.fields import read_files, read_object

Arguments = dict[str, Any]
BACKWARDS = "|inward"


@pages.compose("createIssue")
def new_issue_arguments(view: View, arguments: Arguments) -> Arguments:
    """Fields of a new issue."""
    fields = parse_form_values(view, read_object(arguments, "fields"), creating=True)
    return {**arguments, "fields": link_description_mentions(view, fields)}


@pages.compose("editIssue")
def issue_edit_arguments(view: View, arguments: Arguments) -> Arguments:
    """Fields of an issue that differ from what the form showed."""
    raw = read_object(arguments, "fields")
    same = (
        list_unchanged_fields(list_edit_controls(view, str(arguments.get("issueIdOrKey", ""))), raw) if raw else set()
    )
    fields = parse_form_values(view, {name: value for name, value in raw.items() if name not in same}, creating=False)
    return {**arguments, "fields": link_description_mentions(view, fields)}


def list_edit_controls(view: View, key: str) -> list[Any]:
    """The controls of an issue's edit screen with their present values."""
    found = view.attempt("getIssue", issueIdOrKey=key, fields=["*all"], expand="editmeta", contentFormat="markdown")
    if found is None:
        return []
    fields = found["fields"]
    asking = FormContext(view, fields["project"]["key"], fields["issuetype"]["hierarchyLevel"], found["key"], fields)
    return list_controls(asking, found["editmeta"]["fields"])


@pages.compose("doTransition")
def transition_arguments(view: View, arguments: Arguments) -> Arguments:
    """Values of a transition's screen, and the comment given with it."""
    fields = parse_form_values(view, read_object(arguments, "fields"), creating=True)
    update = read_object(arguments, "update")
    if isinstance(update.get("comment"), str):
        text = link_mentions(view, update.pop("comment"))
        update |= {"comment": [{"add": {"body": text}}]} if text.strip() else {}
    return {**arguments, "fields": fields, "update": update}


@pages.compose("addComment", "updateComment")
def comment_arguments(view: View, arguments: Arguments) -> Arguments:
    """A comment with its mentions; visibility left open is for everybody."""
    body = arguments.get("body")
    made = {**arguments, "body": link_mentions(view, body) if isinstance(body, str) else body}
    limit = made.get("visibility")
    if isinstance(limit, dict) and not limit.get("value"):
        del made["visibility"]
    return made


@pages.compose("addWorklog", "updateWorklog")
def worklog_arguments(view: View, arguments: Arguments) -> Arguments:
    """Work with its start in the reader's zone."""
    return convert_local_times({name: value for name, value in arguments.items() if value != ""}, view, "started")


@pages.compose("createSprint", "updateSprint")
def sprint_arguments(view: View, arguments: Arguments) -> Arguments:
    """Sprint dates in the reader's zone; what is left empty is not sent."""
    return convert_local_times(
        {name: value for name, value in arguments.items() if value != "" or name == "goal"},
        view,
        "startDate",
        "endDate",
    )


@pages.compose("partiallyUpdateSprint")
def sprint_edit_arguments(view: View, arguments: Arguments) -> Arguments:
    """The same, without what the form sent back as it was."""
    found = view.attempt("getSprint", sprintId=arguments.get("sprintId", "")) or {}
    zone = view.page_state.me.tz
    now = {"name": found.get("name"), "goal": found.get("goal")} | {
        name: local_input(found.get(name, ""), zone) for name in ("startDate", "endDate")
    }
    return sprint_arguments(
        view, {name: value for name, value in arguments.items() if name not in now or value != now[name]}
    )


def convert_local_times(arguments: Arguments, view: View, *names: str) -> Arguments:
    """Times of `datetime-local` fields as the API takes them."""
    local = {
        n: arguments[n]
        for n in names
        if isinstance(arguments.get(n), str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", arguments[n])
    }
    return arguments | {name: to_api_time(value, view.page_state.me.tz) for name, value in local.items()}


@pages.compose("linkIssues")
def link_arguments(view: View, arguments: Arguments) -> Arguments:
    """A link as the page words it: "is blocked by" starts at the other issue."""
    kind = read_object(arguments, "type")
    if not str(kind.get("name", "")).endswith(BACKWARDS):
        return arguments
    kind["name"] = kind["name"].removesuffix(BACKWARDS)
    return {
        **arguments,
        "type": kind,
        "inwardIssue": arguments.get("outwardIssue"),
        "outwardIssue": arguments.get("inwardIssue"),
    }


@pages.compose("addAttachment")
def attachment_arguments(view: View, arguments: Arguments) -> Arguments:
    """Chosen files as the API takes them."""
    sent = arguments.get("files") or []
    listed = sent if isinstance(sent, list) else [sent]
    return {
        **arguments,
        "files": [_file_argument(one) if read_files(one) else one for one in listed],
    }


def _file_argument(upload: Mapping[str, Any]) -> dict[str, str]:
    content = base64.b64encode(upload["data"]).decode()
    return {"filename": upload["filename"], "content": content, "mimeType": upload["mimetype"]}


@pages.compose("createFilter", "updateFilter")
def filter_arguments(view: View, arguments: Arguments) -> Arguments:
    """A filter, shared with everybody or private."""
    shared = arguments.get("sharePermissions")
    if not isinstance(shared, str):
        return arguments
    return {**arguments, "sharePermissions": [{"type": "authenticated"}] if shared == "everyone" else []}


@pages.compose("submitBulkMove")
def move_arguments(view: View, arguments: Arguments) -> Arguments:
    """One issue to a project and type chosen in two lists."""
    target, issues = arguments.get("target"), arguments.get("issues")
    if not isinstance(target, str) or not issues:
        return arguments
    listed = issues if isinstance(issues, list) else [issues]
    return {"targetToSourcesMapping": {target: {"issueIdsOrKeys": listed}}}


# mentions


def link_mentions(view: View, text: str) -> str:
    """A typed text as Markdown: its lines stay lines, and `@Full Name` is the mention it means."""
    text = keep_line_ends(text)
    if "@" not in text:
        return text
    people = {f"@{p['displayName']}": p["accountId"] for p in view.read("getAllUsers", maxResults=1000)}
    pattern = "|".join(re.escape(name) for name in sorted(people, key=lambda n: (-len(n), n)))
    return re.sub(rf"(?<![\w@])(?:{pattern})(?!\w)", lambda m: f"[~accountid:{people[m[0]]}]", text)


def link_description_mentions(view: View, fields: JsonObject) -> JsonObject:
    """The same for a description."""
    text = fields.get("description")
    return {**fields, "description": link_mentions(view, text)} if isinstance(text, str) else fields
