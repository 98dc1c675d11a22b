"""Export as an OpenDocument spreadsheet (ods): values, formulas, styles, merged cells; equal content gives equal bytes.

OASIS Open Document Format for Office Applications 1.3. Formulas are in Excel's grammar, which the format marks by a
prefix. Left out: charts, notes, rules, filters, sizes of rows.
"""

import re

from apps.sheets.cells import Area
from apps.sheets.files import displayed_cells, formulas
from apps.sheets.files.displayed_cells import DisplayedCell
from apps.sheets.files.markup import attribute, escape_text
from apps.sheets.files.package import pack_zip
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from apps.sheets.views.grid_view import Style

KIND = "application/vnd.oasis.opendocument.spreadsheet"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAME = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = " ".join(
    [
        *(f'xmlns:{name}="{_NAME}{name}:1.0"' for name in ("office", "table", "text", "style")),
        f'xmlns:fo="{_NAME}xsl-fo-compatible:1.0"',
        'xmlns:msoxl="http://schemas.microsoft.com/office/excel/formula"',
        'office:version="1.3"',
    ]
)
MANIFEST = (
    f'{HEAD}<manifest:manifest xmlns:manifest="{_NAME}manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{KIND}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_ALIGNED = {"LEFT": "start", "CENTER": "center", "RIGHT": "end"}
_SPACES = re.compile(r" {2,}|\t")


def export_opendocument(book: Spreadsheet) -> bytes:
    """Export a spreadsheet as an ods."""
    styles: dict[str, int] = {}
    tables = "".join(_table(book, tab, styles) for tab in book.tabs)
    kept = "".join(
        f'<style:style style:name="c{number}" style:family="table-cell">{said}</style:style>'
        for said, number in styles.items()
    )
    hidden = (
        '<style:style style:name="hidden" style:family="table"><style:table-properties'
        ' table:display="false"/></style:style>'
    )
    content = (
        f"{HEAD}<office:document-content {SPACES}><office:automatic-styles>{hidden}{kept}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return pack_zip({"mimetype": KIND, "content.xml": content, "META-INF/manifest.xml": MANIFEST})


def _table(book: Spreadsheet, tab: Tab, styles: dict[str, int]) -> str:
    merged = {(one.area.top, one.area.left): one.area for one in list_objects(book, "merge", tab)}
    rows = [
        "".join(_cell(one, merged.get((row, column)), styles) for column, one in enumerate(line))
        for row, line in enumerate(displayed_cells.lines(book, tab))
    ]
    body = (
        "".join(f"<table:table-row>{cells}</table:table-row>" for cells in rows)
        or "<table:table-row><table:table-cell/></table:table-row>"
    )
    shown = ' table:style-name="hidden"' if tab.hidden else ""
    return f'<table:table table:name="{attribute(tab.title)}"{shown}>{body}</table:table>'


def _cell(one: DisplayedCell, merge: Area | None, styles: dict[str, int]) -> str:
    said = [_value_attributes(one)]
    native = formulas.outward(one.formula, {}) if one.formula else None
    if native:
        said.append(f'table:formula="msoxl:={attribute(native.removeprefix("="))}"')
    style = _style(one.look)
    if style:
        said.append(f'table:style-name="c{styles.setdefault(style, len(styles))}"')
    if merge is not None:
        said.append(
            f'table:number-rows-spanned="{(merge.bottom or 0) - merge.top}"'
            f' table:number-columns-spanned="{(merge.right or 0) - merge.left}"'
        )
    body = "".join(f"<text:p>{_text(line)}</text:p>" for line in one.text.split("\n")) if one.text else ""
    opened = " ".join(["<table:table-cell", *(part for part in said if part)])
    return f"{opened}>{body}</table:table-cell>" if body else f"{opened}/>"


def _value_attributes(one: DisplayedCell) -> str:
    if isinstance(one.value, bool):
        return f'office:value-type="boolean" office:boolean-value="{str(one.value).lower()}"'
    if isinstance(one.value, float):
        return f'office:value-type="float" office:value="{one.value!r}"'
    return 'office:value-type="string"' if one.text else ""


def _text(line: str) -> str:
    """Render text, keeping blanks and tabs that XML would lose."""
    return _SPACES.sub(
        lambda found: "<text:tab/>" if found[0] == "\t" else f' <text:s text:c="{len(found[0]) - 1}"/>',
        escape_text(line),
    )


def _style(look: Style) -> str:
    """Render a style as properties."""
    words = _render_attributes(
        {
            "fo:font-weight": "bold" if look.get("b") else "",
            "fo:font-style": "italic" if look.get("i") else "",
            "fo:color": look.get("fg", ""),
            "fo:font-size": f"{look['fs']}pt" if look.get("fs") else "",
            "style:text-underline-style": "solid" if look.get("u") else "",
            "style:text-line-through-style": "solid" if look.get("s") else "",
        }
    )
    parts = (
        ("table-cell", _render_attributes({"fo:background-color": look.get("bg", "")})),
        ("paragraph", _render_attributes({"fo:text-align": _ALIGNED.get(look.get("h", ""), "")})),
    )
    return "".join(f"<style:{name}-properties {said}/>" for name, said in (*parts, ("text", words)) if said)


def _render_attributes(given: dict[str, str]) -> str:
    return " ".join(f'{name}="{attribute(value)}"' for name, value in given.items() if value)
