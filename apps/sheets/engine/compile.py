"""Compiler from a formula's text to a program; formulas filled down share one program."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from apps.sheets.cells import Area
from apps.sheets.engine.array_cycles import may_fill, roams
from apps.sheets.engine.format_hints import hint
from apps.sheets.engine.native import render
from apps.sheets.engine.parse import PARSE_ERROR, Surroundings, parse
from apps.sheets.engine.tokens import MalformedFormula, decimal_comma, template
from apps.sheets.engine.tree import Call, Leaf, Literal, Node, Place, Program, strip_chain, walk

ADDRESSES = dict.fromkeys("ROW COLUMN ROWS COLUMNS FORMULATEXT ISFORMULA OFFSET SHEET ISREF".split(), 0) | {
    "CELL": 1
}  # which argument is only a place
SEEDED = frozenset(("RAND", "RANDBETWEEN", "RANDARRAY"))
TIMED = frozenset(("NOW", "TODAY", "IMPORTRANGE"))


MAX_KEPT = 50_000  # programs of one compiler


class Compiler:
    """Compiles formulas, given sheets and names."""

    def __init__(
        self, titles: Iterable[tuple[int, str]], names: Iterable[tuple[str, tuple[int, Area]]], comma: bool
    ) -> None:
        sheets = {title.casefold(): sheet for sheet, title in titles}
        places = {name.upper(): Place(sheet, area) for name, (sheet, area) in names}
        self.around = Surroundings(sheets, places, comma)
        self.programs: dict[str, Program] = {}

    def program(self, formula: str, row: int, column: int) -> Program:
        """Return the program of a formula in a given cell."""
        key = template(formula, row, column)
        known = self.programs.get(key)
        if known is None:
            if len(self.programs) >= MAX_KEPT:
                self.programs.clear()
            known = self.programs[key] = self.compile_formula(formula, row, column)
        return known

    def compile_formula(self, formula: str, row: int, column: int) -> Program:
        """Parse and prepare a formula."""
        try:
            root, references = parse(formula, row, column, self.around)
        except MalformedFormula:
            return Program(Literal(PARSE_ERROR), (), ())
        nodes = list(walk(root))
        told = hint(root)
        calls = {node.name for node in nodes if isinstance(node, Call)}
        return Program(
            root,
            references,
            _list_read_references(nodes, references_count=len(references)),
            hint=told,
            seeded=not calls.isdisjoint(SEEDED),
            timed=not calls.isdisjoint(TIMED),
            fills=may_fill(root),
            roams=roams(nodes),
            is_told=not references or (not told and all(reference.single for reference in references)),
            native=render(root),
        )


@lru_cache(maxsize=32)
def _compiler(
    titles: tuple[tuple[int, str], ...], names: tuple[tuple[str, tuple[int, Area]], ...], comma: bool
) -> Compiler:
    return Compiler(titles, names, comma)


def compiler(titles: Mapping[int, str], names: Mapping[str, tuple[int, Area]], locale: str) -> Compiler:
    """Return the shared compiler of these sheets and names, so that newly loaded engines reuse its programs."""
    return _compiler(tuple(titles.items()), tuple(names.items()), decimal_comma(locale))


def _list_read_references(nodes: list[Node], references_count: int) -> tuple[int, ...]:
    """List the references whose cells are read, without those that only give a position."""
    places = [
        strip_chain(node.arguments[at])
        for node in nodes
        if isinstance(node, Call) and (at := ADDRESSES.get(node.name, 99)) < len(node.arguments)
    ]
    unread = {place.index for place in places if isinstance(place, Leaf)}
    return tuple(index for index in range(references_count) if index not in unread)
