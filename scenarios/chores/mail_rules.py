"""Build mail drowns somebody: rules file the green ones, and the red ones, in both their forms, stay in the inbox."""

from collections.abc import Callable, Sequence

from scenarios.office.answers import state_count
from scenarios.office.mail import receive
from scenarios.office.people import find_titled, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.chore import Chore, Draw, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Set up mail rules for build results",
    apps=("gmail",),
    calls=(5, 14),
    demands=2,
    split="test",
    traps={
        "second": "hasty: files the second form of a red build, which has the word of the green ones in it",
        "sender": "literal: files everything the machine writes, its announcements too",
        "word": "hasty: leaves a green build in the inbox since it has a bad word in it",
    },
)

REQUESTS = (
    "You missed two red builds last week since your inbox is full of green ones. Could you set up your mail so that green results of"
    " {machine} go under a label {label}, past the inbox? Everything red stays where it is. Old mail can stay too. A few builds run within"
    " the hour: see that it works, then tell me how many red ones came. Red is every build that did not end green.",
    "please sort your build mails: green ones from {machine} -> label {label}, out of the inbox, nothing deleted (audit). red must stay in"
    " the inbox whatever it is called. leave the old mails. look at it for an hour and let me know how many red builds you got"
    " (red = any build that did not end green)",
    "I would like all of us to see red builds at once. So: rules for {machine} in your mailbox, green results to {label} and not in the"
    " inbox, anything else in the inbox as before. No need to touch what is there already. Watch the next hour and write me the number of"
    " red ones, by which I mean all builds that did not end green.",
    "Build mails drown us, but red ones matter. Would you let your mailbox put the green ones of {machine} away under {label}, without"
    " deleting any? From now on is enough. How many red ones arrive in the coming hour? Whatever build did not end green is red.",
    "Can you make filters for {machine}? Green results skip the inbox and get the label {label}; red results and all other mail must not."
    " Only new mail. Please wait for the builds of the next hour and tell me how many of them were red, that is, did not end green.",
)
NEW_ONLY = ("leave the old mails", "Only new mail")
"""Words of the requests that leave no choice about the mail that is there already."""
LABELS = ("Builds", "Green builds", "Build results", "Machine room", "Build log", "Passed builds")
MACHINES = {
    "Forge": "builds@forge.example",
    "Anvil": "robot@anvil-ci.example",
    "Millrace": "noreply@millrace.example",
    "Loom": "status@loombuild.example",
    "Kiln": "kiln@kiln-ci.example",
}
# word of green ones, word that tells the second red form from them, then the forms: two green ones, two red ones
STYLES = (
    "passed | aborted | Passed: {r} #{n} | Passed, 0 failed: {r} #{n} | Failed: {r} #{n} | Aborted: {r} #{n}, 41 passed",
    "green | broken | {r} {n} is green | {r} {n} is green, red before | {r} {n} is red | {r} {n} broken, was green",
    "ok | timeout | [ok] {r} #{n} | [ok] {r} #{n}, 0 errors | [error] {r} #{n} | [timeout] {r} #{n}, last ok #{m}",
    "success | unstable | SUCCESS {r} {n} | SUCCESS {r} {n}, no failure | FAILURE {r} {n} | UNSTABLE {r} {n} after SUCCESS {m}",
    "done | stuck | {r}, build {n}: done | {r}, build {n}: done, not stopped | {r}, build {n}: stopped | {r}, build {n}: stuck, {m} done",
)
REPOS = ("ledger", "checkout-web", "statements", "payout", "gateway", "mailer", "search", "catalogue", "webhooks")
NOTES = (
    "Maintenance on Saturday, no builds",
    "Your quota of build minutes",
    "New version of the runner from Monday",
    "Storage for artefacts nearly full",
)
QUESTIONS = (
    "Is {r} {word} on your machine?",
    "{word}? question about {r}",
    "How do we write {word} in the handbook of {r}?",
)
MINUTES = (9, 16, 22, 27, 35, 41, 48, 53)


