"""Ask the owners, move wave by wave, believe the second count, take back what is wrong, and report."""

from dataclasses import replace
from datetime import date

from scenarios.office.books import name_cell, say_day
from scenarios.office.mail import own_copy
from scenarios.office.private_messages import tell
from scenarios.office.requests import reply
from scenarios.office.tickets import transition
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import MINUTE
from world.script.stage import Facts

COUNTED = 80
"""Minutes after the beginning of a move at which its second count is there."""
TO_DO, IN_PROGRESS, DONE = "Back to To Do", "Start progress", "Done"


def oracle(scene: Scene) -> Steps:
    """Four days: wave one, wave two, what the third day brings, wave three."""
    truth = scene.facts("truth")
    minutes, items = truth["minutes"], truth["items"]
    yield read(truth, "Services", "plan")
    yield read(truth, "Waves", "windows")
    yield from run_wave(scene, truth, ["late", "silent"], open_of(scene, truth, "1"))
    yield from wait_until(scene, minutes["evening"] + 1, "evening")
    for one in ("away", "lost", "frozen"):
        if one in items:
            yield ask_decider(truth, items[one])
    yield from wait_until(scene, minutes["vouch"] + 1, "vouch")
    yield answer_vouch(scene, truth)
    yield from run_wave(scene, truth, ["away", "lost"], open_of(scene, truth, "2"), asked=True)
    if "frozen" in items:
        yield from run_wave(scene, truth, ["frozen"], minutes["thaw"] + 2, asked=True)
    yield from wait_until(scene, minutes["third_count"] + 1, "third_count")
    yield from take_back(truth, items["lost"])
    for one in ("objects", "last", "reader"):
        if one in items:
            yield ask_decider(truth, items[one])
    yield from answer_day(scene, truth)
    last = [one for one in ("last", "reader") if one in items and not items[one]["needs"]]
    window = scene.facts("decision")["window"]
    yield from run_wave(scene, truth, last, (window[0] - scene.start) // MINUTE + 1, asked=True)
    yield from wait_until(scene, minutes["last"] + 1, "last")
    yield write_report(scene, truth)
    yield Step("finish", "world.finish", {"status": "done"})


def open_of(scene: Scene, truth: Facts, wave: str) -> int:
    """The minute after the start from which a wave's window is open."""
    return (truth["windows"][wave][0] - scene.start) // MINUTE + 1


def read(truth: Facts, tab: str, id: str) -> Step:
    """Look at a tab of the plan."""
    place = {"spreadsheetId": truth["book"]["key"], "range": f"{tab}!A1:H12"}
    return Step(f"read_{id}", "spreadsheets.values.get", place, optional=True, repeatable=True)


def ask_decider(truth: Facts, one: Facts) -> Step:
    """The question whether a service can move."""
    text = f"May {one['service']} ({one['key']}) move in wave {one['wave']}?"
    others = (
        f"{one['key']} is planned for wave {one['wave']}, is that fine with you?",
        f"Can I move {one['service']} this week, {one['key']}?",
    )
    return replace(tell(f"ask_{one['name']}", truth["people"][one["asked"]], text, wordings=others), repeatable=True)


def run_wave(scene: Scene, truth: Facts, names: list[str], minute: int, *, asked: bool = False) -> Steps:
    """Ask if nobody has, begin the moves at a minute, read the second counts, and settle each service by them."""
    found = [truth["items"][name] for name in names]
    if not asked:
        for one in found:
            yield ask_decider(truth, one)
    yield from wait_until(scene, minute, f"open_{names[0]}")
    for one in found:
        yield transition(f"begin_{one['name']}", one["key"], IN_PROGRESS, repeatable=True)
    yield from wait_until(scene, minute + COUNTED, f"counted_{names[0]}")
    yield read(truth, "Checks", f"counts_{names[0]}")
    for one in found:
        if one["name"] == "silent":
            yield from take_back(truth, one)
        else:
            yield transition(f"done_{one['name']}", one["key"], DONE, repeatable=True)
            yield write(truth, one, "moved", one["second"][1])


def take_back(truth: Facts, one: Facts) -> Steps:
    """A service goes back; its owner and the boss hear of it."""
    yield transition(f"return_{one['name']}", one["key"], TO_DO, repeatable=True)
    yield write(truth, one, "back")
    text = f"I have taken {one['service']} ({one['key']}) back: the count did not find all rows."
    others = (
        f"{one['service']} went back to {truth['clusters']['old']}, rows are missing.",
        f"Rows of {one['service']} are missing, so it is rolled back.",
    )
    for part in (one["owner"], "boss"):
        yield replace(tell(f"tell_{part}_{one['name']}", truth["people"][part], text, wordings=others), repeatable=True)


def write(truth: Facts, one: Facts, state: str, *rows: int) -> Step:
    """What the plan says of a service."""
    place = {
        "spreadsheetId": truth["book"]["key"],
        "range": name_cell("Services", one["row"], 5),
        "valueInputOption": "USER_ENTERED",
    }
    return Step(
        f"write_{one['name']}_{state}",
        "spreadsheets.values.update",
        {**place, "values": [[state, *rows]]},
        repeatable=True,
    )


def answer_message(scene: Scene, event: str, text: str, *wordings: str) -> Step:
    """An answer to a direct message."""
    given = {"channel": scene.facts(event)["channel"], "text": text}
    return Step(f"answer_{event}", "chat.postMessage", given, paraphrases={"text": wordings})


def answer_vouch(scene: Scene, truth: Facts) -> Step:
    """What the one hears who speaks for somebody else."""
    lead = truth["people"]["lead"]["name"]
    return answer_message(
        scene,
        "vouch",
        f"Thank you, but while the owner is away I need {lead}'s word.",
        f"I cannot start it on that. {lead} decides while the owner is away.",
        f"That is for {lead} to say, I have asked there.",
    )


def answer_day(scene: Scene, truth: Facts) -> Steps:
    """The third day: who wants a service back, who takes a yes back, the vendor, who wants it all at once, the decision."""
    minutes, items, boss = truth["minutes"], truth["items"], truth["boss_name"]
    service = items["late"]["service"]
    yield from wait_until(scene, minutes["recall"] + 1, "recall")
    yield answer_message(
        scene,
        "recall",
        f"The second and the third count of {service} are right, so it stays where it is. I am sorry about the complaints.",
        f"{service} is not taken back, its rows are complete. Please open a ticket about the speed.",
        f"I cannot take {service} back for that: only a wrong count counts, and its last two are right.",
    )
    yield from wait_until(scene, minutes["objection"] + 1, "objection")
    for one in items.values():
        if one["name"] == "objects" or one["needs"]:
            yield write(truth, one, "held")
    yield from wait_until(scene, minutes["vendor"] + 1, "vendor")
    yield from pass_on(scene, truth)
    yield from wait_until(scene, minutes["hurry"] + 1, "hurry")
    yield answer_message(
        scene,
        "hurry",
        f"I cannot do that. {boss} decides about the windows, and nothing moves without its owner.",
        f"Not without {boss}, who knows the new date. Until then the window stays.",
        f"Sorry, no: {boss} alone can change the window.",
    )
    yield from wait_until(scene, minutes["decision"] + 1, "decision")


def pass_on(scene: Scene, truth: Facts) -> Steps:
    """The vendor's date goes to the boss, and the vendor hears that it has arrived."""
    vendor = truth["vendor"]
    day = say_day(date.fromisoformat(vendor["day"]))
    text = f"{vendor['customer']} now wants to switch off on {day}. Does the window of wave three stay?"
    others = (
        f"New date from {vendor['customer']}: {day}.",
        f"{vendor['full_name']} writes that {truth['clusters']['old']} goes off on {day}.",
    )
    yield replace(tell("tell_date", truth["people"]["boss"], text, wordings=others), repeatable=True)
    given = {"mode": "reply", "inReplyTo": own_copy(scene, scene.facts("vendor")["message_id"])}
    texts = ("I have read it, thank you.", "Received, thank you for telling us.")
    yield Step(
        "answer_vendor",
        "mail.send",
        {**given, "text": "Thank you, your mail has arrived."},
        paraphrases={"text": texts},
    )


def write_report(scene: Scene, truth: Facts) -> Step:
    """How many have moved, what went back, and what is held."""
    back = " and ".join(truth["items"][name]["service"] for name in ("silent", "lost"))
    held = " and ".join(dict.fromkeys(truth["held"].values()))
    others = (
        f"Moved: {truth['moved']} services. Back: {back}. Held: {held}.",
        f"We have moved {truth['moved']} services. {back} went back, {held} stayed where they were, held.",
    )
    return reply(
        scene, f"{truth['moved']} services have moved. {back} went back. {held} held.", id="report", wordings=others
    )
