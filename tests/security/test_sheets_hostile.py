"""T11 in the browser: what people write into a spreadsheet or call a file is text on every page, and no link of it runs anything."""

import html
import re
from html.parser import HTMLParser
from typing import Any

import orjson
import pytest

from tests.security.sheet_vault import ANCHOR, TYPE, Drive, b64, chart

PAYLOADS = (
    "<script>qzrun()</script>",
    '"><img src=x onerror=qzrun()>',
    "'><svg/onload=qzrun()>",
    "</script><script>qzrun()</script>",
    "</div><iframe src=qzrun></iframe>",
    "</textarea><img src=x onerror=qzrun()>",
    "</title><b onmouseover=qzrun()>",
    "--><details open ontoggle=qzrun()>",
    "]]><a href=qzrun>",
    "{{ qzrun() }}<x>",
    "&lt;u&gt;<u id=qzrun>",
    "\\u003cimg onerror=qzrun()><i>",
    '<math><mi//xlink:href="data:x,<script>qzrun()">',
)
RUNS = (
    "javascript:qzrun()",
    "JaVaScRiPt:qzrun()",
    "\tjavascript:qzrun()",
    " javascript:qzrun()",
    "java\nscript:qzrun()",
    "data:text/html,<script>qzrun()</script>",
    "vbscript:qzrun()",
    "file:///qzrun",
    "x",
)
LEADING = re.compile(r'"l":\s*"([^"]*)"')
HREF = re.compile(
    r'(?:href|src|action|formaction|data-href)\s*=\s*["\']?\s*(?!https?:|/|\?|#)([a-z\s]+script|data|file):',
    re.IGNORECASE,
)


