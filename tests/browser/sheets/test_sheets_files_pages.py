"""Every address of the drive's pages over plain HTTP: whole, in part, twice the same, harmless whatever people call
their files.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import apps.drive
import apps.sheets
from apps.drive.pages import PLACES as DRIVE_PLACES
from apps.sheets.pages import PLACES as SHEETS_PLACES
from tests.browser.conftest import Office, Site
from tests.browser.crawl import complaints
from tests.browser.jira.test_jira_pages import first_difference
from tests.browser.outline import is_whole
from tests.browser.payloads import PAYLOADS
from tests.browser.scripts import DETECT, audit
from tests.browser.sheets.drive_rows import (
    BUDGET,
    DESKS,
    GONE,
    NOTES,
    OLD,
    OPEN,
    PICTURE,
    PLANS,
    README,
    TABLE,
    TEAM,
    TRIPS,
    drive_host,
)
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.server.agent_plane import agent_plane
from world.web.session import COOKIE

LISTS = (
    "/",
    "/my-drive",
    "/shared-with-me",
    "/recent",
    "/starred",
    "/trash",
    f"/folders/{PLANS}",
    f"/folders/{TEAM}",
    f"/folders/{OLD}",
)
DIALOGS = (
    "menu",
    "rename",
    "share",
    "copy",
    "move",
    "details",
    "history",
    "import",
    "download",
    "forever",
    "trash",
    "no-such-dialog",
)
READER_DIALOGS = ("menu", "share", "copy", "details", "history")
ADDRESSES = (
    *LISTS,
    "/?view=grid",
    "/?owner=me",
    "/?owner=others&sort=modified",
    "/?sort=title",
    "/?sort=edited",
    "/?owner=nobody&sort=x&view=y",
    "/my-drive?view=grid",
    "/my-drive?sort=modified-desc",
    "/my-drive?sort=size",
    f"/folders/{PLANS}?sort=name-desc",
    "/search?q=budget",
    "/search?q=%27%22%5C%3C",
    "/search?q=is%3Astarred+owner%3Ame",
    "/search?type=files",
    "/search?owner=others&type=spreadsheets",
    *(f"/my-drive?dialog={name}&file={BUDGET}" for name in DIALOGS),
    *(f"/shared-with-me?dialog={name}&file={TRIPS}" for name in READER_DIALOGS),
    f"/trash?dialog=menu&file={GONE}",
    "/trash?dialog=empty-trash",
    f"/my-drive?dialog=move&file={DESKS}&at={PLANS}",
    *(f"/my-drive?dialog={name}" for name in ("new", "new-folder", "upload", "share")),
    f"/my-drive?dialog=share&file={NOTES}",
    f"/file/d/{TABLE}/view",
    f"/file/d/{README}/view",
    f"/file/d/{PICTURE}/view",
    f"/file/d/{PICTURE}/view?dialog=menu",
    f"/?dialog=share&file={OPEN}",
    "/people?q=bo",
    "/people?q=new%40else.example",
    "/mention?q=%40a",
    "/access-requested",
    "/more",
    "/more/web.import",
)
BLOCKS = ("page", "list", "overlay", "suggestions")


def cookie(host: Host, who: str = "ada") -> str:
    """A session of somebody."""
    found = host.principal("w", who)
    return host.tokens.issue(Principal(found.world, found.person, "session", generation=found.generation))


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Ada's browser over a world that nothing changes: every look is free."""
    host = drive_host(tmp_path_factory.mktemp("still"))
    with TestClient(
        agent_plane(host, [apps.drive, apps.sheets]), base_url="http://testserver", headers={"Firm-Live": "1"}
    ) as client:
        client.cookies.set(COOKIE, cookie(host))
        yield client


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[TestClient]:
    """Ada's browser, without a browser."""
    host = drive_host(tmp_path)
    with TestClient(
        agent_plane(host, [apps.drive, apps.sheets]), base_url="http://testserver", follow_redirects=False
    ) as client:
        client.cookies.set(COOKIE, cookie(host))
        yield client


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_and_its_blocks_are_its_parts(still: TestClient, address: str) -> None:
    answer = still.get(f"/sheets{address}", follow_redirects=False)
    assert {a for a in is_whole(answer).addresses if not a.startswith(("/", "#"))} == set()
    assert complaints([(address, answer)]) == []  # type: ignore[list-item]
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true", "HX-Target": "page"}
    assert first_difference(still.get(f"/sheets{address}", headers=restored).text, answer.text) == ""
    for block in (name for name in BLOCKS if f' id="{name}"' in answer.text):
        part = still.get(f"/sheets{address}", headers={"HX-Request": "true", "HX-Target": block})
        if "hx-retarget" not in part.headers:
            assert part.status_code == 200 and "<html" not in part.text, block
            assert first_difference(part.text.strip(), answer.text) == "", block


