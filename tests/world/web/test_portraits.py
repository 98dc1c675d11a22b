"""Portraits on pages: employees have one, bots and strangers keep their initials."""

import re

from starlette.testclient import TestClient

from world.core.portraits import draw_portrait, portrait_mark
from world.run.host import Host
from world.web.icons import avatar
from world.web.mount import MountPoint
from world.web.portraits import put_portraits

AT = MountPoint("jot", "http", "x.test", "/under/jot", "/under")
ADA = portrait_mark("tiny.example", "p_ada")


def put(host: Host, text: str, own_names: str = "") -> str:
    return put_portraits(host, "w", AT, own_names, text)


def test_an_employee_is_shown_by_name_address_or_handle_as_one_face(host: Host) -> None:
    drawn = {put(host, str(avatar(name, 20, ""))) for name in ("Ada Novak", "ada@tiny.example", "ada")}
    assert drawn == {
        f'<img class="avatar" src="/under/web/portraits/{ADA}.svg" alt="" width="20" height="20" draggable="false">'
    }
    assert 'alt="Ada &amp; Co"' in put(host, str(avatar("Ada Novak", 20, "Ada & Co")))


def test_bots_and_strangers_keep_their_initials(host: Host) -> None:
    for shown in (avatar("Zoe Customer"), avatar("Ada Novak", bot=True), avatar("Ada Novak", of="ada@else.example")):
        kept = put(host, str(shown))
        assert "<img" not in kept and "data-of" not in kept and "</text></svg>" in kept


def test_an_app_may_know_people_by_other_names(host: Host) -> None:
    own = "SELECT 'ada-n', 'p_ada' WHERE 'ada-n' IN (SELECT value FROM json_each(?))"
    assert ADA in put(host, str(avatar("ada-n")), own) and ADA not in put(host, str(avatar("ada-n")))


def test_pages_show_the_readers_portrait_and_serve_it_to_be_kept(browser: TestClient) -> None:
    page = browser.get("/jot/").text
    found = re.search(r'<img class="avatar" src="(/web/portraits/[0-9a-f]{12}\.svg)"', page)
    assert found and "data-of" not in page
    picture = browser.get(found[1])
    assert picture.text == draw_portrait(ADA) and picture.headers["content-type"] == "image/svg+xml"
    assert "max-age" in picture.headers["cache-control"]
    assert browser.get("/web/portraits/ada.svg").status_code == 404