class Alive(HTMLParser):
    """What a browser would run of a page, or make an element of, though people wrote it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        if tag in ("iframe", "math", "u", "x", "i") or any(name.startswith("on") for name, _ in attrs):
            self.found.append(f"{tag} {attrs}")
        self.found += [
            f"{tag} {name}={value}"
            for name, value in attrs
            if name in ("src", "href", "id") and (value or "").strip().startswith(("qzrun", "x", "data:", "java"))
        ]

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in ("script", "style") and "qz" in data:
            self.found.append(data)


def filled(drive: Drive, text: str) -> list[str]:
    """Addresses of pages that show a text in every place that holds one."""
    folder = drive.say("drive.files.create", name=text, mimeType=f"{TYPE}folder", description=text)["id"]
    upload = drive.say(
        "drive.files.create", name=f"{text}.html", content=b64(text.encode()), contentType="text/html", parents=[folder]
    )["id"]
    plain = drive.say(
        "drive.files.create", name=f"{text}.txt", content=b64(text.encode()), contentType="text/plain", parents=[folder]
    )["id"]
    key = drive.say("web.create", title=text, sheetNames=[text, "Other"], folderId=folder)["spreadsheetId"]
    drive.say("drive.files.update", fileId=key, description=text, starred=True)
    area = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1, "startColumnIndex": 0, "endColumnIndex": 1}
    rule = {
        "condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": text}]},
        "inputMessage": text,
        "showCustomUi": True,
    }
    look = {
        "numberFormat": {"type": "NUMBER", "pattern": '0"' + text.replace('"', "") + '"'},
        "textFormat": {"fontFamily": text},
    }
    cells = [
        {"userEnteredValue": {"stringValue": text}, "note": text, "dataValidation": rule},
        {"userEnteredValue": {"numberValue": 5}, "userEnteredFormat": look},
    ]
    quoted = text.replace('"', '""')
    drive.batch(
        key,
        {"updateCells": {"rows": [{"values": cells}], "fields": "*", "start": {"sheetId": 0}}},
        {
            "addChart": {
                "chart": {"spec": chart(0, text), "position": {"overlayPosition": {"anchorCell": {"sheetId": 0}}}}
            }
        },
        {"addFilterView": {"filter": {"title": text, "range": area}}},
        {"addProtectedRange": {"protectedRange": {"description": text, "range": area}}},
    )
    drive.put(
        key,
        f"'{text.replace(chr(39), chr(39) * 2)}'!C1",
        [
            f'="{quoted}"',
            f'=HYPERLINK("https://a.example/{quoted}","{quoted}")',
            f"=qz({text}",
            f'=IMPORTXML("{quoted}","x")',
        ],
    )
    comment = drive.say(
        "drive.comments.create", fileId=key, content=text, anchor=ANCHOR % 0, quotedFileContent={"value": text}
    )["id"]
    drive.say("drive.replies.create", fileId=key, commentId=comment, content=text)
    sheet, files = (
        f"/sheets/d/{key}/edit",
        [f"/sheets/folders/{folder}", f"/sheets/file/d/{plain}/view", f"/sheets/file/d/{upload}/view"],
    )
    dialogs = [
        f"/sheets/my-drive?dialog={name}&file={one}"
        for name, one in zip(
            ("menu", "rename", "share", "copy", "move", "details", "history", "trash"), (key, folder) * 4, strict=True
        )
    ]
    return [
        sheet,
        f"{sheet}?pane=comments&show=all",
        *files,
        *dialogs,
        "/sheets/",
        "/sheets/my-drive",
        "/sheets/recent",
        f"/sheets/file/d/{upload}?export=view",
    ]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_people_write_is_text_on_every_page(drive: Drive, payload: str) -> None:
    shown = 0
    for address in filled(drive, payload):
        answer = drive.page("ada", address)
        assert answer.status_code == 200, (address, answer.status_code)
        if "attachment" in answer.headers.get("content-disposition", ""):
            continue
        assert (
            answer.headers["content-type"].startswith("text/html")
            and payload not in answer.text
            and not Alive(answer.text).found
        ), (address, Alive(answer.text).found)
        shown += payload in html.unescape(answer.text)
        policy = answer.headers["content-security-policy"]
        assert (
            "script-src 'self'" in policy and "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
        ), policy
    assert shown >= 8


def test_a_file_of_the_drive_never_runs_as_a_page_of_ours(drive: Drive) -> None:
    for name, kind in (
        ("a.html", "text/html"),
        ("a.svg", "image/svg+xml"),
        ("a.xhtml", "application/xhtml+xml"),
        ("a.js", "text/javascript"),
        ("a.png", "text/html"),
        ("a.pdf", "application/pdf"),
    ):
        key = drive.say(
            "drive.files.create",
            name=name,
            content=b64(b"<script xmlns='http://www.w3.org/1999/xhtml'>qzrun()</script>"),
            contentType=kind,
        )["id"]
        for way in ("view", "download"):
            answer = drive.page("ada", f"/sheets/file/d/{key}?export={way}")
            assert (
                answer.headers["content-disposition"].startswith("attachment")
                and answer.headers["x-content-type-options"] == "nosniff"
            ), (name, way)


def test_no_link_of_a_cell_leads_to_a_script(drive: Drive) -> None:
    key = drive.book("Links")
    rows = [
        {
            "values": [
                {"userEnteredValue": {"stringValue": "x"}, "userEnteredFormat": {"textFormat": {"link": {"uri": uri}}}},
                {
                    "userEnteredValue": {"stringValue": "x"},
                    "textFormatRuns": [{"startIndex": 0, "format": {"link": {"uri": uri}}}],
                },
            ]
        }
        for uri in RUNS
    ]
    good = {
        "values": [
            {
                "userEnteredValue": {"stringValue": "x"},
                "userEnteredFormat": {"textFormat": {"link": {"uri": "https://good.example"}}},
            }
        ]
    }
    for row in [*rows, good]:
        try_put(drive, key, row)
    formulas = [[f'=HYPERLINK("{uri}","x")'] for uri in (*RUNS, "mailto:ada@tiny.example")]
    drive.put(key, "D1", *formulas)
    for address in (f"/sheets/d/{key}/edit", f"/sheets/d/{key}/edit?pane=comments"):
        page = html.unescape(drive.page("ada", address).text)
        assert {one for one in LEADING.findall(page)} == {"https://good.example", "mailto:ada@tiny.example"}
        assert not HREF.search(page)
    told: Any = drive.say("web.cells", spreadsheetId=key)
    assert set(LEADING.findall(orjson.dumps(told).decode())) == {"https://good.example", "mailto:ada@tiny.example"}


def try_put(drive: Drive, key: str, row: dict[str, Any]) -> None:
    """A row of cells behind the last, if its links are taken at all."""
    given = {"spreadsheetId": key, "requests": [{"appendCells": {"sheetId": 0, "rows": [row], "fields": "*"}}]}
    assert drive.code("ada", "spreadsheets.batchUpdate", **given) in ("", "bad_request")