def test_an_id_alone_leads_to_the_page_of_its_kind(browser: TestClient) -> None:
    leads = {BUDGET: f"/d/{BUDGET}/edit", PLANS: f"/folders/{PLANS}", TABLE: f"/file/d/{TABLE}/view"}
    for key, there in leads.items():
        assert browser.get(f"/sheets/open?id={key}").headers["location"] == f"/sheets{there}"
    assert browser.get(f"/sheets/file/d/{BUDGET}/view").headers["location"] == f"/sheets/d/{BUDGET}/edit"
    assert browser.get(f"/sheets/file/d/{PLANS}/view").headers["location"] == f"/sheets/folders/{PLANS}"
    assert browser.get("/sheets/search").headers["location"] == "/sheets/"


def test_bytes_are_kept_and_pictures_looked_at(browser: TestClient) -> None:
    kept = browser.get(f"/sheets/file/d/{TABLE}?export=download")
    assert (
        kept.headers["content-disposition"] == "attachment; filename*=UTF-8''offices.csv"
        and kept.headers["x-content-type-options"] == "nosniff"
    )
    assert browser.get(f"/sheets/file/d/{PICTURE}?export=view").headers["content-disposition"].startswith("inline")
    assert browser.get(f"/sheets/file/d/{TABLE}?export=view").headers["content-disposition"].startswith("attachment")
    table = browser.get(f"/sheets/d/{BUDGET}/export?mimeType=text/csv&gid=0")
    assert table.text.splitlines()[-1] == "All,1500,1630.5,3130.5"
    assert browser.get(f"/sheets/d/{BUDGET}/export?format=epub").status_code == 422
    assert browser.get(f"/sheets/d/{NOTES}/export?format=csv").status_code == 403


def test_every_writing_operation_has_its_place() -> None:
    for app, places in ((apps.drive.app, DRIVE_PLACES), (apps.sheets.app, SHEETS_PLACES)):
        writing = {id for id, one in app.operations.items() if one.writes}
        assert writing - {place.split("+")[0] for place in places} == set()
        assert {place.split("+")[0] for place in places} <= set(app.operations)


def sow(office: Office) -> None:
    """Hostile names, descriptions, comments and contents."""
    evil = [text for text in PAYLOADS if "\x00" not in text][:60]
    every = "\n\n".join(evil)[:20_000]
    for text in evil[:25]:
        office.act(
            "bo",
            "drive.files.create",
            name=f"{text} evil",
            mimeType="text/html",
            content="PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
            parents=[TEAM],
        )
    office.act("ada", "drive.files.update", fileId=BUDGET, name=f"{evil[0]} evil", description=every)
    office.act("ada", "drive.files.update", fileId=PLANS, name=f"{evil[1]} evil")
    office.act("ada", "drive.files.update", fileId=TABLE, content="PHN2ZyBvbmxvYWQ9YWxlcnQoMSk-")
    comment = office.act(
        "bo", "drive.comments.create", fileId=BUDGET, content=every, anchor='{"sheetId":0,"rowIndex":1,"columnIndex":1}'
    )
    office.act("bo", "drive.replies.create", fileId=BUDGET, commentId=comment["id"], content=every)


def test_no_text_of_a_person_runs_or_loads_anything(tmp_path: Path, office_of: Callable[..., Office]) -> None:
    site = Site(lambda: drive_host(tmp_path), [apps.drive, apps.sheets])
    office = office_of(site, Settings(limits="off"))
    sow(office)
    page = office.open("ada", "/sheets/", live=False)
    page.add_init_script(DETECT)
    dialogs = tuple(f"/my-drive?dialog={name}&file={BUDGET}" for name in ("menu", "share", "move", "details"))
    for address in (
        "/",
        f"/folders/{TEAM}",
        "/search?q=evil",
        "/my-drive?view=grid",
        *dialogs,
        f"/file/d/{TABLE}/view",
        f"/d/{BUDGET}/edit?pane=comments",
    ):
        answer = page.goto(f"{office.base}/sheets{address}", wait_until="load")
        assert answer is not None and answer.status == 200, address
        assert [one for one in audit(page) if one != "<template>"] == [], address
    office.close()
    site.stop()
