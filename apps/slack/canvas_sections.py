"""Markdown of canvases, cut into sections."""

import re


def split_sections(markdown: str) -> list[str]:
    """The sections of a Markdown text: headings, code blocks and paragraphs (or lists) between blank lines."""
    out: list[str] = []
    block: list[str] = []
    fenced = False
    for line in [*markdown.replace("\r\n", "\n").split("\n"), ""]:
        fence = line.lstrip().startswith("```")
        heading = not fenced and re.match(r"#{1,6} ", line) is not None
        if block and ((not fenced and not line.strip()) or heading):
            out.append("\n".join(block))
            block = []
        if line.strip() or fenced:
            block.append(line)
        if heading:
            out.append(block.pop())
        fenced = fenced != fence
    return [*out, *(["\n".join(block).rstrip("\n")] if block else [])]


def section_kind(markdown: str) -> str:
    """The type of a section: h1 to h6, code, list, quote or text."""
    marks = re.match(r"(#{1,6}) ", markdown)
    if marks:
        return f"h{len(marks[1])}"
    if markdown.startswith("```"):
        return "code"
    return "list" if re.match(r"\s*([-*+•]|\d+\.) ", markdown) else "quote" if markdown.startswith(">") else "text"
