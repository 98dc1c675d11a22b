"""What is no text of the future: that an app tells, by itself, of what was there at the first moment."""

from world.gate.leaks import TOPIC_EVENT, was_set_off
from world.grading.inputs import CallRow

FIRST = 10  # number of the last call before the agent's


def calls(*known: tuple[int, str, int | None]) -> dict[int, CallRow]:
    """Calls by number, each with its operation and its cause."""
    return {seq: CallRow(seq, 0, "system:world", "world", operation, cause) for seq, operation, cause in known}


def test_a_mail_about_an_earlier_message_is_no_secret() -> None:
    told = calls((12, TOPIC_EVENT, 4), (13, "mail.send", 12))
    assert was_set_off(12, told, FIRST) and was_set_off(13, told, FIRST)


def test_what_an_event_of_the_script_says_is_one_whatever_caused_it() -> None:
    told = calls((12, "event:outage", 4), (13, "chat.postMessage", 12), (14, TOPIC_EVENT, 13), (15, "mail.send", 14))
    assert not any(was_set_off(seq, told, FIRST) for seq in told)


def test_what_nothing_has_caused_is_one_too() -> None:
    assert not was_set_off(12, calls((12, "chat.postMessage", None)), FIRST)
