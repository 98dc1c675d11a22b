"""Configuration rows of the issue tracker: workflows, screens, projects, roles, boards, filters."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.jira import models as j
from apps.jira import models_boards as jira_boards
from apps.jira import models_workflows as jira_workflows
from seeds.company import Company
from seeds.content_packs import PackEntry
from seeds.role_selectors import fits
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from world.core.clock import DAY
from world.core.ids import Ids

STORY = "jira-site"


@dataclass(slots=True)
class Site:
    """Ids by the names that stories use."""

    types: dict[str, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, int] = field(default_factory=dict)
    resolutions: dict[str, int] = field(default_factory=dict)
    link_types: dict[str, int] = field(default_factory=dict)
    link_words: dict[str, tuple[str, str]] = field(default_factory=dict)
    options: dict[tuple[str, str], int] = field(default_factory=dict)
    components: dict[tuple[str, str], int] = field(default_factory=dict)
    versions: dict[tuple[str, str], int] = field(default_factory=dict)
    projects: dict[str, Row] = field(default_factory=dict)
    boards: dict[str, int] = field(default_factory=dict)


def project_site(spec: Spec, company: Company, plain: Mapping[str, object], sink: Sink) -> Site:
    """All configuration rows of jira.yaml."""
    site = Site()
    sink.add(j.Site, id=1, cloud_id=Ids(spec.seed, "jira:site", 0).uuid(), title=company.name)
    _kinds(plain, site, sink)
    _fields(company, plain, site, sink)
    _workflows(plain, site, sink)
    _groups(company, plain, sink)
    _projects(spec, company, plain, site, sink)
    _boards(plain, site, sink)
    _filters(spec, company, plain, sink)
    return site


def _kinds(plain: PackEntry, site: Site, sink: Sink) -> None:
    for one in plain["statuses"]:
        site.statuses[one["name"]] = sink.add(j.Status, **one)["id"]
    for one in plain["types"]:
        site.types[one["name"]] = sink.add(j.IssueType, **one)["id"]
    for position, one in enumerate(plain["priorities"], 1):
        site.priorities[one["name"]] = sink.add(j.Priority, position=position, **one)["id"]
    for one in plain["resolutions"]:
        site.resolutions[one["name"]] = sink.add(j.Resolution, **one)["id"]
    for one in plain["link_types"]:
        site.link_types[one["name"]] = sink.add(j.LinkType, **one)["id"]
        site.link_words[one["name"]] = (one["outward"], one["inward"])


def _fields(company: Company, plain: PackEntry, site: Site, sink: Sink) -> None:
    number = 10100
    for one in plain["fields"]:
        sink.add(j.CustomField, id=one["id"], name=one["name"], kind=one["kind"], description=one["description"])
        values = list(company.services) if one.get("options") == "services" else one.get("options", [])
        for position, value in enumerate(values, 1):
            sink.add(j.FieldOption, id=number, field_id=one["id"], value=value, position=position)
            site.options[one["id"], value] = number
            number += 1
    for one in plain["screens"]:
        sink.add(jira_workflows.Screen, id=one["id"], name=one["name"])
        for position, name in enumerate(one["fields"], 1):
            sink.add(
                jira_workflows.ScreenField,
                screen_id=one["id"],
                field_id=name.rstrip("*"),
                position=position,
                required=name.endswith("*"),
            )


def _workflows(plain: PackEntry, site: Site, sink: Sink) -> None:
    for flow in plain["workflows"]:
        sink.add(
            jira_workflows.Workflow, id=flow["id"], name=flow["name"], initial_status_id=site.statuses[flow["initial"]]
        )
        for position, one in enumerate(flow["transitions"], 1):
            sink.add(
                jira_workflows.Transition,
                workflow_id=flow["id"],
                id=one["id"],
                name=one["name"],
                from_ids=[site.statuses[name] for name in one.get("from", [])],
                to_id=site.statuses[one["to"]],
                condition=one.get("condition", ""),
                screen_id=one.get("screen"),
                resolution_id=site.resolutions[one["resolution"]] if "resolution" in one else None,
                clears_resolution=one.get("clears", False),
                position=position,
            )


def _groups(company: Company, plain: PackEntry, sink: Sink) -> None:
    for one in plain["groups"]:
        group = sink.add(j.Group, id=Ids(0, f"group:{one['name']}", 0).uuid(), name=one["name"])["id"]
        for person in company.staff.values():
            if any(fits(company, person, selector) for selector in one["members"]):
                sink.add(j.GroupMember, group_id=group, person_id=person.id)


def _projects(spec: Spec, company: Company, plain: PackEntry, site: Site, sink: Sink) -> None:
    categories: dict[str, int] = {}
    for one in plain["projects"]:
        if one["category"] not in categories:
            categories[one["category"]] = sink.add(j.Category, id=10000 + len(categories), name=one["category"])["id"]
        born = spec.start - one["days_old"] * DAY
        row = site.projects[one["key"]] = sink.add(
            j.Project,
            id=one["id"],
            key=one["key"],
            name=one["name"],
            description=one["description"],
            lead_id=_seat(company, one["lead"]),
            type_key=one["type"],
            access=one["access"],
            category_id=categories[one["category"]],
            created_at=born,
            updated_at=born,
        )
        sink.refer("jira_project", str(row["id"]), "e.jira-site", STORY, one["key"])
        _roles(company, one, sink)
        for position, name in enumerate(one["types"], 1):
            sink.add(
                jira_workflows.ProjectType,
                project_id=one["id"],
                issue_type_id=site.types[name],
                position=position,
                workflow_id=one["workflow"],
                create_screen_id=one["screen"],
                edit_screen_id=one["screen"],
            )
        _parts(company, plain, one["key"], site, sink)
        for trigger, status in one.get("rules", {}).items():
            sink.add(j.Rule, project_id=one["id"], trigger=trigger, status_id=site.statuses[status])


def _roles(company: Company, one: PackEntry, sink: Sink) -> None:
    administrators = one.get("administrators", [one["lead"]])
    seats = [seat for seat in administrators if seat in company.staff] or ["cto"]
    for seat in seats:
        sink.add(j.RoleActor, project_id=one["id"], role="Administrator", kind="person", actor=_seat(company, seat))
    for person in company.staff.values():
        if any(fits(company, person, selector) for selector in one.get("members", [])):
            sink.add(j.RoleActor, project_id=one["id"], role="Member", kind="person", actor=person.id)


def _parts(company: Company, plain: PackEntry, key: str, site: Site, sink: Sink) -> None:
    project = site.projects[key]["id"]
    for one in plain["components"].get(key, []):
        number = 10000 + len(site.components)
        sink.add(
            j.Component,
            id=number,
            project_id=project,
            name=one["name"],
            description=one["description"],
            lead_id=_seat(company, one["lead"]),
        )
        site.components[key, one["name"]] = number
        sink.refer("jira_component", str(number), "e.jira-site", STORY, one["name"])
    for position, one in enumerate(plain["versions"].get(key, []), 1):
        number = 10000 + len(site.versions)
        sink.add(
            j.Version,
            id=number,
            project_id=project,
            name=one["name"],
            description=one["description"],
            released=one["released"],
            start_on=one["start"].isoformat(),
            release_on=one["release"].isoformat(),
            position=position,
        )
        site.versions[key, one["name"]] = number
        sink.refer("jira_version", str(number), "e.jira-site", STORY, one["name"])


def _boards(plain: PackEntry, site: Site, sink: Sink) -> None:
    for kind, one in plain["board"].items():
        if one["project"] not in site.projects:
            continue
        site.boards[kind] = one["id"]
        sink.add(
            jira_boards.Board, id=one["id"], name=one["name"], kind=kind, project_id=site.projects[one["project"]]["id"]
        )
        sink.refer("jira_board", str(one["id"]), "e.jira-site", STORY, kind)
        for position, name in enumerate(one["columns"], 1):
            sink.add(
                jira_boards.BoardColumn,
                board_id=one["id"],
                position=position,
                name=name,
                status_ids=[site.statuses[name]],
            )


def _filters(spec: Spec, company: Company, plain: PackEntry, sink: Sink) -> None:
    ids: dict[str, int] = {}
    for one in plain["filters"]:
        draw = spec.stream("filter", one["name"])
        at = spec.start - draw.integer(60, 400) * DAY
        number = 10000 + len(ids)
        ids[one["name"]] = sink.add(
            jira_boards.Filter,
            id=number,
            name=one["name"],
            owner_id=_seat(company, one["owner"]),
            jql=one["jql"],
            shared=one["shared"],
            created_at=at,
        )["id"]
        sink.refer("jira_filter", str(number), "e.jira-site", STORY, one["name"])
    for number, one in enumerate(plain["dashboards"], 10000):
        gadgets = [{"kind": g["kind"], "title": g["title"], "filter_id": ids[g["filter"]]} for g in one["gadgets"]]
        sink.add(
            jira_boards.Dashboard, id=number, name=one["name"], owner_id=_seat(company, one["owner"]), gadgets=gadgets
        )
        sink.refer("jira_dashboard", str(number), "e.jira-site", STORY, one["name"])


def _seat(company: Company, seat: str) -> str:
    """The person of a seat; in a small company without it, the technical head."""
    return (company.staff.get(seat) or company.staff["cto"]).id
