"""Reader of an xlsx.

Nothing outside the file is read: external links keep their values; macros and drawings are left out.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from apps.sheets import a1
from apps.sheets.cells import Area
from apps.sheets.files import colours, markup, number_codes, rules, shapes, sheet_in, sizes, styles
from apps.sheets.files.content import Content, Extra, RangeObject, Sheet, fit_sheet
from apps.sheets.files.markup import NOTHING, Node
from apps.sheets.files.package import Package, bad_file, beside
from apps.sheets.json_columns import encode_object
from apps.sheets.structure import formula_references
from apps.sheets.structure.sheets import MOST_SHEETS
from world.core.errors import OperationError

MOST_PLACED = 500_000  # cells that validations may be put on
MOST_THINGS = 2_000  # merges, rules, names of one sheet
METADATA = "xl/metadata"
_NAME = re.compile(r"[^\W\d]\w{0,249}")
_ADDRESS = re.compile(r"(?:https?|ftp|mailto):", re.IGNORECASE)


class Reader:
    """An xlsx that is being read."""

    def __init__(self, data: bytes) -> None:
        self.package = Package(data)
        self.main = self._main()
        self.links = self._links(self.main)
        self.root = self._tree(self.main)
        if self.root.name != "workbook":
            raise bad_file("it holds no workbook")
        self.theme = self._part("theme", colours.theme_of, list(colours.THEME))
        self.styles = self._part(
            "styles", lambda root: styles.read_styles(root, self.theme), styles.Sheetful([styles.PLAIN], [])
        )
        self.kept = self._read_own_part()
        self.shared = self._strings()

    def _main(self) -> str:
        links = self._links("")
        found = next((target for kind, target, _ in links.values() if kind == "officeDocument"), "xl/workbook.xml")
        if found not in self.package:
            raise bad_file("it holds no workbook")
        return found

    def _tree(self, name: str) -> Node:
        return markup.tree([self.package.read(name)])

    def _links(self, part: str) -> dict[str, tuple[str, str, bool]]:
        """A part's relationships: kind, target, whether it lies outside."""
        folder, _, name = part.rpartition("/")
        where = f"{folder}/_rels/{name}.rels".lstrip("/")
        if where not in self.package:
            return {}
        found: dict[str, tuple[str, str, bool]] = {}
        for node in self._tree(where).all("Relationship"):
            outside = node.get("TargetMode") == "External"
            target = node.get("Target")
            found[node.get("Id")] = (
                node.get("Type").rpartition("/")[2],
                target if outside else beside(part, target),
                outside,
            )
        return found

    def _find_part(self, kind: str) -> str | None:
        found = (
            target
            for known, target, outside in self.links.values()
            if known == kind and not outside and target in self.package
        )
        return next(found, None)

    def _part(self, kind: str, read: Callable[[Node], object], default: object) -> Any:
        name = self._find_part(kind)
        return read(self._tree(name)) if name else default

    def _strings(self) -> sheet_in.Strings:
        name = self._find_part("sharedStrings")
        return sheet_in.strings(self.package.chunks(name)) if name else sheet_in.Strings()

    def _read_own_part(self) -> dict[str, Any]:
        """Read the part in which our export keeps what xlsx cannot express, where it still agrees with the file."""
        if METADATA not in self.package:
            return {}
        try:
            found = orjson.loads(self.package.read(METADATA))
        except orjson.JSONDecodeError:
            return {}
        return found if isinstance(found, dict) else {}

    def content(self) -> Content:
        """The whole of it."""
        nodes = self.root.find("sheets").all("sheet")
        _check_titles([node.get("name") for node in nodes])
        made = Content(
            formats=self._formats(), locale=str(self.kept.get("locale", "")), zone=str(self.kept.get("zone", ""))
        )
        is_1904 = self.root.find("workbookPr").flag("date1904")
        dated = frozenset(
            str(place)
            for place, style in enumerate(self.styles.styles)
            if is_1904 and number_codes.is_moment(style.code)
        )
        kept = _dicts(self.kept.get("sheets"))
        for node in nodes:
            kind, target, outside = self.links.get(node.get("id"), ("", "", True))
            if kind == "worksheet" and not outside:
                own = next((one for one in kept if one.get("name") == node.get("name")), {})
                made.sheets.append(SheetReader(self, node, target, dated, own).sheet())
        if not made.sheets:
            raise bad_file("it holds no sheets")
        if all(sheet.hidden for sheet in made.sheets):
            made.sheets[0].hidden = False
        self._retitle(made, kept)
        made.names = self._names(made.sheets, [node.get("name") for node in nodes])
        return made

    def _formats(self) -> list[str | None]:
        kept = self.kept.get("formats")
        locale = str(self.kept.get("locale", "en_US"))
        known = _dict(kept)
        return [self._format(style, known.get(str(place)), locale) for place, style in enumerate(self.styles.styles)]

    def _format(self, style: styles.Style, kept: Any, locale: str) -> str | None:
        if shapes.fits(kept, shapes.CELL_FORMAT) and styles.style_of(kept, locale) == style:
            return encode_object(kept)
        return encode_object(styles.format_of(style))

    def _retitle(self, made: Content, kept: list[dict[str, object]]) -> None:
        """Restore the titles that are too long for a file."""
        full = {one.get("name"): one.get("title") for one in kept}
        for sheet in made.sheets:
            title = full.get(sheet.title)
            if isinstance(title, str) and 0 < len(title) <= 100 and title != sheet.title:
                for other in made.sheets:
                    other.cells = [
                        _rename_sheet(cell, sheet.title, title) if cell[2] == "formula" else cell
                        for cell in other.cells
                    ]
                sheet.title = title

    def _names(self, sheets: Sequence[Sheet], titles: Sequence[str]) -> list[tuple[str, int, Area]]:
        """Named ranges that are one area of a sheet."""
        found: dict[str, tuple[str, int, Area]] = {}
        for node in self.root.find("definedNames").all("definedName")[:MOST_THINGS]:
            name, place = node.get("name"), _place(node.text, titles)
            if (
                place
                and _NAME.fullmatch(name)
                and not node.flag("hidden")
                and name.lower() not in found
                and place[0] < len(sheets)
            ):
                found[name.lower()] = name, *place
        return list(found.values())


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _rename_sheet(cell: Any, old: str, new: str) -> Any:
    return (*cell[:3], formula_references.rename_sheet(cell[3], old, new), cell[4])


