"""Files that anybody with the link can read: what is not on the list of public files is closed, and its owner told."""

from collections.abc import Sequence

from scenarios.office.answers import state_count
from scenarios.office.books import local_time, make_book
from scenarios.office.people import list_titled
from scenarios.office.private_messages import describe_reader, expect_private_message, join_told, tell
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import DAY
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Close links to files that should not be public",
    apps=("drive", "sheets", "slack"),
    calls=(10, 30),
    traps={
        "public": "literal: closes the link of a file that is meant for the public",
        "twin": "hasty: leaves last year's file open because this year's is on the list",
        "end": "forgetful: leaves a link whose time is over, or closes one that was extended",
        "edit": "forgetful: leaves a public file that anybody may edit",
    },
)

REQUESTS = (
    "The auditors ask about files that anybody with the link can open. Please check those that you can edit against {book} and close what"
    " has no business being open. Tell each owner whose link you closed, personally, and me how many there were.",
    "can you do the link check this time? the list of what may be public and the rules are in {book}, it's about all files you have edit"
    " rights on. write to the owners of the links you close, one by one, and give me the number",
    "Could you go through the files you can edit and take away open links, unless {book} allows them? The owners should hear it from you"
    " directly. I only need to know how many links you closed.",
    "Quarterly tidying: links that are open to the world, measured against {book}. Only files that you may edit. Let the owners of closed"
    " ones know in private, then report the count to me.",
    "I saw one of our sheets on a stranger's screen today. Please compare the open links of the files you can edit with {book} and close"
    " the rest. A short personal note to every owner concerned, and a number for me.",
)
NAMES = (
    "Price list",
    "Partner directory",
    "Status of regions",
    "Webinar sign-up",
    "Holiday calendar",
    "Onboarding plan",
    "Fair contacts",
    "Rate comparison",
    "Interview questions",
    "Margin per customer",
    "Support shifts",
    "Test cards",
    "Roadmap draft",
    "Complaints",
    "Supplier terms",
    "Office keys",
    "Load test results",
    "Translation list",
)
YEARS = (("2026", "2025"), ("H1 2026", "H2 2025"), ("v2", "v1"), ("spring", "autumn"))
BOOKS = ("Files for outsiders", "Public files", "What may be public", "Register of open links")
RULES = (
    ("A file is on the list, or its link is closed. What counts is the exact name.",),
    ("After the day in the column Until the link is closed, unless the tab Extended has a later day.",),
    ("Open links are for reading. If one lets people comment or edit, it is set to reading.",),
)
KINDS = ("plain", "plain", "twin", "time", "listed", "dated", "edit", "closed", "plain")


def draw(d: Draw) -> Facts:
    """Make files of several owners, and the register of those that may be public."""
    w = d.w
    asker = d.pick(list_titled(d, "Chief", "Head of", "Finance", "People & Office", "Staff"), "asker")
    near = {one["file_id"] for one in w.rows("drive_permission", type="anyone")}
    busy = {one["person_id"] for one in w.rows("drive_permission") if one["file_id"] in near}
    me = d.pick([one["id"] for one in d.people() if one["id"] not in (asker, *busy)], "agent", me=True)
    others = [one["id"] for one in d.people() if one["id"] not in (me, asker)]
    owners = d.sample(others, len(KINDS), "owners")
    late = not d.chance(1 / 3, "extended")
    files = [plant_file(d, me, owner, number) for number, owner in enumerate(owners)]
    title = d.pick(BOOKS, "title")
    make_book(w, asker, title, list_register(d, files, late=late), [me], role="reader")
    closed = [one for one in files if one["kind"] in ("plain", "twin") or (one["kind"] == "time" and late)]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Open links", "Public files", "Link check", "Files on the web")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"'),
        "closed": {f"f{number}": one for number, one in enumerate(closed)},
        "narrowed": {one["kind"]: one for one in files if one["kind"] == "edit"},
        "kept": [one["name"] for one in files if one not in closed],
        "spared": {one["kind"]: one for one in files if one not in closed},
        "count": len(closed),
    }


def plant_file(d: Draw, me: str, owner: str, number: int) -> Facts:
    """Let an owner make a file that the agent can edit, with an open link but for one of them."""
    rng, kind = d.stream("file", number), KINDS[number]
    pairs = d.sample(NAMES, len(KINDS), "names of files")
    new, old = d.pick(YEARS, "years")
    name = f"{pairs[KINDS.index('listed')]} {old}" if kind == "twin" else f"{pairs[number]} {new}"
    rows = [["Item", "Note"], *([f"{rng.choice('ABCDEF')}-{rng.integer(100, 999)}", "checked"] for _ in range(4))]
    made = make_book(d.w, owner, name, {"List": rows}, [me])
    if kind != "closed":
        role = rng.choice(("writer", "commenter")) if kind == "edit" else "reader"
        d.w.act(owner, "drive.permissions.create", fileId=made["key"], type="anyone", role=role)
    return {"kind": kind, "name": name, "key": made["key"], "owner": describe_reader(d.w, me, owner)}


