"""A fix is out: tell the customers who wait for it, each alone, with the version that holds it."""

from collections.abc import Sequence

from scenarios.office.mail import expect_mail, list_contacts, nobody_outside, team
from scenarios.office.requests import PLACES, choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Tell the customers who wait for a fix that it is out",
    apps=("gmail", "jira"),
    calls=(5, 16),
    traps={
        "reverted": "hasty: names the first release, from which the fix was taken out again",
        "gone": "forgetful: writes to the customer who wants no more mail about it",
        "together": "literal: writes one mail to all of them, who then see each other",
    },
    knobs={"waiters": (2, 3, 4)},
)

REQUESTS = (
    'The fix for "{summary}" went out. Whoever is waiting for it should hear it from us, each customer on their own, with the version that'
    " has it. The ticket has the names. Tell me how many you wrote to.",
    "{key} is done at last :) could you let the customers know who are waiting? they are in the ticket, and they will want the version."
    " separate mails please, and a number for me when you are through",
    "Please inform the customers who wait for {key} in which version they find it. Individually, as always; the ticket says who they are."
    " I would like to know how many mails it were.",
    'Somebody should write to the people who are waiting for "{summary}". Our ticket has both, the people and the release. One mail each.'
    " How many did we have waiting in the end?",
    "release is through, {key} is in. the customers listed in the ticket want to know from which version on. one by one, not all in one"
    " mail! send me the count",
)

WAITS = (
    "{name} at {customer} is waiting for this, please tell them when it is out.",
    "{customer} has it too. {name} wants a mail with the version once it is fixed.",
    "Another one: {name}, {customer}. Promised a message when it is released.",
    "Same for {customer}. {name} asks to be told.",
    "On the phone with {name} ({customer}): the same thing. To be told when it is solved.",
)
GONE = (
    "{name} writes that {customer} has got round it and wants no more mail about it.",
    "{customer} is off the list: {name} has asked us not to write again about this.",
    "Please take {customer} out, {name} no longer uses that part and does not want to hear of it.",
)
OUT = ("It is in checkout {version}.", "Released with checkout {version}.", "Went out today, checkout {version}.")
BACK = (
    "Taken out of {first} again an hour later, it broke the address form. It is in for good from checkout {version}.",
    "Note: the cherry-pick for {first} was undone, two tests were red. The release that has it is checkout {version}.",
    "Correction. {first} does not hold it, my cherry-pick went to the wrong branch. checkout {version} does.",
)


def draw(d: Draw) -> Facts:
    """Choose a solved bug, and write into its ticket who waits, who no longer does, and the releases."""
    w = d.w
    bug = d.pick(list_solved_bugs(d), "solved bug")
    me, *talkers = d.sample([*team(d, "Support"), *team(d, "Customer Success")], 5, "colleagues", me=0)
    askers = [
        one for one in d.people() if one["title"].startswith(("Head of Support", "Head of Customer", "Product Manager"))
    ]
    asker = d.pick([one for one in askers if one["id"] != me["id"]], "asker")
    gone, *waiters = pick_contacts(d, d.knob("waiters") + 1)
    first, version = draw_versions(d)
    reverted = d.chance(2 / 3, "reverted")
    comments = [
        (talkers[n % 3]["id"], d.pick(WAITS, f"wait {n}").format(name=one["full_name"], customer=one["customer"]))
        for n, one in enumerate((*waiters, gone))
    ]
    engineer, other = d.sample([one for one in d.people() if "Software Engineer" in one["title"]], 2, "engineers")
    comments = d.stream("order").shuffled(comments)
    comments.append((engineer["id"], d.pick(OUT, "out").format(version=first if reverted else version)))
    comments.append((talkers[3]["id"], d.pick(GONE, "gone").format(name=gone["full_name"], customer=gone["customer"])))
    if reverted:
        comments.append((other["id"], d.pick(BACK, "back").format(first=first, version=version)))
    for person, body in comments:
        w.act(person, "addComment", issueIdOrKey=bug["key"], body=body)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(
            d,
            me["id"],
            asker["id"],
            (f"{bug['key']} is out", "Customers who wait", bug["summary"]),
            places=PLACES,
            issue=bug["key"],
        ),
        "request": d.choose_wording(REQUESTS, key=bug["key"], summary=bug["summary"]),
        "key": bug["key"],
        "summary": bug["summary"],
        "version": version,
        "first": first if reverted else "",
        "waiters": {f"w{n}": one["email"] for n, one in enumerate(waiters)},
        "gone": gone["email"],
        "count": len(waiters),
    }


COUNTED = {
    "told": ["wrote", "written", "mails", "mail", "told", "informed", "sent", "out", "waited", "waiting"],
    "left": ["without", "still", "not", "yet", "left"],
}


