"""Nothing that a person writes into issues, pull requests, labels or code runs, loads or leaves the site."""

from base64 import b64encode
from collections.abc import Callable

from tests.browser.conftest import Office, Site
from tests.browser.github.code_site import HOME, act
from tests.browser.payloads import PAYLOADS
from tests.browser.scripts import DETECT, audit
from world.core.settings import Settings

SHORT = [
    text for text in PAYLOADS if len(text) <= 48 and "\n" not in text and "\t" not in text and "\u2028" not in text
]
PLACES = (
    f"{HOME}/issues",
    f"{HOME}/issues/3",
    f"{HOME}/labels",
    f"{HOME}/milestones",
    f"{HOME}/milestone/2",
    f"{HOME}/pulls",
    f"{HOME}/pull/4",
    f"{HOME}/pull/4/commits",
    f"{HOME}/pull/4/checks",
    f"{HOME}/pull/4/files",
    f"{HOME}/pull/4/files?diff=split",
    f"{HOME}/compare/main...evil",
    f"{HOME}/issues/3?edit=title",
    f"{HOME}/issues/3?menu=labels",
    "/github/",
    "/github/issues?q=is%3Aissue",
    "/github/search?q=evil&type=code",
    "/github/search?q=evil&type=issues",
    "/github/search?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E",
    "/github/notifications",
    "/github/pulls?q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E",
)


def sow(office: Office) -> None:
    """Hostile texts in every field of the pages of work."""
    every = "\n\n".join(["evil @ada", *PAYLOADS])[:60_000]
    act(office, "bo", "issues/create", title=f"evil {SHORT[0]}", body=every)
    act(office, "bo", "issues/create-comment", issue_number=3, body=every)
    for number, text in enumerate(SHORT[:12]):
        act(
            office,
            "bo",
            "issues/create-label",
            name=f"{number}{text}"[:50],
            description=SHORT[-number - 1],
            color="d73a4a",
        )
    act(office, "bo", "issues/add-labels", issue_number=3, labels=[f"0{SHORT[0]}"[:50]])
    act(office, "bo", "issues/create-milestone", title=f"evil {SHORT[1]}", description=every)
    act(office, "bo", "issues/update", issue_number=3, milestone=2, title=f"evil {SHORT[2]}")
    main = office.see("bo", "repos/get-branch", owner="tiny", repo="app", branch="main")["commit"]["sha"]
    act(office, "bo", "git/create-ref", ref="refs/heads/evil", sha=main)
    code = b64encode(("evil = '''\n" + "\n".join(PAYLOADS) + "\n'''\n").encode("utf-8", "surrogateescape")).decode()
    name = "<img src=x onerror=alert(1)>.py"
    act(
        office,
        "bo",
        "repos/create-or-update-file-contents",
        path=name,
        message=f"evil {SHORT[3]}\n\n{every}",
        branch="evil",
        content=code,
    )
    pull = act(office, "bo", "pulls/create", title=f"evil {SHORT[4]}", body=every, head="evil", base="main")
    where = {"pull_number": 4, "path": name, "commit_id": pull["head"]["sha"]}
    act(office, "ada", "pulls/create-review-comment", body=f"```suggestion\n{SHORT[5]}\n```\n{every}", line=2, **where)
    act(office, "ada", "pulls/create-review", pull_number=4, event="REQUEST_CHANGES", body=every)
    status = {"state": "failure", "context": SHORT[6], "description": SHORT[7], "target_url": "https://evil.example/x"}
    act(office, "ada", "repos/create-commit-status", sha=pull["head"]["sha"], **status)


def test_no_text_of_a_person_runs_or_loads_anything(site: Site, office_of: Callable[..., Office]) -> None:
    office = office_of(site, Settings(limits="off"))
    sow(office)
    page = office.open("ada", f"{HOME}/labels", live=False)
    page.add_init_script(DETECT)
    for address in PLACES:
        answer = page.goto(office.base + address, wait_until="load")
        assert answer is not None and answer.status == 200, address
        assert [one for one in audit(page) if one != "<template>"] == [], address
