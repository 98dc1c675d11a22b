"""The PDF format: pages of texts, lines and filled boxes in the fonts that every reader has; equal content, equal bytes.

ISO 32000-1. Lengths are points, with the origin at a page's upper left corner.
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache

FONTS = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")  # + 1 if bold, + 2 if italic
HEADER = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
FIRST, SLOTS = 33, 222  # codes of a font for characters that its first encoding lacks
MOST_FONTS = 20  # of the document's own, so of about 4,400 characters; others are drawn as a question mark
USUAL_WIDTH = 556  # of a glyph, in thousandths of its size
# Adobe's metrics of Helvetica for the codes 32 to 126
WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584"
    " 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667"
    " 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278"
    " 556 500 722 500 500 500 334 260 334 584"
).split()
NARROWEST = 191  # of all
_WIDTH_OF = {chr(code): int(width) for code, width in enumerate(WIDTHS, 32)}


def measure_text(text: str, size: float) -> float:
    """The width of a text in points, close enough to align it."""
    return sum(_WIDTH_OF.get(letter, USUAL_WIDTH) for letter in text) * size / 1000


class Page:
    """Drawing operators of a page of some width and height."""

    def __init__(self, document: "Document", width: float, height: float) -> None:
        self.width, self.height = width, height
        self._document, self._drawn, self._packed = document, list[str](), b""

    def fill_box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled box; `colour` is `#rrggbb`."""
        self._drawn.append(f"{_colour(colour)} rg {_n(x)} {_n(self.height - y - height)} {_n(width)} {_n(height)} re f")

    def draw_line(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        """A thin line."""
        ends = f"{_n(x)} {_n(self.height - y)} m {_n(to_x)} {_n(self.height - to_y)} l S"
        self._drawn.append(f"{_colour(colour)} RG .5 w {ends}")

    def draw_text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        style: int = 0,
        colour: str = "#000000",
        clip: float | None = None,
    ) -> None:
        """One line of text whose base line is at `y`; `style` is an index of FONTS.

        `clip` is the width that is seen; all of the text is without one.
        """
        shown = "".join(
            f"/{font} {_n(size)} Tf <{codes.hex()}> Tj " for font, codes in self._document.encode(text, style)
        )
        begin = f"BT {_colour(colour)} rg {_n(x)} {_n(self.height - y)} Td {shown}ET"
        if clip is None:
            self._drawn.append(begin)
            return
        box = f"{_n(x - 1)} {_n(self.height - y - size / 2)} {_n(clip + 2)} {_n(size * 2)} re W n"
        self._drawn.append(f"q {box} {begin} Q")

    def close(self) -> None:
        """Pack what is drawn; nothing is drawn on the page after this."""
        self._packed = _stream("\n".join(self._drawn).encode("ascii"))
        self._drawn.clear()

    def to_bytes(self) -> bytes:
        """The object of the page's content; closes the page."""
        if not self._packed:
            self.close()
        return self._packed


class Document:
    """Pages and the fonts that their texts need."""

    def __init__(self, title: str) -> None:
        self.title, self.pages = title, list[Page]()
        self._used: set[str] = set()
        self._others: dict[str, int] = {}  # characters outside the first encoding, in the order of their use

    def add_page(self, width: float, height: float) -> Page:
        """A new page at the end."""
        self.pages.append(Page(self, width, height))
        return self.pages[-1]

    def encode(self, text: str, style: int) -> Iterator[tuple[str, bytes]]:
        """Yield the stretches of a text as font and codes."""
        plain = text.encode("cp1252", "ignore")
        if len(plain) == len(text) and min(plain, default=0) >= 32:  # most texts need one font
            self._used.add(f"F{style}x0")
            yield f"F{style}x0", plain
            return
        run, name = bytearray(), ""
        for letter in text:
            font, code = self._place(letter, style)
            if font != name and run:
                yield name, bytes(run)
                run.clear()
            name = font
            run.append(code)
        if run:
            yield name, bytes(run)

    def _place(self, letter: str, style: int) -> tuple[str, int]:
        """The font and the code of a character: in the Western encoding, else in a set of the document's own."""
        code = letter.encode("cp1252", "ignore")
        if len(code) == 1 and code[0] >= 32:
            number, at = 0, code[0]
        else:
            if letter not in self._others and len(self._others) == MOST_FONTS * SLOTS:
                return self._place("?", style)
            number, at = divmod(self._others.setdefault(letter, len(self._others)), SLOTS)
            number, at = number + 1, at + FIRST
        name = f"F{style}x{number}"
        self._used.add(name)
        return name, at

    def to_bytes(self) -> bytes:
        """The whole file."""
        count = len(self.pages)
        fonts = sorted(self._used)
        first_font = 5 + 2 * count
        named = " ".join(f"/{name} {first_font + 3 * at} 0 R" for at, name in enumerate(fonts))
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{5 + 2 * at} 0 R' for at in range(count))}] >>".encode(),
            b"<< /Title <feff%s> >>" % self.title.encode("utf-16-be").hex().encode(),
            f"<< /Font << {named} >> >>".encode(),
        ]
        for at, page in enumerate(self.pages):
            box = f"/MediaBox [0 0 {_n(page.width)} {_n(page.height)}] /Contents {6 + 2 * at} 0 R"
            objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Resources 4 0 R >>".encode())
            objects.append(page.to_bytes())
        letters = list(self._others)
        for at, name in enumerate(fonts):
            objects += _describe_font(name, first_font + 3 * at, letters)
        return _assemble(objects)


def _describe_font(name: str, number: int, others: list[str]) -> Iterator[bytes]:
    """The objects of a font: itself, its encoding, and what its codes mean; `others` are the document's own characters."""
    style, _, own = name[1:].partition("x")
    letters = others[(int(own) - 1) * SLOTS : int(own) * SLOTS] if own != "0" else []
    yield (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{FONTS[int(style)]} /Encoding {number + 1} 0 R"
        f"{f' /ToUnicode {number + 2} 0 R' if letters else ''} >>"
    ).encode()
    glyphs = " ".join(f"/uni{ord(one):04X}" if ord(one) < 0x10000 else f"/u{ord(one):X}" for one in letters)
    differences = f" /Differences [{FIRST} {glyphs}]" if letters else ""
    yield f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding{differences} >>".encode()
    yield _stream(_map_codes(letters))


def _map_codes(letters: Iterable[str]) -> bytes:
    """The characters of a font's codes, for who copies or searches text."""
    lines = [f"<{FIRST + at:02x}> <{one.encode('utf-16-be').hex()}>" for at, one in enumerate(letters)]
    blocks = [(len(part), "\n".join(part)) for part in (lines[at : at + 100] for at in range(0, len(lines), 100))]
    said = "".join(f"{count} beginbfchar\n{block}\nendbfchar\n" for count, block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{said}endcmap\nend\nend"
    ).encode()


def _stream(content: bytes) -> bytes:
    packed = zlib.compress(content, 6)
    return b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed)


def _assemble(objects: list[bytes]) -> bytes:
    """The file of numbered objects: the catalogue is the first, the title the third."""
    out, places = bytearray(HEADER), list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("ascii")
    return bytes(out)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=256)
def _colour(colour: str) -> str:
    return " ".join(_n(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
