"""The studio's pages in a browser, over run folders written by hand."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.studio.studio_site import Reader, reading
from tests.world.studio.test_pages import STEP, write_run
from world.run.home import Home
from world.run.run_folder import line
from world.run.trajectory import Header, Origin

BAD = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>{{7*7}}"
CHANGE = {"id": 70, "call_seq": 33, "table": "a_b", "pk": [7], "op": "insert", "before": None, "after": {"text": "hi"}}
MANY, MINUTE = 5000, 60_000_000


def make_row(number: int, **more: Any) -> dict[str, Any]:
    """A step at its own minute."""
    at = number * MINUTE
    return {"at": at, "ended_at": at + 1, "arguments": {"text": f"number {number}"}, **more}


def end_run(folder: Path, **verdict: Any) -> None:
    """Write how a run ended, and its verdict."""
    (folder / "result.json").write_text(json.dumps({"ended": "finished", "steps": 1}), encoding="utf-8")
    (folder / "grade.json").write_text(json.dumps({"pass": False, "score": 0.0, **verdict}), encoding="utf-8")


def write_hostile(folder: Path) -> None:
    """A run in which every text is hostile."""
    change = {"id": 1, "call_seq": 1, "table": BAD, "pk": [BAD], "op": BAD, "before": {BAD: BAD}, "after": {BAD: "x"}}
    row = {
        "operation": BAD,
        "status": BAD,
        "door": BAD,
        "actor": BAD,
        "arguments": {BAD: BAD},
        "request": {"tool": BAD, "arguments": {BAD: BAD}},
        "response": {"is_error": True, "code": None, "content": [{"type": "text", "text": BAD}]},
        "diff": [change],
    }
    write_run(folder, make_row(1, **{**row, "events": [{**STEP, **row}]}), make_row(2), scenario=BAD)
    item = {"id": BAD, "kind": BAD, "share": 0.5, "weight": 1, "why": BAD, "rows": [f"{BAD}:{BAD}"], "journal": [1]}
    end_run(folder, items=[item], minimal=[BAD], guards=[BAD], not_judged=[BAD], unclaimed=[], never=[])
    (folder / "annotations.jsonl").write_bytes(line({"step": 1, "span": None, "label": BAD[:80], "text": BAD}))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: a long one, a branch of it, a hostile one."""
    root = tmp_path_factory.mktemp("runs")
    write_run(root / "long", *(make_row(number) for number in range(1, MANY + 1)))
    changed = [
        make_row(number, arguments={"text": "other" if number > 40 else f"number {number}"}) for number in range(1, 61)
    ]
    changed[32]["diff"] = [CHANGE]
    write_run(root / "branch", *changed)
    header = Header(scenario="s", origin=Origin(run="long", step=40, seq=40, change="edit a.b at step 41"))
    lines = (root / "branch" / "trajectory.jsonl").read_bytes().splitlines(keepends=True)
    (root / "branch" / "trajectory.jsonl").write_bytes(line(header.model_dump()) + b"".join(lines[1:]))
    item = {"id": "told", "kind": "credit", "share": 1, "weight": 2, "why": "", "rows": ["a_b:7"], "journal": [70]}
    for name in ("long", "branch"):
        end_run(root / name, items=[item])
    write_hostile(root / "hostile")
    return root


@pytest.fixture
def reader(home: Home, runs: Path, chromium: Browser) -> Iterator[Reader]:
    """A browser in the studio of those runs."""
    with reading(home, runs, chromium) as made:
        yield made


def expect_step(page: Page, number: int) -> None:
    """The page stands at a step, and its address, list and slider say so."""
    expect(page.locator("#step h2")).to_have_text(re.compile(rf"^Step {number} "))
    expect(page).to_have_url(re.compile(rf"step={number}\b"))
    expect(page.locator('.rows [aria-current="true"]')).to_have_attribute("data-step", str(number))
    expect(page.locator("#scrub")).to_have_value(str(number))


def test_keys_lead_from_step_to_step(reader: Reader) -> None:
    page = reader.go("/runs/branch?step=10")
    for key, number in (("j", 11), ("j", 12), ("ArrowRight", 13), ("k", 12)):
        page.keyboard.press(key)
        expect_step(page, number)
    page.reload()
    expect_step(page, 12)


