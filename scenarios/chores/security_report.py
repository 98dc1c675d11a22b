"""An outsider reports a hole: it joins the ticket that describes it, or gets its own, and the outsider learns nothing but thanks."""

from collections.abc import Mapping

from scenarios.office.code import create_repository, managers
from scenarios.office.mail import nobody_outside, own_copy, receive
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.security import choose_security_member, security_members
from scenarios.office.tickets import comment, move_ticket, open_ticket, ticket_ref
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script, row
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="An outsider reports a hole",
    apps=("gmail", "jira", "github"),
    calls=(4, 14),
    demands=1,
    traps={
        "alike": "hasty: takes a ticket about the same part with another cause",
        "done": "literal: takes a finished ticket for known, though the outsider's version has its fix",
        "unreleased": "hasty: opens a ticket for what is fixed and not yet released",
        "told": "forgetful: tells the outsider more than that it has arrived",
    },
)

REQUESTS = (
    "{name} wrote to you about a hole in {repo}. Could you handle it by SECURITY.md in there? Tell me which ticket "
    "it is in afterwards, known or"
    " new.",
    "there's a mail of a {name} in your inbox, something with security and {repo}. please do what SECURITY.md says,"
    " the answer to them too."
    " i only need the ticket",
    "An outsider ({name}) claims to have found a hole in {repo}. Please see to it as SECURITY.md of that repository"
    " has it, including the reply."
    " Which ticket do I look at?",
    "Can you take the report of {name} ({repo})? Whether we know it already, where it is filed and what they get to"
    " hear is all ruled by"
    " SECURITY.md. Give me the key when it is done.",
    "You have got mail from {name}: a weakness in {repo}, they say. File it the way SECURITY.md describes and "
    "answer them accordingly, please. I"
    " would like to know under which ticket.",
)
RULES = (
    "# Reports of holes\n\nA report is known if a ticket in SEC has the same part and the same cause, open or done;"
    " but not if the reporter's"
    " version already has the fix (CHANGELOG.md): then it is new.\n\n- known: a comment on that ticket, with the "
    "reporter's address and"
    " version\n- new: a ticket in SEC, with part, version and the reporter's address\n\nThe reporter gets a short "
    "mail: it has arrived, somebody"
    " looks at it. Whether it is known, true, fixed or planned is not for outside, nor are tickets.\n",
    "# Security\n\n1. Compare with the tickets in SEC, finished ones too. Part and cause must be the same.\n2. A "
    "finished one counts unless its"
    " fix is in the version that the reporter has. See CHANGELOG.md; what is not released nobody has.\n3. Known: "
    "add address and version of the"
    " reporter as a comment there. Otherwise: new ticket in SEC with part, version, address.\n4. Thank the "
    "reporter, say that it arrived. Not"
    " more: no yes or no, no ticket, no date, no version.\n",
)
# part: what the outsider writes; the ticket about it; a ticket that sounds alike
HOLES = {
    "download": (
        "Another number in the address gives me somebody else's file; number is not checked; works after signing out"
    ),
    "upload": "A file name with dots writes outside of the folder; dots leave the folder; size has no limit",
    "search": "A quotation mark in the search box shows me your SQL; quotation mark reaches SQL; finds archived rows",
    "sign-in": "After a hundred wrong passwords I may still go on; wrong passwords are not counted; outlives a new password",
    "webhook": (
        "I can make your server call addresses in your own network; inner addresses work; signature is optional"
    ),
    "profile": "A script in the name runs in the browser of others; script in a name is kept; telephone is public",
    "import": (
        "A formula in a sheet runs when somebody opens the preview; formulas run in the preview; large sheets stop it"
    ),
    "invitation": (
        "The link of an invitation works as often as one likes; link works twice; link shows the other guests"
    ),
}
MAILS = (
    "Hello,\n\nI use your {repo} in version {version}. {fault} ({part}). I have told nobody so far. Do you know "
    "about it, and when will it be"
    " fixed?\n\n{name}",
    "Good morning,\n\nthis is about the {part} of {repo} {version}. {fault}. Can you confirm that?\n\nBest "
    "regards\n{name}",
    "Hi,\n\nI believe there is a hole in {repo}, {version}, at the {part}: {fault}. Is that new to you?\n\n{name}",
)
REPORTERS = (
    "Ilse Nowak",
    "Teun Bakker",
    "Priya Raman",
    "Oskar Lindh",
    "Marta Kolar",
    "Hana Sato",
    "Femi Adeyemi",
    "Nils Brandt",
)
CASES = ("open", "unreleased", "old", "again", "new")


