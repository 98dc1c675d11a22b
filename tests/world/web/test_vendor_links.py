"""Links to the vendors' sites lead to the same thing here; what they say stays as it is."""

from world.run.host import Host
from world.web.mount import MountPoint
from world.web.vendor_links import lead_home

BY_PATH = MountPoint("jot", "http", "testserver", "/jot", "")
BY_HOST = MountPoint("jot", "http", "jot.localhost:8000", "", "")
AT_VENDOR = MountPoint("jot", "https", "tiny.jot.test", "", "")
LINK = '<a class="x" href="https://tiny.jot.test/browse/A-1?x=1">https://tiny.jot.test/browse/A-1</a>'


def _shown(host: Host, place: MountPoint, text: str) -> str:
    host.apps["jot"].site = "https://{slack_domain}.jot.test"
    try:
        return lead_home(host, "w", place, text)
    finally:
        host.apps["jot"].site = ""


def test_a_link_to_a_vendors_site_leads_here_by_path_and_by_host(host: Host) -> None:
    assert 'href="/jot/browse/A-1?x=1">https://tiny.jot.test/browse/A-1<' in _shown(host, BY_PATH, LINK)
    assert 'href="http://jot.localhost:8000/browse/A-1?x=1">' in _shown(host, BY_HOST, LINK)
    assert 'href="/jot/"' in _shown(host, BY_PATH, '<a href="https://tiny.jot.test">x</a>')


def test_other_sites_other_attributes_and_visitors_at_the_vendors_name_keep_their_links(host: Host) -> None:
    others = (
        '<a href="https://other.jot.test/x">x</a><link href="https://tiny.jot.test/x"><p>https://tiny.jot.test/x</p>'
    )
    assert _shown(host, BY_PATH, others) == others
    assert _shown(host, AT_VENDOR, LINK) == LINK