def _check_titles(titles: list[str]) -> None:
    if len(titles) > MOST_SHEETS:
        raise OperationError("too_many_sheets", most=MOST_SHEETS)
    if any(not title.strip() or len(title) > 100 for title in titles) or len(
        {title.casefold() for title in titles}
    ) < len(titles):
        raise bad_file("its sheets have titles that cannot be")


def _place(text: str, titles: Sequence[str]) -> tuple[int, Area] | None:
    """The sheet's place and the area of `'My Sheet'!$A$1:$B$2`."""
    if len(text) > 300:
        return None
    try:
        found = a1.parse(text.removeprefix("="))
    except a1.BadRange:
        return None
    if found.sheet is None or found.area is None:
        return None
    title = found.sheet.casefold()
    return next(
        ((place, _open_area(found.area)) for place, known in enumerate(titles) if known.casefold() == title), None
    )


def _open_area(area: Area) -> Area:
    """Return an area as open where it reaches the end of a file's sheet."""
    return Area(
        area.top,
        area.left,
        None if area.bottom == 1_048_576 else area.bottom,
        None if area.right == 16_384 else area.right,
    )


class SheetReader:
    """A worksheet that is being read."""

    def __init__(self, reader: Reader, node: Node, part: str, dated: frozenset[str], kept: dict[str, Any]) -> None:
        self.reader, self.part, self.kept, self.links = reader, part, kept, reader._links(part)
        self.grid = sheet_in.grid(reader.package.chunks(part), reader.shared, dated)
        self.root = self.grid.root.children[0] if self.grid.root.children else NOTHING
        self.made = Sheet(node.get("name"), hidden=node.get("state") in ("hidden", "veryHidden"), cells=self.grid.cells)
        self.locale = str(reader.kept.get("locale", "en_US"))

    def sheet(self) -> Sheet:
        """The sheet, with everything that is not a cell."""
        made = self.made
        self._view()
        self._notes()
        self._links_to_pages()
        self._runs()
        made.things += [RangeObject("merge", area) for area in self._merges()]
        self._filter()
        if self.root.find("sheetProtection").flag("sheet"):
            made.things.append(RangeObject("protected_range", Area(0, 0, None, None)))
        made.sizes = sizes.read_sizes(self.root, self.grid.rows, self.kept, self._find_filtered_area())
        fit_sheet(made, (markup_size(self.kept.get("rows")), markup_size(self.kept.get("columns"))))
        self._validations()
        self._marks()
        return made

    def _view(self) -> None:
        made, view = self.made, self.root.find("sheetViews", "sheetView")
        pane = view.find("pane")
        if pane.get("state") in ("frozen", "frozenSplit"):
            made.frozen_rows, made.frozen_columns = max(pane.number("ySplit"), 0), max(pane.number("xSplit"), 0)
        tab = colours.parse_colour(self.root.find("sheetPr", "tabColor"), self.reader.theme)
        if tab:
            made.properties |= colours.both("tabColor", tab)
        if not view.flag("showGridLines", True):
            made.properties["hideGridlines"] = True
        if view.flag("rightToLeft"):
            made.properties["rightToLeft"] = True
        kept = self.kept.get("properties")
        if isinstance(kept, dict) and shapes.fits(kept, shapes.SHEET) and colours.plain(kept, "tabColor") == tab:
            made.properties = kept

    def _notes(self) -> None:
        for kind, target, outside in self.links.values():
            if kind == "comments" and not outside and target in self.reader.package:
                for node in self.reader._tree(target).find("commentList").all("comment"):
                    area, text = sheet_in.area_of(node.get("ref")), sheet_in.text_of(node.find("text"))
                    if area and text:
                        self.made.extra((area.top, area.left)).note = text

    def _links_to_pages(self) -> None:
        """Turn hyperlinks into HYPERLINK formulas."""
        found: dict[tuple[int, int], str] = {}
        for node in self.root.find("hyperlinks").all("hyperlink")[:MOST_THINGS]:
            area = sheet_in.area_of(node.get("ref"))
            target = self.reader_link(node)
            if area and target and (not node.get("location") or _ADDRESS.match(target)):
                found[area.top, area.left] = target
        if found:
            self.made.cells = [self._link_cell(cell, found.get((cell[0], cell[1]))) for cell in self.made.cells]

    def reader_link(self, node: Node) -> str:
        """Return the target of a hyperlink: a web address; empty for a place in the file."""
        _, target, outside = self.links.get(node.get("id"), ("", "", False))
        if outside and _ADDRESS.match(target):
            return target[:2000] + (f"#{node.get('location')}" if node.get("location") else "")
        return ""

    def _link_cell(self, cell: Any, target: str | None) -> Any:
        row, column, kind, text, style = cell
        if not target or kind not in ("text", "number") or self._says_so(style, target):
            return cell
        said = text if kind == "number" else '"' + text.replace('"', '""') + '"'
        address = target.replace('"', "%22")
        return row, column, "formula", f'=HYPERLINK("{address}",{said})', style

    def _says_so(self, style: int, target: str) -> bool:
        """Whether the cell's own format has this link."""
        known = _dict(self.reader.kept.get("formats")).get(str(style))
        return _dict(_dict(_dict(known).get("textFormat")).get("link")).get("uri") == target

    def _runs(self) -> None:
        if not self.grid.rich:
            return
        kept = _dict(self.kept.get("runs"))
        for (row, column), node in self.grid.rich.items():
            own = kept.get(f"{row},{column}")
            text, found = sizes.runs(node, self.reader.theme)
            if isinstance(own, list) and shapes.fits(own, shapes.RUNS) and sizes.runs_said(text, own) == found:
                self.made.extra((row, column)).runs = encode_object(own)
            else:
                told = [
                    {**({"startIndex": start} if start else {}), "format": styles.text_format(font)}
                    for start, font in found
                ]
                self.made.extra((row, column)).runs = encode_object(told)

    def _merges(self) -> list[Area]:
        """Return the merges that do not overlap."""
        taken: set[tuple[int, int]] = set()
        made: list[Area] = []
        for node in self.root.find("mergeCells").all("mergeCell")[:MOST_THINGS]:
            area = sheet_in.area_of(node.get("ref"))
            if (
                area is None
                or area.bottom is None
                or area.right is None
                or (area.bottom - area.top) * (area.right - area.left) > MOST_PLACED
            ):
                continue
            cells = {(row, column) for row in range(area.top, area.bottom) for column in range(area.left, area.right)}
            if 1 < len(cells) and len(cells) + len(taken) < MOST_PLACED and taken.isdisjoint(cells):
                taken |= cells
                made.append(area)
        return made

    def _find_filtered_area(self) -> Area | None:
        node = self.root.find("autoFilter")
        return sheet_in.area_of(node.get("ref")) if node.all("filterColumn") else None

    def _filter(self) -> None:
        node = self.root.find("autoFilter")
        area = sheet_in.area_of(node.get("ref"))
        if area is None:
            return
        kept = self.kept.get("filter")
        columns = sorted(child.number("colId") for child in node.all("filterColumn"))
        if (
            isinstance(kept, dict)
            and shapes.fits(kept, shapes.FILTER)
            and sizes.list_filtered_columns(kept, area) == columns
        ):
            self.made.things.append(RangeObject("basic_filter", area, kept))
        else:
            self.made.things.append(RangeObject("basic_filter", area, sizes.filter_spec(node, area, self.made.cells)))

    def _validations(self) -> None:
        """Put validations on their cells."""
        found: list[tuple[str, rules.Check]] = []
        for node in self.root.find("dataValidations").all("dataValidation")[:MOST_THINGS]:
            found.append((node.get("sqref"), rules.read_check(node)))
        told = self._find_kept_rules(
            "validations", found, shapes.VALIDATION, lambda rule, _: rules.check_of(rule, self.locale, {})
        )
        if told is None:
            told = [
                (where, rules.rule_of(check, where.split(" ")[0].split(":")[0], self.locale)) for where, check in found
            ]
        left = MOST_PLACED
        for where, rule in told:
            text = encode_object(rule)
            for area in self._areas(where):
                left -= ((area.bottom or 0) - area.top) * ((area.right or 0) - area.left)
                if text and left >= 0:
                    self._put_validation(area, text)

    def _put_validation(self, area: Area, text: str) -> None:
        for row in range(area.top, area.bottom or 0):
            for column in range(area.left, area.right or 0):
                self.made.extras.setdefault((row, column), Extra()).validation = text

    def _areas(self, where: str) -> list[Area]:
        found = [sheet_in.area_of(part) for part in where.split()[:MOST_THINGS]]
        closed = [area.within(self.made.rows, self.made.columns) for area in found if area]
        return [area for area in closed if area.top < (area.bottom or 0) and area.left < (area.right or 0)]

    def _find_kept_rules(
        self, name: str, found: list[tuple[str, Any]], shape: object, said: Callable[[Any, str], Any]
    ) -> list[tuple[str, Any]] | None:
        """Return the rules our export kept, if the file's own rules still agree with them; else None."""
        kept = [(str(one.get("where", "")), one.get("rule")) for one in _dicts(self.kept.get(name))]
        if not kept or not all(shapes.fits(rule, shape) and _has_type(rule) for _, rule in kept):
            return None
        again = [(where, said(rule, where.split(" ")[0].split(":")[0])) for where, rule in kept]
        return kept if [(where, native) for where, native in again if native is not None] == found else None

    def _marks(self) -> None:
        """Add the conditional formats, highest priority first."""
        found: list[tuple[int, str, rules.Mark]] = []
        for holder in self.root.all("conditionalFormatting")[:MOST_THINGS]:
            for node in holder.all("cfRule"):
                mark = rules.read_mark(node, self.reader.styles.differences, self.reader.theme)
                found.append((node.number("priority"), holder.get("sqref"), mark))
        marks = [(where, mark) for _, where, mark in sorted(found, key=lambda one: one[0])][:MOST_THINGS]
        told = self._find_kept_rules(
            "conditions", marks, shapes.RULE, lambda rule, corner: rules.mark_of(rule, corner, self.locale, {})
        )
        for where, rule in (
            told if told is not None else [(where, rules.spec_of(mark, self.locale)) for where, mark in marks]
        ):
            areas = self._areas(where)
            if rule and areas:
                self.made.things.append(
                    RangeObject(
                        "conditional_format", _around(areas), {**rule, "ranges": [list(area) for area in areas]}
                    )
                )


def _has_type(rule: Any) -> bool:
    """Whether a rule has the required fields."""
    if "gradientRule" in rule:
        points = rule["gradientRule"]
        known = all(point.get("type") in ("MIN", "MAX", "NUMBER", "PERCENT", "PERCENTILE") for point in points.values())
        return known and {"minpoint", "maxpoint"} <= set(points)
    return isinstance(_dict(rule.get("booleanRule", rule)).get("condition", {}).get("type"), str)


def _around(areas: list[Area]) -> Area:
    return Area(
        min(area.top for area in areas),
        min(area.left for area in areas),
        max(area.bottom or 0 for area in areas),
        max(area.right or 0 for area in areas),
    )


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def markup_size(value: object) -> int:
    """A kept number of rows or columns."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= a1.MOST_ROWS else 0


def read_workbook(data: bytes) -> Content:
    """Read an xlsx. Raises bad_file, encrypted_file, file_too_large, too_many_cells, too_many_sheets, too_long."""
    return Reader(data).content()
