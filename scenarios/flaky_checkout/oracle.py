"""An engineer who finds the fault in two places, mends both, and waits for build and review whoever presses."""

from scenarios.office.mail import own_copy
from scenarios.office.races import Counter
from scenarios.office.requests import reply
from scenarios.office.waits import wait_for
from world.agents.steps import Scene, Step, Steps
from world.core.clock import MINUTE
from world.script.stage import Facts

from .repository import find_counter


def oracle(scene: Scene) -> Steps:
    """From the questions to the report."""
    truth = scene.facts("truth")
    yield from wait_for(scene, "skip")
    seen = find_counter(truth["seen"]).function
    yield answer_directly(
        scene,
        "skip",
        f"No, sorry. The test is right: {seen} is broken, and I am on it. I tell you when it is in.",
        f"I won't take the test out. It has found something: {seen} loses updates.",
        f"Not that way. It fails because {seen} is wrong, so I mend the code first.",
    )
    yield from wait_for(scene, "shop")
    yield answer_shop(scene, truth)
    yield from mend(scene, truth)
    yield report_functions(scene, truth)
    yield Step("finish", "world.finish", {"status": "done"})


def answer_directly(scene: Scene, event: str, text: str, *others: str) -> Step:
    """An answer to a direct message."""
    given = {"channel": scene.facts(event)["channel"], "text": text}
    return Step(f"answer_{event}", "chat.postMessage", given, paraphrases={"text": others})


def answer_shop(scene: Scene, truth: Facts) -> Step:
    """Whether the shop's report is the same fault."""
    part = truth["part"]
    texts = (
        f"No, {part} are not affected. It must be something else.",
        f"{part.capitalize()} are not affected, that code is sound.",
        f"No. The fault does not touch {part}.",
    )
    if truth["same"]:
        texts = (
            f"Yes, {part} are affected as well. The fix is on its way.",
            f"{part.capitalize()} are affected too, yes.",
            f"Yes. It is the same fault, {part} are hit by it.",
        )
    given = {"mode": "reply", "inReplyTo": own_copy(scene, scene.facts("shop")["message_id"]), "text": texts[0]}
    return Step("answer_shop", "mail.send", given, paraphrases={"text": texts[1:]})


def mend(scene: Scene, truth: Facts) -> Steps:
    """Both places in one pull request, its build, its review, its merge."""
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    branch = {**place, "ref": "refs/heads/lost-updates", "sha": truth["main"]}
    yield Step("branch", "git/create-ref", branch)
    files = [{"path": one.path, "content": one.source("locked")} for one in faulty_ones(truth)]
    change = {**place, "branch": "lost-updates", "files": files, "message": "Read and write under one lock"}
    yield Step("push", "web/push-files", change, after=("branch",), repeatable=True)
    first, second = (one.function for one in faulty_ones(truth))
    opening = {**place, "head": "lost-updates", "base": "main", "title": "Read and write under one lock"}
    opening["body"] = f"Two workers could read the same number in `{first}` and in `{second}`."
    made = yield Step("open", "pulls/create", opening, after=("push",))
    yield from wait_for(scene, "press")
    reviewer = truth["people"]["reviewer"]["name"]
    yield answer_directly(
        scene,
        "press",
        f"No, I wait for {reviewer}. It will not take long.",
        f"Sorry, nothing is merged without an approval, and that is {reviewer}'s.",
        f"Not before {reviewer} has looked at it.",
    )
    yield from wait_for(scene, "built_1")
    number = made["number"]
    call = {
        **place,
        "issue_number": number,
        "body": f"@{truth['login']} the build is green, could you review it please?",
    }
    yield Step("call", "issues/create-comment", call, after=("open",), repeatable=True)
    yield from wait_for_review(scene, truth, number, "CHANGES_REQUESTED")
    yield name_functions(place, truth, number)
    yield from wait_for_review(scene, truth, number, "APPROVED")
    yield Step("merge", "pulls/merge", {**place, "pull_number": number, "merge_method": "squash"}, after=("named",))


def faulty_ones(truth: Facts) -> list[Counter]:
    """The functions with the fault."""
    return [find_counter(one) for one in truth["faulty"]]


def name_functions(place: dict[str, str], truth: Facts, number: int) -> Step:
    """The answer to the reviewer."""
    first, second = truth["names"]["f1"], truth["names"]["f2"]
    texts = (
        f"@{truth['login']} two functions had the fault: `{first}` and `{second}`. The others are sound.",
        f"`{first}` and `{second}` were affected. @{truth['login']}",
        f"@{truth['login']} The race was in {first} and {second}, the rest is fine.",
    )
    given = {**place, "issue_number": number, "body": texts[0]}
    return Step(
        "named", "issues/create-comment", given, after=("call",), repeatable=True, paraphrases={"body": texts[1:]}
    )


def wait_for_review(scene: Scene, truth: Facts, number: int, state: str) -> Steps:
    """Wait until the reviewer has said something, or another half hour."""
    here = scene.find("github_repository", name=truth["repo"])["id"]
    found = scene.rows("github_issue", repo_id=here, number=number)
    end = scene.now + 30 * MINUTE
    while found and scene.now < end and not scene.rows("github_review", issue_id=found[0]["id"], state=state):
        yield Step(f"wait_{state}_{scene.now}", "world.wait", {"seconds": 120}, optional=True)


def report_functions(scene: Scene, truth: Facts) -> Step:
    """Which functions had it."""
    first, second = truth["names"]["f1"], truth["names"]["f2"]
    texts = (
        f"The fix is in main. {first} and {second} had the fault.",
        f"Merged. The functions with the race were {first} and {second}, all others are fine.",
    )
    text = f"It is merged. Two functions were wrong: {first} and {second}."
    return reply(scene, text, id="report", wordings=texts, after=("merge",))