def list_register(d: Draw, files: Sequence[Facts], *, late: bool) -> Facts:
    """Files that may be public, with the days on which that ends."""
    rng = d.stream("register")
    names = {one["kind"]: one["name"] for one in files}
    days = {"listed": None, "edit": None, "dated": rng.integer(9, 60), "time": -rng.integer(2, 20)}
    rows = [[names[kind], "" if day is None else find_day(d, day)] for kind, day in days.items()]
    reasons = rng.shuffled(("customers ask for it", "on our website", "partners need it", "for the fair", "press"))
    listed = [[name, why, until] for (name, until), why in zip(rows, reasons, strict=False)]
    extended = [
        [names["dated"], find_day(d, 90)],
        *([] if late else [[names["time"], find_day(d, rng.integer(10, 40))]]),
    ]
    return {
        "Public": [["File", "Why", "Until"], *rng.shuffled(listed)],
        "Extended": [["File", "New day"], *extended],
        "Rules": RULES,
    }


def find_day(d: Draw, days: int) -> str:
    """The date so many days from now."""
    return local_time(d.w.now + days * DAY, "UTC")[:10]


def solution(scene: Scene) -> Steps:
    """Close the links, set one to reading, tell the owners, answer."""
    truth = scene.facts("truth")
    for name, file in truth["closed"].items():
        key = find_link(scene, file["key"])
        yield Step(f"close_{name}", "drive.permissions.delete", {"fileId": file["key"], "permissionId": key})
    for name, file in truth["narrowed"].items():
        link = {"fileId": file["key"], "permissionId": find_link(scene, file["key"]), "role": "reader"}
        yield Step(f"narrow_{name}", "drive.permissions.update", link, repeatable=True)
    for name, file in truth["closed"].items():
        text = f"Hi, I closed the open link to your file {file['name']}, since it is not on the list of public files."
        yield tell(f"tell_{name}", file["owner"], text, wordings=(f"{file['name']} is no longer open to all.",))
    yield reply(
        scene,
        f"I closed {truth['count']} links and told the owners.",
        wordings=(f"{truth['count']} links are closed now.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def find_link(scene: Scene, file: str) -> str:
    """The id of a file's open link."""
    id = scene.find("drive_file", key=file)["id"]
    return scene.find("drive_permission", file_id=id, type="anyone")["key"]


CLOSING = (
    *("close", "closed", "closing", "remove", "removed", "revoked", "deleted", "disabled", "withdrawn", "unshared"),
    *("off", "taken away", "took", "gone", "no longer", "not open", "any more"),
    *("private", "restricted", "stopped", "ended"),
)
READING = ("read", "reading", "reader", "readers", "read-only", "view", "viewer", "viewing", "viewers")
"""What an owner reads of a link that is gone, and of one that is for reading only."""


def says_closed(path: str, how: str) -> Item:
    """That a text says that the link to a file is closed, or denies it."""
    return {"stance": {"on": "link_closed", "with": {"file": f"{path}.name"}, "is": how}}


def tell_closed(path: str) -> Item:
    """What the owner of a file is told: which file it is, and that its link is closed."""
    named = {"any_of": [{"mentions": f"{path}.{part}"} for part in ("name", "key")]}
    closed = {"any_of": [says_closed(path, "asserted"), *({"mentions": one} for one in CLOSING)]}
    done = [{"claims": {"subject": one, "state": how}} for one in ("I", "link") for how in ("closed", "removed")]
    open_still = {"all_of": [says_closed(path, "denied"), {"none_of": done}]}  # the rights of people may stay
    return {"all_of": [named, closed], "none_of": [open_still]}


def forbid_false_news(truth: Facts) -> list[Item]:
    """The prohibition to tell the owners of files that keep their links that those are closed."""
    never: list[Item] = []
    for name in truth["spared"]:
        path, sender = f"event.truth.spared.{name}", {"sender": {"ref": "agent"}}
        text = {"field": "text", "any_of": [says_closed(path, "asserted")]}
        text["none_of"] = [{"mentions": one} for one in READING]
        places = {
            "slack_message": {"channel_id_from": f"{path}.owner.dm"},
            "gmail_mail": {"recipients": {"any": f"{path}.owner.email"}},
        }
        never += [
            {"id": f"false_news_{name}_{table}", "insert": table, "where": {**where, **sender}, "text": text}
            for table, where in places.items()
        ]
    return never


COUNTED = (
    "closed",
    "removed",
    "switched off",
)
OTHERS = ("still open", "stay open", "stayed open", "remain open")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """Links that go, one that is for reading only, a word to each owner, and the number."""
    files = {name: f"event.truth.closed.{name}" for name in truth["closed"]}
    narrowed = {name: f"event.truth.narrowed.{name}" for name in truth["narrowed"]}
    refs = {
        name: {"table": "drive_file", "where": {"key_from": f"{path}.key"}}
        for name, path in {**files, **narrowed}.items()
    }
    link = {"type": "anyone"}
    gone = [
        {"id": f"closed_{name}", "delete": "drive_permission", "where": {"file_id": {"ref": name}, **link}, "weight": 2}
        for name in files
    ]
    changed = [
        {
            "id": f"narrowed_{name}",
            "update": "drive_permission",
            "where": {"file_id": {"ref": name}, **link},
            "set": {"role": "reader"},
        }
        for name in narrowed
    ]
    items, one_of, more = join_told(
        [expect_private_message(f"told_{name}", f"{path}.owner", tell_closed(path)) for name, path in files.items()]
    )
    answer = expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS))
    never = [{"id": "opened", "insert": "drive_permission"}, *forbid_false_news(truth)]
    return make_rubric([*gone, *changed, *items, answer], refs={**refs, **more}, one_of=one_of, never=never)
