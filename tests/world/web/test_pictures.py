"""Icons, avatars, themes and emoji."""

from dataclasses import replace

import pytest

from world.core import discovery
from world.core.app import App
from world.web.emoji import BY_NAME, PICKER, picture
from world.web.icons import avatar, face, icon, initials, tile
from world.web.template_env import filesize, plural
from world.web.theme import favicon, theme_css, theme_of


def test_an_icon_is_hidden_unless_it_has_a_label() -> None:
    assert 'aria-hidden="true"' in icon("inbox") and "style=" not in icon("inbox")
    assert 'role="img" aria-label="A &lt;lock&gt;"' in icon("lock", 16, "A <lock>")
    with pytest.raises(LookupError, match="no-such-icon"):
        icon("no-such-icon")


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Ann Lee", "AL"), ("Åsa Öberg-Nilsson", "ÅN"), ("Cher", "C"), ("", "?"), ("(x)", "?"), ("jo van der Berg", "JB")],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_an_avatar_is_the_same_picture_every_time_and_escapes_its_name() -> None:
    assert avatar("Ann Lee") == avatar("Ann Lee") != avatar("Bo Lee")
    assert "<script>" not in avatar("<script> x") and 'aria-label="&lt;script&gt; x"' in avatar("<script> x")
    assert face(type("Somebody", (), {"full_name": "Ann Lee"})()) == avatar("Ann Lee")
    assert "#4a5568" in avatar("Pager", bot=True)


def test_an_app_is_shown_in_the_colours_it_declares_or_in_neutral_ones_under_its_title() -> None:
    wiki = theme_of(App("team_wiki", "Team wiki"))
    assert (wiki.name, wiki.letter, wiki.trouble) == ("Team wiki", "T", "")
    own = replace(theme_of(App("slate", "Slate")), accent="#123456")
    assert theme_of(App("slate", "Slate", theme=own)) is own
    assert "--accent:#123456;" in theme_css(own) and ">S<" in favicon(own) and ">S<" in tile(own)


def test_every_installed_app_declares_a_theme_with_a_letter_of_its_own() -> None:
    themes = [theme_of(app) for app in discovery.apps() if app.theme is not None]
    assert len({one.letter for one in themes}) == len(themes) > 5


def test_every_emoji_of_the_picker_has_one_name_and_aliases_lead_to_it() -> None:
    assert sum(map(len, PICKER.values())) == len(BY_NAME) >= 150
    assert picture("+1") == picture("thumbsup") == picture("thumbsup::skin-tone-3") == "👍"
    assert picture("party_parrot") is None


def test_counts_and_sizes() -> None:
    assert (plural(1, "reply", "replies"), plural(2, "reply", "replies"), plural(1234, "channel")) == (
        "1 reply",
        "2 replies",
        "1,234 channels",
    )
    assert [filesize(n) for n in (0, 999, 1500, 12_300_000, 5 * 10**12)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "12 MB",
        "5000 GB",
    ]
