"""Form controls for issue fields, made from the metadata of a screen, and the values they send as the API takes them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.jira.pages.template_filters import local_input, number_text, to_api_time
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

Meta = Mapping[str, Any]
Options = tuple[tuple[str, str], ...]
UNTOUCHED = frozenset({"project", "issuetype", "comment", "attachment", "issuelinks", "team"})
LISTED = ("component", "version", "option")


@dataclass(frozen=True, slots=True)
class Control:
    """One labelled control. `field` is the field's id, `name` what the form calls it."""

    field: str
    name: str
    label: str
    kind: str
    value: str | tuple[str, ...] = ""
    options: Options = ()
    required: bool = False
    hint: str = ""


@dataclass(slots=True)
class FormContext:
    """Context of form controls: project, level in the hierarchy, present values."""

    view: View
    project: str
    level: int = 0
    issue: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        """The present value of a field."""
        return self.values.get(name)

    def people(self) -> Options:
        """Return the assignable people, by name."""
        found = self.view.read("findAssignableUsers", project=self.project, maxResults=1000)
        listed = [(p["accountId"], p["displayName"]) for p in found if p["active"]]
        return tuple(sorted(listed, key=lambda pair: (pair[1].lower(), pair[0])))


def list_controls(asking: FormContext, metas: Mapping[str, Meta]) -> list[Control]:
    """The controls of a screen, in its order."""
    out: list[Control] = []
    for id, meta in metas.items():
        if id not in UNTOUCHED and meta["schema"]["type"] not in UNTOUCHED:
            out += list_field_controls(asking, id, meta)
    return out


