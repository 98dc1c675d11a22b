"""Writer of a worksheet's part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from apps.sheets import a1
from apps.sheets.cells import Area, Fault, Value
from apps.sheets.files import colours, formulas, rules, sizes, styles
from apps.sheets.files.markup import attribute, element, escape_text
from apps.sheets.formats.entry import number_text
from apps.sheets.json_columns import decode_object
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from world.core.json_types import JsonObject

if TYPE_CHECKING:
    from apps.sheets.files.workbook_out import Writer

_SIZES = "SELECT axis, at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet ORDER BY axis, at"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
USUAL_WIDTH, USUAL_HEIGHT = 100, 21


class SheetWriter:
    """A worksheet while being written; it collects the content of other parts."""

    def __init__(self, writer: Writer, tab: Tab, number: int) -> None:
        self.writer, self.book, self.tab, self.number = writer, writer.book, tab, number
        self.notes: list[tuple[int, int, str]] = []
        self.targets: list[str] = []
        self.linked: list[tuple[str, int]] = []
        self.validations: dict[str, list[tuple[int, int]]] = {}
        self.kept: dict[str, Any] = {
            "name": writer.titles[tab.id],
            "title": tab.title,
            "rows": tab.rows,
            "columns": tab.columns,
        }
        self.kept["properties"] = tab.properties
        self._runs: JsonObject = {}
        self._links: dict[str | None, str] = {}

    def xml(self) -> str:
        """Render the part."""
        data = self._data()
        merged = [element("mergeCell", ref=self._where(one.area)) for one in list_objects(self.book, "merge", self.tab)]
        links = "".join(f'<hyperlink ref="{ref}" r:id="rId{number}"/>' for ref, number in self.linked)
        return (
            f'<worksheet xmlns="{MAIN}" xmlns:r="{LINKS}">{self._properties()}{self._views()}<sheetFormatPr'
            f' customHeight="1" defaultColWidth="{_width(USUAL_WIDTH)}"'
            f' defaultRowHeight="{USUAL_HEIGHT * sizes.POINTS_OF_A_PIXEL}"/>'
            + self._columns()
            + data
            + self._protection()
            + self._filter()
            + (f'<mergeCells count="{len(merged)}">{"".join(merged)}</mergeCells>' if merged else "")
            + self._marks()
            + self._checks()
            + (f"<hyperlinks>{links}</hyperlinks>" if links else "")
            + (f'<legacyDrawing r:id="rId{len(self.targets) + 1}"/>' if self.notes else "")
            + "</worksheet>"
        )

    def _where(self, area: Area) -> str:
        return rules.where_text([area], self.tab.rows, self.tab.columns)

    def _properties(self) -> str:
        tab = colours.plain(self.tab.properties, "tabColor")
        return element("sheetPr", element("tabColor", rgb=f"FF{tab}")) if tab else ""

    def _views(self) -> str:
        down, across = self.tab.frozen_rows, self.tab.frozen_columns
        corner = a1.cell(down, across)
        place = "bottomRight" if down and across else "bottomLeft" if down else "topRight"
        pane = element(
            "pane", xSplit=across or None, ySplit=down or None, topLeftCell=corner, activePane=place, state="frozen"
        )
        lines, turned = self.tab.properties.get("hideGridlines"), self.tab.properties.get("rightToLeft")
        said = {"showGridLines": 0 if lines else None, "rightToLeft": 1 if turned else None}
        view = element("sheetView", pane if down or across else "", **said, workbookViewId=0)
        return f"<sheetViews>{view}</sheetViews>"

    # rows and columns

    def _sizes(self, axis: str) -> dict[int, tuple[int | None, bool, bool]]:
        found = self.book.call.all(_SIZES, {"sheet": self.tab.id})
        return {
            at: (size, bool(hidden), bool(filtered)) for known, at, size, hidden, filtered in found if known == axis
        }

    def _columns(self) -> str:
        made: list[str] = []
        for at, (size, hidden, _) in self._sizes("COLUMNS").items():
            said = {
                "customWidth": 1 if size is not None else None,
                "hidden": 1 if hidden else None,
                "width": _width(size or USUAL_WIDTH),
            }
            made.append(element("col", min=at + 1, max=at + 1, **said))
        return f"<cols>{''.join(made)}</cols>" if made else ""

    def _data(self) -> str:
        odd = self._sizes("ROWS")
        self.kept["hidden"] = {
            str(at): "h" * hidden + "f" * filtered for at, (_, hidden, filtered) in odd.items() if hidden or filtered
        }
        lines: dict[int, list[str]] = {at: [] for at in odd}
        for row, text in self._cells():
            held = lines.get(row)
            if held is None:
                held = lines[row] = []
            held.append(text)
        said = {at: _row(*size) for at, size in odd.items()}
        order = sorted(lines) if odd else lines
        return f"<sheetData>{''.join([_line(row, said.get(row, ''), lines[row]) for row in order])}</sheetData>"

    # cells

    def _cells(self) -> Iterable[tuple[int, str]]:
        """Render rows and cells in order."""
        held = self.book.list_stored_cells(self.tab)
        values, spilled = self._read_computed_values(held)
        made: list[tuple[int, int, str]] = []
        letters = [a1.letters(column) for column in range(self.tab.columns)]
        form, strings, links = self.writer.form, self.writer.strings.of, self._links
        for row, column, kind, text, format, note, validation, runs in held:
            style = form(format)
            if format not in links:
                links[format] = _link(format)
            if note or validation or runs or links[format]:
                self._aside(row, column, note, validation, links[format])
            head = f'<c r="{letters[column]}{row + 1}" s="{style}"'
            if kind == "number":
                made.append((row, column, f"{head}><v>{text}</v></c>"))
            elif kind == "text":
                made.append((row, column, f'{head} t="s"><v>{strings(self._string(row, column, text, runs))}</v></c>'))
            elif kind == "boolean":
                made.append((row, column, f'{head} t="b"><v>{1 if text == "TRUE" else 0}</v></c>'))
            elif kind == "formula":
                made.append((row, column, head + self._formula(row, column, text, values.get((row, column)), spilled)))
            elif (row, column) in spilled:
                made.append((row, column, head + self._render_value(spilled[row, column], values.get((row, column)))))
            elif style:
                made.append((row, column, head + "/>"))
        return [(row, text) for row, _, text in self._with_spilled(made, held, values, spilled, letters)]

    def _with_spilled(
        self, made: Any, held: Any, values: Any, spilled: Any, letters: Any
    ) -> list[tuple[int, int, str]]:
        """Merge cells filled by formulas elsewhere into the others."""
        if not spilled:
            return made
        own = {(row, column) for row, column, *_ in held}
        for at, anchor in spilled.items():
            if at not in own:
                made.append((*at, f'<c r="{letters[at[1]]}{at[0] + 1}"{self._render_value(anchor, values.get(at))}'))
        return sorted(made)

    def _read_computed_values(
        self, held: Sequence[Any]
    ) -> tuple[dict[tuple[int, int], Value], dict[tuple[int, int], tuple[int, int]]]:
        """Read the values of formulas and of the cells they fill."""
        at = [(row, column) for row, column, kind, *_ in held if kind == "formula"]
        if not at:
            return {}, {}
        area = Area(0, 0, self.tab.rows, self.tab.columns)
        spilled = self.book.engine.list_spilled_cells(self.tab.id, area)
        wanted = [*at, *spilled]
        top, left = min(row for row, _ in wanted), min(column for _, column in wanted)
        bottom, right = max(row for row, _ in wanted) + 1, max(column for _, column in wanted) + 1
        lines = self.book.values(self.tab, Area(top, left, bottom, right))
        self._anchors = {anchor: [] for anchor in spilled.values()}
        for cell, anchor in spilled.items():
            self._anchors[anchor].append(cell)
        return {(row, column): lines[row - top][column - left] for row, column in wanted}, spilled

    _anchors: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def _formula(self, row: int, column: int, text: str, value: Value, spilled: Mapping[Any, Any]) -> str:
        said = self.writer.with_file_titles(text)
        filled = self._anchors.get((row, column), [])
        broken = isinstance(value, Fault) and value.code == "#ERROR!"
        inside = formulas.array_inside(said)
        native = (
            None
            if broken
            else formulas.outward("=" + inside, {})
            if inside
            else None
            if filled
            else formulas.outward(said, {})
        )
        if native is None or (inside and formulas.as_array("=" + inside) != said):
            return _render_computed(f"<f>{escape_text(formulas.dummy(said, value))}</f>", value)
        if not inside:
            return _render_computed(f"<f>{escape_text(native)}</f>", value)
        rows, columns = [row, *(at[0] for at in filled)], [column, *(at[1] for at in filled)]
        where = f"{a1.cell(row, column)}:{a1.cell(max(rows), max(columns))}" if filled else a1.cell(row, column)
        return _render_computed(f'<f t="array" ref="{where}">{escape_text(native)}</f>', value)

    def _render_value(self, anchor: tuple[int, int], value: Value) -> str:
        """Render a cell that an array formula fills, or one with a formula that the file's programs lack."""
        own = self.book.cells(self.tab, Area(anchor[0], anchor[1], anchor[0] + 1, anchor[1] + 1)).get(anchor)
        inside = formulas.array_inside(self.writer.with_file_titles(own.entry.input)) if own else None
        if inside and formulas.outward("=" + inside, {}) is not None:
            return _render_computed("", value)
        return _render_computed(f"<f>{escape_text(formulas.dummy(formulas.SPILLED, value))}</f>", value)

    def _string(self, row: int, column: int, text: str, runs: str | None) -> str:
        """Return a shared string's item."""
        if runs:
            kept = orjson.loads(runs)
            self._runs[f"{row},{column}"] = kept
            self.kept["runs"] = self._runs
            return f"<si>{_rich(text, sizes.runs_said(text, kept))}</si>"
        return f"<si>{_text(text)}</si>"

    def _aside(self, row: int, column: int, note: str | None, validation: str | None, link: str) -> None:
        if note:
            self.notes.append((row, column, note))
        if validation:
            self.validations.setdefault(validation, []).append((row, column))
        if link:
            if link not in self.targets:
                self.targets.append(link)
            self.linked.append((a1.cell(row, column), self.targets.index(link) + 1))

    # what lies on ranges

    def _protection(self) -> str:
        whole = Area(0, 0, self.tab.rows, self.tab.columns)
        found = [
            one
            for one in list_objects(self.book, "protected_range", self.tab)
            if one.area.within(self.tab.rows, self.tab.columns) == whole and not one.spec.get("warningOnly")
        ]
        return '<sheetProtection sheet="1" objects="1" scenarios="1"/>' if found else ""

    def _filter(self) -> str:
        found = list_objects(self.book, "basic_filter", self.tab)
        if not found:
            return ""
        area, spec = found[0].area, found[0].spec
        self.kept["filter"] = spec
        columns = "".join(f'<filterColumn colId="{column}"/>' for column in sizes.list_filtered_columns(spec, area))
        return element("autoFilter", columns, ref=self._where(area))

    def _marks(self) -> str:
        made: list[str] = []
        kept: list[dict[str, Any]] = []
        for thing in list_objects(self.book, "conditional_format", self.tab):
            spec = thing.spec
            areas = [_area(one) for one in spec.get("ranges", [])] or [thing.area]
            where = rules.where_text(areas, self.tab.rows, self.tab.columns)
            rule: Any = {name: value for name, value in spec.items() if name != "ranges"}
            mark = rules.mark_of(rule, where.split(" ")[0].split(":")[0], self.book.locale, self.writer.renamed)
            kept.append({"where": where, "rule": rule})
            if mark is not None:
                made.append(rules.mark_xml(mark, where, len(made) + 1, self.writer.difference))
        self.kept["conditions"] = kept
        return "".join(made)

    def _checks(self) -> str:
        made: list[str] = []
        kept: list[dict[str, Any]] = []
        for text, cells in self.validations.items():
            where, rule = rules.where_text(_areas(cells), self.tab.rows, self.tab.columns), orjson.loads(text)
            check = rules.check_of(rule, self.book.locale, self.writer.renamed)
            kept.append({"where": where, "rule": rule})
            if check is not None:
                made.append(rules.check_xml(check, where))
        self.kept["validations"] = kept
        return f'<dataValidations count="{len(made)}">{"".join(made)}</dataValidations>' if made else ""


