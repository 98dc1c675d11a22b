"""Export of a spreadsheet as an xlsx; equal content gives equal bytes.

As with the vendor, a part of its own keeps what xlsx cannot express. Left out: charts, filter views, alternating
colours, slicers, groups, developer metadata, protection of parts of a sheet.
"""

from collections.abc import Iterable, Sequence

import orjson

from apps.sheets import a1
from apps.sheets.cells import Area
from apps.sheets.files import sheet_out, styles
from apps.sheets.files.markup import attribute, element
from apps.sheets.files.package import pack_zip
from apps.sheets.files.sheet_out import SheetWriter
from apps.sheets.files.workbook_in import METADATA
from apps.sheets.json_columns import read_format
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", "_"))
LONGEST_TITLE = 31


class Writer:
    """An xlsx that is being written."""

    def __init__(self, book: Spreadsheet) -> None:
        self.book = book
        self.titles = _titles(book.tabs)
        self.renamed = {tab.title: self.titles[tab.id] for tab in book.tabs if self.titles[tab.id] != tab.title}
        self.forms: dict[str | None, int] = {None: 0}
        self.strings = styles.NumberedTable[str]()
        self.differences = styles.NumberedTable[styles.Style]()
        self.parts: dict[str, str | bytes] = {}
        self.types: list[tuple[str, str]] = []

    def file(self) -> bytes:
        """The file."""
        written = [SheetWriter(self, tab, number) for number, tab in enumerate(self.book.tabs, 1)]
        for sheet in written:
            self.part(f"xl/worksheets/sheet{sheet.number}.xml", sheet.xml(), _TYPE + "worksheet+xml")
            self._beside(sheet)
        self.part("xl/sharedStrings.xml", self._render_shared_strings(), _TYPE + "sharedStrings+xml")
        self.part("xl/styles.xml", self._styles(), _TYPE + "styles+xml")
        self.part("xl/workbook.xml", self._workbook(), _TYPE + "sheet.main+xml")
        self.part(
            METADATA, orjson.dumps(self._list_unsayable(written), option=orjson.OPT_SORT_KEYS), "application/binary"
        )
        names = [(f"{LINKS}/worksheet", f"worksheets/sheet{sheet.number}.xml") for sheet in written]
        names += [
            (f"{LINKS}/styles", "styles.xml"),
            (f"{LINKS}/sharedStrings", "sharedStrings.xml"),
            ("http://customschemas.google.com/relationships/workbookmetadata", "metadata"),
        ]
        self.parts["xl/_rels/workbook.xml.rels"] = relationships([(kind, target, False) for kind, target in names])
        first = {
            "[Content_Types].xml": self._types(),
            "_rels/.rels": relationships([(f"{LINKS}/officeDocument", "xl/workbook.xml", False)]),
        }
        return pack_zip({**first, **self.parts})

    def part(self, name: str, content: str | bytes, kind: str) -> None:
        """Add a part."""
        self.parts[name] = HEAD + content if isinstance(content, str) else content
        self.types.append((name, kind))

    def form(self, text: str | None) -> int:
        """The number of a format."""
        return self.forms.setdefault(text, len(self.forms))

    def _beside(self, sheet: SheetWriter) -> None:
        """Add the parts that belong to a worksheet: notes, their boxes, and link targets."""
        if sheet.notes:
            self.part(f"xl/comments{sheet.number}.xml", sheet_out.comments(sheet.notes), _TYPE + "comments+xml")
            self.parts[f"xl/drawings/vmlDrawing{sheet.number}.vml"] = sheet_out.boxes(sheet.notes, sheet.number)
        found = [(f"{LINKS}/hyperlink", target, True) for target in sheet.targets]
        if sheet.notes:
            found += [
                (f"{LINKS}/vmlDrawing", f"../drawings/vmlDrawing{sheet.number}.vml", False),
                (f"{LINKS}/comments", f"../comments{sheet.number}.xml", False),
            ]
        if found:
            self.parts[f"xl/worksheets/_rels/sheet{sheet.number}.xml.rels"] = relationships(found)

    def _types(self) -> str:
        usual = (
            ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
            ("xml", "application/xml"),
            ("vml", "application/vnd.openxmlformats-officedocument.vmlDrawing"),
        )
        inside = "".join(element("Default", Extension=name, ContentType=kind) for name, kind in usual)
        inside += "".join(element("Override", PartName=f"/{name}", ContentType=kind) for name, kind in self.types)
        return f'{HEAD}<Types xmlns="{PACKAGE}/content-types">{inside}</Types>'

    def _render_shared_strings(self) -> str:
        items = "".join(self.strings.known)
        return f'<sst xmlns="{MAIN}" uniqueCount="{len(self.strings.known)}">{items}</sst>'

    def _styles(self) -> str:
        return styles.render_styles([self.style(text) for text in self.forms], list(self.differences.known))

    def style(self, text: str | None) -> styles.Style:
        """Return the file's style of a stored format."""
        return styles.style_of(read_format(text), self.book.locale)

    def _workbook(self) -> str:
        sheets = "".join(
            f'<sheet state="{"hidden" if tab.hidden else "visible"}" name="{attribute(self.titles[tab.id])}"'
            f' sheetId="{number}" r:id="rId{number}"/>'
            for number, tab in enumerate(self.book.tabs, 1)
        )
        active = next((place for place, tab in enumerate(self.book.tabs) if not tab.hidden), 0)
        return (
            f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><workbookPr/><bookViews><workbookView'
            f' activeTab="{active}"/></bookViews><sheets>{sheets}</sheets>{self._names()}<calcPr'
            ' fullCalcOnLoad="1"/></workbook>'
        )

    def _names(self) -> str:
        places = {tab.id: place for place, tab in enumerate(self.book.tabs)}
        filters = [
            (tab, one.area) for one in list_objects(self.book, "basic_filter") if (tab := one.find_tab(self.book))
        ]
        hidden = {"name": "_xlnm._FilterDatabase", "hidden": 1}
        said = [
            element("definedName", self._range(tab, area), localSheetId=places[tab.id], **hidden)
            for tab, area in filters
        ]
        for one in list_objects(self.book, "named_range"):
            if tab := one.find_tab(self.book):
                said.append(element("definedName", self._range(tab, one.area), name=one.name))
        return f"<definedNames>{''.join(said)}</definedNames>" if said else ""

    def _range(self, tab: Tab, area: Area) -> str:
        first = f"${a1.letters(area.left)}${area.top + 1}"
        last = f"${'XFD' if area.right is None else a1.letters(area.right - 1)}${area.bottom or 1_048_576}"
        title = "'" + self.titles[tab.id].replace("'", "''") + "'"
        return attribute(f"{title}!{first}" if first == last else f"{title}!{first}:{last}")

    def _list_unsayable(self, sheets: Iterable[SheetWriter]) -> dict[str, object]:
        """Return everything that xlsx cannot express."""
        formats = {
            str(number): read_format(text)
            for text, number in self.forms.items()
            if text and styles.format_of(self.style(text)) != read_format(text)
        }
        return {
            "locale": self.book.locale,
            "zone": self.book.zone,
            "formats": formats,
            "sheets": [sheet.kept for sheet in sheets],
        }

    def with_file_titles(self, formula: str) -> str:
        """Return a formula with the sheets' titles in the file."""
        for here, there in self.renamed.items():
            formula = formula_references.rename_sheet(formula, here, there)
        return formula

    def difference(self, look: styles.Style) -> int:
        """The number of a conditional format's look."""
        return self.differences.of(look)


def relationships(found: Sequence[tuple[str, str, bool]]) -> str:
    """A part of relationships, numbered from 1."""
    inside = "".join(
        element("Relationship", Id=f"rId{number}", Type=kind, Target=target, TargetMode="External" if outside else None)
        for number, (kind, target, outside) in enumerate(found, 1)
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


def _titles(tabs: Sequence[Tab]) -> dict[int, str]:
    """Return titles valid in a file: 31 characters, no brackets, slashes, `:`, `*` or `?`, all different."""
    given: dict[int, str] = {}
    taken: set[str] = set()
    for tab in tabs:
        plain = tab.title.translate(_FORBIDDEN).strip("'")[:LONGEST_TITLE] or "_"
        title, number = plain, 1
        while title.casefold() in taken:
            number += 1
            title = f"{plain[: LONGEST_TITLE - len(str(number)) - 1]} {number}"
        taken.add(title.casefold())
        given[tab.id] = title
    return given


def export_workbook(book: Spreadsheet) -> bytes:
    """Export a spreadsheet as an xlsx."""
    return Writer(book).file()
