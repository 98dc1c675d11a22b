"""Portraits on pages: employees have one, bots and strangers keep their initials."""

import re

from starlette.testclient import TestClient

from world.core.portraits import draw_portrait, portrait_mark
from world.run.host import Host
from world.web.icons import avatar
from world.web.mount import MountPoint
from world.web.portraits import put_portraits

AT = MountPoint("jot", "http", "x.test", "/under/jot", "/under")
ADA = portrait_mark("tiny.example", "p_ada", "Ada")


def put(host: Host, text: str, own_names: str = "") -> str:
    return put_portraits(host, "w", AT, own_names, text)


def test_an_employee_is_shown_by_id_or_address_as_one_face(host: Host) -> None:
    drawn = {put(host, str(avatar("Ada Novak", 20, "", of=of))) for of in ("p_ada", "ada@tiny.example")}
    assert drawn == {
        f'<img class="avatar" src="/under/web/portraits/{ADA}.svg" alt="" width="20" height="20" draggable="false">'
    }
    assert 'alt="Ada &amp; Co"' in put(host, str(avatar("Ada Novak", 20, "Ada & Co", of="p_ada")))


def test_bots_strangers_and_who_only_has_an_employees_name_keep_their_initials(host: Host) -> None:
    named = (avatar("Ada Novak"), avatar("ada"), avatar("ada@tiny.example"), avatar("A", of="Ada Novak"))
    strange = (avatar("Zoe Customer", of="zoe@else.example"), avatar("Ada Novak", of="ada@else.example"))
    for shown in (avatar("Ada Novak", bot=True, of="p_ada"), *named, *strange):
        kept = put(host, str(shown))
        assert "<img" not in kept and "data-of" not in kept and "</text></svg>" in kept


def test_an_app_may_know_people_by_other_names(host: Host) -> None:
    own = "SELECT 'ada-n', 'p_ada' WHERE 'ada-n' IN (SELECT value FROM json_each(?))"
    shown = str(avatar("A", of="ada-n"))
    assert ADA in put(host, shown, own) and ADA not in put(host, shown)


def test_pages_show_the_readers_portrait_and_serve_it_to_be_kept(browser: TestClient) -> None:
    page = browser.get("/jot/").text
    found = re.search(r'<img class="avatar" src="(/web/portraits/[0-9a-f]{12}\.svg)"', page)
    assert found and "data-of" not in page
    picture = browser.get(found[1])
    assert picture.text == draw_portrait(ADA) and picture.headers["content-type"] == "image/svg+xml"
    assert "max-age" in picture.headers["cache-control"]
    assert browser.get("/web/portraits/ada.svg").status_code == 404
