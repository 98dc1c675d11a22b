"""Files that go along with mails: small, real, and the same bytes for the same words."""

import struct
import zlib

from apps.gmail.mime.build import File
from world.core.rng import Stream

TYPES = {
    "csv": "text/csv",
    "txt": "text/plain",
    "log": "text/plain",
    "pdf": "application/pdf",
    "png": "image/png",
    "md": "text/markdown",
}


def build_file(name: str, text: str) -> File:
    """Build a file of a name. `text` is its text; a picture is drawn from it."""
    kind = name.rpartition(".")[2]
    data = {"pdf": _pdf, "png": _png}.get(kind, str.encode)(text)
    return File(name, TYPES[kind], data)


def _pdf(text: str) -> bytes:
    """One page with the lines of a text."""
    lines = [
        line.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        for line in text.split("\n")
    ]
    drawn = b"BT /F1 11 Tf 56 780 Td 15 TL " + b" ".join(b"(" + line + b") Tj T*" for line in lines) + b" ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >>"
            b" >> >>"
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out, places = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        table,
        len(out),
    )


def _png(text: str) -> bytes:
    """A chart of grey bars on white, one per word."""
    draw, width, height = Stream("picture", text), 160, 90
    bars = [draw.integer(8, height - 8) for _ in range(16)]
    rows = b"".join(
        b"\0" + bytes(90 if bars[x // 10] > height - y and x % 10 < 7 else 250 for x in range(width))
        for y in range(height)
    )
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    chunks = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
