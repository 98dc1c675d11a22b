"""Live updates, stepwise observation, outages, and the client without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

import apps.slack
import apps.status
from tests.browser.conftest import Office, Site, painted, settled
from tests.browser.slack import chat_rows
from tests.browser.slack.chat_pages import ROOM
from tests.browser.slack.chat_rows import CHECKOUT, GENERAL, PARENT
from tests.company import START
from tests.company import host as make_host
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, Timeline, compile_script


def clock_and_calls(office: Office) -> list[tuple[object, ...]]:
    """Simulated time and number of calls."""
    return office.rows("SELECT at, call_seq FROM _now")


def test_a_colleagues_message_appears_by_itself_and_costs_nothing(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.wait_for_selector('html[data-live="open"]')
    settled(page)
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="fresh news")
    before = clock_and_calls(office)
    expect(page.locator("#messages article").last).to_contain_text("fresh news")
    settled(page)
    assert clock_and_calls(office) == before
    expect(page.locator("html")).to_have_attribute("data-world-version", str(before[0][1]))


def test_the_side_bar_and_title_follow_other_channels(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.wait_for_selector('html[data-live="open"]')
    office.act("dee", "chat.postMessage", channel=GENERAL, text="<@U0ADA> please")
    expect(page.locator(f"#side-{GENERAL} .badge")).to_have_text("2")
    expect(page).to_have_title("(3) #team-checkout - Slack")


def test_an_open_thread_follows_too(office: Office) -> None:
    page = office.open("ada", f"{ROOM}?thread={PARENT}")
    page.wait_for_selector('html[data-live="open"]')
    office.act("dee", "chat.postMessage", channel=CHECKOUT, thread_ts=PARENT, text="one more")
    expect(page.locator("#thread-messages article").last).to_contain_text("one more")


def test_text_being_typed_survives_an_update(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.wait_for_selector('html[data-live="open"]')
    page.fill("#composer-text", "half a sent")
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="interrupting")
    expect(page.locator("#messages article").last).to_contain_text("interrupting")
    expect(page.locator("#composer-text")).to_have_value("half a sent")
    expect(page.locator("#composer-text")).to_be_focused()


def test_a_region_being_edited_is_held_back(office: Office) -> None:
    posted = office.act("ada", "chat.postMessage", channel=CHECKOUT, text="to edit")
    page = office.open("ada", f"{ROOM}?edit={posted['ts']}")
    page.wait_for_selector('html[data-live="open"]')
    page.fill("#edit-message-text", "to edit, half")
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="meanwhile")
    pill = page.get_by_role("button", name="New messages")
    expect(pill).to_be_visible()
    expect(page.locator("#edit-message-text")).to_have_value("to edit, half")
    pill.click()
    expect(page.locator("#messages article").last).to_contain_text("meanwhile")


def test_without_the_socket_nothing_moves_between_two_looks(office: Office) -> None:
    page = office.open("ada", ROOM, live=False)
    expect(page.locator("html")).to_have_attribute("data-live", "off")
    page.goto(f"{office.base}{ROOM}")
    expect(page.locator("html")).to_have_attribute("data-live", "off")
    settled(page)
    before = page.content()
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="unseen")
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert page.content() == before
    page.fill("#composer-text", "my own")
    page.keyboard.press("Enter")
    expect(page.locator("#messages article").last).to_contain_text("my own")
    settled(page)
    expect(page.locator("#messages")).to_contain_text("unseen")


def test_the_switcher_jumps_once_the_page_has_caught_up(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.wait_for_selector('html[data-live="open"]')
    page.keyboard.press("Control+k")
    page.get_by_label("Jump to a channel or person").press_sequentially("lead")
    expect(page.locator("#switch-results a")).to_have_count(1)
    settled(page)
    held: list[Route] = []
    page.route(f"{office.base}{ROOM}*", lambda route: held.append(route), times=1)
    with page.expect_request(f"{office.base}{ROOM}*"):
        office.act("bo", "chat.postMessage", channel=CHECKOUT, text="meanwhile")
    page.keyboard.press("Enter")
    held[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_contain_text("leads-only")


@pytest.mark.full
def test_eight_tabs_stay_connected(office: Office) -> None:
    page = office.open("ada", ROOM)
    tabs = [page, *(page.context.new_page() for _ in range(7))]
    for tab in tabs[1:]:
        tab.goto(f"{office.base}{ROOM}", wait_until="networkidle")
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="to all tabs")
    for tab in tabs:
        tab.bring_to_front()
        expect(tab.locator("#messages article").last).to_contain_text("to all tabs")


def test_two_loads_of_one_state_are_equal_to_the_eye_and_to_the_tree(office: Office) -> None:
    page = office.open("ada", ROOM, live=False)
    seen = []
    for _ in range(2):
        page.goto(f"{office.base}/slack/mentions")
        page.set_extra_http_headers({"Firm-Live": "1"})
        page.goto(f"{office.base}{ROOM}")
        settled(page)
        painted(page)
        html = re.sub(r"[0-9a-f]{32}\.\d+", "token", page.content())
        html = re.sub(r'data-world-version="\d+"', "", html)
        seen.append((html, page.locator("body").aria_snapshot(), page.screenshot()))
    assert seen[0][1] == seen[1][1]
    assert seen[0][0] == seen[1][0]
    assert seen[0][2] == seen[1][2]


def test_back_and_reload_give_the_same_page(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_text("3 replies").click()
    expect(page.locator("#thread-messages article")).to_have_count(4)
    page.locator(f"#side-{GENERAL}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("general")
    page.go_back()
    expect(page.locator("#thread-messages article")).to_have_count(4)
    page.reload()
    expect(page.locator("#thread-messages article")).to_have_count(4)
    page.get_by_label("Close thread").click()
    expect(page.locator("#pane")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("thread="))


@pytest.mark.full
def test_the_whole_day_without_scripts(office: Office) -> None:
    page = office.open("ada", ROOM, scripts=False)
    page.fill("#composer-text", "plain @bo")
    page.get_by_label("Send now").first.click()
    expect(page.locator("#messages article").last.locator(".text")).to_have_text("plain @Bo")
    message = page.locator("#messages article").last
    message.hover()
    message.locator(".tools").get_by_label("React with eyes").click()
    expect(page.locator("#messages article").last.locator(".reaction.mine")).to_have_count(1)
    page.locator("#messages article").last.hover()
    page.locator("#messages article").last.get_by_label("More actions").click()
    page.get_by_text("Edit message").click()
    page.fill("#edit-message-text", "plain again")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#messages article").last).to_contain_text("plain again (edited)")
    page.goto(f"{office.base}/slack/channels?dialog=create-channel")
    page.fill("#channel-name", "Bad Name")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#create-channel-error")).to_contain_text("Channel names use")
    expect(page.locator("#channel-name")).to_have_value("Bad Name")
    office.expect_complaint("422")
    page.fill("#channel-name", "good-name")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#toasts")).to_contain_text("#good-name was created")
    page.get_by_label("Add people").click()
    page.select_option("select[data-plain]", ["U0BO", "U0DEE"])
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("select[data-plain]")).to_have_count(0)
    inside = (
        "SELECT count(*) FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id WHERE c.name = 'good-name'"
    )
    assert office.rows(inside) == [(3,)]


def outage(*faults: Fault, end: str | None = "+30s") -> Timeline:
    """A timeline in which something is down from the start."""
    script = Script("outage", START)
    for fault in faults:
        script.fault(fault, start=START, end=end)
    return compile_script(script, horizon="+1d")


def test_a_message_that_was_not_sent_stays_in_the_box_until_it_is(site: Site, office_of: Callable[..., Office]) -> None:
    down = Fault("down", "slack", "error", operations=("chat.postMessage",))
    office = office_of(site, Settings(seed=1), outage(down, end="+2s"))
    page = office.open("ada", ROOM)
    page.fill("#composer-text", "important")
    page.keyboard.press("Enter")
    expect(page.locator("#composer-error")).to_contain_text(
        "Slack is having trouble connecting. Your message was not sent."
    )
    expect(page.locator("#composer-text")).to_have_value("important")
    office.expect_complaint("500")
    page.keyboard.press("Enter")
    expect(page.locator("#messages article").last).to_contain_text("important")
    expect(page.locator("#composer-error")).to_be_empty()
    assert office.rows("SELECT count(*) FROM slack_message WHERE text = 'important'") == [(1,)]


def test_threads_alone_may_fail(site: Site, office_of: Callable[..., Office]) -> None:
    down = Fault("threads", "slack", "error", operations=("conversations.replies",))
    office = office_of(site, Settings(seed=1), outage(down, end=None))
    page = office.open("ada", f"{ROOM}?thread={PARENT}")
    expect(page.get_by_role("complementary", name="Thread").get_by_role("alert")).to_contain_text(
        "We couldn't load this thread"
    )
    expect(page.locator("#messages article").last).to_contain_text("are asking already")


def test_a_page_that_is_down_is_a_banner_over_a_skeleton(site: Site, office_of: Callable[..., Office]) -> None:
    down = Fault("all", "slack", "error", operations=("conversations.history",))
    office = office_of(site, Settings(seed=1), outage(down, end="+1s"))
    page = office.open("ada", ROOM)
    expect(page.get_by_role("alert")).to_contain_text("Slack is having trouble connecting")
    expect(page.locator(".skeleton")).to_be_visible()
    office.expect_complaint("500")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#messages article").last).to_contain_text("are asking already")


def test_skipping_ahead_shows_what_happened(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.get_by_label(re.compile("^Account:")).click()
    page.get_by_label("Skip ahead by", exact=True).select_option("3600")
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator("#clock")).to_have_text("Mon, Mar 2, 10:00 AM")


def test_every_control_has_a_role_and_a_name_of_its_own(office: Office) -> None:
    page = office.open("ada", f"{ROOM}?thread={PARENT}")
    for path in (
        "",
        "/slack/channels",
        "/slack/people",
        "/slack/threads",
        "/slack/later",
        f"{ROOM}?dialog=details&tab=members",
    ):
        if path:
            page.goto(f"{office.base}{path}")
        doubled = page.evaluate(DOUBLED)
        assert doubled == [], path


def test_without_the_vendored_script_links_and_forms_still_work(office: Office) -> None:
    page = office.open("ada", "/slack/channels")
    page.route("**/vendor/htmx.min.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{office.base}{ROOM}")
    assert page.evaluate("() => typeof window.htmx") == "undefined"
    page.fill("#composer-text", "without it")
    page.keyboard.press("Enter")
    expect(page.locator("#messages article").last).to_contain_text("without it")
    page.get_by_text("3 replies").click()
    expect(page.locator("#thread-messages article")).to_have_count(4)


DOUBLED = """() => {
  const regions = 'article, nav, dialog, [role=dialog], [role=group], [role=toolbar], form, li, section, header, footer, '
    + 'aside, main, body';
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const label = (e) => e.getAttribute('aria-label') || e.labels?.[0]?.textContent;
  const said = (e) => label(e) || e.textContent || e.getAttribute('title') || '';
  const name = (e) => said(e).trim().replace(/\\s+/g, ' ');
  const closed = 'details:not([open]) > :not(summary)';
  const shown = (e) => e.offsetParent !== null && !e.closest('[aria-hidden=true]') && !e.closest(closed);
  const wrong = [];
  for (const region of document.querySelectorAll(regions)) {
    const seen = new Set();
    for (const control of region.querySelectorAll(controls)) {
      if (!shown(control) || control.parentElement.closest(regions) !== region) continue;
      const text = control.tagName + ':' + name(control);
      if (!name(control)) wrong.push('no name: ' + control.outerHTML.slice(0, 120));
      else if (seen.has(text)) wrong.push('twice: ' + text.slice(0, 80));
      seen.add(text);
    }
  }
  return wrong;
}"""


def test_the_clock_goes_on_with_what_comes_live(office: Office) -> None:
    page = office.open("ada", ROOM)
    page.wait_for_selector('html[data-live="open"]')
    expect(page.locator("#clock")).to_contain_text("9:00 AM")
    office.act("bo", "world.wait", seconds=300)
    office.act("bo", "chat.postMessage", channel=CHECKOUT, text="five minutes later")
    expect(page.locator("#messages article").last).to_contain_text("five minutes later")
    expect(page.locator("#clock")).to_contain_text("9:05 AM")


def test_a_client_that_is_down_leads_to_its_status_page(
    tmp_path_factory: pytest.TempPathFactory, office_of: Callable[..., Office]
) -> None:
    folder, listed = tmp_path_factory.mktemp("down"), [apps.slack, apps.status]
    made = Site(lambda: make_host(folder, [one.app for one in listed], chat_rows.rows), listed)
    office = office_of(made, Settings(seed=1), outage(Fault("all", "slack", "error"), end=None))
    page = office.open("ada", ROOM)
    expect(page.get_by_role("link", name="Check the status of Slack")).to_have_attribute("href", "/status/slack")
    office.expect_complaint("500")
    made.stop()
