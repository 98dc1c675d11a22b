"""A review of who may open some files: owners have said who still needs them, and the rights and the list follow."""

from collections.abc import Sequence

from scenarios.office.answers import state_count
from scenarios.office.books import BOOK, make_book, share_file
from scenarios.office.people import list_titled
from scenarios.office.questions import write_directly, write_letter
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Do a review of access to files",
    apps=("drive", "sheets", "gmail", "slack"),
    calls=(6, 26),
    traps={
        "emergency": "literal: takes access from somebody who needs it in an emergency",
        "corrected": "hasty: follows the first word of an owner who has corrected it",
        "reading": "hasty: removes somebody who should go on reading, or leaves them the right to edit",
        "namesake": "hasty: takes a first name for a person who is not in that file",
        "list": "forgetful: changes the rights and not the list",
    },
)

REQUESTS = (
    "It is time for the review of access to {area}. The owners have written to you what they need, the list is {book}. Could you change the"
    " rights of the files accordingly, fill in the results, and tell me how many people lost access?",
    "can you finish the access review for {area}? answers of the owners should be with you by now. rights and {book} have to agree in the"
    " end. rules are in the book. i need the number of removals",
    "Please run the quarter's review of {area}: {book} has the lines, the owners have sent you their word. Set the rights and note each"
    " result. The auditors ask me how many accesses were taken away, so let me know.",
    "{book} is waiting for you: who keeps access to {area}, who doesn't. All owners have answered you. Once rights and list are in order,"
    " send me the number of those removed, please.",
    "Could you close the access review of {area} today? What the owners told you counts, within the rules of {book}. Afterwards I need one"
    " number: how many were removed.",
)
AREAS = (
    ("billing", ("Billing runs", "Dunning list", "Bank files")),
    ("payroll", ("Payroll journal", "Bonus plan", "Travel advances")),
    ("contracts", ("Contract index", "Signed offers", "Fee schedule")),
    ("customer data", ("Merchant contacts", "Complaints log", "Export requests")),
    ("planning", ("Headcount plan", "Forecast by team", "Hiring costs")),
    ("security", ("Key register", "Findings", "Vendor checks")),
    ("suppliers", ("Supplier prices", "Open orders", "Bank details")),
    ("insurance", ("Policies", "Claims", "Premiums by office")),
)
BOOKS = ("Access review: {area}", "Who may open what: {area}", "{area}, access", "Review of access, {area}")
RULES = (
    ("Result is one of: kept, removed, reading.",),
    ("The owner of a file decides, and the last word counts. Whom the owner does not name keeps what they have.",),
    ("removed: the access to the file is taken away. reading: from now on they read it and do not edit it.",),
    ("Who is on the tab Emergency keeps access as it is, whatever the owner says.",),
)
REMOVE = (
    "{file}: {names} not needed any more. All others keep it.",
    "About {file}. Please take out {names}, the rest still works with it.",
    "For {file} I would remove {names}. Everybody else stays.",
    "{names} can lose {file}. No other changes.",
)
READ = (
    "{name} only needs to read it.",
    "For {name} reading is enough.",
    "{name} should read it but not change it.",
)
CORRECTED = (
    "Correction to {file}: {name} has to keep it, I had forgotten the month-end.",
    "Please leave {name} in {file} after all, we spoke this morning.",
    "On second thoughts {name} stays in {file}, with the same rights as now.",
)
SUBJECTS = ("Access", "Review", "{file}", "Your question about {file}")


