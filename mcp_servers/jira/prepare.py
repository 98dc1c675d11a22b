"""Requests of the community tools as the REST API takes them: people by name, fields as JSON, filters in JQL."""

import re
from collections.abc import Mapping

from mcp_servers.jira.arguments import read_object_list
from mcp_servers.jira.site import merge_additional_fields
from mcp_servers.tools import CallArguments, Look
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonMapping, JsonObject

Given = Mapping[str, object]
ORDER = re.compile(r"\border\s+by\b", re.IGNORECASE)


def find_account(name: str, look: Look) -> str:
    """The account id of a mail address, a display name or an account id; the name itself when nobody is called so."""
    try:
        found = look("findUsers", query=name, maxResults=50)
    except OperationError:
        return name
    said = name.casefold()
    exact = [one for one in found if said in (one.get("emailAddress", "").casefold(), one["displayName"].casefold())]
    known = exact or (found if len(found) == 1 else [])
    return str(known[0]["accountId"]) if known else name


def prepare_person(arguments: JsonObject, given: Given, look: Look) -> JsonObject:
    """The arguments with the account of `user_identifier`."""
    return {**arguments, "accountId": find_account(str(given["user_identifier"]), look)}


def prepare_assignee(arguments: JsonObject, given: Given, look: Look) -> JsonObject:
    """The arguments with the account of `assignee`; nobody without one."""
    wanted = given.get("assignee")
    return {**arguments, "accountId": find_account(str(wanted), look)} if wanted else arguments


def prepare_fields(arguments: CallArguments, given: Given, look: Look) -> JsonObject:
    """Fields from their own arguments, from `additional_fields`, and people in them by name."""
    if given.get("attachments"):
        raise InvalidArguments([("attachments", "files of your machine cannot be attached here")])
    made = dict(merge_additional_fields({"fields": {}}, {"additional_fields": _additional_fields(given)})["fields"])
    made |= arguments.get("fields", {})
    if given.get("components"):
        made["components"] = [{"name": name.strip()} for name in str(given["components"]).split(",") if name.strip()]
    if given.get("assignee"):
        made["assignee"] = given["assignee"]
    if isinstance(made.get("assignee"), str):
        made["assignee"] = {"accountId": find_account(made["assignee"], look)} if made["assignee"] else None
    if isinstance(made.get("parent"), str):
        made["parent"] = {"key": made["parent"]}
    return {**arguments, "fields": made}


def _additional_fields(given: Given) -> JsonObject:
    extra = given.get("additional_fields")
    if extra is None or isinstance(extra, dict):
        return extra or {}
    raise InvalidArguments([("additional_fields", "must be an object")])


def prepare_several(arguments: JsonObject, given: Given, look: Look) -> JsonObject:
    """One creation for each object of `issues`."""
    if given.get("validate_only"):
        raise InvalidArguments([("validate_only", "only false is possible here")])
    try:
        wanted = read_object_list(given["issues"])
    except ValueError as error:
        raise InvalidArguments([("issues", str(error))]) from None
    return {**arguments, "issueUpdates": [{"fields": _prepare_new(one, look)} for one in wanted]}


def _prepare_new(one: JsonMapping, look: Look) -> JsonObject:
    usual = {"project_key", "issue_type", "summary", "description", "assignee", "components"}
    made: JsonObject = {name: value for name, value in one.items() if name not in usual}
    made |= {"project": {"key": one.get("project_key")}, "issuetype": {"name": one.get("issue_type")}}
    made["summary"] = one.get("summary")
    if one.get("description"):
        made["description"] = one["description"]
    if one.get("assignee"):
        made["assignee"] = {"accountId": find_account(str(one["assignee"]), look)}
    if one.get("components"):
        made["components"] = [{"name": name} for name in one["components"]]
    return made


def prepare_search(arguments: JsonObject, given: Given, look: Look) -> JsonObject:
    """The JQL, limited to the projects of `projects_filter`."""
    keys = [f'"{key.strip()}"' for key in str(given.get("projects_filter") or "").split(",") if key.strip()]
    if not keys:
        return arguments
    found = ORDER.split(str(arguments["jql"]), maxsplit=1)
    where = f"project in ({', '.join(keys)})" + (f" AND ({found[0].strip()})" if found[0].strip() else "")
    return {**arguments, "jql": where + (f" ORDER BY {found[1].strip()}" if len(found) > 1 else "")}


def project_jql(value: object) -> str:
    """The JQL of all issues of a project. Raises ValueError."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", value):
        raise ValueError("must be a project key")
    return f"project = {value.upper()} ORDER BY created DESC"


def prepare_worklog(arguments: JsonObject, given: Given, look: Look) -> JsonObject:
    """A worklog, with the remaining estimate when one is given."""
    if given.get("original_estimate"):
        raise InvalidArguments([("original_estimate", "is changed with jira_update_issue, field timetracking")])
    left = given.get("remaining_estimate")
    return {**arguments, "adjustEstimate": "new", "newEstimate": left} if left else arguments