def _width(pixels: int) -> float:
    return round(pixels / sizes.PIXELS_OF_A_DIGIT, 4)


def _row(size: int | None, hidden: bool, filtered: bool) -> str:
    said = f' ht="{size * sizes.POINTS_OF_A_PIXEL}" customHeight="1"' if size is not None else ""
    return said + (' hidden="1"' if hidden or filtered else "")


def _line(row: int, said: str, cells: Sequence[str]) -> str:
    return f'<row r="{row + 1}"{said}>{"".join(cells)}</row>'


def _link(format: str | None) -> str:
    if not format or '"link"' not in format:
        return ""
    return str(((decode_object(format).get("textFormat") or {}).get("link") or {}).get("uri") or "")


def _render_computed(formula: str, value: Value) -> str:
    """Render the rest of a computed cell: the kind of its value, a formula, the value."""
    if isinstance(value, bool):
        return f' t="b">{formula}<v>{int(value)}</v></c>'
    if isinstance(value, Fault):
        shown = value.code if value.code not in ("#ERROR!", "Loading...") else "#VALUE!"
        return f' t="e">{formula}<v>{escape_text(shown)}</v></c>'
    if isinstance(value, float):
        return f">{formula}<v>{number_text(value)}</v></c>"
    return f' t="str">{formula}<v>{escape_text(str(value))}</v></c>' if value else f">{formula}</c>"