def draw(d: Draw) -> Facts:
    """Make three files with people in them, let their owners say who still needs them, and one of them correct it."""
    w = d.w
    asker = d.pick(list_titled(d, "Finance Lead", "Chief", "Head of", "People & Office", "Staff"), "asker")
    me, *rest = d.sample([one["id"] for one in d.people() if one["id"] != asker], 17, "people", me=0)
    area, files = d.pick(AREAS, "area")
    lines = draw_lines(d, rest[:3], rest[3:])
    books = [
        make_file(d, me, owner, name, lines[at]) for at, (owner, name) in enumerate(zip(rest, files, strict=False))
    ]
    corrected = d.chance(2 / 3, "corrected")
    for at, owner in enumerate(rest[:3]):
        write_words(d, me, owner, files[at], lines[at], corrected=corrected)
    all_lines = [{**one, "file": books[at]} for at, some in enumerate(lines) for one in some]
    on_duty = {one["id"] for one in all_lines if one["kind"] == "emergency"}
    for row, one in enumerate(d.stream("rows").shuffled(all_lines), 1):
        one["row"] = row
        one["result"] = "kept" if one["id"] in on_duty else find_result(one["kind"], corrected=corrected)
    title = d.pick(BOOKS, "title").format(area=area)
    ordered = sorted(all_lines, key=lambda one: one["row"])
    named = {"editor": "edit", "reader": "read"}
    rows = [[one["file"]["title"], one["name"], named[one["right"]], ""] for one in ordered]
    emergency = [[one["name"], "on duty at night"] for one in ordered if one["kind"] == "emergency"]
    other = d.pick([one["full_name"] for one in d.people() if one["id"] not in (me, *rest)], "other")
    tabs = {
        "Access": [["File", "Who", "Right", "Result"], *rows],
        "Emergency": [["Who", "Why"], *d.stream("emergency").shuffled([*emergency, [other, "stand-in at weekends"]])],
        "Rules": RULES,
    }
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Access review", f"Review: {area}", "Quarter's review", "Who keeps access")),
        "request": d.choose_wording(REQUESTS, area=area, book=f'"{title}"'),
        "book": make_book(w, asker, title, tabs, [me]),
        "lines": {f"l{one['row']:02d}": one for one in ordered},
        "count": sum(one["result"] == "removed" for one in ordered),
    }


def draw_lines(d: Draw, owners: Sequence[str], people: Sequence[str]) -> list[list[Facts]]:
    """Four people in each file, and what is to become of them."""
    rng = d.stream("lines")
    more = [rng.choice(("kept", "gone")) for _ in range(3)]
    kinds = (
        ("gone", "wavering", more[0], "kept"),
        ("emergency", "reading", more[1], "kept"),
        ("gone", more[2], "kept", "kept"),
    )
    lines: list[list[Facts]] = []
    for owner, some in zip(owners, rng.shuffled(kinds), strict=True):
        whom = rng.shuffled([one for one in people if one != owner])[:4]
        names = [d.w.person(one) for one in whom]
        firsts = [one.first_name for one in names]
        lines.append(
            [
                {
                    "kind": kind,
                    "id": one.id,
                    "name": one.full_name,
                    "called": one.first_name if firsts.count(one.first_name) == 1 else one.full_name,
                    "right": "editor" if kind in ("reading", "emergency") else rng.choice(("editor", "reader")),
                }
                for kind, one in zip(rng.shuffled(some), names, strict=True)
            ]
        )
    return lines


def find_result(kind: str, *, corrected: bool) -> str:
    """The word that belongs into the list."""
    if kind == "wavering":
        return "kept" if corrected else "removed"
    return {"gone": "removed", "reading": "reading"}.get(kind, "kept")


def make_file(d: Draw, me: str, owner: str, name: str, people: Sequence[Facts]) -> dict[str, str]:
    """Let an owner make a file and share it with the people of its lines and with the agent."""
    rng = d.stream("file", name)
    rows = [[f"{rng.choice('ABCD')}{rng.integer(100, 999)}", "done"] for _ in range(4)]
    made = make_book(d.w, owner, name, {"List": [["No", "State"], *rows]}, [me])
    for one in people:
        share_file(d.w, owner, made["key"], one["id"], role={"editor": "writer", "reader": "reader"}[one["right"]])
    return made