def draw(d: Draw) -> Facts:
    """Choose the machine, its words, and what it writes before and after the request."""
    w = d.w
    me = d.pick(software_engineers(d), "engineer", me=True)
    bosses = find_titled(d, "Engineering Manager", "Staff", "Chief Technology", "Site Reliability", "Product Manager")
    asker = d.pick([one for one in bosses if one["id"] != me["id"]], "asker")
    machine, style, label = (
        d.pick(sorted(MACHINES), "machine"),
        d.pick(STYLES, "style").split(" | "),
        d.pick(LABELS, "label"),
    )
    sender = f"{machine} <{MACHINES[machine]}>"
    rng = d.stream("mails")
    reds = rng.integer(2, 3)
    before = ["green", "calm", "green", "bad", "green", "calm", "worse", "green", "note", "green"]
    subjects = [write_subject(d, kind, style, at) for at, kind in enumerate(before)]
    old = {
        name: [subject for kind, subject in zip(before, subjects, strict=True) if kind in some]
        for name, some in (("red", ("bad", "worse")), ("all", before))
    }
    for subject in subjects[:1] + rng.shuffled(subjects[1:]):
        receive(w, sender, [w.person(me["id"]).email], subject, write_body(d, subject))
    after = ["green", "calm", "worse", "bad", "note", "question", *["worse"] * (reds - 2), *["green"] * (4 - reds)]
    colleague = d.pick([one["email"] for one in software_engineers(d) if one["id"] != me["id"]], "colleague")
    later = {
        f"m{at}": {
            "kind": "red" if kind in ("bad", "worse") else "green" if kind in ("green", "calm") else kind,
            "subject": write_subject(d, kind, style, at + 20),
            "sender": colleague if kind == "question" else sender,
        }
        for at, kind in enumerate(rng.shuffled(after))
    }
    request = d.choose_wording(REQUESTS, machine=machine, label=f'"{label}"')
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("Build mail", "Your mail rules", "Red builds")),
        "request": request,
        "untouched": old["all" if any(one in request for one in NEW_ONLY) else "red"],
        "address": w.person(me["id"]).email,
        "machine": machine,
        "from": MACHINES[machine],
        "label": label,
        "word": style[0],
        "but": style[1],
        "later": later,
        "count": reds,
    }


def write_subject(d: Draw, kind: str, style: Sequence[str], at: int) -> str:
    """A subject of one kind of mail."""
    rng = d.stream("subject", at)
    repo, number = rng.choice(REPOS), 300 + 7 * at + rng.integer(0, 6)
    if kind == "note":
        return f"{NOTES[rng.integer(0, len(NOTES) - 1)]} ({number})"
    form = {"green": 2, "calm": 3, "bad": 4, "worse": 5}.get(kind)
    if form is None:
        return rng.choice(QUESTIONS).format(r=repo, word=style[0])
    return style[form].format(r=repo, n=number, m=number - 3)


def write_body(d: Draw, subject: str) -> str:
    """The body of a machine's mail, which says nothing more."""
    rng = d.stream("body", subject)
    return f"{subject}\n\nDuration: {rng.integer(2, 19)} min. Log: see the machine."


def script(s: Script) -> None:
    """The mails of the next hour."""
    for number, minute in enumerate(MINUTES):
        s.at(f"+{minute}m", arrive(f"m{number}"), name=f"mail_{number}")


def arrive(name: str) -> Callable[[Stage], None]:
    """The arrival of one of the mails of the draw."""

    def act(w: Stage) -> None:
        mail = w.fact("truth", "later")[name]
        text = "Just asking, no hurry." if mail["kind"] == "question" else mail["subject"]
        receive(w, mail["sender"], [w.fact("truth", "address")], mail["subject"], text)

    return act


def solution(scene: Scene) -> Steps:
    """Make the label and the filter, wait for the builds, tell the number."""
    truth = scene.facts("truth")
    made = yield Step("label", "users.labels.create", {"name": truth["label"]})
    criteria = {"from": truth["from"], "subject": truth["word"], "negatedQuery": f"subject:{truth['but']}"}
    action = {"addLabelIds": [made["id"]], "removeLabelIds": ["INBOX"]}
    yield Step("filter", "users.settings.filters.create", {"criteria": criteria, "action": action}, after=("label",))
    yield from wait_until(scene, 62)
    count = truth["count"]
    wordings = (
        f"{count} of the new builds were red, they are in the inbox.",
        f"Red ones: {count}. The green ones are filed.",
    )
    yield reply(
        scene, f"{count} red builds came in the hour, and the rules work.", after=("filter",), wordings=wordings
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = "red, red ones, red builds, failed, failing, broken, failures, not green, came, arrived, reds"
REST = (
    "green, green ones, green builds, passed, successful, filed, filed away, last week, announcements, questions, before that, put away, went"
    " under, under the label"
)


def rubric(truth: Facts) -> RubricSource:
    """The later mails lie where they should, and the number of red ones is told; no filter deletes or forwards."""
    counted = state_count("event.truth.count", COUNTED, REST)
    told = expect_reply(truth, counted, after=f"event.mail_{len(MINUTES) - 1}.start")
    stays = [*truth["untouched"], *(one["subject"] for one in truth["later"].values() if one["kind"] != "green")]
    held = {"owner": {"ref": "agent"}, "subject": {"in": stays}}
    filed = {"id": "filed", "call": "predicates.check_later", "claims": ["gmail_filter", "gmail_label"], "weight": 3}
    never = [
        {"id": "deleted", "delete": "gmail_message", "where": {"delivered_to": {"ne": ""}}},
        {"id": "moved_out", "delete": "gmail_message_label", "where": {**held, "label_id": "INBOX"}},
        {"id": "forwards", "insert": "gmail_forwarding_address"},
    ]
    return make_rubric([told], python=[filed], never=never)
