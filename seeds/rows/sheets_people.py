"""The workbooks about people: the offsite, hiring, salaries, shifts; and one that nobody named."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from seeds.company import Staff
from seeds.rows.sheets_builder import AMBER, GREEN, Input, Paper, TabBuilder
from seeds.rows.sheets_facts import SheetFacts

BEFORE = {"newyork", "bangalore"}  # offices that travel the day before


def here(known: SheetFacts) -> list[Staff]:
    """Everybody who works here, by name."""
    return sorted(
        (one for one in known.company.staff.values() if one.is_employed(known.spec.start)),
        key=lambda one: (one.first, one.last),
    )


def offsite(known: SheetFacts) -> Paper:
    """The summer offsite: programme, people, costs."""
    pages = [_programme(known), _build_attendee_tab(known), _costs(known)]
    shared = (
        ("ceo", "writer"),
        ("designer", "writer"),
        ("success-2", "writer"),
        ("finance", "writer"),
        ("company", "commenter"),
    )
    owner = known.seat("people")
    return Paper(
        "offsite",
        "Summer offsite 17–19 June",
        owner,
        "People & office",
        pages,
        33,
        1.7,
        shared=shared,
        starred=("designer", "success-2"),
    )


def _programme(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Programme", (110, 90, 330, 190), frozen=2)
    page.put(0, 0, "Summer offsite, by the lake near Templin", "title")
    page.merge(0, 0, 1, 4)
    page.line(("Day", "From", "What", "Who"), "head")
    plan: Mapping[str, object] = known.pack["offsite"]
    day, begun = None, 2
    for when, clock, what, who in known.pack["offsite"]["plan"]:
        if when != day and day is not None and page.height - begun > 1:
            page.merge(begun, 0, page.height, 1)
        begun = page.height if when != day else begun
        name = known.who(who.strip("{}")).first if who else None
        heading = f"{plan['days'][when]} {when.day}" if when != day else None  # type: ignore[index]
        page.line((heading, clock, what, name), ("bold wrap", "", "", ""))
        day = when
    if page.height - begun > 1:
        page.merge(begun, 0, page.height, 1)
    return page


def _build_attendee_tab(known: SheetFacts) -> TabBuilder:
    """Build the tab of attendees: office, arrival, food, room, child; some have not answered."""
    page = TabBuilder("People", (190, 110, 110, 150, 150, 60), frozen=1)
    facts = known.pack["offsite"]
    rows: list[Sequence[Input]] = []
    for one in here(known):
        draw = known.draw("offsite", one.seat)
        food, room, child, answered = (
            draw.choice(facts["food"]),
            draw.choice(facts["rooms"]),
            draw.random() < 0.1,
            draw.random() < 0.8,
        )
        answers: Sequence[Input] = (
            (food or "anything", room, "yes" if child else "no") if answered else (None, None, None)
        )
        rows.append(
            (
                one.full,
                known.company.offices[one.office].city,
                date(2026, 6, 16 if one.office in BEFORE else 17),
                *answers,
            )
        )
    first, end = page.table(("Who", "Office", "Arrives", "Food", "Room", "Child"), rows, ("bold", "", "day"))
    page.flag((first, 3, end, 4), f"=ISBLANK($D{first + 1})", AMBER)
    return page


def _costs(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Costs", (270, 90, 110, 120), frozen=1)
    last = len(here(known)) + 1
    names = {one.key: one.city for one in known.company.offices.values()}
    counts: Mapping[str, str] = {
        "heads3": f"=3*COUNTA(People!$A$2:$A${last})",
        "canoes": f"=ROUNDUP(COUNTA(People!$A$2:$A${last})/2,0)",
    }
    rows: list[Sequence[Input]] = []
    for row, (what, count, price) in enumerate(known.pack["offsite"]["costs"], 2):
        office = str(count).partition("office:")[2]
        wanted = f'=COUNTIF(People!$B$2:$B${last},"{names[office]}")' if office else counts.get(count, count)
        rows.append((what, wanted, price, f"=B{row}*C{row}"))
    first, end = page.table(("What", "Count", "Price", "Sum"), rows, ("bold", "int", "eur", "eur"))
    page.line(("Total", None, None, f"=SUM(D{first + 1}:D{end})"), ("sum", "sum", "sum", "sum eur"))
    page.line(("Per head", None, None, f"=ROUND(D{end + 1}/COUNTA(People!$A$2:$A${last}),2)"), ("", "", "", "eur"))
    page.line(("Not answered yet", f"=COUNTBLANK(People!$D$2:$D${last})"), ("", "int"))
    return page


def hiring(known: SheetFacts) -> Paper | None:
    """The search for one more SRE: everybody who applied, those who were called, the funnel by hand."""
    if not {"people", "platform-lead"} <= known.company.staff.keys():
        return None
    facts = known.pack["hiring"]
    calls = TabBuilder("Calls", (110, 90, 330, 110, 110), frozen=1)
    rows = [
        (
            f"Candidate {one['number']}",
            one["verdict"],
            one["reason"],
            one["stage"],
            facts["start"] if one["stage"] == "signed" else None,
        )
        for one in facts["calls"]
    ]
    first, end = calls.table(("Who", "Call?", "Why", "Stage", "Start"), rows, ("bold", "", "", "", "day"))
    calls.choices(1, first, end, ("yes", "maybe", "no"))
    calls.flag((first, 0, end, 5), f'=$D{first + 1}="signed"', GREEN)
    funnel = TabBuilder("Funnel", (150, 90))
    verdicts = [one["verdict"] for one in facts["calls"]]
    counts = (
        ("Applied", facts["applied"]),
        ("Worth a call", len(verdicts)),
        ("Yes", verdicts.count("yes")),
        ("Maybe", verdicts.count("maybe")),
    )
    funnel.table(("Step", "People"), [*counts, ("No", verdicts.count("no")), ("Signed", 1)], ("bold", "int"))
    pages = [calls, _applications(known), funnel, _questions()]
    shared = (("cto", "writer"), ("platform-lead", "writer"), ("platform-1", "commenter"))
    return Paper("hiring", "SRE #4 tracker", "people", "Hiring", pages, 57, 1.1, shared=shared)


def _applications(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Applications", (60, 110, 150, 90), frozen=1)
    facts = known.pack["hiring"]
    sources = known.draw("hiring").shuffled([name for name, count in facts["sources"].items() for _ in range(count)])
    called = {5 + 4 * one["number"]: one["number"] for one in facts["calls"]}
    rows: list[Sequence[Input]] = []
    for number, source in enumerate(sources, 1):
        day = known.today - timedelta(days=54 - number // 2 - known.draw("applied", number).integer(0, 2))
        rows.append((number, day, source, f"Candidate {called[number]}" if number in called else None))
    page.table(("No.", "Came in", "Through", "Called as"), rows, ("", "day", "", "bold"))
    page.add_filter()
    return page


def _questions() -> TabBuilder:
    page = TabBuilder("Exercise", (60, 430))
    lines = (
        "One hour, a staging cluster that is broken in a way with two answers.",
        "They drive, we answer questions and nothing else.",
        "What did they look at first?",
        "What did they say when they did not know?",
        "Did they undo what they tried?",
    )
    for number, text in enumerate(lines, 1):
        page.line((number, text))
    return page


def salaries(known: SheetFacts) -> Paper | None:
    """Proposals of the round; for leads only."""
    if "people" not in known.company.staff:
        return None
    page = TabBuilder("Proposals", (190, 170, 190, 110, 330), frozen=1)
    leads = {one.manager for one in known.company.staff.values()}
    rows: list[Sequence[Input]] = []
    for one in here(known):
        if one.manager is None or one.joined_at > known.spec.start - 200 * 86_400_000_000:
            continue
        draw = known.draw("salary", one.seat)
        given = draw.random() < 0.4
        raised = draw.choice((0, 2, 2.5, 3, 3, 3.5, 4, 6)) / 100 if given else None
        rows.append(
            (
                one.full,
                known.company.teams[one.team].name,
                known.company.staff[one.manager].full,
                raised,
                "outside the band" if raised == 0.06 else None,
            )
        )
    rows.sort(key=lambda row: (str(row[2]), str(row[0])))
    page.table(("Who", "Team", "Proposed by", "Raise", "Reason"), rows, ("bold", "", "", "pct"))
    page.put(page.height + 1, 0, "Until 13 March. Please do not share this sheet.", "note")
    shared = tuple((one.seat, "writer") for one in here(known) if one.seat in leads)
    return Paper("salaries", "Salary round 2026", "people", "", [page], 31, 2.3, known.seat("support-head"), shared)


def shifts(known: SheetFacts) -> Paper | None:
    """The support team's plan as it went round by mail."""
    found = known.attachment("work/shift-plan", "shifts-march.csv")
    if found is None:
        return None
    event, text = found
    page = TabBuilder("shifts-march", (110, 110, 110, 110))
    head, *lines = text.split("\n")
    rows = [(date.fromisoformat(day), *names) for day, *names in (line.split(",") for line in lines)]
    page.table(head.split(","), rows, ("day",))
    shared = (("@support", "writer"),)
    return Paper(
        "shifts",
        "shifts-march",
        known.people[event.actor].seat,
        "",
        [page],
        known.since(event.at),
        known.since(event.at),
        shared=shared,
        event=event.id,
    )


def untitled(known: SheetFacts) -> Paper:
    """A corner of somebody's arithmetic."""
    page = TabBuilder("Sheet1")
    for row, values in enumerate(
        (("retry", "after s", "sum s"), (1, 0.5, 0.5), (2, 1.5, 2), (3, 4.5, 6.5), (4, 13.5, 20))
    ):
        page.line(values, row=row)
    page.put(2, 4, "too long for a person at a till?")
    return Paper("untitled", "Untitled spreadsheet", known.seat("payments-1"), "", [page], 33, 32.4)
