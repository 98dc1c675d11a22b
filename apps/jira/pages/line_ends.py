"""Line ends of typed texts: a person's lines stay lines, though Markdown would join them."""

from itertools import pairwise


def keep_line_ends(text: str) -> str:
    """The Markdown of a typed text whose lines stay lines: without two spaces before it, a line end is but a space."""
    made: list[str] = []
    is_code = False
    for line, following in pairwise([*text.split("\n"), ""]):
        is_code ^= line.lstrip().startswith(("```", "~~~"))
        breaks = line.strip() and following.strip() and not is_code and not line.endswith(("\\", "  "))
        made.append(f"{line}  " if breaks else line)
    return "\n".join(made)


def show_line_ends(markdown: str) -> str:
    """A text to go on typing in: its line ends without the marks that `keep_line_ends` sets again."""
    return markdown.replace("\\\n", "\n")
