"""Nothing that a person writes anywhere on the code host runs, loads or leaves the site."""

# ruff: noqa: E501 - one line to a thing of a table
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import apps.github
from tests.browser.crawl import complaints
from tests.browser.github import code_rows
from tests.browser.scripts import Hostile, hostile_site, look
from world.core.principal import Principal
from world.run.host import Host

REPO = {"owner": "tiny", "repo": "app"}
WORDS = frozenset(  # arguments that are somebody's words; the others are ids, names of what is there, and closed lists
    """title body name description message content label labels context target_url summary text url commit_title commit_message homepage bio blog company
    location value names path new_name lock_reason event_type environment log_url environment_url output tag_name""".split()
)
TIGHT = '"><img/src=x/onerror=alert(1)>'  # a payload that can be a branch, a tag and a file
STARTS = (
    "/tiny/app",
    "/",
    "/new",
    "/tiny/app/issues/1",
    "/tiny/app/pull/3",
    "/tiny/app/pull/3/files",
    "/notifications",
    "/issues",
    "/pulls",
    "/tiny/app/commits",
    "/orgs/tiny",
    "/orgs/tiny/repositories",
    *(f"/tiny/app/{page}/other/README.md" for page in ("blob", "blame", "edit", "delete")),
    "/tiny/app/compare/main...other",
)
APART = {
    "/complete",
    "/{owner}/{repo}/actions/runs/{run_id:int}/attempts/{attempt:int}",
    "/{owner}/{repo}/pull/{number:int}/conflicts",
}


def share(host: Host, me: Principal) -> dict[str, Any]:
    """Two pull requests, and hostile names of branches, tags, files and authors."""

    def say(operation: str, **arguments: Any) -> Any:
        return host.call(me, "rest", operation, {**REPO, **arguments})

    head = say("git/get-ref", ref="heads/main")["object"]["sha"]
    mad = {"name": f"{TIGHT} author", "email": "x@x.example", "date": "2026-03-01T08:00:00Z"}
    tree = [
        {
            "path": f"a{TIGHT}/{TIGHT}.md",
            "mode": "100644",
            "type": "blob",
            "content": f"# {TIGHT}\n\n<img src=http://evil.example/x.png>\n",
        }
    ]
    made = say("git/create-tree", base_tree=head, tree=tree)["sha"]
    sha = say(
        "git/create-commit", message=f"{TIGHT} message\n\n{TIGHT}", tree=made, parents=[head], author=mad, committer=mad
    )["sha"]
    for ref in (f"refs/heads/{TIGHT}", f"refs/tags/{TIGHT}", "refs/heads/other"):
        say("git/create-ref", ref=ref, sha=sha)
    say("pulls/create", title="One", head="feature", base="main")
    say("pulls/create", title="Two", head=TIGHT, base="main")
    return {}


def build_hostile(folder: Path) -> Hostile:
    """The code host, full of hostile texts."""
    return hostile_site(folder, apps.github, list, STARTS, share=share, make=code_rows.host, only=WORDS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = build_hostile(tmp_path_factory.mktemp("hub"))
    yield made
    made.stop()


def but_own(found: list[str]) -> list[str]:
    """Complaints, without the one form that the page of changed files keeps for new comments."""
    return [one for one in found if not (one.startswith("<template>") and "/files" in one)]


def test_fields_for_words_took_payloads(hostile: Hostile) -> None:
    assert len(hostile.harvest.taken) > 60
    assert len(set().union(*hostile.harvest.taken.values())) > 150


def test_every_page_is_reached_and_none_holds_a_script_or_a_foreign_resource(hostile: Hostile) -> None:
    assert len(hostile.pages) > 100 and set(hostile.unseen()) <= APART, hostile.unseen()
    assert all(page.text.count("<template") <= 1 for page in hostile.pages.values())
    assert but_own(complaints(hostile.pages.items())) == []


def test_what_an_address_says_is_shown_as_text(hostile: Hostile) -> None:
    assert (
        but_own(complaints(hostile.crawler.reflected("\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>²"))) == []
    )


def test_chromium_runs_nothing_on_any_page(hostile: Hostile, chromium: Browser) -> None:
    assert but_own(look(replace(hostile, pages=dict(list(hostile.pages.items())[::3])), chromium)) == []
