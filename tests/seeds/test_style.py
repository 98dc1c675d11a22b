"""Voices: what a style may change in a text and what it never touches."""

import pytest

from seeds.chat_style import Style, apply_style, draw_style
from seeds.events import KEEP, KEPT, token
from world.core.rng import Stream

PLAIN = draw_style(Stream("test"), "formal")


def voice(**more: float) -> Style:
    """A style with only the traits named."""
    values = {name: getattr(PLAIN, name) for name in Style.__dataclass_fields__}
    return Style(**{**values, "lowercase": 0.0, "full_stop": 1.0, "typo": 0.0, **more})


def test_lower_case_people_write_lower_case_but_not_in_code_keys_and_names():
    text = (
        f"Look at `RetryPolicy.MAX`. {token('i', 'Some-Handle')} and {KEEP}Pacific Crest{KEPT} are done. I checked AWS."
    )
    said = apply_style(text, voice(lowercase=1.0), Stream("a"))
    assert said == f"look at `RetryPolicy.MAX`. {token('i', 'Some-Handle')} and Pacific Crest are done. i checked AWS."


def test_others_start_with_a_capital():
    assert apply_style("looking. i'm on it", voice(), Stream("a")) == "Looking. I'm on it"
    assert apply_style("iPhone users see it", voice(), Stream("a")) == "iPhone users see it"


def test_the_last_full_stop_goes_with_those_who_do_not_type_it():
    assert apply_style("Done.", voice(full_stop=0.0), Stream("a")) == "Done"
    assert apply_style("Well...", voice(full_stop=0.0), Stream("a")) == "Well..."


@pytest.mark.parametrize("n", range(60))
def test_a_slip_of_the_keyboard_hits_one_plain_word_only(n: int):
    text = (
        f"please restart `payments-worker` before {token('i', 'retry-client')} goes https://quayline.example/a/b :tada:"
    )
    said = apply_style(text, voice(typo=99.0), Stream("typo", n))
    kept = ["`payments-worker`", token("i", "retry-client"), "https://quayline.example/a/b", ":tada:"]
    assert all(part in said for part in kept)
    before, after = text.split(), said.split()
    assert len(before) == len(after)
    assert sum(a.lower() != b.lower() for a, b in zip(before, after, strict=True)) <= 1


def test_voices_differ_between_people():
    styles = [draw_style(Stream("seed", n), voice) for n in range(30) for voice in ("terse", "chatty", "formal")]
    assert len({(one.lowercase, one.full_stop, one.typo) for one in styles}) > 10
    assert all(one.lowercase == 0 for one in styles if one.voice == "formal")