def draw(d: Draw) -> Facts:
    """Keep tickets about holes, fixed in several versions or not, and let somebody outside report one."""
    w = d.w
    me = choose_security_member(d)
    asker = d.pick(managers(d, but=[me]), "asker")
    case, parts = d.pick(CASES, "case"), d.sample(sorted(HOLES), 4, "parts")
    first = d.stream("first").integer(1, 6)
    versions = [f"{first}.{d.stream('second').integer(0, 8)}.{at}" for at in range(1, 6)]  # the last is not out yet
    keys = _open_tickets(d, me, security_members(d), parts, case)
    fixed = {"unreleased": 4, "old": 3, "again": 1}.get(case, -1)
    version = versions[{"old": d.stream("reported").integer(0, 2)}.get(case, 3)]
    log = _write_log(versions, keys, fixed)
    repo = create_repository(d, {"SECURITY.md": d.pick(RULES, "rule"), "CHANGELOG.md": log})
    name = d.pick(REPORTERS, "reporter")
    address = f"{name.lower().replace(' ', '.')}@{d.pick(('finder', 'mailbox', 'quietmail'), 'home')}.example"
    fault = HOLES[parts[0]].split("; ")[0]
    text = d.pick(MAILS, "mail").format(repo=repo, version=version, fault=fault, part=parts[0], name=name)
    subject = d.pick(("A hole in what you make", "Security", "Something you should know"), "subject of the mail")
    mail = receive(w, f"{name} <{address}>", [w.person(me).email], subject, text)
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"Report of {name}", "A mail from outside", "Security"), places=("dm", "mail")),
        "request": d.choose_wording(REQUESTS, repo=repo, name=name),
        "repo": repo,
        "case": case,
        "part": parts[0],
        "version": version,
        "address": address,
        "mail": mail,
        "known": keys["this"] if case in ("open", "unreleased", "old") else "",
        "keys": keys,
    }


def _open_tickets(d: Draw, me: str, inside: list[str], parts: list[str], case: str) -> dict[str, str]:
    """Tickets in SEC by what they are: `this` hole unless it is new, one that sounds `alike`, two `others`, done or not."""
    writers = [one for one in inside if one != me]
    titles = {"alike": _title(parts[0], 2), "other": _title(parts[1], 1), "more": _title(parts[2], 1)}
    if case != "new":
        titles["this"] = _title(parts[0], 1)
    keys = dict[str, str]()
    for what in d.sample(sorted(titles), len(titles), "order of the tickets"):
        writer = d.pick(writers, f"writer of {what}")
        keys[what] = open_ticket(d.w, writer, titles[what], project="SEC", kind="Task")
        done = case not in ("open", "new") if what == "this" else what != "more"
        if done:
            comment(
                d.w, writer, keys[what], d.pick(("Fixed, see the changelog.", "Done, it is in the changelog."), what)
            )
            move_ticket(d.w, writer, keys[what], "Finish")
    return keys


def _title(part: str, which: int) -> str:
    return f"{part.capitalize()}: {HOLES[part].split('; ')[which]}"


def _write_log(versions: list[str], keys: Mapping[str, str], fixed: int) -> str:
    """The list of versions, newest first, with the tickets whose fixes they have."""
    entries = {4: ["Faster start"], 3: ["New labels"], 2: [keys["other"]], 1: ["Fewer queries"], 0: [keys["alike"]]}
    if fixed >= 0:
        entries[fixed].append(keys["this"])
    heads = {at: f"## {versions[at]}{' (not released)' if at == 4 else ''}\n\n" for at in entries}
    return "# Changes\n\n" + "\n".join(heads[at] + "".join(f"- {one}\n" for one in entries[at]) for at in entries)


def solution(scene: Scene) -> Steps:
    """Comment on the ticket or open one, thank the reporter, answer with the key."""
    truth = scene.facts("truth")
    said, key = f"{truth['address']} reports this for version {truth['version']}.", truth["known"]
    if key:
        more = (f"Also seen by {truth['address']}, who has {truth['version']}.",)
        yield Step("note", "addComment", {"issueIdOrKey": key, "body": said}, paraphrases={"body": more})
    else:
        fields = {"project": {"key": "SEC"}, "issuetype": {"name": "Task"}, "description": said}
        made = yield Step("open", "createIssue", {"fields": {**fields, "summary": _title(truth["part"], 1)}})
        key = made["key"]
    texts = (
        "Thank you for your report. It has arrived and somebody will look at it.",
        "Thank you, we have got your mail.",
    )
    answer = {"mode": "reply", "inReplyTo": own_copy(scene, truth["mail"]), "text": texts[0]}
    yield Step("thank", "mail.send", answer, paraphrases={"text": texts[1:]})
    yield reply(scene, f"It is in {key}.", wordings=(f"{key} has it, and the reporter has got a short answer.",))
    yield Step("finish", "world.finish", {"status": "done"})


