"""The workbooks of those who build and run things: on-call rota, release calendar, incident log."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from apps.github import models as github
from seeds.company import Staff
from seeds.events import VersionReleased
from seeds.rows.sheets_builder import AMBER, GREEN, RED, Input, Paper, PlantedError, TabBuilder, day_of, serial
from seeds.rows.sheets_facts import SheetFacts

ANCHORS = ("fault", "declared", "mitigated", "resolved")
LATER = 7  # days by which the calendar is behind the tracker


def rota(known: SheetFacts) -> Paper:
    """Build the on-call rota as the directory has it."""
    page = TabBuilder("Rota", (110, 110, 170, 170, 130, 200), frozen=1)
    rows: list[Sequence[Input]] = []
    for one in known.company.rotas.values():
        for shift in one.shifts:
            who = known.company.staff[shift.seat]
            rows.append(
                (
                    known.day(shift.start_at),
                    known.day(shift.end_at),
                    one.name,
                    who.full,
                    who.phone,
                    _clock(known, shift.start_at, who),
                )
            )
    rows.sort(key=lambda row: (str(row[0]), str(row[2])))
    first, end = page.table(
        ("From", "Until", "Schedule", "On call", "Phone", "Hand-over, local time"), rows, ("day", "day", "", "bold")
    )
    page.add_filter()
    page.flag((first, 0, end, 6), f"=AND($A{first + 1}<=TODAY(),TODAY()<$B{first + 1})", GREEN)
    owner = known.seat("platform-lead", "cto")
    shared = (("@engineering", "writer"), ("@support", "writer"), ("company", "reader"))
    return Paper(
        "rota", "On-call rota", owner, "On-call", [page, _leave(known)], 410, 6.8, known.seat("payments-lead"), shared
    )


def _clock(known: SheetFacts, at: int, who: Staff) -> str:
    local = serial(at, who.tz)
    minutes = round(local % 1 * 1440)
    return f"{minutes // 60:02}:{minutes % 60:02} {who.tz}"


def _leave(known: SheetFacts) -> TabBuilder:
    """Build the tab of absences, for swaps of shifts; sick leave is left out."""
    page = TabBuilder("Away", (170, 110, 110, 170), frozen=1)
    rows: list[Sequence[Input]] = []
    for one in sorted(known.company.absences, key=lambda away: (away.start_at, away.seat)):
        if one.kind != "sick":
            who, instead = known.company.staff[one.seat], known.company.staff.get(one.delegate or "")
            until = day_of(one.end_at, who.tz) - timedelta(days=1)
            rows.append((who.full, day_of(one.start_at, who.tz), until, instead.full if instead else None))
    page.table(("Who", "First day", "Last day", "Instead"), rows, ("bold", "day", "day"))
    return page


def releases(known: SheetFacts) -> Paper:
    """Build the release calendar: shipped and planned releases, and the tags of the repositories."""
    pages = [_build_shipped_tab(known), _build_planned_tab(known), _services(known), _versions(known), *_tags(known)]
    owner = known.seat("platform-lead", "cto")
    touched = known.since(*(event.at for event, _ in known.releases))
    shared = (("@engineering", "writer"), ("company", "reader"))
    return Paper(
        "releases",
        "Release calendar",
        owner,
        "Engineering",
        pages,
        500,
        touched,
        known.seat("checkout-lead"),
        shared,
        starred=("product-head",),
    )


def _build_shipped_tab(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Shipped", (135, 150, 90, 150, 380, 150), frozen=1)
    rows: list[Sequence[Input]] = []
    for event, facts in known.releases:
        keys = ", ".join(known.key(handle) for handle in facts.issues)
        rows.append(
            (
                serial(event.at, "UTC"),
                facts.service,
                facts.version,
                keys,
                _what(known, facts.issues),
                known.people[event.actor].full,
            )
        )
    first, end = page.table(
        ("Live since (UTC)", "Service", "Version", "Issues", "What", "Released by"), rows, ("time", "", "bold")
    )
    for row, (event, _) in enumerate(known.releases, first):
        page.events[row] = (event.id, event.story, event.part)
    page.lay("basic_filter", (0, 0, max(end, first + 1), 6))
    return page


def _what(known: SheetFacts, issues: Sequence[str]) -> str:
    """Describe the content of a release in words."""
    if not issues:
        return "takes the release before back"
    title: Any = known.issues[issues[0]].facts
    return f"{title.title}{f' (+{len(issues) - 1})' if len(issues) > 1 else ''}"


def _build_planned_tab(known: SheetFacts) -> TabBuilder:
    """Build the tab of issues with a date in the tracker; one of the dates was moved there and not here."""
    page = TabBuilder("Planned", (90, 380, 170, 110, 90, 120), frozen=1)
    behind = (
        next((handle for handle, _ in known.due if handle == "split-beta"), known.due[0][0] if known.due else "")
        if known.messy
        else ""
    )
    rows: list[Sequence[Input]] = []
    for row, (handle, facts) in enumerate(known.due, 2):
        due = date.fromisoformat(facts.due) + timedelta(days=LATER if handle == behind else 0)
        who = known.people.get(facts.assignee)
        rows.append(
            (known.key(handle), facts.title, who.full if who else None, due, f"=D{row}-TODAY()", known.status(handle))
        )
    first, end = page.table(
        ("Issue", "What", "Who", "Date", "Days left", "Status"), rows, ("bold", "", "", "day", "int")
    )
    for row, (handle, _) in enumerate(known.due, first):
        page.events[row] = (known.issues[handle].id, known.issues[handle].story, handle)
        if handle == behind:
            page.blemishes.append(
                PlantedError("contradiction.sheet_vs_jira_date", (row, 3), ("jira_issue", known.row_of_issue(handle)))
            )
    if rows:
        page.flag((first, 3, end, 4), f"=D{first + 1}<TODAY()+14", AMBER)
    return page


def _services(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("By service", (170, 90, 110, 150), frozen=1)
    last = max(len(known.releases) + 1, 2)
    span, versions = f"Shipped!$B$2:$B${last}", f"Shipped!$C$2:$C${last}"
    rows = [
        (name, f"=COUNTIF({span},A{row})", f'=IFERROR(INDEX({versions},MATCH(A{row},{span},0)),"")')
        for row, name in enumerate(sorted(known.company.services), 2)
    ]
    first, end = page.table(("Service", "Releases", "First version"), rows, ("bold", "int"))
    page.line(("Total", f"=SUM(B{first + 1}:B{end})"), ("sum", "sum int"))
    return page


def _versions(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Versions", (90, 110, 110), frozen=1)
    found = [(event.at, event.facts) for event in known.events if isinstance(event.facts, VersionReleased)]
    page.table(
        ("Version", "Project", "Released on"),
        [(facts.version, facts.project, known.day(at)) for at, facts in found],
        ("bold", "", "day"),
    )
    return page


def _tags(known: SheetFacts) -> list[TabBuilder]:
    """The releases of the repositories, as the code host has them."""
    repositories = {row["id"]: row["name"] for row in known.sink.rows.get(github.Repository, [])}
    tags = sorted(known.sink.rows.get(github.Release, []), key=lambda row: (row["published_at"], row["id"]))
    if not tags:
        return []
    page = TabBuilder("Tags", (150, 110, 250, 110), frozen=1)
    rows = [(repositories[one["repo_id"]], one["tag"], one["name"], known.day(one["published_at"])) for one in tags]
    page.table(("Repository", "Tag", "Name", "On"), rows, ("bold", "", "", "day"))
    return [page]


def incidents(known: SheetFacts) -> Paper | None:
    """Every declared incident with its moments, and what they add up to."""
    if not known.troubles:
        return None
    log = TabBuilder("Log", (80, 330, 80, 120, 190, 135, 135, 135, 135, 90, 110), frozen=1, frozen_columns=1)
    rows: list[Sequence[Input]] = []
    for row, one in enumerate(known.troubles, 2):
        times = [serial(one.moments[name], "UTC") if name in one.moments else None for name in ANCHORS]
        rows.append(
            (
                known.key(one.handle),
                one.facts.title,
                one.facts.severity,
                one.facts.service,
                one.facts.customer,
                *times,
                *_length(row),
                one.status,
            )
        )
    heads = (
        "Key",
        "What",
        "Severity",
        "Service",
        "Reported by",
        "Began",
        "Declared",
        "Mitigated",
        "Resolved",
        "Minutes",
        "Status",
    )
    first, end = log.table(heads, rows, ("bold", "", "", "", "", "time", "time", "time", "time", "int"))
    for row, one in enumerate(known.troubles, first):
        log.events[row] = (one.made.id, one.made.story, one.handle)
    log.lay("basic_filter", (0, 0, end, 11))
    log.flag((first, 2, end, 3), f'=$C{first + 1}="SEV1"', RED)
    log.choices(2, first, end, ("SEV1", "SEV2", "SEV3"))
    log.lay("named_range", (first, 9, end, 10), "Minutes")
    touched = known.since(*(one.made.at for one in known.troubles))
    shared = (("@engineering", "writer"), ("@support", "writer"), ("success-head", "reader"))
    return Paper(
        "incidents",
        "Incident log",
        known.seat("platform-lead", "cto"),
        "On-call",
        [log, _severities(end)],
        380,
        touched,
        shared=shared,
    )


def _length(row: int) -> tuple[str]:
    return (f'=IF(I{row}="","",ROUND((I{row}-F{row})*1440,0))',)


def _severities(last: int) -> TabBuilder:
    page = TabBuilder("By severity", (110, 90, 110, 110), frozen=1)
    kinds, minutes = f"Log!$C$2:$C${last}", f"Log!$J$2:$J${last}"
    rows = [
        (
            name,
            f"=COUNTIF({kinds},A{row})",
            f'=IFERROR(ROUND(AVERAGEIF({kinds},A{row},{minutes}),0),"")',
            f'=IF(B{row}=0,"",SUMIF({kinds},A{row},{minutes}))',
        )
        for row, name in enumerate(("SEV1", "SEV2", "SEV3"), 2)
    ]
    first, end = page.table(
        ("Severity", "Incidents", "Mean minutes", "All minutes"), rows, ("bold", "int", "int", "int")
    )
    page.line(
        ("All", f"=SUM(B{first + 1}:B{end})", f"=ROUND(AVERAGE({minutes}),0)", f"=MAX({minutes})"),
        ("sum", "sum int", "sum int", "sum int"),
    )
    page.put(end, 4, "the longest", "note")
    return page