def write_words(d: Draw, me: str, owner: str, file: str, people: Sequence[Facts], *, corrected: bool) -> None:
    """Let an owner tell the agent who is not needed, by mail or by direct message; one corrects it."""
    rng = d.stream("words", file)
    out = [one["called"] for one in people if one["kind"] in ("gone", "wavering", "emergency")]
    parts = [rng.choice(REMOVE).format(file=file, names=" and ".join(out))]
    parts += [rng.choice(READ).format(name=one["called"]) for one in people if one["kind"] == "reading"]
    by_mail = rng.random() < 0.5
    tell_me(d, me, owner, " ".join(parts), file, by_mail=by_mail)
    for one in people:
        if one["kind"] == "wavering" and corrected:
            text = rng.choice(CORRECTED).format(file=file, name=one["called"])
            tell_me(d, me, owner, text, file, by_mail=False)


def tell_me(d: Draw, me: str, owner: str, text: str, file: str, *, by_mail: bool) -> None:
    """Let somebody write to the agent alone."""
    if by_mail:
        subject = d.stream("subject", file).choice(SUBJECTS).format(file=file)
        write_letter(d.w, owner, me, subject, text)
        return
    write_directly(d.w, owner, me, text)


def solution(scene: Scene) -> Steps:
    """Take away and narrow rights, fill the list, answer."""
    truth = scene.facts("truth")
    for name, one in truth["lines"].items():
        if one["result"] == "kept":
            continue
        place = {"fileId": one["file"]["key"], "permissionId": find_permission(scene, one)}
        if one["result"] == "removed":
            yield Step(f"remove_{name}", "drive.permissions.delete", place)
        else:
            yield Step(f"narrow_{name}", "drive.permissions.update", {**place, "role": "reader"}, repeatable=True)
    results = [[one["result"]] for one in truth["lines"].values()]
    where = {"spreadsheetId": truth["book"]["key"], "range": "Access!D2", "valueInputOption": "USER_ENTERED"}
    yield Step("note", "spreadsheets.values.update", {**where, "values": results}, repeatable=True)
    count = truth["count"]
    yield reply(
        scene,
        f"The review is done: {count} people lost access, the list says who.",
        wordings=(f"{count} removals. Rights and list agree now.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def find_permission(scene: Scene, line: Facts) -> str:
    """The id of somebody's permission on a file."""
    id = scene.find("drive_file", key=line["file"]["key"])["id"]
    return scene.find("drive_permission", file_id=id, person_id=line["id"])["key"]


COUNTED = "removed, lost, lost access, lose access, taken away, took away, gone, revoked, all in all"
REST = (
    "kept, keep, keep access, keeps, reading, read, may only read, read only, asked for, were asked for, requested, narrowed, stay, unchanged,"
    " lines, files, in the list"
)


def rubric(truth: Facts) -> RubricSource:
    """Rights that go or shrink, the result of each line, and the number; nobody gets more."""
    refs: dict[str, Item] = {"book": BOOK}
    items: list[Item] = []
    for name, one in truth["lines"].items():
        path = f"event.truth.lines.{name}"
        refs[f"{name}_file"] = {"table": "drive_file", "where": {"key_from": f"{path}.file.key"}}
        refs[f"{name}_who"] = {"employee": {"fact": f"{path}.id"}}
        where = {"file_id": {"ref": f"{name}_file"}, "person_id": {"ref": f"{name}_who"}}
        if one["result"] == "removed":
            items.append({"id": f"removed_{name}", "delete": "drive_permission", "where": where, "weight": 3})
        if one["result"] == "reading":
            narrow = {"update": "drive_permission", "where": where, "set": {"role": "reader"}}
            items.append({"id": f"narrowed_{name}", **narrow, "weight": 3})
    noted = {
        "id": "noted",
        "call": "predicates.check_results",
        "claims": ["sheets_cell"],
        "weight": len(truth["lines"]),
    }
    gone = {one["name"] for one in truth["lines"].values() if one["result"] == "removed"}
    others = sorted({one["name"] for one in truth["lines"].values()} - gone)
    answer = expect_reply(truth, state_count("event.truth.count", COUNTED, REST, others=others))
    files = [{"ref": "book"}, *({"ref": f"{name}_file"} for name in truth["lines"])]
    never = [{"id": "more", "insert": "drive_permission", "where": {"file_id": {"in": files}}}]
    return make_rubric([*items, answer], refs=refs, python=[noted], never=never)
