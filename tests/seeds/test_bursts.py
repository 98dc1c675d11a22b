"""Thoughts sent as several messages: nothing is lost, pasted text stays whole, people of a chat follow themselves."""

from itertools import pairwise

from seeds.bursts import MOST, draw_pause_s, split_thought
from seeds.events import Posted
from tests.seeds.conftest import Tell
from world.core.rng import Stream


def test_a_thought_is_split_between_sentences_and_pasted_text_is_not() -> None:
    text = "looked at it again. it is not the cache. will write it down later! promised"
    draws = [Stream("bursts", number) for number in range(40)]
    sent = [split_thought(text, "chatty", draw) for draw in draws]
    assert {" ".join(pieces) for pieces in sent} == {text}
    assert {len(pieces) for pieces in sent} == {1}  # its last sentence is too short to stand alone
    told = [split_thought(text.removesuffix(" promised"), "chatty", draw) for draw in draws]
    assert {len(pieces) for pieces in told} == {1, 3}
    assert all(split_thought(f"see. this one\n{text}", "chatty", draw) == [f"see. this one\n{text}"] for draw in draws)


def test_a_short_form_ends_no_sentence() -> None:
    text = "that is 40 now vs. 12 before, i.e. too many. please ask Dr. Novak again"
    sent = {tuple(split_thought(text, "chatty", Stream("bursts", number))) for number in range(20)}
    assert sent == {(text,), ("that is 40 now vs. 12 before, i.e. too many.", "please ask Dr. Novak again")}


def test_clauses_are_sent_apart_without_their_comma_and_the_last_message_takes_the_rest() -> None:
    text = "it is not the cache, but the list is old, so please wait"
    sent = {tuple(split_thought(text, "chatty", Stream("bursts", number))) for number in range(20)}
    assert sent == {(text,), ("it is not the cache", "but the list is old", "so please wait")}
    told = {len(split_thought(f"{'one more. ' * 9}that is it", "chatty", Stream("bursts", n))) for n in range(20)}
    assert told == {1, MOST}


def test_longer_messages_take_longer_to_type() -> None:
    short, long = ([draw_pause_s(words, Stream("pause", n)) for n in range(50)] for words in (2, 40))
    assert min(short) > 3 and sum(long) > sum(short)


def test_people_of_a_chat_follow_themselves(tell: Tell) -> None:
    talks: dict[tuple[str, str], list[str]] = {}
    for event in tell().events:
        if isinstance(event.facts, Posted) and event.facts.human and event.story.startswith("chat."):
            talks.setdefault((event.story, event.facts.channel), []).append(event.actor)
    pairs = [pair for talk in talks.values() for pair in pairwise(talk)]
    assert 0.15 <= sum(one == other for one, other in pairs) / len(pairs) <= 0.5
