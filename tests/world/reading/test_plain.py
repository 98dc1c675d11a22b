"""Plain text and Markdown as passages."""

import pytest

from world.core.reading.markdown import from_markdown
from world.core.reading.passage import MarkKind, Passage
from world.core.reading.plain import from_plain


def _marked(passage: Passage, kind: MarkKind) -> list[str]:
    return [passage.text[start:end].strip() for start, end in passage.marked(kind)]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Mine\n\nOn Mon, 20 Oct 2025, Ann <a@x.test> wrote:\n> theirs\n", "Mine"),
        ("Mine\n\nOn Mon, 20 Oct 2025,\nAnn <a@x.test> wrote:\n> theirs\nalso mine", "Mine also mine"),
        ("Mine\n\nOn Mon, Ann Lee wrote:\n\ntheirs\nmore", "Mine"),
        ("Mine\n-----Original Message-----\nFrom: Ann\nTo: Bob\n\ntheirs", "Mine"),
        ("Mine\n\n---------- Forwarded message ---------\nFrom: Ann\n\ntheirs", "Mine"),
        ("Mine\n\nFrom: Ann\nSent: Monday\nTo: Bob\n\ntheirs", "Mine"),
        ("Mine\n\nAm Montag schrieb Ann Lee <a@x.test>:\n> theirs", "Mine"),
        ("From: nobody in particular\nI write this", "From: nobody in particular I write this"),
    ],
)
def test_what_others_wrote_is_quoted(text: str, own: str) -> None:
    assert " ".join(from_plain(text).without("quoted").split()) == own


def test_invisible_characters_are_left_out_and_noted() -> None:
    made = from_plain("pay\u200bments \u202eabc")
    assert made.text == "payments abc"
    assert [(mark.start, mark.end) for mark in made.marks] == [(3, 3), (9, 9)]


@pytest.mark.parametrize(
    "text", ["👩\u200d💻 done", "Zeile\u00adnende", "\ufeffHello", "می\u200cخواهم", "🏴\U000e0067\U000e007f"]
)
def test_characters_that_join_pictures_or_break_lines_are_not_noted(text: str) -> None:
    assert from_plain(text).marks == ()


def test_markdown_has_no_markup_left() -> None:
    made = from_markdown("# Plan\n\n~~no~~ **yes** [x](https://e.test)\n\n> theirs\n\n<!-- note -->\n\n`c`")
    assert made.text == "Plan\n\nno yes x https://e.test\n\ntheirs\n\nnote\n\nc"
    assert _marked(made, "struck") == ["no"]
    assert _marked(made, "quoted") == ["theirs"]
    assert _marked(made, "hidden") == ["note"]
    assert _marked(made, "code") == ["c"]
