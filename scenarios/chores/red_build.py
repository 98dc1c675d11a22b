"""Main is red: a test that fails now and then is built again, a fault becomes a bug, and a vendor's outage is waited out."""

from scenarios.office.builds import build_server, let_build, report_build, test_of
from scenarios.office.changes import PlannedChange
from scenarios.office.code import create_repository, head_of, managers, merge, organisation, propose
from scenarios.office.defects import EDITS, Edit
from scenarios.office.incidents import post_incident
from scenarios.office.people import engineers
from scenarios.office.pull_requests import allow_remark, is_in_repository
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import MINUTE
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script, row
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Main is red",
    apps=("github", "status", "jira", "slack"),
    calls=(3, 14),
    demands=1,
    split="test",
    traps={
        "message": "hasty: takes a listed test with another message, or the same message elsewhere, for a listed one",
        "blame": "hasty: blames the last change, or one of the same file that is in order",
        "green": "forgetful: answers before the new build is over",
    },
)

REQUESTS = (
    "Main of {repo} is red, and whoever has a minute should look. Could you? RED.md says what we do in which case. "
    "Tell me what it was.",
    "{repo}: main's red. are you free? please go by RED.md, i'd like to hear what the cause is and what happens now",
    "Would you look after the red main in {repo}, as RED.md there describes? I need to know whether it is us, them "
    "or nothing.",
    "Somebody has to see why main of {repo} is red, and I am in meetings. Please take it, by RED.md, and send me a "
    "word on the cause.",
    "The build of {repo} fails on main since a moment ago. Can you take care of it by RED.md and let me know the "
    "reason?",
)
RULES = (
    "# When main is red\n\nThe build server opens an issue with the end of its log.\n\n- A test of FLAKY.md, with "
    "the message listed there:"
    " comment `{word}` on that issue, which starts the build again, and name the test to whoever asked once it is "
    "green.\n- A download that fails"
    " while the vendor's status page has an open incident: wait, say which vendor it is. Nothing is built again.\n-"
    " Anything else is ours:"
    " a Bug in SHOP that names the pull request which brought it in. No new build, no revert.\n",
    "# Red main\n\nLook at the log in the issue of the build server.\n\n1. It is in FLAKY.md, test and message: "
    "write `{word}` there as a"
    " comment, the build begins anew. When it has ended, report which test it was.\n2. Something could not be "
    "fetched, and the vendor's page says so:"
    " do nothing but tell people the vendor's name.\n3. All else is a fault. Open a Bug in SHOP, with the number of"
    " the pull request"
    " that it came with. Reverting is the author's.\n",
)
WORDS = ("/rebuild", "/again", "/build", "/retest")
HICCUPS = (
    "timeout after 30 s",
    "connection reset by peer",
    "port 8080 is in use",
    "no space left on device",
    "lock not released",
)
VENDORS = {
    "aws": ("Amazon Web Services", "Object storage (US-EAST-1)", "the build image"),
    "github": ("GitHub", "API requests", "the release files"),
    "google": ("Google Workspace", "Drive", "the fonts"),
    "nordacq": ("Nordacq", "Merchant API", "the test cards"),
    "letterpost": ("Letterpost", "Mail API", "the mail templates"),
}
LOG = "Build of {sha} failed.\n\n```\nfetch    {fetch}\ninstall  {install}\ntest     {test}\n```\n"


def draw(d: Draw) -> Facts:
    """Merge changes, and let main be red for one of three reasons."""
    w, people = d.w, [one["id"] for one in engineers(d)]
    me, *authors = d.sample(people, 5, "engineers", me=0)
    asker = d.pick(managers(d, but=[me]), "asker")
    case, edits = d.pick(("flake", "fault", "outage"), "case"), d.sample(EDITS, 5, "edits")
    hiccup, word = d.pick(HICCUPS, "hiccup"), d.pick(WORDS, "word")
    limits = "# Limits\n\n" + "".join(f"- {one.rule}\n" for one in EDITS)
    texts = {"LIMITS.md": limits, "FLAKY.md": _list_flaky(d, edits, hiccup)}
    texts["RED.md"] = d.pick(RULES, "rule").format(word=word)
    repo = create_repository(d, {**texts, **{one.path: one.text(one.old) for one in edits}})
    let_build(w, repo)
    numbers = [_merge(d, repo, authors, one, bad=case == "fault" and one is edits[1]) for one in edits[:4]]
    vendor, other = d.sample(sorted(VENDORS), 2, "vendors")
    post_incident(w, vendor, VENDORS[vendor][1], over=case != "outage")
    issue = _go_red(d, repo, case, edits[1], hiccup, vendor)
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"{repo} is red", "Main is red", f"Build of {repo}")),
        "request": d.choose_wording(REQUESTS, repo=repo),
        "repo": repo,
        "case": case,
        "word": word,
        "issue": issue,
        "test": test_of(edits[1]),
        "guilty": numbers[1] if case == "fault" else 0,
        "vendor": VENDORS[vendor][0],
        "page": vendor,
        "other": [other, VENDORS[other][1]],
        "sha": head_of(w, repo, "main"),
    }


