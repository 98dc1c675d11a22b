"""Before a release: the file of notices is brought up to date, and what may not ship is named in one ticket."""

import re
from collections.abc import Sequence

from scenarios.office.code import create_repository, files_of, head_of, managers, read_file
from scenarios.office.people import engineers
from scenarios.office.pull_requests import allow_reviewers, expect_pull, forbid_push, watch_pull
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.rng import Stream
from world.script.chore import Chore, Draw, RubricParts, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Are the licences fine for a release?",
    apps=("github", "jira", "slack"),
    calls=(6, 16),
    demands=1,
    traps={
        "dual": "literal: reports a package that may be used under an allowed licence as well",
        "build": "literal: reports, or lists, what is only used to build",
        "text": "hasty: believes the column and not the licence's own text where the list points to it",
    },
)

REQUESTS = (
    "We want to release {repo} this week. Are we clean with the licences? Please do what LICENSING.md asks for "
    "before a release, and tell me if"
    " anything stands in the way.",
    "{repo} goes out on thursday. can you do the licence check from LICENSING.md? i merge the pull request, i just "
    "want to know whether we are"
    " clean",
    "Could you run the licence check for {repo} before the release, by LICENSING.md? If a package is a problem, "
    "tell me which.",
    "Legal asks whether {repo} can be released. Please follow LICENSING.md there, with a pull request for the "
    "notices, and send me the names of"
    " the packages that may not ship, if there are any.",
    "Before {repo} is tagged somebody has to go through its packages as LICENSING.md says. Would you? I need to "
    "hear what is not allowed, if"
    " anything.",
)
RULES = (
    "# Licensing\n\nBefore a release, by pull request: NOTICE.md has one line for each package of PACKAGES.md that "
    "ships and may, with its version"
    ' and the licence under which we use it, and no other line.\n\n- Allowed: {allowed}.\n- With "or" we choose an allowed one. With "and" all'
    " must be allowed.\n- What is used for `build` only does not ship.\n- Where it says `see`, the text in that "
    "file counts.\n\nPackages that"
    " ship and may not: one Task in SHOP with all their names. Nobody removes a package because of this.\n",
    "# Licences\n\n1. PACKAGES.md lists what we use; `build` is not shipped and does not matter. A licence given as"
    " `see` stands in that file.\n"
    '2. We may ship {allowed}. Of licences joined by "or" one of these is enough, and is the one we use; of those joined by "and" none may be'
    " missing here.\n3. NOTICE.md names all packages that ship and may: name, version, licence we use. Bring it up "
    "to date in a pull request,"
    " nothing else in there.\n4. The others that ship go into one Task in SHOP, by name. The packages themselves "
    "stay.\n",
)
ALLOWED, REFUSED = ("MIT", "Apache-2.0", "BSD-3-Clause", "ISC"), ("GPL-3.0", "AGPL-3.0", "SSPL-1.0", "BUSL-1.1")
NAMES = (
    "amber-csv bluefin corvid deltatime ember-http fennel gridlock hazelpdf inkwell jumbotext kestrel-log lumen "
    "marlin-xml"
    " nimbus-cache otterdb pebble quillmark rowan saffron-json tidal umbra velvet-ui"
).split()
TEXTS = {
    "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy (MIT License).",
    "Apache-2.0": "Licensed under the Apache License, Version 2.0.",
    "GPL-3.0": "This program is free software under the GNU General Public License, version 3 (GPL-3.0).",
}
HEAD = "# Notices\n\n| package | version | licence |\n| --- | --- | --- |\n"


