"""A text with each of its sentences denied, as the gate tries them on every text of a solution."""

import pytest

from world.gate.sentences import deny_sentences


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The key is revoked.", "It is not true that the key is revoked."),
        (
            "The key is revoked. Two services use it.",
            "It is not true that the key is revoked. It is not true that two services use it.",
        ),
        ("Hi Mia,\n\nPAY-1 is closed.\n\nAda", "Hi Mia,\n\nIt is not true that PAY-1 is closed.\n\nAda"),
        ("Done. I have told Bob too.", "Done. It is not true that I have told Bob too."),
        ("Could you send me the list?", "It is not true that could you send me the list?"),
        ("All good", "It is not true that all good"),
    ],
)
def test_every_sentence_is_denied_and_greetings_stay(text: str, denied: str) -> None:
    assert deny_sentences(text) == denied
