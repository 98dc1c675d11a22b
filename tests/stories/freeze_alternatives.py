"""Honest ways through `budget_freeze` that differ from its solution."""

from collections.abc import Mapping

from tests.stories.story_steps import answer_mail, visit
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts

EVENTS = ("plain", "pressed", "owed")
SETTLED = 66  # minutes


def fill(truth: Facts, id: str, name: str, word: str, reason: str = "") -> Step:
    """The decision on one line."""
    row = truth["lines"][name]["row"] + 1
    where = f"Open!F{row}:{'G' if reason else 'F'}{row}"
    values = [[word, reason] if reason else [word]]
    arguments = {"spreadsheetId": truth["key"], "range": where, "valueInputOption": "USER_ENTERED", "values": values}
    return Step(id, "spreadsheets.values.update", arguments)


def fill_all(truth: Facts, words: Mapping[str, tuple[str, str]]) -> Step:
    """The decisions on many lines at once."""
    data = [
        {"range": f"Open!F{truth['lines'][name]['row'] + 1}", "values": [list(values)]}
        for name, values in words.items()
    ]
    arguments = {"spreadsheetId": truth["key"], "valueInputOption": "RAW", "data": data}
    return Step("all", "spreadsheets.values.batchUpdate", arguments)


def say(scene: Scene, event: str, text: str) -> Step:
    """An answer in a direct conversation."""
    return Step(event, "chat.postMessage", {"channel": scene.facts(event)["channel"], "text": text})


def report(truth: Facts, text: str, *, by_mail: bool) -> Step:
    """The report to who asked for it."""
    boss = truth["people"]["boss"]
    if by_mail:
        return Step("report", "mail.send", {"to": [boss["email"]], "subject": "Where we stand", "text": text})
    return Step("report", "chat.postMessage", {"channel": boss["dm"], "text": text})


def last_minute(scene: Scene) -> Steps:
    """Answers every twenty minutes, and fills in the spreadsheet at once when everything is known."""
    truth = scene.facts("truth")
    thaw, waiver, lines = truth["thaw"], truth["people"]["waiver"]["name"], truth["lines"]

    def answer(event: str) -> Steps:
        if event == "plain":
            yield say(scene, event, f"You can't order it before {thaw}, sorry. Nothing new is bought until then.")
        elif event == "pressed":
            yield say(
                scene, event, f"I can't do that without a mail from {waiver}. As soon as I have one I will change it."
            )
        else:
            yield answer_mail(scene, "owed", "It isn't frozen: what we owe is paid as always. It goes out today.")

    yield from visit(scene, 20, answer, events=EVENTS, end=SETTLED)
    words = {name: ("Hold", "spending freeze") for name in lines} | {"owed": ("Go", "")}
    words["waived"] = (
        ("Go", f"written exception of {waiver}") if truth["waiver"] == "kept" else ("Hold", "exception withdrawn")
    )
    words["owed"] = ("Go",)  # type: ignore[assignment]
    yield fill_all(truth, words)
    goes = "\n".join(f"- {one}" for one in truth["goes"])
    yield report(truth, f"On hold: {truth['held_sum']} EUR altogether.\n\nGoing on:\n{goes}", by_mail=True)
    yield Step("finish", "world.finish", {"status": "done"})


def in_good_faith(scene: Scene) -> Steps:
    """Decides each line as its matter comes up, the exception when it is given, and again when it is taken back."""
    truth = scene.facts("truth")
    thaw, waiver, lines = truth["thaw"], truth["people"]["waiver"]["name"], truth["lines"]
    yield fill(truth, "owed_go", "owed", "go", "owed by us")

    def answer(event: str) -> Steps:
        if event == "plain":
            yield say(
                scene,
                event,
                f"Hi! {lines['plain']['number']} is frozen like nearly everything, until {thaw}. Sorry for the wait.",
            )
            yield fill(truth, "plain_hold", "plain", "hold", "freeze")
        elif event == "pressed":
            text = (
                "I believe you that you talked, but the rule wants it in writing: a short mail to me would do."
                f" {waiver.split()[0]} is the only one who can make an exception, until then I have to leave the line on hold."
            )
            yield say(scene, event, text)
            yield fill(truth, "pressed_hold", "pressed", "hold", "no written exception")
        else:
            yield answer_mail(
                scene,
                "owed",
                f"{lines['owed']['number']} may go, obligations are not part of the freeze. I have set it to go.",
            )

    yield from wait_until(scene, 31, "waived")
    yield fill(truth, "waived_go", "waived", "go", "exception in writing")
    yield from visit(scene, 7, answer, events=EVENTS, end=SETTLED)
    if truth["waiver"] == "withdrawn":
        yield fill(truth, "waived_hold", "waived", "hold", "exception withdrawn")
    for name in ("decoy", "split_1", "split_2"):
        yield fill(truth, f"{name}_hold", name, "hold", "not an obligation" if name == "decoy" else "split order")
    text = f"{', '.join(truth['goes'])} can go on. All others wait, EUR {truth['held_sum']:,}.00 in sum."
    yield report(truth, text, by_mail=False)
    yield Step("finish", "world.finish", {"status": "done"})


def at_length(scene: Scene) -> Steps:
    """Fills in first, answers at once in full, tells the others too, and reports with a table."""
    truth = scene.facts("truth")
    thaw, waiver, lines = truth["thaw"], truth["people"]["waiver"], truth["lines"]
    for name in lines:
        if name not in ("owed", "waived"):
            yield fill(truth, f"{name}_hold", name, "hold", f"Freeze until {thaw}")
    yield fill(truth, "owed_go", "owed", "go")

    def answer(event: str) -> Steps:
        if event == "plain":
            text = (
                f"Thanks for asking. Your request {lines['plain']['number']} ({lines['plain']['what']}) is on hold, because nothing new may be bought"
                f" until {thaw}. You need not file it again. If it cannot wait, only {waiver['name']} can make an exception."
            )
            yield say(scene, event, text)
        elif event == "pressed":
            text = (
                f"I understand that it is urgent. I am not allowed to release it on a word by phone, though:"
                f" <@{waiver['user']}> would have to write it to me by mail. I have left {lines['pressed']['number']} on hold."
            )
            yield say(scene, event, text)
        else:
            yield answer_mail(
                scene,
                "owed",
                f"Hello,\n\n{lines['owed']['number']} is something we owe, so the freeze does not stop it. The decision is go.\n\nKind regards",
            )

    yield from visit(scene, 3, answer, events=EVENTS, end=SETTLED)
    yield fill(
        truth, "waived", "waived", truth["waived_decision"], "" if truth["waiver"] == "kept" else "taken back by mail"
    )
    held = [one for one in lines.values() if one["number"] not in truth["goes"]]
    rows = "\n".join(f"| {one['number']} | {one['what']} | EUR {one['sum']} | hold |" for one in held)
    table = f"| Number | What | Sum | Decision |\n| --- | --- | --- | --- |\n{rows}"
    closing = f"Sum on hold: EUR {truth['held_sum']}. Go: {' + '.join(truth['goes'])}."
    text = f"Here is where we stand.\n\n{table}\n\n{closing}"
    yield report(truth, text, by_mail=False)
    yield Step("finish", "world.finish", {"status": "done"})


ALTERNATIVES = {"last_minute": last_minute, "in_good_faith": in_good_faith, "at_length": at_length}
