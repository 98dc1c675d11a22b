"""Ways through the spreadsheets that few take: finding whole cells, looking from the end, other types, scales and
protections that change.
"""

import io
import zipfile
from typing import Any

from tests.apps.drive.spreadsheet_files import give_out, held, take_in
from tests.apps.sheets.conftest import BUDGET, Say
from tests.apps.sheets.requests.change_requests import Asking, grid
from world.run.host import Host


def test_a_whole_cell_is_found_and_a_part_of_one_is_not(say: Say) -> None:
    whole = {"spreadsheetId": BUDGET, "gid": 0, "matchEntireCell": True}
    assert say("web.find", **whole, text="support") == {"found": True, "row": 2, "column": 0}
    assert say("web.find", **whole, text="supp")["found"] is False
    assert say("web.find", **whole, text="support", matchCase=True)["found"] is False


def test_a_lookup_from_the_end_finds_the_last_of_equals(budget: Asking) -> None:
    budget.put("H1", [["b", "1"], ["a", "2"], ["b", "3"], ["c", "4"]])
    budget.put(
        "J1",
        [['=XMATCH("c", H1:H4, 0, -1)', '=XMATCH("b", H1:H4, 0, -1)', '=XLOOKUP("b", H1:H4, I1:I4, "none", 0, -1)']],
    )
    assert budget.values("J1:L1") == [["4", "3", "3"]]


def test_a_file_with_bytes_takes_another_type(say: Say) -> None:
    key = say("drive.files.create", name="cities.csv", mimeType="text/csv", content="YSxiCg==")["id"]
    say("drive.files.update", fileId=key, mimeType="text/plain")
    assert say("drive.files.get", fileId=key)["mimeType"] == "text/plain"


def test_scales_of_two_and_of_three_colours_and_rules_of_a_formula_travel_in_a_file(host: Host, budget: Asking) -> None:
    least: dict[str, Any] = {"type": "MIN", "color": {"red": 1}}
    middle, most = {"type": "PERCENT", "value": "50", "color": {"green": 1}}, {"type": "MAX", "color": {"blue": 1}}
    custom = {
        "condition": {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": "=$B2>1000"}]},
        "format": {"textFormat": {"bold": True}},
    }
    for rule in (
        {"gradientRule": {"minpoint": least, "maxpoint": most}},
        {"booleanRule": custom},
        {"gradientRule": {"minpoint": least, "midpoint": middle, "maxpoint": most}},
    ):
        budget.one("addConditionalFormatRule", rule={"ranges": [grid(1, 1, 3, 3)], **rule}, index=0)
    data = give_out(host, BUDGET)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        text = parts.read("xl/worksheets/sheet1.xml").decode()
    assert text.count("<colorScale>") == 2 and text.count('type="expression"') == 1 and "$B2&gt;1000" in text
    rules = [row[-1] for row in held(host, take_in(host, data))["objects"] if row[1] == "conditional_format"]
    told = [rule.get("gradientRule", rule.get("booleanRule")) for rule in rules]
    assert sorted(len(one) for one in told) == [2, 2, 3], rules
    assert [one["condition"]["values"] for one in told if "condition" in one] == [[{"userEnteredValue": "=$B2>1000"}]]


def test_what_protects_a_named_range_can_protect_plain_cells_instead(budget: Asking) -> None:
    budget.one("addNamedRange", namedRange={"name": "costs", "namedRangeId": "costs", "range": grid(1, 1, 3, 3)})
    number = budget.one("addProtectedRange", protectedRange={"namedRangeId": "costs"})["protectedRange"][
        "protectedRangeId"
    ]
    budget.one(
        "updateProtectedRange", protectedRange={"protectedRangeId": number, "range": grid(0, 0, 1, 1)}, fields="range"
    )
    (found,) = budget.sheet()["protectedRanges"]
    assert "namedRangeId" not in found and found["range"]["endRowIndex"] == 1
