"""The repository: one function that fails in the build, another with the same fault, and sound ones beside them."""

from scenarios.office.builds import build_server, let_build, report_build
from scenarios.office.changes import REPOSITORIES
from scenarios.office.code import files_of, head_of, login, open_repository, organisation
from scenarios.office.races import COUNTERS, RACES, SOUND, STORE, STORE_PATH, Counter
from world.script.stage import Facts, Stage

from .texts import GUESSES, ISSUE, RULES

MODULES = 6


def find_counter(module: str) -> Counter:
    """The counter of a module."""
    return next(one for one in COUNTERS if one.module == module)


def create(w: Stage, cast: dict[str, str], *, same: bool) -> Facts:
    """Create the repository and the build server's issue; `same`: what the shop reports is the second place of the fault."""
    draws = w.rng("repository")
    seen, told, *others = draws.shuffled(COUNTERS)[:MODULES]
    second = told if same else others[0]
    forms = {one.module: draws.choice(SOUND) for one in (seen, told, *others)}
    forms |= {one.module: draws.choice(RACES) for one in (seen, second)}
    name, description = draws.choice(REPOSITORIES)
    reviewer = w.person(cast["reviewer"]).full_name
    rules = draws.choice(RULES).format(reviewer=reviewer, login=login(w, cast["reviewer"]))
    texts = {"CONTRIBUTING.md": rules, "src/__init__.py": "", "tests/__init__.py": "", STORE_PATH: STORE}
    for one in (seen, told, *others):
        texts[one.path] = one.source(forms[one.module])
        texts[one.test_path] = one.tests(together=one is seen)
    repo = open_repository(w, name, description, texts)
    let_build(w, repo)
    main = head_of(w, repo, "main")
    return {
        "repo": repo,
        "main": main,
        "seen": seen.module,
        "seen_names": _name_all(seen),
        "told": told.module,
        "part": told.part,
        "faulty": sorted(one.module for one in (seen, second)),
        "modules": sorted(forms),
        "forms": forms,
        "names": _list_names(seen, second, [one for one in (told, *others) if one is not second]),
        "issue": open_issue(w, cast, repo, main, seen),
        "files": files_of(w, repo, main),
    }


def _list_names(seen: Counter, second: Counter, sound: list[Counter]) -> dict[str, str]:
    """The functions by what is true of them: two with the fault, and the sound ones."""
    named = {"f1": seen.function, "f2": second.function}
    return named | {f"s{at}": one.function for at, one in enumerate(sound, 1)}


def _name_all(one: Counter) -> dict[str, str]:
    """What people call a function."""
    rest = {"module": one.module, "path": one.path, "file": f"{one.module}.py", "part": one.part}
    return {"function": one.function, **rest}


def open_issue(w: Stage, cast: dict[str, str], repo: str, sha: str, seen: Counter) -> int:
    """The build server reports how main fares; a colleague has a guess. Returns the issue's number."""
    draws, place = w.rng("issue"), {"owner": organisation(w), "repo": repo}
    first, orders = draws.integer(200, 700), [draws.integer(1, 999) for _ in range(7)]
    red = {2, draws.choice((4, 5)), 6}
    runs = [f"#{first + at}  ORDER={order:<4} {'1 failed' if at in red else 'ok'}" for at, order in enumerate(orders)]
    answers, left = seen.after(3)
    wrong = f"{[answers[-1]] * 3}, {seen.after(2)[1]}"
    text = ISSUE.format(
        sha=sha[:8],
        runs="\n".join(runs),
        order=orders[6],
        module=seen.module,
        test=f"{seen.module.capitalize()}Test",
        wrong=wrong,
        right=f"{answers}, {left}",
    )
    report_build(w, repo, sha, "failure", "1 failed", text)
    title = f"main fails now and then: tests/test_{seen.module}.py"
    number = w.act(build_server(w), "issues/create", title=title, body=text, **place)["number"]
    w.act(cast["author"], "issues/create-comment", issue_number=number, body=draws.choice(GUESSES), **place)
    return number
