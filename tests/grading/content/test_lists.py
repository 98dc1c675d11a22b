"""Lists say the same of many things, and something of each."""

from world.core.reading.plain import from_plain
from world.grading.content.garbage import find_garbage
from world.grading.content.text import read_text

STATES = "\n".join(f"- SHOP-{number}: started" for number in range(3, 12))


def is_garbage(text: str) -> bool:
    return bool(list(find_garbage(read_text(from_plain(text)))))


def test_a_list_of_keys_with_their_states_is_no_garbage() -> None:
    assert not is_garbage(f"These are in:\n{STATES}\n- SHOP-99: still waits")
    assert not is_garbage(STATES)


def test_what_lists_nothing_but_the_same_word_is() -> None:
    assert is_garbage("\n".join(["- started"] * 12))
    assert is_garbage("\n".join("- SHOP-4: started started started started" for _ in range(9)))
    assert is_garbage("- SHOP-1: asdfgh\n- SHOP-2: qwertz\n- SHOP-3: yxcvbn")


ADDRESSES = ("account@ferientakt-login.example", "team@rooming-secure.example", "hello@norsel-marine.example")


def _lists(text: str) -> bool:
    return not list(find_garbage(read_text(from_plain(text)), {"address", "blocked", "yes"}.__contains__))


def test_a_list_of_addresses_says_something_whatever_stands_beside_them() -> None:
    assert _lists("\n".join(ADDRESSES))
    assert _lists("| Address | Blocked | Warned |\n" + "\n".join(f"| {one} | yes | yes |" for one in ADDRESSES))
    assert _lists("Sender, Service\n" + "\n".join(f"{one}, yes" for one in ADDRESSES))
    assert not _lists("foo@bar.example asdfgh qwertz yxcvbn foo@bar.example asdfgh qwertz yxcvbn")
    assert not _lists("blocked blocked blocked a@x.example blocked blocked blocked")