def _text(text: str) -> str:
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    return f"<t{space}>{escape_text(text)}</t>"


def _rich(text: str, found: Sequence[tuple[int, styles.Font]]) -> str:
    """Render runs of a text; their starts are counted in UTF-16."""
    wide = text.encode("utf-16-le")
    ends = [start for start, _ in found[1:]] + [len(wide) // 2]
    parts = [
        (wide[start * 2 : end * 2].decode("utf-16-le", "replace"), font)
        for (start, font), end in zip(found, ends, strict=True)
    ]
    return "".join(
        f'<r><rPr>{styles.font_parts(font, name="rFont")}</rPr><t xml:space="preserve">{escape_text(part)}</t></r>'
        for part, font in parts
    )


def _area(given: Mapping[str, int]) -> Area:
    return Area(
        given.get("startRowIndex", 0),
        given.get("startColumnIndex", 0),
        given.get("endRowIndex"),
        given.get("endColumnIndex"),
    )


def _areas(cells: Sequence[tuple[int, int]]) -> list[Area]:
    """Return cells as few areas: runs down a column, joined with equal neighbours."""
    spans: dict[tuple[int, int], list[int]] = {}
    columns: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        columns.setdefault(column, []).append(row)
    for column, rows in sorted(columns.items()):
        start = last = -2
        for row in [*rows, -9]:
            if row == last + 1:
                last = row
                continue
            if start >= 0:
                spans.setdefault((start, last + 1), []).append(column)
            start = last = row
    return sorted(
        Area(top, run[0], bottom, run[-1] + 1) for (top, bottom), held in spans.items() for run in _runs(held)
    )


def _runs(columns: Sequence[int]) -> list[list[int]]:
    made: list[list[int]] = []
    for column in columns:
        if made and made[-1][-1] == column - 1:
            made[-1].append(column)
        else:
            made.append([column])
    return made


# notes


def comments(notes: Sequence[tuple[int, int, str]]) -> str:
    """Render the part of notes."""
    inside = "".join(
        f'<comment ref="{a1.cell(row, column)}" authorId="0"><text>{_text(note)}</text></comment>'
        for row, column, note in notes
    )
    return f'<comments xmlns="{MAIN}"><authors><author/></authors><commentList>{inside}</commentList></comments>'


def boxes(notes: Sequence[tuple[int, int, str]], number: int) -> str:
    """Render the part with the positions of notes' boxes."""
    shapes = "".join(
        f'<v:shape id="_x0000_s{number * 1024 + place}" type="#_x0000_t202" style="position:absolute;visibility:hidden"'
        ' fillcolor="#ffffe1"><x:ClientData'
        f' ObjectType="Note"><x:Row>{row}</x:Row><x:Column>{column}</x:Column></x:ClientData></v:shape>'
        for place, (row, column, _) in enumerate(notes, 1)
    )
    kind = (
        '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202"'
        f' path="{attribute("m,l,21600r21600,l21600,xe")}"/>'
    )
    known = (("v", "vml"), ("o", "office:office"), ("x", "office:excel"))
    names = "".join(f' xmlns:{name}="urn:schemas-microsoft-com:{what}"' for name, what in known)
    return f"<xml{names}>{kind}{shapes}</xml>"
