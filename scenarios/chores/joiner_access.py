"""Somebody takes on a duty: they get the channels and files that the list names, and what needs a word is asked for."""

from collections.abc import Mapping, Sequence

from scenarios.office.books import make_book
from scenarios.office.people import list_titled
from scenarios.office.private_messages import asks, describe_reader, expect_private_message, join_told, tell
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Give a colleague the access of a new duty",
    apps=("slack", "drive", "sheets"),
    calls=(7, 18),
    traps={
        "word": "hasty: shares a file whose owner has not agreed",
        "stand-in": "literal: gives somebody who only stands in the right to write",
        "role": "hasty: takes the line of a duty with a similar name",
    },
)

REQUESTS = (
    "{name} is {role} from Monday, {how}. Could you set up the usual access? It is all in {book}. Tell me what has to wait, if anything.",
    "can you get {name} into everything a {role} needs? {how}, starting monday. {book} says what that is. let me know if something can't be"
    " done right away",
    "As of Monday {name} is our {role} ({how}). Please arrange the channels and files that {book} lists for it, and write me whether"
    " anything is still open.",
    "{first} takes over as {role}, {how}. Would you see to channels and files as in {book}? I want to tell {first} what is not there yet,"
    " so give me a word on that. It is {name}, to be clear.",
    "Please prepare {name} for being {role} ({how}): access as described in {book}, no more and no less. What remains open?",
)
ROLES = (
    ("release captain", "release reviewer"),
    ("incident scribe", "incident lead"),
    ("budget holder", "budget reader"),
    ("customer liaison", "customer reporter"),
    ("data steward", "data reader"),
    ("vendor manager", "vendor contact"),
    ("migration lead", "migration tester"),
    ("office safety officer", "office safety trainer"),
)
FILES = ("Checklist", "Contacts", "Decisions", "Handbook", "Open points", "Minutes", "Key figures", "Timetable")
BOOKS = ("Who gets what", "Access by duty", "Duties and access", "Rights of duties")
RULES = (
    ("Everybody gets the channels of their duty. Files as listed: edit or view.",),
    ("Who only stands in for somebody views the files and edits none.",),
    (
        "A file with the remark owner is shared when its owner has agreed. If it is not in the tab Agreed, ask the owner,",
    ),
    ("and share nothing until they have.",),
)


def draw(d: Draw) -> Facts:
    """Choose a duty, and make its files; one of them needs the word of its owner."""
    asker = d.pick(list_titled(d, "People & Office", "Head of", "Engineering Manager", "Chief"), "asker")
    me, joiner, rooms = choose_people(d, asker)
    others = [one["id"] for one in d.people() if one["id"] not in (asker, me, joiner)]
    owners, (role, similar) = d.sample(others, 4, "owners"), d.pick(ROLES, "role")
    names = d.sample(FILES, 6, "names of files")
    rng = d.stream("rights")
    stands_in, agreed = d.chance(0.5, "stands in"), d.chance(1 / 3, "agreed")
    files = []
    for at in range(3):
        name = f"{role.capitalize()}: {names[at]}"
        made = make_book(d.w, owners[at], name, {"List": [["Point", "State"], [names[at], "open"]]}, [me])
        listed = "edit" if at == 0 else rng.choice(("edit", "view"))
        files.append({**made, "listed": listed, "owner": owners[at], "short": names[at]})
    title = d.pick(BOOKS, "title")
    whom = d.w.person(joiner)
    lists = {role: files, similar: [{"title": f"{similar.capitalize()}: {one}", "listed": "edit"} for one in names[3:]]}
    tabs = {
        "Access": [["Duty", "Kind", "What", "Right", "Remark"], *list_access(d, lists, rooms, role)],
        "Agreed": [["File", "For", "By"], *list_agreed(d, files[2], whom.full_name, agreed=agreed)],
        "Rules": RULES,
    }
    make_book(d.w, owners[3], title, tabs, [me], role="reader")
    given = files if agreed else files[:2]
    how = ("standing in for two months", "only as a stand-in") if stands_in else ("for good", "permanently")
    slots = {"name": whom.full_name, "first": whom.first_name, "role": role, "how": rng.choice(how)}
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Access", f"New {role}", "From Monday", "Rights")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"', **slots),
        "joiner": joiner,
        "email": whom.email,
        "role": role,
        "rooms": {f"r{number}": name for number, name in enumerate(rooms[:2])},
        "files": {
            f"f{number}": {**one, "right": "reader" if stands_in or one["listed"] == "view" else "writer"}
            for number, one in enumerate(given)
        },
        "waiting": {} if agreed else {"w": {**files[2], "reader": describe_reader(d.w, me, owners[2])}},
    }


