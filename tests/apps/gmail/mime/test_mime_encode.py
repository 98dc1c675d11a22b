"""base64url and character sets: what is taken, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.gmail.mime.base64url import from_base64url, to_base64url
from apps.gmail.mime.charset import decode_text, find_codec
from tests.examples import examples

SETTINGS = settings(max_examples=examples(150), deadline=None, derandomize=True)


@SETTINGS
@given(st.binary(max_size=60))
def test_bytes_come_back_with_and_without_padding(data: bytes) -> None:
    text = to_base64url(data)
    assert from_base64url(text) == from_base64url(text.rstrip("=")) == data


def test_it_is_the_url_alphabet_with_padding() -> None:
    # The vendor pads: users.messages.attachments `data`, seen in answers such as "...DQo==".
    assert to_base64url(b"\xfb\xff\xfe\xff") == "-__-_w=="


@pytest.mark.parametrize(
    "text",
    ["a+/b", "aGk\n", " aGk", "a", "aGk==", "aG=", "aGk=a", "====", "aG===", "é", "aGl", "aGkx="],
    ids=lambda text: repr(text),
)
def test_what_is_not_base64url_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not base64url"):
        from_base64url(text)


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        ("Zoë €".encode(), "utf-8", "Zoë €"),
        ("Zoë €".encode(), "us-ascii", "Zoë €"),  # 8-bit bytes under the label of 7
        (b"Zo\xeb \x80", "iso-8859-1", "Zoë €"),  # Windows text under Latin-1's label
        (b"Zo\xeb", "utf-8", "Zo�"),
        (b"Zo\xeb", "x-unknown", "Zoë"),
        (b"Zo\xeb", "", "Zoë"),
        ("漢字".encode("iso2022_jp"), "ISO-2022-JP", "漢字"),
        ("漢字".encode("gb18030"), "gb2312", "漢字"),
        (b"\\N{DEGREE SIGN}", "unicode_escape", "\\N{DEGREE SIGN}"),
        (b"+2AA-", "utf-7", "+2AA-"),  # would be half a character
        (b"abc", "zlib", "abc"),
        (b"abc", "idna", "abc"),
        (b"abc", "../../x", "abc"),
        (b"abc", "undefined", "abc"),
    ],
)
def test_text_is_read_whatever_the_label_says(data: bytes, label: str, text: str) -> None:
    assert decode_text(data, label) == text


@SETTINGS
@given(
    st.binary(max_size=40),
    st.sampled_from(["utf-8", "utf-16", "utf-32-le", "iso2022_kr", "hz", "big5", "cp1257", "tis-620", "nonsense"]),
)
def test_read_text_can_always_be_written(data: bytes, label: str) -> None:
    decode_text(data, label).encode()


def test_only_character_sets_of_mail_are_known() -> None:
    assert [
        find_codec(label)
        for label in ("UTF8", "Latin1", "KOI8-R", "utf_8_sig", "rot13", "mbcs", "punycode", "a\0b", "")
    ] == [
        "utf-8",
        "cp1252",
        "koi8-r",
        "",
        "",
        "",
        "",
        "",
        "",
    ]
