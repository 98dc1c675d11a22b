"""The page about reliability says what the campaign measured, and nothing else."""

import json

from tests.campaign.__main__ import PARTS, find_part
from tests.docs.pages import ROOT, page, script


def test_the_page_shows_the_figures_of_the_campaign() -> None:
    results = json.loads((ROOT / "docs" / "reliability.json").read_text(encoding="utf-8"))
    shown = script("reliability").write(page("reliability.md"), results)
    assert shown == page("reliability.md"), "run `.venv/bin/python docs/reliability.py`"


def test_every_part_has_figures_and_nothing_happened_that_must_not() -> None:
    results = json.loads((ROOT / "docs" / "reliability.json").read_text(encoding="utf-8"))
    assert results and set(results) <= set(PARTS)
    for name, entry in results.items():
        part = find_part(name)
        assert (entry["whole"], entry["unit"], tuple(entry["never"])) == (part.whole, part.unit, part.never), name
        assert {one: entry["figures"][one] for one in part.never} == dict.fromkeys(part.never, 0), name
