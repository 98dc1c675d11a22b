"""Which styles hide a text: each at its boundary, by what a message shows."""

import pytest

from world.core.reading.html import from_html

WHITE, BLACK = "background:#fff", "background:#000"


def is_hidden(style: str, sheet: str = "", attributes: str = "") -> bool:
    """Whether the text of an element with this style is hidden."""
    made = from_html(f'<style>{sheet}</style><p {attributes} style="{style}">X</p>')
    assert made.text == "X"
    return made.is_marked(0, "hidden")


@pytest.mark.parametrize(
    ("hidden", "seen"),
    [
        ("display:none", "display:inline"),
        ("visibility:collapse", "visibility:visible"),
        ("opacity:0.09", "opacity:0.1"),
        ("opacity:9%", "opacity:10%"),
        ("opacity:0", "opacity:nonsense"),
        ("font-size:1.99px", "font-size:2px"),
        ("font-size:1.4pt", "font-size:1.5pt"),
        ("font-size:.1em", "font-size:.125em"),
        ("font-size:0.1rem", "font-size:0.125rem"),
        ("font-size:12%", "font-size:13%"),
        ("font-size:0.2ex", "font-size:0.25ex"),
        ("font-size:0.1vw", "font-size:0.2vw"),
        ("font-size:0.2vh", "font-size:0.25vh"),
        ("font-size:0", "font-size:small"),
        ("font-size: 1 px", "font-size:1px1"),
        ("font:1px/1.5 Arial", "font:12px/1 Arial"),
        ("font:1px Arial", "font:12px Arial"),
        ("font:italic 700 1px Arial", "font:italic 1 12px Arial"),
        ("font:0/0 a", "font:inherit"),
        ("font:1px Arial", "font:1px Arial;font-size:12px"),
        ("position:absolute;left:-301px", "position:absolute;left:-300px"),
        ("position:fixed;top:-301px", "position:static;top:-301px"),
        ("position:relative;right:-301px", "right:-301px"),
        ("position:absolute;bottom:-301px", "position:absolute;bottom:301px"),
        ("text-indent:-301px", "text-indent:-300px"),
        ("margin-left:-20em", "margin-left:-18em"),
        ("margin-top:-301px", "margin-bottom:-301px"),
        ("clip:rect(0,0,0,0)", "clip:rect(0,9px,9px,0)"),
        ("clip:rect(0px 0px 0px 0px)", "clip:auto"),
        ("clip: rect(1px, 1px, 1px, 1px)", "clip:rect(2px,9px,9px,2px)"),
        ("clip-path:inset(50%)", "clip-path:inset(10%)"),
        ("clip-path:inset( 100% )", "clip-path:circle(100%)"),
        ("height:0;overflow:hidden", "height:0"),
        ("width:0px;overflow:clip", "width:1px;overflow:hidden"),
        ("max-width:0;overflow:hidden", "max-width:0;overflow:visible"),
        ("max-height:0;overflow:hidden", "max-height:auto;overflow:hidden"),
        ("transform:scale(0)", "transform:scale(0.5)"),
        ("transform:rotate(9deg) scale( 0.0 )", "transform:scale(10)"),
    ],
)
def test_a_style_hides_from_its_boundary_on(hidden: str, seen: str) -> None:
    assert is_hidden(hidden) and not is_hidden(seen)


