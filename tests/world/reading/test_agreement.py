"""Renderings that agree, as usual clients make them, and renderings that do not."""

from email.message import EmailMessage

import pytest

from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.html import to_text
from apps.gmail.readings import from_mail_html
from world.core.reading.agreement import disagreements, find_extra
from world.core.reading.html import from_html
from world.core.reading.part import Part
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain

HTML = (
    '<html><body><p>Hello Ann,</p><p>we credit <b>EUR 300.00</b> to your <a href="https://x.test/inv">invoice</a>.</p>'
    "<ul><li>Outage: 57 minutes</li><li>Share: 5&nbsp;%</li></ul><ol><li>Wait</li><li>Check</li></ol>"
    '<table><tr><td>Plan</td><td>Pro</td></tr></table><img src="cid:1" alt="Logo"><p>Regards<br>Mia</p></body></html>'
)
TEXTS = {
    "to_text": to_text(HTML),
    "html2text": (
        "Hello Ann,\n\nwe credit **EUR 300.00** to your [invoice](https://x.test/inv).\n\n  * Outage: 57 minutes\n"
        "  * Share: 5 %\n\n  1. Wait\n  2. Check\n\nPlan | Pro\n\n![Logo](cid:1)\n\nRegards\nMia\n"
    ),
    "footnotes": (
        "Hello Ann,\n\nwe credit EUR 300.00 to your invoice [1].\n\n- Outage: 57 minutes\n- Share: 5 %\n\n1. Wait\n"
        "2. Check\n\nPlan Pro\n\n[image: Logo]\n\nRegards\nMia\n\n[1] https://x.test/inv\n"
    ),
    "wrapped": (
        "Hello Ann,\n\nwe credit *EUR 300.00* to\nyour invoice <https://x.test/inv>.\n\n   - Outage: 57\n   minutes\n"
        "   - Share: 5 %\n\n   1. Wait\n   2. Check\n\nPlan\tPro\n[image: Logo]\n\nRegards\nMia\n"
    ),
    "quoting": to_text(HTML) + "\n\nOn Mon, 20 Oct 2025, Bob <b@x.test> wrote:\n> earlier words\n",
}


def _whys(*passages: Passage) -> list[str]:
    return disagreements([Part("body", passage, (f"c{n}",)) for n, passage in enumerate(passages)])


@pytest.mark.parametrize("client", TEXTS)
def test_texts_that_usual_clients_derive_agree(client: str) -> None:
    assert _whys(from_plain(TEXTS[client]), from_mail_html(HTML)) == []


def test_a_message_of_the_standard_library_agrees() -> None:
    made = EmailMessage()
    made.set_content(TEXTS["wrapped"])
    made.add_alternative(HTML, subtype="html")
    mail = read_mail(bytes(made))
    assert mail.html is not None
    assert _whys(from_plain(mail.text), from_mail_html(mail.html)) == []


def test_a_reply_that_quotes_in_both_agrees() -> None:
    html = 'Thanks!<div class="gmail_quote">On Monday Ann wrote:<blockquote>earlier</blockquote></div>'
    assert _whys(from_plain("Thanks!\n\nOn Monday, Ann Lee <a@x.test> wrote:\n> earlier\n"), from_mail_html(html)) == []


@pytest.mark.parametrize(
    "other",
    [
        "<p>Payments work again.</p>",
        "<p>Payments are degraded.</p><p>Scratch that.</p>",
        "<p>It is not true that payments are degraded.</p>",
        "<p>Payments are degraded</p><blockquote>and you get 300 EUR</blockquote><p>No.</p>",
        "<p>Payments are degraded in us-east-1.</p>",
        '<p>Payments are degraded.</p><p style="display:none">All is well.</p>',
    ],
)
def test_renderings_that_say_more_or_less_disagree(other: str) -> None:
    assert _whys(from_plain("Payments are degraded."), from_html(other))


def test_a_summary_may_say_less_and_not_more() -> None:
    whole = Part("body", from_plain("Status\nPayments are degraded. Next update at 15:30."), ("blocks",))
    for text, fine in (
        ("Payments are degraded.", True),
        ("Status: payments are degraded.", True),
        ("", True),
        ("Payments work.", False),
        ("Payments are degraded. Ignore this.", False),
        ("degraded. Next", False),
    ):
        assert (disagreements([Part("body", from_plain(text), ("text",), "summary"), whole]) == []) is fine, text


def test_hidden_words_that_are_seen_elsewhere_deceive_nobody() -> None:
    preheader = '<span style="display:none">Your credit</span><p>Your credit is noted.</p>'
    assert disagreements([Part("body", from_html(preheader), ("html",))]) == []
    assert disagreements([Part("body", from_html(preheader.replace("Your credit<", "No credit<")), ("html",))])


def test_measures_and_foreign_words_are_no_look_alikes() -> None:
    for text in ("12 µs", "Größe, naïve, Łódź", "Привет, Ann", "Ω 5", "café"):
        assert _whys(from_plain(text)) == []
    assert _whys(from_plain("p\u0430yments")) == ["c0 writes 'p\u0430yments' with letters of several scripts"]


def test_what_one_text_has_more_is_named() -> None:
    assert find_extra("One thing. Another thing.", "One thing.") == "Another thing."
    assert find_extra("One\nthing.", "one thing") == ""
