"""Every page of code over plain HTTP: whole, the same again, without a control that has no name of its own, and deaf to
what files say.
"""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from markupsafe import Markup
from starlette.testclient import TestClient

import apps.github
from apps.github.pages import highlight, prose
from tests.browser.crawl import complaints
from tests.browser.github import code_rows
from tests.browser.outline import is_whole
from tests.browser.payloads import PAYLOADS
from tests.company import as_person
from world.core.principal import Principal
from world.run.host import Host
from world.server.agent_plane import agent_plane
from world.web.session import COOKIE

APP = "/tiny/app"
FILES = (
    "README.md",
    "README.md?plain=1",
    "src/count.py",
    "docs/pic.png",
    "docs/data.bin",
    "docs/here",
    "docs/away",
    "big.txt",
    "crlf.txt",
    "latin.txt",
    "run.sh",
    "empty.txt",
    ".gitmodules",
)
SETTINGS = (
    "",
    "/access",
    "/branches",
    "/branches?branch=main",
    "/branches?branch=feature",
    "/hooks",
    "/hooks/new",
    "/secrets/actions",
)
ADDRESSES = (
    APP,
    f"{APP}/tree/feature",
    f"{APP}/tree/v0.1",
    f"{APP}/tree/main/docs",
    f"{APP}/tree/main/lib",
    *(f"{APP}/blob/main/{path}" for path in FILES),
    f"{APP}/blame/main/src/count.py",
    f"{APP}/blame/main/empty.txt",
    f"{APP}/commits/main",
    f"{APP}/commits/main/src/count.py",
    f"{APP}/commits/main?author=bo",
    f"{APP}/commit/main",
    f"{APP}/commit/main?diff=split",
    f"{APP}/find/main",
    f"{APP}/find/main?q=count",
    f"{APP}/find/main?q=%3Cb%3E",
    f"{APP}/graphs/contributors",
    f"{APP}/edit/feature/src/count.py",
    f"{APP}/new/main/docs",
    f"{APP}/upload/feature",
    f"{APP}/delete/feature/src/count.py",
    f"{APP}/branches",
    f"{APP}/branches?view=all",
    f"{APP}/branches?q=feat",
    f"{APP}/branches?dialog=new",
    f"{APP}/branches?dialog=rename&branch=feature",
    f"{APP}/tags",
    f"{APP}/releases",
    f"{APP}/releases/new",
    f"{APP}/releases/tag/v0.1",
    f"{APP}/actions",
    f"{APP}/actions?status=success",
    f"{APP}/actions/workflows/ci.yml",
    f"{APP}/actions/runs/1",
    f"{APP}/actions/runs/1/job/1",
    f"{APP}/actions/runs/1/job/1?q=bold&times=1",
    *(f"{APP}/settings{part}" for part in SETTINGS),
    "/new",
    f"{APP}/fork",
    "/tiny/secret",
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A host over the small company's code."""
    return code_rows.host(tmp_path_factory.mktemp("code"))


@pytest.fixture(scope="module")
def still(host: Host) -> Iterator[TestClient]:
    """Ada's browser over a world that looking does not change."""
    with TestClient(
        agent_plane(host, [apps.github]), base_url="http://testserver", headers={"Firm-Live": "1"}
    ) as client:
        found = as_person(host, "ada")
        client.cookies.set(
            COOKIE, host.tokens.issue(Principal(found.world, found.person, "session", generation=found.generation))
        )
        yield client


def judged(pages: list[tuple[str, Any]]) -> list[str]:
    """What pages hold that none may hold."""
    return complaints(pages)


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_and_the_same_again(still: TestClient, address: str) -> None:
    answer = still.get(f"/github{address}")
    is_whole(answer)
    assert judged([(address, answer)]) == []
    for block in ("page", "main"):
        part = still.get(f"/github{address}", headers={"HX-Request": "true", "HX-Target": block}).text
        assert "<html" not in part and part.strip() in answer.text, block
    assert still.get(f"/github{address}").text == answer.text


def test_what_a_file_says_is_text_wherever_it_is_shown(host: Host, still: TestClient) -> None:
    ada, here = as_person(host, "ada"), {"owner": "tiny", "repo": "site"}
    head = host.call(ada, "rest", "git/get-ref", {**here, "ref": "heads/main"})["object"]["sha"]
    text = "\n\n".join(PAYLOADS)
    named = [payload.replace("/", "∕")[:60] for payload in PAYLOADS[:40] if payload.strip() and "\x00" not in payload]
    paths = dict.fromkeys(["README.md", "a.html", "a.py", "a.svg", *named])
    tree = [{"path": path, "mode": "100644", "type": "blob", "content": text} for path in paths]
    made = host.call(ada, "rest", "git/create-tree", {**here, "base_tree": head, "tree": tree})["sha"]
    message = f"{PAYLOADS[0]}\n\n{text}"
    sha = host.call(ada, "rest", "git/create-commit", {**here, "message": message, "tree": made, "parents": [head]})[
        "sha"
    ]
    host.call(ada, "rest", "git/update-ref", {**here, "ref": "heads/main", "sha": sha})
    pages = [
        "",
        "/blob/main/README.md",
        "/blob/main/README.md?plain=1",
        "/blob/main/a.html",
        "/blob/main/a.py",
        "/blob/main/a.svg",
        "/blame/main/a.py",
        "/commits/main",
        f"/commit/{sha}?expand=README.md",
        "/find/main",
        "/edit/main/a.html",
        "/delete/main/a.html",
        "/tags",
        "/branches",
    ]
    answers = [(page, still.get(f"/github/tiny/site{page}")) for page in pages]
    assert [page for page, answer in answers if answer.status_code != 200] == []
    assert judged(answers) == []
    raw = still.get("/github/tiny/site/raw/main/a.html")
    assert (
        raw.headers["content-type"] == "text/plain; charset=utf-8"
        and raw.headers["x-content-type-options"] == "nosniff"
    )
    assert "sandbox" in raw.headers["content-security-policy"]


def test_addresses_of_a_readme_stay_inside_the_repository() -> None:
    shown = prose.render_page(
        "[a](../x.md#top) [b](../../../etc) [c](#here) ![d](img/e.png) ![f](//evil.example/g.png) <a id='main'"
        " class='overlay'>h</a>",
        "docs/adr",
        lambda kind, path: f"/{kind}/{path}",
    )
    assert 'href="/blob/docs/x.md#user-content-top"' in shown and "etc" not in shown.replace("[b]", "")
    assert 'href="#user-content-here"' in shown and 'src="/raw/docs/adr/img/e.png"' in shown and "evil" not in shown
    assert "overlay" not in shown and 'id="main"' not in shown


def test_of_a_picture_that_is_not_there_only_its_words_are_shown(host: Host, still: TestClient) -> None:
    given = {"owner": "tiny", "repo": "app", "branch": "pictures"}
    ada, text = as_person(host, "ada"), "![one](docs/pic.png) ![two](docs/gone.png) ![three](img/gone.png)"
    head = host.call(ada, "rest", "git/get-ref", {**given, "ref": "heads/main"})["object"]["sha"]
    host.call(ada, "rest", "git/create-ref", {**given, "ref": "refs/heads/pictures", "sha": head})
    new = {
        **given,
        "path": "lib/README.md",
        "message": "New",
        "content": b64encode(text.replace("](", "](../").encode()).decode(),
    }
    host.call(ada, "rest", "repos/create-or-update-file-contents", new)
    for address in ("tree/pictures/lib", "blob/pictures/lib/README.md"):
        shown = still.get(f"/github{APP}/{address}").text
        assert 'alt="two"' in shown, address
        assert "raw/pictures/docs/pic.png" in shown and "gone.png" not in shown, address


def test_a_live_look_at_what_is_gone_is_no_error(still: TestClient) -> None:
    gone = f"/github{APP}/blob/main/gone.txt"
    looked = still.get(gone, headers={"HX-Request": "true", "HX-Target": "main"})
    assert (looked.status_code, looked.text, looked.headers["HX-Retarget"]) == (204, "", "#banner")
    assert still.get(gone).status_code == 404
    assert still.get(gone, headers={"HX-Request": "true", "HX-Target": "main", "Firm-Live": "0"}).status_code == 404


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\n\n", "a\r\nb\r\n", '"""\nx\n"""\n', "\n\n<b>\n"])
def test_a_coloured_file_has_the_lines_of_the_plain_one(text: str) -> None:
    plain = [str(line) for line in highlight.lines("a.unknown", text)]
    assert [line.striptags() for line in highlight.lines("a.py", text)] == [Markup(line).striptags() for line in plain]
    assert len(plain) == len(highlight.split(text))