def draw(d: Draw) -> Facts:
    """Create a repository with a list of packages under many licences, and notices that are out of date."""
    w, rng = d.w, d.stream("packages")
    me = d.pick([one["id"] for one in engineers(d)], "engineer", me=True)
    asker = d.pick(managers(d, but=[me]), "asker")
    clean, allowed = d.chance(1 / 3, "clean"), d.sample(ALLOWED, 3, "allowed")
    other = next(one for one in ALLOWED if one not in allowed)
    names = d.sample(NAMES, 11, "names")
    packages = [
        _choose(rng, kind, name, allowed, other) for kind, name in zip(_kinds(rng, clean=clean), names, strict=False)
    ]
    ships = [one for one in packages if one["ships"] and one["uses"]]
    refused = [one["name"] for one in packages if one["ships"] and not one["uses"]]
    old = [*_lines(ships[2:]), f"| {names[-1]} | 1.0.2 | MIT |", f"| {ships[1]['name']} | 0.9.0 | {ships[1]['uses']} |"]
    files = {one["file"]: TEXTS[one["says"]] + "\n" for one in packages if one["file"]}
    files["LICENSING.md"] = d.pick(RULES, "rule").format(allowed=", ".join(allowed))
    table = "# Packages\n\n| package | version | used for | licence |\n| --- | --- | --- | --- |\n"
    files["PACKAGES.md"] = table + "\n".join(sorted(one["row"] for one in packages)) + "\n"
    repo = create_repository(d, {**files, "NOTICE.md": HEAD + "\n".join(sorted(old)) + "\n"})
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"Release of {repo}", "Licences", f"{repo}: are we clean?")),
        "request": d.choose_wording(REQUESTS, repo=repo),
        "repo": repo,
        "ships": {one["name"]: [one["version"], one["uses"]] for one in ships},
        "refused": {f"r{at}": {"name": name} for at, name in enumerate(refused)},
        "main": head_of(w, repo, "main"),
    }


def _kinds(rng: Stream, *, clean: bool) -> list[str]:
    """What the packages are: plain ones, one with a choice, one to build, one whose text counts, and those that may not ship."""
    bad = [] if clean else rng.shuffled(["refused", "both", "text_refused"])[: rng.integer(1, 2)]
    return ["plain", "plain", "either", "text_plain", "plain", "build", "either", *bad]


def _choose(rng: Stream, kind: str, name: str, allowed: Sequence[str], other: str) -> Facts:
    """A package of a kind: its row, whether it ships, and the licence under which we use it."""
    good, bad = rng.choice(allowed), rng.choice([*REFUSED, other])
    file = f"third_party/{name}.txt" if kind.startswith("text") else ""
    says = good if kind == "plain" else bad
    if file:
        says = "GPL-3.0" if kind == "text_refused" else rng.choice([one for one in allowed if one in TEXTS])
    joined = {"either": rng.shuffled([good, bad]), "both": [good, bad]}
    licence = (
        f"see {file}" if file else {"either": " or ", "both": " and "}.get(kind, "").join(joined.get(kind, [says]))
    )
    version = f"{rng.integer(1, 9)}.{rng.integer(0, 20)}.{rng.integer(0, 9)}"
    uses = {"plain": good, "either": good, "text_plain": says}.get(kind, "")
    used = "build" if kind == "build" else "run"
    row = f"| {name} | {version} | {used} | {licence} |"
    return {
        "name": name,
        "version": version,
        "uses": uses,
        "ships": used == "run",
        "file": file,
        "says": says,
        "row": row,
    }


def _lines(packages: Sequence[Facts]) -> list[str]:
    return [f"| {one['name']} | {one['version']} | {one['uses']} |" for one in packages]


def script(s: Script) -> None:
    """Look at the notices of the pull request when it is opened, and when it changes."""
    watch_pull(s, _judge)


def _judge(w: Stage) -> None:
    """Note the commit if its notices have exactly what ships, and no other file has changed."""
    head, repo, ships = w.trigger["row"]["head_sha"], w.fact("truth", "repo"), w.fact("truth", "ships")
    text = read_file(w, repo, head, "NOTICE.md").casefold()
    lines = [words for words in map(_words, text.splitlines()) if words]
    wanted = [{name.casefold(), version, licence.casefold()} for name, (version, licence) in ships.items()]
    right = len(lines) == len(wanted) and all(one in lines for one in wanted)
    rest = [
        {path: sha for path, sha in files_of(w, repo, one).items() if path != "NOTICE.md"}
        for one in (head, w.fact("truth", "main"))
    ]
    w.note(sha=head if right and rest[0] == rest[1] else "")


HEADING = re.compile(r"#+ (?!.*\b(?:no|not|none|un\w+|never)\b).{1,80}")
BESIDE = re.compile(
    r"[|*_`()\[\],;:=–—]|(?<!\S)-+(?!\S)|(?<!\S)v(?=\d)|(?<!\S)(?:version|licen[cs]ed?|under|the|package)(?!\S)"
)
"""What stands around name, version and licence in a line of the notices."""