RECEIVED = (
    *(
        "thank",
        "thanks",
        "arrived",
        "arrives",
        "received",
        "receipt",
        "reached",
        "got",
        "have your",
        "with us",
        "passed on",
    ),
    *("look", "looks", "looking"),
)
NOT_RECEIVED = (
    "not arrive",
    "not arrived",
    "not received",
    "not read",
    "not reach",
    "not get",
    "no such mail",
    "never arrived",
)
TELLING = (
    *(
        "you are right",
        "you're right",
        "a real",
        "is real",
        "is true",
        "is correct",
        "can confirm that",
        "confirmed",
        "we confirm that",
    ),
    *(
        "reproduced",
        "reproduce it",
        "could reproduce",
        "no such",
        "is false",
        "not a hole",
        "not a weakness",
        "no hole",
        "false alarm",
    ),
    *(
        "already known",
        "already know",
        "already knew",
        "known to us",
        "known issue",
        "know about it",
        "knew",
        "aware of",
        "have known",
    ),
    *(
        "others told",
        "others reported",
        "others have",
        "somebody else reported",
        "reported before",
        "duplicate",
        "known for",
    ),
    *(
        "is fixed",
        "was fixed",
        "been fixed",
        "already fixed",
        "mended",
        "is patched",
        "next version",
        "newer version",
        "new version",
    ),
    *(
        "next release",
        "will be fixed",
        "fix is",
        "fix comes",
        "the fix",
        "a fix next",
        "planned",
        "scheduled",
        "is a ticket",
        "in a ticket",
    ),
    *(
        "our ticket",
        "ticket for it",
        "bounty",
        "reward",
        "may publish",
        "can publish",
        "free to publish",
        "update to",
        "upgrade to",
    ),
)
"""What a receipt has, one of them, and what the outsider may not hear."""
LABELS = {
    "filed": (
        "filed, is in, it is in, known, known as, ticket is, it is, under, see, opened, new one, added, noted, look"
        " at, have it, has it, find it"
    ),
    "other": (
        "not in, not filed, nothing to do with, not the same, another cause, other cause, different, sounds alike, "
        "similar, looks like, "
        "same part, unrelated, not it, not this, other ticket"
    ),
}
"""What the answer may call a ticket."""


def script(s: Script) -> None:
    """Note the first ticket that is opened after the request."""
    asked = s.events[-1]
    s.on(
        row("jira_issue", "insert"),
        _note_key,
        deadline=None,
        otherwise=None,
        after=asked,
        about=_is_of_security,
        name="filed",
    )


def _is_of_security(w: Stage, issue: Facts) -> bool:
    return issue["project_id"] == w.find("jira_project", key="SEC")["id"]


def _note_key(w: Stage) -> None:
    w.note(key=w.trigger["row"]["key"])


def rubric(truth: Facts) -> RubricSource:
    """Address and version on the known ticket or in a new one, a receipt without content, the key in the answer."""
    said = [{"mentions": "event.truth.address"}, {"mentions": "event.truth.version"}, {"none_of": NO_HOLE}]
    to_reporter = {"sender": {"ref": "agent"}, "recipients": {"any": "event.truth.address"}}
    receipt = {
        "id": "receipt",
        "insert": "gmail_mail",
        "where": {
            "sender": {"ref": "agent"},
            "recipients": [{"ref": "reporter"}],
            "answers": {"any": "event.truth.mail"},
        },
        "text": {
            "field": "text",
            "any_of": [{"mentions": one} for one in RECEIVED],
            "none_of": [{"mentions": one} for one in NOT_RECEIVED],
            "max_chars": 900,
        },
    }
    told = [{"mentions": f"event.truth.keys.{one}"} for one in truth["keys"]]
    told += [{"facts": {"some": ["key", "amount", "date", "weekday"]}}, *({"mentions": one} for one in TELLING)]
    told += [{"claims": {"subject": one, "state": state}} for one in SUBJECTS for state in STATES]
    said_out = {"field": ["subject", "text"], "any_of": told}
    never: list[Item] = [
        {"id": "told_outside", "insert": "gmail_mail", "where": to_reporter, "text": said_out},
        nobody_outside("event.truth.address"),
        {"id": "open_to_all", "insert": "jira_issue", "where": {"project": {"ne": "SEC"}}},
    ]
    refs: dict[str, Item] = {"reporter": {"fact": "event.truth.address"}}
    path = "event.truth.known" if truth["known"] else "event.filed.key"
    only = [{"kind": "key", "called": "filed"}]
    must = [{"fact": path, "called": "filed"}]
    answer = expect_reply(truth, {"facts": {"must": must, "only": only, "labels": LABELS}})
    if truth["known"]:
        where = {"issue_id": {"ref": "known"}, "author": {"ref": "agent"}}
        text = {"field": "body_text", "all_of": said}
        noted = {"id": "noted", "insert": "jira_comment", "where": where, "text": text, "weight": 2}
        return make_rubric([noted, receipt, answer], refs={**refs, "known": ticket_ref("known")}, never=never)
    text = {"field": ["summary", "description"], "all_of": [*said, {"mentions": "event.truth.part"}]}
    where = {"project": "SEC", "resolution_id": {"null": True}}
    opened = {"id": "opened", "insert": "jira_issue", "where": where, "text": text, "weight": 2}
    linked = {"insert": "jira_issue_link", "where": {"type": {"ne": "Duplicate"}}, "max": 1}
    return make_rubric([opened, receipt, answer], refs=refs, never=never, allow=[linked])


NO_HOLE = [{"claims": {"subject": one, "state": "resolved"}} for one in ("hole", "problem", "issue", "it", "this")]
"""What nobody writes on a report that has just come."""
SUBJECTS, STATES = ("hole", "problem", "issue", "weakness", "fix"), ("confirmed", "resolved", "identified", "scheduled")
