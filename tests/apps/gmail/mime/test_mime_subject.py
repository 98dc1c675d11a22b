"""Subjects of conversations."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.gmail.mime.subject import base_subject, forward_subject, reply_subject, same_subject
from tests.examples import examples


@pytest.mark.parametrize(
    ("subject", "base"),
    [
        ("Budget", "Budget"),
        ("Re: Budget", "Budget"),
        ("RE : re:Fwd: AW: WG: Budget", "Budget"),
        ("Re[2]: Budget", "Budget"),
        ("Re: (3): Budget", "(3): Budget"),
        ("SV: VS: Antw: RV: Budget", "Budget"),
        ("回复:转发: 预算", "预算"),
        ("  Re:   a \t b\r\n c ", "a b c"),
        ("Budget (fwd)", "Budget"),
        ("[Fwd: Re: Budget]", "Budget"),
        ("Re: [ops] Re: Budget", "[ops] Budget"),
        ("[ops] Fwd: Budget", "[ops] Budget"),
        ("[ops] Budget", "[ops] Budget"),
        ("Regarding: Budget", "Regarding: Budget"),
        ("I: Budget", "Budget"),
        ("Reminder", "Reminder"),
        ("Re:", ""),
        ("", ""),
    ],
)
def test_the_base_subject_has_no_marks_of_replies(subject: str, base: str) -> None:
    # RFC 5256 section 2.1, with the words of other languages; a list's name is kept, which is our own choice.
    assert base_subject(subject) == base


@settings(max_examples=examples(150), deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(["Re:", "Fwd: ", "[a]", "[fwd:", "]", "(fwd)", " x", "AW[3]: ", "[", ":", "re "]), max_size=9
    ).map("".join)
)
def test_the_base_of_a_base_is_itself(subject: str) -> None:
    assert base_subject(base_subject(subject)) == base_subject(subject)


def test_a_subject_of_nothing_but_marks_is_read_in_one_go() -> None:
    assert base_subject("Re: " * 100_000) == ""


def test_case_does_not_make_another_conversation() -> None:
    assert same_subject("RE: Straße", "strasse")
    assert not same_subject("Budget 2", "Budget")


def test_one_mark_is_put_in_front() -> None:
    assert [reply_subject(one) for one in ("a", "Re: a", "RE:a", "Fwd: a")] == ["Re: a", "Re: a", "RE:a", "Re: Fwd: a"]
    assert [forward_subject(one) for one in ("a", "Re: a", "Fwd: a", "fw: a")] == [
        "Fwd: a",
        "Fwd: Re: a",
        "Fwd: a",
        "fw: a",
    ]