def list_field_controls(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    """The controls of one field: none for what cannot be typed, two for time tracking."""
    make = MAKE.get(id) or MAKE.get(kind_of(meta["schema"]), _text_control)
    return make(asking, id, meta)


def kind_of(schema: Mapping[str, object]) -> str:
    """`select`, `textarea`, `gh-sprint` for custom fields; the type, or the type of a list's items, for the others."""
    custom = str(schema.get("custom", "")).rsplit(":", 1)[-1]
    if custom:
        return custom
    return str(schema.get("items") or schema["type"])


def _make_control(
    meta: Meta, id: str, name: str, kind: str, value: Any, options: Options = (), hint: str = ""
) -> list[Control]:
    return [Control(id, f"fields.{name}", str(meta["name"]), kind, value, options, bool(meta["required"]), hint)]


def _text_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(meta, id, id, "text", str(asking.value(id) or ""))


def _long_text_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(meta, id, id, "long", str(asking.value(id) or ""))


def _number_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(meta, id, id, "number", number_text(asking.value(id)))


def _date_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(meta, id, id, "date", str(asking.value(id) or ""))


def _datetime_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(
        meta, id, id, "datetime-local", local_input(str(asking.value(id) or ""), asking.view.page_state.me.tz)
    )


def _labels_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    return _make_control(meta, id, id, "labels", ", ".join(asking.value(id) or []), (), "Separate labels with commas.")


def _reference_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    names = tuple((str(v["name"]), str(v["name"])) for v in meta.get("allowedValues") or ())
    now = asking.value(id)
    default = _default_priority_name(asking) if id == "priority" and not asking.issue else ""
    options = names if id == "priority" else (("", "Choose"), *names)
    return _make_control(meta, id, f"{id}.name", "select", str(now["name"]) if now else default, options)


def _default_priority_name(asking: FormContext) -> str:
    found = asking.view.read("getPriorities")
    return next((str(p["name"]) for p in found if p.get("isDefault")), str(found[len(found) // 2]["name"]))


def _person_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    now, options = asking.value(id), asking.people()
    if now and now["accountId"] not in dict(options):
        options = ((str(now["accountId"]), str(now["displayName"])), *options)
    nobody = {"assignee": "Unassigned" if asking.issue else "Automatic", "reporter": "You"}.get(id, "Nobody")
    if id != "reporter" or not asking.issue:
        options = (("", nobody), *options)
    return _make_control(meta, id, f"{id}.accountId", "person", str(now["accountId"]) if now else "", options)


def _option_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    options = (("", "None"), *((str(v["value"]), str(v["value"])) for v in meta.get("allowedValues") or ()))
    now = asking.value(id)
    return _make_control(meta, id, f"{id}.value", "select", str(now["value"]) if now else "", options)


def _multi_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    offered = meta.get("allowedValues") or ()
    options = tuple((str(v["id"]), str(v.get("name") or v.get("value"))) for v in offered if not v.get("archived"))
    now = tuple(str(v["id"]) for v in asking.value(id) or ())
    return _make_control(meta, id, id, "multi", now, options) if options else []


def _sprint_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    options = (
        ("", "None (backlog)"),
        *((str(s["id"]), f"{s['name']} ({s['state']})") for s in list_open_sprints(asking.view, asking.project)),
    )
    now = next((str(s["id"]) for s in asking.value(id) or () if s["state"] != "closed"), "")
    return _make_control(meta, id, id, "select", now, options) if len(options) > 1 else []


def _parent_control(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    if asking.level > 0:
        return []
    now = str((asking.value(id) or {}).get("key", ""))
    if asking.level < 0:
        return _make_control(meta, id, f"{id}.key", "text", now, (), "Key of the parent issue.")
    epics = [
        (str(e["key"]), f"{e['key']} {e['fields']['summary']}") for e in list_open_epics(asking.view, asking.project)
    ]
    if now and now not in dict(epics):
        epics.insert(0, (now, now))
    return _make_control(meta, id, f"{id}.key", "select", now, (("", "None"), *epics)) if epics else []


def _time_controls(asking: FormContext, id: str, meta: Meta) -> list[Control]:
    now = asking.value(id) or {}
    return [
        Control(id, f"fields.{id}.{part}", label, "text", str(now.get(part, "")), (), False, "Like 2d 4h.")
        for part, label in (("originalEstimate", "Original estimate"), ("remainingEstimate", "Remaining estimate"))
    ]


MAKE: dict[str, Callable[[FormContext, str, Meta], list[Control]]] = {
    "description": _long_text_control,
    "environment": _long_text_control,
    "textarea": _long_text_control,
    "priority": _reference_control,
    "resolution": _reference_control,
    "user": _person_control,
    "userpicker": _person_control,
    "labels": _labels_control,
    "component": _multi_control,
    "version": _multi_control,
    "multiselect": _multi_control,
    "select": _option_control,
    "date": _date_control,
    "datepicker": _date_control,
    "datetime": _datetime_control,
    "number": _number_control,
    "float": _number_control,
    "jsw-story-points": _number_control,
    "gh-sprint": _sprint_control,
    "parent": _parent_control,
    "timetracking": _time_controls,
}


def list_open_sprints(view: View, project: str) -> list[JsonObject]:
    """Active and future sprints of a project's boards."""
    boards = view.read("getAllBoards", projectKeyOrId=project, maxResults=50)["values"]
    found: list[JsonObject] = []
    for board in boards:
        if board["type"] == "scrum":
            found += view.read("getAllSprints", boardId=str(board["id"]), state="active,future")["values"]
    return sorted(found, key=lambda s: (s["state"] != "active", s["id"]))


def list_open_epics(view: View, project: str) -> list[dict[str, Any]]:
    """Open epics of a project, the newest first."""
    jql = f'project = "{project}" AND issuetype = Epic AND statusCategory != Done ORDER BY created DESC'
    return (view.attempt("searchForIssuesUsingJql", jql=jql, fields=["summary"], maxResults=100) or {"issues": []})[
        "issues"
    ]


# what a form sent


def parse_form_values(view: View, raw: Mapping[str, object], *, creating: bool) -> JsonObject:
    """Return typed fields in the API's form; a new issue gets no empty ones."""
    schemas = {f["id"]: f["schema"] for f in view.read("getFields") if "schema" in f}
    read = {name: parse_form_value(schemas.get(name, {}), value, view.page_state.me.tz) for name, value in raw.items()}
    return {name: value for name, value in read.items() if not (creating and value in (None, [], {}))}


def parse_form_value(schema: Mapping[str, object], value: object, zone: str) -> object:
    """Return one field's value; values that are no plain text stay."""
    if isinstance(value, dict):
        return _parse_object(schema, value)
    if schema.get("type") == "array" and (
        isinstance(value, str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))
    ):
        return _parse_list(schema, [value] if isinstance(value, str) else value)
    if not isinstance(value, str):
        return value
    if value.strip() == "":
        return None
    return _parse_text(schema, value, zone)


def _parse_object(schema: Mapping[str, object], value: JsonObject) -> object:
    blank = all(item == "" for item in value.values())
    if schema.get("type") == "timetracking":
        return {name: item for name, item in value.items() if item != ""} or None
    return None if blank else value


def _parse_list(schema: Mapping[str, object], values: list[str]) -> object:
    words = [word for value in values for word in value.replace(",", " ").split()]
    if schema.get("items") == "json":
        return (whole_number(words[0]) or None) if words else None
    if schema.get("items") in LISTED:
        return [{"id": word} for word in words]
    return words


def _parse_text(schema: Mapping[str, object], value: str, zone: str) -> object:
    kind = schema.get("type")
    if kind == "number":
        plain = len(value) < 300 and value.replace(".", "", 1).replace("-", "", 1).isdecimal()
        return float(value) if plain and value[1:].find("-") < 0 else value
    if kind == "datetime" and "+" not in value and not value.endswith("Z"):
        return to_api_time(value, zone)
    return value


def list_unchanged_fields(found: list[Control], raw: Mapping[str, object]) -> set[str]:
    """Ids of fields that a form sent back just as it showed them."""
    by_field: dict[str, list[Control]] = {}
    for one in found:
        by_field.setdefault(one.field, []).append(one)
    return {id for id, those in by_field.items() if id in raw and all(_is_unchanged(one, raw) for one in those)}


def _is_unchanged(one: Control, raw: Mapping[str, object]) -> bool:
    value: Any = raw
    for part in one.name.removeprefix("fields.").split("."):
        if not isinstance(value, Mapping) or part not in value:
            return False
        value = value[part]
    if isinstance(one.value, tuple):
        return sorted(v for v in (value if isinstance(value, list) else [value]) if v) == sorted(one.value)
    return isinstance(value, str) and value.strip() == one.value.strip()