def test_a_deep_link_into_five_thousand_steps_holds_a_window_of_them(reader: Reader) -> None:
    page = reader.go("/runs/long?step=4321")
    expect_step(page, 4321)
    assert page.locator(".rows li").count() <= 200
    expect(page.locator("#step-4321")).to_be_in_viewport()
    page.locator("#rows").evaluate("list => { list.scrollTop = 0; }")
    expect(page.locator("#step-1")).to_be_in_viewport()
    page.locator("#step-3").click()
    expect_step(page, 3)
    page.locator("#scrub").focus()
    page.keyboard.press("End")
    expect_step(page, MANY)
    expect(page.locator(f"#step-{MANY}")).to_be_in_viewport()


def test_the_time_line_leads_to_its_steps(reader: Reader) -> None:
    page = reader.go("/runs/branch")
    marks = page.locator(".lane-agent .mark")
    expect(marks).to_have_count(60)
    marks.nth(30).click()
    expect_step(page, 31)
    x = float(page.locator(".lane-agent .cursor").get_attribute("x1") or 0)
    assert x == pytest.approx(float(marks.nth(30).get_attribute("x") or -1), abs=0.1)


def test_a_search_narrows_the_list_and_the_keys(reader: Reader) -> None:
    page = reader.go("/runs/long")
    page.keyboard.press("/")
    page.keyboard.type("number 432")
    page.keyboard.press("Enter")
    expect(page.locator(".found")).to_contain_text("11 steps with")
    page.locator(".rows a").nth(1).click()
    expect_step(page, 4320)
    page.locator("#step h2").click()
    page.keyboard.press("j")
    expect_step(page, 4321)


def test_a_label_takes_one_key_and_a_marked_text_is_its_span(reader: Reader, runs: Path) -> None:
    page = reader.go("/runs/branch?step=5")
    page.keyboard.press("2")
    expect(page.locator(".remarks")).to_contain_text("wrong")
    page.locator("pre[data-sent]").first.evaluate(
        "text => getSelection().setBaseAndExtent(text.firstChild, 1, text.firstChild, 4)"
    )
    page.keyboard.press("r")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    expect(page.locator(".remarks")).to_contain_text("characters 1 to 4")
    kept = [json.loads(text) for text in (runs / "branch" / "annotations.jsonl").read_bytes().splitlines()]
    assert [(one["step"], one["label"], one["span"]) for one in kept] == [(5, "wrong", None), (5, "odd", [1, 4])]


def test_a_finding_leads_to_the_step_that_decides_it(reader: Reader) -> None:
    page = reader.go("/runs/branch/findings")
    page.get_by_role("row", name="told").get_by_role("link", name="33", exact=True).click()
    expect_step(page, 33)
    expect(page.get_by_text("decides told")).to_be_visible()


def test_branches_are_a_tree_and_two_runs_part_at_a_step(reader: Reader) -> None:
    page = reader.go("/runs/branch/branches")
    expect(page.locator(".tree tbody tr")).to_have_count(2)
    expect(page.locator(".tree [aria-current]")).to_contain_text("edit a.b at step 41")
    page.get_by_role("link", name="Compare", exact=True).last.click()
    expect(page.get_by_text("40 steps of both runs ask the same")).to_be_visible()
    expect(page.locator(".first-difference th")).to_contain_text("41")
    expect(page.locator(".first-difference")).to_contain_text("other")


def test_a_run_is_followed_as_it_grows(home: Home, tmp_path: Path, chromium: Browser) -> None:
    write_run(tmp_path / "live", make_row(1))
    with reading(home, tmp_path, chromium) as reader:
        page = reader.go("/runs/live")
        with (tmp_path / "live" / "trajectory.jsonl").open("ab") as file:
            file.write(line({**STEP, **make_row(2), "step": 2, "seq": 2}))
        expect_step(page, 2)
        expect(page.locator("#step-count")).to_have_text("2")
        end_run(tmp_path / "live")
        expect(page.locator(".facts")).to_contain_text("finished")


@pytest.mark.parametrize("width", [1280, 1920])
def test_every_page_fits_is_named_and_runs_no_text(reader: Reader, width: int) -> None:
    paths = ["/", "/runs/none", "/runs/long/compare?with=branch"]
    paths += [f"/runs/hostile{end}" for end in ("?step=1", "?step=0", "/findings", "/branches", "/compare")]
    for path in paths:
        reader.go(path, width)
        assert reader.list_faults() == [], path
    reader.complaints.remove("console: Failed to load resource: the server responded with a status of 404 (Not Found)")
