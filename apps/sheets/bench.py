"""Benchmarks of the spreadsheets: reads, an edit under 10,000 formulas, an import, a page, hostile formulas."""

import io
import json
import subprocess
import sys
import zipfile
from itertools import count

from world.bench.app_bench import WORLD, AppBench, BenchSetting, Target, issue_login, issue_token, load_page
from world.bench.server_process import LeanClient
from world.bench.timing import each_us, pair_ms
from world.core.json_types import JsonObject
from world.core.settings import Settings
from world.run.host import Host
from world.store.queries import row

ROWS, COLUMNS, TIMES = 10_000, 26, 7
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
V4 = "/sheets/v4/spreadsheets"
PERSON = "SELECT id FROM person WHERE status = 'active' AND kind = 'employee' ORDER BY id LIMIT 1"


def _describe(host: Host) -> JsonObject:
    """Return tokens of one person in separate worlds, as changes of a world are bounded, and a login to the last."""
    (person,) = row(host.actors[WORLD].bound, PERSON) or ("",)
    worlds = [f"large-{number}" for number in range(3)]
    for world in worlds:
        host.create(world, Settings(limits="off"))
    return {
        "token": issue_token(host, person, "sheets"),
        "large_tokens": [issue_token(host, person, "sheets", world) for world in worlds],
        "large_login": issue_login(host, person, worlds[-1]),
    }


def _figures(ground: BenchSetting) -> dict[str, float]:
    with ground.serve("sheets") as target:
        client = LeanClient(target["url"], {"Authorization": f"Bearer {target['apps']['sheets']['token']}"})
        found = {**_values(client, LeanClient(ground.echo["url"])), "sheet_edit_recalc_ms_10k": _edit_ms(client)}
        found["xlsx_import_ms_10k"], key = _import_ms(target)
        login = target["apps"]["sheets"]["large_login"]
        found |= load_page("sheet_open_ms_10k", target, login, f"/sheets/d/{key}/edit", "Large")
    return {**found, "hostile_formula_ms_max": _hostile_ms()}


def _new(client: LeanClient, title: str, rows: int, columns: int) -> str:
    grid = {"rowCount": rows, "columnCount": columns}
    sheets = [{"properties": {"title": "Data", "gridProperties": grid}}]
    return str(json.loads(client.send("POST", V4, {"properties": {"title": title}, "sheets": sheets}))["spreadsheetId"])


def _write(client: LeanClient, key: str, where: str, values: list[list[object]]) -> bytes:
    return client.send("PUT", f"{V4}/{key}/values/{where}?valueInputOption=USER_ENTERED", {"values": values})


def _values(client: LeanClient, theirs: LeanClient) -> dict[str, float]:
    """Measure values.get of a hundred rows of ten cells, a fifth of them formulas, as displayed."""
    key = _new(client, "Read", 100, 10)
    rows = [
        [
            f"Customer {row}",
            row * 1.5,
            "2026-03-02",
            f"${row}.20",
            "45%",
            row,
            True,
            "text",
            f"=B{row}*2",
            f"=SUM(B{row},F{row})",
        ]
        for row in range(1, 101)
    ]
    _write(client, key, "Data!A1:J100", rows)
    path = f"{V4}/{key}/values/Data!A1:J100"
    if len(json.loads(client.send("GET", path))["values"]) != 100:
        raise AssertionError("the sheet does not hold a hundred rows")
    mine, reference = pair_ms(
        lambda: client.send("GET", path), lambda: theirs.send("GET", "/echo?text=hello"), rounds=20
    )
    return {
        "sheet_values_get_ms": mine,
        "sheet_values_get_echo_ms": reference,
        "sheet_values_get_x_echo": mine / reference,
    }


def _edit_ms(client: LeanClient) -> float:
    """Measure a write to a cell on which 10,000 formulas depend, and a read of the last of them."""
    key = _new(client, "Edit", ROWS, 3)
    _write(client, key, f"Data!A1:B{ROWS}", [[1 if row == 1 else row, f"=$A$1*{row}"] for row in range(1, ROWS + 1)])
    numbers = count(2)

    def edit() -> None:
        number = next(numbers)
        _write(client, key, "Data!A1", [[number]])
        shown = json.loads(client.send("GET", f"{V4}/{key}/values/Data!B{ROWS}?valueRenderOption=UNFORMATTED_VALUE"))[
            "values"
        ][0][0]
        if shown != number * ROWS:
            raise AssertionError(f"the last formula shows {shown}")

    edit()
    return each_us(edit, times=TIMES * 3) / 1000


def _hostile_ms() -> float:
    """Measure the slowest of some thousand hostile formulas, in a separate process."""
    command = [sys.executable, "-m", "apps.sheets.engine.hostile_formulas"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return float(json.loads(done.stdout)["slowest_ms"])


def _row(row: int) -> str:
    numbers = "".join(
        f'<c r="{chr(65 + column)}{row}"><v>{(row + column) % 10}</v></c>' for column in range(1, COLUMNS - 1)
    )
    text = f'<c r="A{row}" t="inlineStr"><is><t>Customer {row}</t></is></c>'
    return f'<row r="{row}">{text}{numbers}<c r="Z{row}"><f>SUM(B{row}:Y{row})</f></c></row>'


def _workbook() -> bytes:
    """Build an xlsx file of 10,000 rows and 26 columns: texts, numbers, and a column of formulas."""
    main, kind = (
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "application/vnd.openxmlformats-officedocument.spreadsheetml",
    )
    links, package = (
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "http://schemas.openxmlformats.org/package/2006",
    )
    parts = {
        "[Content_Types].xml": (
            f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r1" Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets><sheet name="Data" sheetId="1"'
            ' r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r1" Type="{links}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{main}"><sheetData>{"".join(map(_row, range(1, ROWS + 1)))}</sheetData></worksheet>'
        ),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return out.getvalue()


def _import_ms(target: Target) -> tuple[float, str]:
    """Measure imports of the file through the drive, each in another world; return also the last spreadsheet's id."""
    content, keys = _workbook(), []
    clients = [
        LeanClient(target["url"], {"Authorization": f"Bearer {token}"})
        for token in target["apps"]["sheets"]["large_tokens"]
    ]
    waiting = iter(clients)
    head = (
        '--b\r\nContent-Type: application/json\r\n\r\n{"name": "Large", "mimeType":'
        f' "{SPREADSHEET}"}}\r\n--b\r\nContent-Type: {XLSX}\r\n\r\n'
    )
    body = head.encode() + content + b"\r\n--b--"

    def take() -> None:
        answer = next(waiting).send_bytes(
            "POST", "/sheets/upload/drive/v3/files?uploadType=multipart", body, "multipart/related; boundary=b"
        )
        keys.append(json.loads(answer)["id"])

    taken = each_us(take, times=len(clients)) / 1000
    last = json.loads(
        clients[-1].send("GET", f"{V4}/{keys[-1]}/values/Data!Z{ROWS}?valueRenderOption=UNFORMATTED_VALUE")
    )["values"]
    if last != [[sum((ROWS + column) % 10 for column in range(1, COLUMNS - 1))]]:
        raise AssertionError(f"the last formula shows {last}")
    return taken, keys[-1]


bench = AppBench(
    targets={
        "sheet_edit_recalc_ms_10k": ("<=", 80),
        "sheet_open_ms_10k": ("<=", 400),
        "sheet_values_get_x_echo": ("<=", 8),
        "xlsx_import_ms_10k": ("<=", 1500),
        "hostile_formula_ms_max": ("<=", 50),
    },
    describe=_describe,
    figures=_figures,
)
