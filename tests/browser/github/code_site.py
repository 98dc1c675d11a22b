"""The small company's code host behind a server: what the browser tests of its pages share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apps.github
from tests.apps.github.conftest import load
from tests.browser.conftest import Office, Site
from tests.company import START, unmetered
from world.core.image_builder import build
from world.run.host import Host

REPO = {"owner": "tiny", "repo": "app"}
HOME = "/github/tiny/app"


def hub_host(folder: Path) -> Host:
    """A host over the company's code host, with one world, `w`."""
    image = build(folder / "images", [apps.github.app], load, now=START)
    return unmetered(image, folder, apps.github.app)


def hub_site(folder: Path) -> Site:
    """A server over it."""
    return Site(lambda: hub_host(folder), [apps.github])


def act(office: Office, who: str, operation: str, **arguments: Any) -> Any:
    """An operation on tiny/app by another door."""
    return office.act(who, operation, **REPO, **arguments)


def see(office: Office, operation: str, who: str = "ada", **arguments: Any) -> Any:
    """What an operation on tiny/app shows."""
    return office.see(who, operation, **REPO, **arguments)


def open_pull(office: Office, **more: Any) -> dict[str, Any]:
    """Pull request 3: Bo's branch `feature`, which changes a line of src/count.py."""
    said: Mapping[str, Any] = {
        "title": "Count in tuples",
        "body": "Closes #1.\n\n- [x] code\n- [ ] docs",
        "head": "feature",
        "base": "main",
        **more,
    }
    return act(office, "bo", "pulls/create", **said)


def wait(office: Office, seconds: int = 5) -> None:
    """Let time pass until git was asked whether branches merge."""
    office.act("ada", "world.wait", seconds=seconds)


def protect(office: Office, **more: Any) -> None:
    """Ask for one approval before anything comes into main."""
    rule = {
        "required_status_checks": None,
        "enforce_admins": True,
        "required_pull_request_reviews": {"required_approving_review_count": 1},
    }
    act(office, "ada", "repos/update-branch-protection", branch="main", restrictions=None, **{**rule, **more})