def _words(line: str) -> set[str]:
    """Name, version and licence of a line; nothing for a heading, the head of a table, or an empty line."""
    return set() if HEADING.fullmatch(line.strip()) else set(BESIDE.sub(" ", line).split())


def solution(scene: Scene) -> Steps:
    """Propose the notices, open the ticket if something may not ship, answer."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    here = scene.find("github_repository", name=truth["repo"])["id"]
    sha = scene.find("github_ref", repo_id=here, name="refs/heads/main")["target"]
    lines = [f"- {name} {version} ({licence})\n" for name, (version, licence) in truth["ships"].items()]
    text = "# Notices\n\n" + "".join(lines)
    yield Step("branch", "git/create-ref", {**place, "ref": "refs/heads/notices", "sha": sha})
    change = {**place, "branch": "notices", "files": [{"path": "NOTICE.md", "content": text}], "message": "Notices"}
    yield Step("push", "web/push-files", change, after=("branch",))
    opening = {
        **place,
        "head": "notices",
        "base": "main",
        "title": "Notices for the release",
        "body": "By LICENSING.md.",
    }
    yield Step("open", "pulls/create", opening, after=("push",))
    names = ", ".join(one["name"] for one in truth["refused"].values())
    texts = (
        "We are clean. The notices are proposed.",
        "Nothing is in the way, and the pull request with the notices is open.",
    )
    if names:
        fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": f"Licences of {truth['repo']}"}
        yield Step("ticket", "createIssue", {"fields": {**fields, "description": f"These may not ship: {names}."}})
        texts = (
            f"Not clean: {names}. The notices are proposed and there is a ticket.",
            f"These may not ship: {names}.",
        )
    yield reply(scene, texts[0], wordings=texts[1:], after=("open",))
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "refused": (
        "not ship, may not ship, may not, must not ship, must not, cannot ship, can't ship, not allowed, not "
        "permitted, not clean, in the way, problem, "
        "problems, a problem, refused, forbidden, blocked, blocker, blockers, cannot release, cannot be released, "
        "not among, copyleft, disallowed, offending, "
        "not ok, not fine, issue, issues"
    ),
    "fine": (
        "may ship, can ship, is fine, are fine, fine, allowed, permitted, is clean, are clean, clean, ok, no "
        "problem, not a problem, not shipped, does not ship"
    ),
}
"""What may be said of a package."""
UNCLEAN = (
    *(
        "not clean",
        "unclean",
        "not fine",
        "not ok",
        "not okay",
        "not allowed",
        "not release",
        "cannot release",
        "cannot be released",
        "stop the release",
    ),
    *(
        "may not ship",
        "must not ship",
        "not looked",
        "not checked",
        "not done",
        "against it",
        "not proposed",
        "in the way you",
        "you cannot",
    ),
)
"""What an answer does not have if all packages may ship."""


def rubric(truth: Facts) -> RubricSource:
    """The notices proposed, one ticket with all that may not ship, and the same in the answer."""
    items, one_of = expect_pull({"min_chars": 3})
    more: RubricParts = {"allow": [allow_reviewers()], "never": [forbid_push()], "one_of": one_of}
    ships = [{"text": name, "called": "refused"} for name in truth["ships"]]
    if not truth["refused"]:
        text = {
            "answers": True,
            "none_of": [{"mentions": one} for one in UNCLEAN],
            "facts": {"never": ships, "labels": LABELS},
        }
        return make_rubric([*items, expect_reply(truth, text)], **more)
    named = [{"text": f"event.truth.refused.{one}.name", "called": "refused"} for one in truth["refused"]]
    facts = {"must": named, "never": ships, "labels": LABELS}
    where = {"project": "SHOP", "issue_type": "Task", "resolution_id": {"null": True}}
    text = {
        "field": ["summary", "description"],
        "facts": facts,
        "none_of": [{"mentions": one} for one in ALLOWED_AFTER_ALL],
    }
    items.append({"id": "ticket", "insert": "jira_issue", "where": where, "text": text, "weight": 2})
    wrong = [{"mentions": one} for one in ("not proposed", "nobody will notice", "i have removed", "i removed")]
    return make_rubric([*items, expect_reply(truth, {"facts": facts, "none_of": wrong})], **more)


ALLOWED_AFTER_ALL = ("after all", "nothing to do", "close this", "remove these", "remove them", "without replacement")