def choose_people(d: Draw, asker: str) -> tuple[str, str, list[str]]:
    """The agent, the person with the new duty, and four channels that only the agent is in."""
    inside: dict[str, set[str]] = {}
    rooms = [
        one for one in d.w.rows("slack_channel", kind="public", archived_at=None) if not one["name"].startswith("inc-")
    ]
    for one in rooms:
        for member in d.w.rows("slack_member", channel_id=one["id"]):
            inside.setdefault(member["person_id"], set()).add(one["name"])
    ids = [one["id"] for one in d.people() if one["id"] != asker]
    pairs = [(me, other) for me in d.list_agents(ids) for other in ids if len(inside[me] - inside[other]) >= 4]
    me, other = d.pick(pairs, "pairs of people")
    return me, other, d.sample(sorted(inside[me] - inside[other]), 4, "channels")


def list_access(d: Draw, lists: Facts, rooms: list[str], role: str) -> list[Sequence[object]]:
    """The lines of all duties: the one that is meant, one with a similar name, and others."""
    rng = d.stream("lines")
    rows: list[Sequence[object]] = []
    for duty, files in lists.items():
        mine = duty == role
        rows += [[duty, "channel", f"#{name}", "", ""] for name in (rooms[:2] if mine else rooms[2:])]
        rows += [
            [duty, "file", one["title"], one["listed"], "owner" if mine and one is files[2] else ""] for one in files
        ]
    more = [duty for pair in ROLES for duty in pair if duty not in lists][:3]
    rows += [[duty, "channel", f"#{rng.choice(rooms)}", "", ""] for duty in more]
    return sorted(rows, key=lambda one: str(one[0]))


def list_agreed(d: Draw, file: Mapping[str, str], name: str, *, agreed: bool) -> list[list[str]]:
    """What owners have agreed to: for others, and for this person if so."""
    someone = d.pick([one["full_name"] for one in d.people() if one["full_name"] != name], "somebody else")
    owner = d.w.person(file["owner"]).full_name
    return [[file["title"], whom, owner] for whom in (someone, *([name] if agreed else []))]


def solution(scene: Scene) -> Steps:
    """Invite, share, ask the owner if that is needed, answer."""
    truth = scene.facts("truth")
    user = scene.find("account", app="slack", person_id=truth["joiner"])["external_id"]
    for name, room in truth["rooms"].items():
        channel = scene.find("slack_channel", name=room)["id"]
        yield Step(f"invite_{name}", "conversations.invite", {"channel": channel, "users": user})
    for name, file in truth["files"].items():
        shared = {"fileId": file["key"], "type": "user", "role": file["right"], "emailAddress": truth["email"]}
        yield Step(f"share_{name}", "drive.permissions.create", shared, repeatable=True)
    text, wording = (
        "Channels and files are all set up, nothing is left to wait for.",
        "It is all done, channels and files.",
    )
    if truth["waiting"]:
        file = truth["waiting"]["w"]
        question = f"Hi, may I share {file['title']} with the new {truth['role']}? The list says it needs your word."
        yield tell("ask_owner", file["reader"], question)
        text = f"All set but one: {file['title']} waits for the word of its owner, whom I have asked."
        wording = f"Channels and files are done. {file['title']} is open until the owner agrees."
    yield reply(scene, text, wordings=(wording,))
    yield Step("finish", "world.finish", {"status": "done"})