def list_solved_bugs(d: Draw) -> list[Facts]:
    """Bugs of the shop that are done, and of which nobody has said yet in which version they went live."""
    kind, done = d.w.find("jira_issue_type", name="Bug")["id"], d.w.find("jira_resolution", name="Done")["id"]
    found = d.w.rows("jira_issue", issue_type_id=kind, resolution_id=done)
    live = " ".join(one["text"] for one in d.w.rows("slack_message") if " is live " in one["text"])
    return [one for one in found if one["key"].startswith("SHOP-") and f"{one['key']})" not in live]


def pick_contacts(d: Draw, count: int) -> list[Facts]:
    """One contact each of several customers."""
    known = list_contacts(d.w)
    customers = d.sample(sorted({one["customer"] for one in known}), count, "customers")
    return [d.pick([one for one in known if one["customer"] == name], f"contact of {name}") for name in customers]


def draw_versions(d: Draw) -> tuple[str, str]:
    """Two versions, the later one last."""
    numbers = d.stream("versions")
    minor, patch = numbers.integer(112, 148), numbers.integer(1, 4)
    return f"4.{minor}.{patch}", f"4.{minor + numbers.integer(0, 1)}.{patch + numbers.integer(1, 3)}"


def solution(scene: Scene) -> Steps:
    """One mail to each, then the number."""
    truth = scene.facts("truth")
    version = truth["version"]
    for name, address in truth["waiters"].items():
        subject = f"Solved: {truth['summary']}"
        text = f"The problem you reported is solved from checkout {version} on. Thank you for waiting."
        others = (
            f"Hello,\n\nyou had asked us about this: {truth['summary']}. It is fixed in {version}.\n\nBest regards",
            f"Good news, checkout {version} has the fix you were waiting for.",
        )
        yield Step(name, "mail.send", {"to": [address], "subject": subject, "text": text}, paraphrases={"text": others})
    count = truth["count"]
    yield reply(
        scene,
        f"I wrote to {count} customers, one mail each. The version is {version}.",
        after=tuple(truth["waiters"]),
        wordings=(f"{count} mails are out, with {version} in each.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """A mail with the version to each who waits, alone; the number to the asker."""
    paths = [f"event.truth.waiters.{name}" for name in truth["waiters"]]
    told = expect_reply(
        truth, {"facts": {"must": [{"count": "event.truth.count", "called": "told"}], "labels": COUNTED}}
    )
    return make_rubric(
        [*(expect_mail_alone(name, paths, claim_otherwise(truth)) for name in truth["waiters"]), told],
        never=[nobody_outside(*paths)],
    )


SOLVING = (
    *("fix", "fixed", "fixes", "solved", "resolved", "corrected", "repaired", "solution", "correction", "gone"),
    *(
        "correct",
        "correctly",
        "right",
        "rightly",
        "properly",
        "exactly",
        "as it should",
        "as they should",
        "as expected",
    ),
    *("no longer", "never again", "history", "over", "in the past", "disappeared"),
    *("takes care", "taken care", "took care", "sorted", "settled", "cured", "mended", "remedied", "dealt with"),
    *("works", "put an end", "eliminated", "put right", "set right", "in order", "to the cent"),
)
"""Words of a mail that says that a problem is solved, or that what was wrong is right."""


def says_solved(how: str) -> Item:
    """That a text says that the problem is solved in the version, or denies it."""
    return {"stance": {"on": "fix_in_version", "with": {"version": "event.truth.version"}, "is": how}}


def claim_otherwise(truth: Facts) -> list[Item]:
    """Statements that the problem goes on, or that the release from which the fix was taken out has it."""
    subjects = ("problem", "fix", "bug", "issue", "it")
    first = [f"{word} {name}{truth['first']}" for word in ("in", "from") for name in ("", "checkout ")]
    states = ["ongoing", *([*first, *(f"fixed {one}" for one in first)] if truth["first"] else [])]
    return [{"claims": {"subject": subject, "state": state}} for subject in subjects for state in states]


def expect_mail_alone(name: str, paths: Sequence[str], wrong: Sequence[Item]) -> Item:
    """A mail to one of several addresses that goes to none of the others."""
    own = f"event.truth.waiters.{name}"
    solved = {"any_of": [says_solved("asserted"), *({"mentions": one} for one in SOLVING)]}
    untrue = [*wrong, says_solved("denied")]
    text = {"all_of": [{"mentions": "event.truth.version"}, solved], "none_of": untrue, "max_chars": 2000}
    made = expect_mail(own, text, id=f"told_{name}", weight=2)
    recipients = {"any": own, "none": {"in": [one for one in paths if one != own]}}
    return {**made, "where": {**made["where"], "recipients": recipients}}
