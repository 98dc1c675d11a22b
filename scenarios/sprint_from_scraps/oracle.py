"""Ask about the doubtful promise, plan, plan anew after each day's news, decline, start on the word, and report."""

from scenarios.office.private_messages import tell
from scenarios.office.requests import reply
from scenarios.office.tickets import POINTS, edit
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts

from .plan import ENGINEERS


def oracle(scene: Scene) -> Steps:
    """Three plans, two refusals, the start, the report."""
    truth = scene.facts("truth")
    minutes, claimed = truth["minutes"], truth["tickets"]["claimed"]
    yield tell(
        "ask_seller",
        truth["people"]["seller"],
        f"Is {claimed['key']} really promised to a customer? Somebody says so in chat.",
        wordings=(f"Is it true that we promised {claimed['title']}?", f"Did you promise {claimed['key']} to anybody?"),
    )
    yield from wait_until(scene, 20, "word")
    yield from enter(truth, 0)
    yield from wait_until(scene, max(minutes[one] for one in ("ill", "taken", "press")) + 1, "second")
    yield decline(scene, "press")
    yield from enter(truth, 1)
    yield from wait_until(scene, max(minutes[one] for one in ("back", "resolved", "raised", "late")) + 1, "third")
    yield from enter(truth, 2)
    yield from wait_until(scene, minutes["hurry"] + 1, "hurry")
    yield decline(scene, "hurry")
    yield from wait_until(scene, minutes["starts"] + 1, "starts")
    sprint = str(truth["sprint"]["id"])
    yield Step("start", "partiallyUpdateSprint", {"sprintId": sprint, "state": "active"})
    yield write_report(scene, truth)
    yield Step("finish", "world.finish", {"status": "done"})


def enter(truth: Facts, number: int) -> Steps:
    """What has changed since the last plan: days away, points, and what goes in and out."""
    before = number - 1
    yield from enter_days(truth, number)
    for name in ("said", "raised"):
        points = truth["points"][number][name]
        if number == 0 if name == "said" else number == 2:
            yield edit(f"points_{name}", truth["tickets"][name]["key"], **{POINTS: points})
    plan, old = truth["plans"][number], truth["plans"][before] if number else []
    gone, come = ([name for name in one if name not in other] for one, other in ((old, plan), (plan, old)))
    if gone:
        yield Step(f"out_{number}", "moveIssuesToBacklog", {"issues": list_keys(truth, gone)}, repeatable=True)
    if come:
        given = {"sprintId": str(truth["sprint"]["id"]), "issues": list_keys(truth, come)}
        yield Step(f"in_{number}", "moveIssuesToSprintAndRank", given, repeatable=True)


def enter_days(truth: Facts, number: int) -> Steps:
    """The days away that have changed."""
    away, old = truth["away"][number], truth["away"][number - 1] if number else {}
    for at, who in enumerate(ENGINEERS):
        if away[who] != old.get(who):
            given = {"spreadsheetId": truth["book"]["key"], "range": f"People!C{at + 2}", "values": [[away[who]]]}
            given["valueInputOption"] = "RAW"
            yield Step(f"away_{who}_{number}", "spreadsheets.values.update", given, repeatable=True)


def list_keys(truth: Facts, names: list[str]) -> list[str]:
    """The keys of tickets."""
    return [truth["tickets"][one]["key"] for one in names]


def decline(scene: Scene, event: str) -> Step:
    """What somebody hears who wants something that is not theirs to decide."""
    boss = scene.facts("truth")["boss_name"]
    texts = (
        f"I cannot do that, by our rules it is for {boss} to decide. Please ask {boss}.",
        f"Sorry, that is up to {boss}.",
        f"Not without a word from {boss}, who decides this.",
    )
    given = {"channel": scene.facts(event)["channel"], "text": texts[0]}
    return Step(f"answer_{event}", "chat.postMessage", given, paraphrases={"text": texts[1:]})


def write_report(scene: Scene, truth: Facts) -> Step:
    """The points in the sprint, and the first ticket that is not in it."""
    total, key = truth["total"], truth["left_out"]
    return reply(
        scene,
        f"The sprint has started with {total} points. The first ticket of the list that is not in it: {key}.",
        id="report",
        wordings=(f"It runs: {total} points in all, and {key} is the first one left out.",),
    )