WAITING = [{"claims": {"subject": "everything", "state": one}} for one in ("waiting", "blocked", "open")]
"""What the answer may not say where all could be set up."""
LABELS = {
    "open": (
        "wait, waits, waiting, has to wait, must wait, open, still open, on hold, blocked, missing, not yet, not shared,"
        " not set up, could not, refused, needs the word, needs a word, depends on, outstanding, not there, not there yet, lacking, has to agree,"
        " must agree, needs to agree, has not agreed, hasn't agreed"
    ),
    "done": "set up, shared, done, in place, arranged, ready, agreed, had agreed, nothing is open, given, access to, has, can edit, can view",
}
"""What the answer may call a file."""


def rubric(truth: Facts) -> RubricSource:
    """Membership of the channels, the rights on the files, and the question to an owner who has not agreed."""
    refs: dict[str, Item] = {"joiner": {"employee": {"fact": "event.truth.joiner"}}}
    files = {name: f"event.truth.files.{name}.key" for name in truth["files"]}
    refs |= {name: {"table": "drive_file", "where": {"key_from": path}} for name, path in files.items()}
    whom = {"person_id": {"ref": "joiner"}}
    items: list[Item] = [
        {"id": f"invited_{name}", "insert": "slack_member", "where": {"channel": room, **whom}, "weight": 2}
        for name, room in truth["rooms"].items()
    ]
    for name, one in truth["files"].items():
        where = {"file_id": {"ref": name}, "role": one["right"], "expires_at": {"null": True}, **whom}
        items.append({"id": f"shared_{name}", "insert": "drive_permission", "where": where, "weight": 2})
    never = forbid_more(truth)
    if not truth["waiting"]:
        told = expect_reply(truth, {"answers": True, "none_of": WAITING, "facts": call_none_open(truth)})
        return make_rubric([*items, told], refs=refs, never=never)
    refs["waiting"] = {"table": "drive_file", "where": {"key_from": "event.truth.waiting.w.key"}}
    named = [{"mentions": f"event.truth.waiting.w.{part}"} for part in ("title", "short")]
    text = asks(*named, {"mentions": {"ref": "joiner"}}, {"mentions": "event.truth.role"})
    asked, one_of, more = join_told([expect_private_message("asked", "event.truth.waiting.w.reader", text)])
    waiting = [{"facts": {"must": [{"text": one, "called": "open"}], **call_none_open(truth)}} for one in WAITING_NAMES]
    answer = expect_reply(truth, {"any_of": waiting})
    return make_rubric([*items, *asked, answer], refs={**refs, **more}, one_of=one_of, never=never)


WAITING_NAMES = ["event.truth.waiting.w.title", "event.truth.waiting.w.short"]


def call_none_open(truth: Facts) -> Facts:
    """`facts` of an answer that calls none of the shared files open."""
    names = [f"event.truth.files.{name}.title" for name in truth["files"]]
    return {"never": [{"text": names, "called": "open"}], "labels": LABELS}


def forbid_more(truth: Facts) -> list[Item]:
    """What must never happen, not for a while either: other channels, other files, other people."""
    whom, others = {"ref": "joiner"}, {"not_in": [{"ref": "joiner"}, {"ref": "agent"}]}
    rooms, files = list(truth["rooms"].values()), [{"ref": name} for name in truth["files"]]
    wheres = {
        "rooms": ("slack_member", {"channel_kind": {"ne": "im"}, "person_id": whom, "channel": {"not_in": rooms}}),
        "people": ("slack_member", {"channel_kind": {"ne": "im"}, "person_id": others}),
        "files": ("drive_permission", {"person_id": whom, "file_id": {"not_in": files}}),
        "readers": ("drive_permission", {"person_id": others}),
    }
    return [{"id": f"more_{name}", "insert": table, "where": where} for name, (table, where) in wheres.items()]