def _list_flaky(d: Draw, edits: list[Edit], hiccup: str) -> str:
    """The list of tests that fail now and then; the second edit's is among them."""
    others = d.sample([one for one in HICCUPS if one != hiccup], 3, "other hiccups")
    lines = [(edits[1], hiccup), *zip((edits[0], edits[3], edits[4]), others, strict=True)]
    rows = sorted(f"| `{test_of(edit)}` | {text} |" for edit, text in lines)
    return "# Tests that fail now and then\n\n| test | message |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def _merge(d: Draw, repo: str, authors: list[str], edit: Edit, *, bad: bool) -> int:
    """Merge a change of one value, which is beyond its limit if it is the bad one; return the number."""
    value, author = edit.over if bad else edit.new, d.pick(authors, f"author of {edit.name}")
    branch = edit.name.lower().replace("_", "-")
    change = PlannedChange(branch, f"{edit.what}: a new value", "As measured last week.", edit.path, edit.text(value))
    number = propose(d.w, author, repo, change)
    merge(d.w, author, repo, number)
    return number


def _go_red(d: Draw, repo: str, case: str, edit: Edit, hiccup: str, vendor: str) -> int:
    """Report the build of main, and open the build server's issue; return its number."""
    w, sha = d.w, head_of(d.w, repo, "main")
    name, what, bad = test_of(edit), VENDORS[vendor][2], f"{edit.name} is {edit.over}, which LIMITS.md does not allow"
    lines = {"fetch": f"{what}: ok", "install": "ok", "test": f"{name}: {bad if case == 'fault' else hiccup}"}
    if case == "outage":
        lines = {"fetch": f"{what} from {VENDORS[vendor][0]}: {hiccup}", "install": "skipped", "test": "skipped"}
    text = LOG.format(sha=sha[:8], **lines)
    report_build(w, repo, sha, "failure", "Main is red", text)
    place = {"owner": organisation(w), "repo": repo}
    return w.act(build_server(w), "issues/create", title=f"Red at {sha[:8]}", body=text, **place)["number"]


def script(s: Script) -> None:
    """Another vendor has trouble as well; the build begins anew when the agent asks for it, and ends minutes later."""
    s.at("+30s", lambda w: post_incident(w, *w.fact("truth", "other"), over=False), name="elsewhere")
    mine = row("github_comment", "insert", body=lambda text: any(word in text for word in WORDS))
    asked = s.on(mine, _begin, deadline=None, otherwise=None, after=s.events[-2], about=is_in_repository, name="asked")
    s.after(asked, "4m", _end, name="built")
    opened = row("jira_issue", "insert")
    s.on(opened, _note_key, deadline=None, otherwise=None, after=s.events[-4], about=_is_about_red, name="filed")


def _is_about_red(w: Stage, issue: Facts) -> bool:
    """Whether a ticket names the change that broke the build."""
    return str(w.fact("truth", "guilty")) in f"{issue['summary']} {issue['description_text']}"


def _begin(w: Stage) -> None:
    report_build(w, w.fact("truth", "repo"), w.fact("truth", "sha"), "", "Building again")


def _end(w: Stage) -> None:
    """End the build: green, if it was a test that fails now and then."""
    green, repo = w.fact("truth", "case") == "flake", w.fact("truth", "repo")
    text = "Green again." if green else "Still red, with the same message."
    report_build(w, repo, w.fact("truth", "sha"), "success" if green else "failure", text)
    place = {"owner": organisation(w), "repo": repo, "issue_number": w.fact("truth", "issue")}
    w.act(build_server(w), "issues/create-comment", body=text, **place)