@pytest.mark.parametrize(
    ("hidden", "seen"),
    [
        ("color:#e7e7e7", "color:#e6e6e6"),
        ("color:rgb(231,255,255)", "color:rgb(230,255,255)"),
        ("color:rgb(255,231,255)", "color:rgb(255,230,255)"),
        ("color:rgb(255,255,231)", "color:rgb(255,255,230)"),
        ("color:WhiteSmoke", "color:silver"),
        ("color:snow", "color:yellow"),
        ("color:ivory", "color:unheard-of"),
        (f"{BLACK};color:black", f"{BLACK};color:navy"),
        (f"{BLACK};color:#181818", f"{BLACK};color:#191919"),
        (BLACK, f"{BLACK};color:#fff"),
        ("background:#abc;color:#aabbcc", "background:#abc;color:#0a0b0c"),
        ("background:#10a0f0;color:#10a0f0", "background:#10a0f0;color:#10a0d0"),
        ("background-color:rgb(16, 32, 48);color:#102030", "background-color:rgb(16,32,48);color:#302010"),
        ("background:no-repeat rgb(16, 32, 48);color:#102030", "background:no-repeat rgb(16, 32, 48);color:#fff"),
        ("background-color:gray;color:grey", "background-color:gray;color:green"),
        ("background:rgba(255,0,0,1);color:red", "background:rgba(255,0,0,1);color:blue"),
        ("background:nonsense;color:#fff", "background:url(a.png);color:#fff"),
        ("background:transparent;color:#fff", "background:linear-gradient(#000, #111);color:#fff"),
        ("background:rgba(0,0,0,0.05);color:#fff", "background:rgba(0,0,0,0.1);color:#fff"),
        ("color:transparent", "color:#12"),
        ("color:rgba(0,0,0,0)", "color:rgba(0,0,0,1)"),
        ("color:rgba(0,0,0,.09)", "color:rgba(0,0,0,.1)"),
        ("color:rgba(0 0 0 / 0)", "color:rgb(1,2)"),
    ],
)
def test_a_text_in_the_colour_of_what_is_behind_it_is_hidden(hidden: str, seen: str) -> None:
    assert is_hidden(hidden) and not is_hidden(seen)


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("DISPLAY : None", True),
        ("display:none !important", True),
        ("dis/* x */play:/* y\n */none", True),
        ("display:none;display:block", False),
        ("display:block;display:none", True),
        ("display none;color:red", False),
        ("display:none:block", False),
        ("color:red;;opacity:0;", True),
    ],
)
def test_declarations_are_read_as_browsers_read_them(style: str, hidden: bool) -> None:
    assert is_hidden(style) is hidden


@pytest.mark.parametrize(
    ("sheet", "hidden"),
    [
        ("p{display:none}", True),
        ("div{display:none}", False),
        (".x{display:none}", True),
        (".y{display:none}", True),
        (".z{display:none}", False),
        ("#i{display:none}", True),
        ("#j{display:none}", False),
        ("p.x{display:none}", True),
        ("div.x{display:none}", False),
        ("p#i{display:none}", True),
        ("b, .x , i {display:none}", True),
        ("P.X{display:none}", True),
        ("p{display:none}.x{display:block}", False),
        (".x{display:block}p{display:none}", True),
        ("/* p{ */ .z{display:none} /* } */", False),
        (".a .x{display:none}", False),
        ("@media screen{.x{display:none}}", True),
        ("p{color:#fff}.x{opacity:1}", True),
    ],
)
def test_a_sheet_styles_what_its_simple_selectors_choose(sheet: str, hidden: bool) -> None:
    assert is_hidden("margin:0", sheet, 'class="x Y" id="I"') is hidden


def test_an_elements_own_style_goes_before_the_sheets() -> None:
    assert not is_hidden("display:block", "p{display:none}") and is_hidden("display:none", "p{display:block}")


def test_what_is_inside_a_hidden_element_is_hidden_unless_only_its_colour_hid_it() -> None:
    inner = '<b style="display:block;color:#000">X</b>'
    for outer, hidden in (("display:none", True), ("opacity:0", True), ("color:#fff", False), (BLACK, True)):
        assert from_html(f'<div style="{outer}">{inner}</div>').is_marked(0, "hidden") is hidden, outer
    seen = from_html(f'<div style="{BLACK}"><b style="color:#fff">X</b></div><b style="color:#fff">Y</b>')
    assert (seen.is_marked(0, "hidden"), seen.is_marked(2, "hidden")) == (False, True)
    font = from_html('<font color="white">X</font><p color="white">Y</p><table bgcolor="black"><tr><td>Z</table>')
    assert [font.is_marked(font.text.index(letter), "hidden") for letter in "XYZ"] == [True, False, True]