def solution(scene: Scene) -> Steps:
    """Build again and wait, or open a bug, or wait only; answer with the cause."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    vendor, test, guilty = truth["vendor"], truth["test"], f"#{truth['guilty']}"
    texts = (
        f"It is {vendor}: they have an open incident. We wait.",
        f"{vendor} has an outage, there we can only wait.",
    )
    if truth["case"] == "flake":
        yield Step("again", "issues/create-comment", {**place, "issue_number": truth["issue"], "body": truth["word"]})
        yield from wait_until(scene, (scene.now - scene.start) // MINUTE + 6)
        texts = (
            f"Only {test}, which fails now and then. Main is green again.",
            f"{test} once more. Main is green now.",
        )
    elif truth["case"] == "fault":
        fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Bug"}, "summary": f"{test} fails on main"}
        text = f"Came with {guilty} in {truth['repo']}, which sets a value that LIMITS.md does not allow."
        made = yield Step("bug", "createIssue", {"fields": {**fields, "description": text}})
        texts = (f"A real fault, from {guilty}. I opened {made['key']}.", f"{guilty} broke it, see {made['key']}.")
    yield reply(scene, texts[0], wordings=texts[1:], after=("bug",) if truth["case"] == "fault" else ())
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "cause": (
        "cause, the cause, it is, it was, is down, are down, outage, incident, trouble, problem, problems, wait "
        "for, waiting for, because of, "
        "due to, them, broke, broken by, comes from, came with, came in with, is it, at fault, down, flaky, red, "
        "fails, failed, failing"
    ),
    "fine": (
        "is fine, are fine, is up, is in order, in order, is green, works, innocent, nothing to do with, harmless, "
        "unrelated, not the cause, not it, "
        "not, is ok, all right, is healthy, no incident, a real bug, real fault"
    ),
}
"""What the answer may call a test, a pull request or a vendor."""
ORDERS = ("revert", "reverts", "roll back", "rollback", "everybody", "everyone", "do not", "don't", "on purpose")


def _note_key(w: Stage) -> None:
    """Note the key of the ticket that was opened."""
    w.note(key=w.trigger["row"]["key"])


def rubric(truth: Facts) -> RubricSource:
    """The build begun anew and green, or a bug with the pull request, or nothing but the vendor's name."""
    here = {"repo_from": "event.truth.repo"}
    mine = {**here, "number_from": "event.truth.issue", "author": {"ref": "agent"}}
    again = {"insert": "github_comment", "where": mine}
    word = {"field": "body", "mentions": "event.truth.word"}
    never: list[Item] = [{"id": "main_moved", "update": "github_ref", "where": {**here, "name": "refs/heads/main"}}]
    if truth["case"] == "flake":
        plain = {**word, "max_chars": 200, "none_of": [{"mentions": one} for one in ORDERS]}
        asked = {"id": "built_again", **again, "text": plain, "weight": 2, "gate": True}
        cause = {"text": "event.truth.test", "called": "cause"}
        told = expect_reply(truth, {"facts": {"must": [cause], "labels": LABELS}, "max_entities": 8})
        return make_rubric([asked, {**told, "after": "event.built.start"}], never=never)
    never.append({"id": "built_again", **again, "text": word})
    if truth["case"] == "outage":
        never.append(_forbid_word(truth))
        return make_rubric([_expect_vendor(truth)], never=never, allow=[allow_remark("event.truth.issue")])
    refs = {"guilty": {"table": "github_issue", "where": {**here, "number_from": "event.truth.guilty"}}}
    innocent = {"stance": {"on": "pull_guilty", "with": {"number": "event.truth.guilty"}, "is": "denied"}}
    only = {"only": [{"kind": "key", "called": "cause"}], "labels": LABELS}
    guilty = {"facts": {"must": [{"ref": "guilty", "called": "cause"}], **only}}
    text = {"field": ["summary", "description"], **guilty, "none_of": [innocent]}
    where = {"project": "SHOP", "issue_type": "Bug", "resolution_id": {"null": True}}
    opened = {"id": "opened", "insert": "jira_issue", "where": where, "text": text, "weight": 2}
    filed = {"facts": {"must": ["event.filed.key"], "only": [{"kind": "key", "called": "cause"}], "labels": LABELS}}
    told = expect_reply(truth, {"any_of": [guilty, filed], "none_of": [innocent]})
    return make_rubric([opened, told], refs=refs, never=never, allow=[allow_remark("event.truth.issue")])


def _expect_vendor(truth: Facts) -> Item:
    """The expectation that the vendor is named as the cause, and none of the others."""
    others = [{"text": name, "called": "cause"} for name, _, _ in VENDORS.values() if name != truth["vendor"]]
    named = [
        {"facts": {"must": [{"text": truth[one], "called": "cause"}], "never": others, "labels": LABELS}}
        for one in ("vendor", "page")
    ]
    return expect_reply(truth, {"any_of": named, "none_of": _blame_ourselves()})


OURS = ("it is us", "our own", "our fault", ["revert", "reverts", "reverted", "reverting"])
OURS_LABELS = {
    "so": "it is, it was, this is, because of, please, should, must, will, need to, needs to, has to, have to, let us, i have, going to",
    "not": (
        "not, no, none, nothing, neither, no need to, not need to, need not, nothing to, no reason to, nothing of, none of, rather than,"
        " instead of, without, unnecessary, is fine, are fine, in order, innocent, would not help, will not help"
    ),
}
"""What nobody says of an outage of a vendor, unless to deny it."""


def _blame_ourselves() -> list[Item]:
    """Text predicates of which one holds if the author says that it is ours, or to be mended here."""
    return [{"facts": {"must": [{"text": one, "called": "so"}], "labels": OURS_LABELS}} for one in OURS]


def _forbid_word(truth: Facts) -> Item:
    """The prohibition to say something else on the issue of the build server than that a vendor has an outage."""
    mine = {"repo_from": "event.truth.repo", "number_from": "event.truth.issue", "author": {"ref": "agent"}}
    there = (truth["vendor"], truth["page"], "outage", "incident", "vendor", "status page", "wait", "waiting", "down")
    wrong = [{"none_of": [{"mentions": one} for one in there]}, *_blame_ourselves()]
    return {"id": "other_cause", "insert": "github_comment", "where": mine, "text": {"field": "body", "any_of": wrong}}
