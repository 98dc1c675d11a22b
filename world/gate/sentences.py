"""Sentences of a text, for texts that are turned against themselves."""

import re

SENTENCE = re.compile(r"[^\n]*?[.!?](?=\s|$)|[^\n]+")
SHORTEST = 3  # words of a sentence that states something


def put_into(wording: str, text: str) -> str:
    """A wording with a text in it; within a sentence stands no exclamation: `Corrected.`"""
    return wording.replace("{text}", text).replace("{lowered}", lower_first(start_at_statement(text)))


def start_at_statement(text: str) -> str:
    """A text from its first sentence of several words on."""
    starts = [found.start() for found in SENTENCE.finditer(text) if len(found[0].split()) >= SHORTEST]
    return text[starts[0] :].lstrip() if starts else text


def lower_first(text: str) -> str:
    """A text as it stands within a sentence."""
    first = text.partition(" ")[0]
    return text if first == "I" or not first[1:].islower() else text[0].lower() + text[1:]


def contradict_sentence(wording: str, sentence: str) -> str:
    """A sentence against itself; questions, greetings and the like say nothing."""
    blank = sentence[: len(sentence) - len(sentence.lstrip())]
    return blank + put_into(wording, sentence.strip()) if is_statement(sentence) else sentence


def is_statement(sentence: str) -> bool:
    """Whether a sentence, or a line without an end, may say something."""
    bare = sentence.strip()
    return bare.endswith((".", "!")) or (len(bare.split()) > 2 and not bare.endswith((",", "?")))


def deny_sentences(text: str) -> str:
    """Every sentence denied, questions too; greetings and the like stay. A text without any is denied as a whole."""
    denied = SENTENCE.sub(lambda found: _deny(found[0]), text)
    return denied if denied != text else f"It is not true that {text[0].lower()}{text[1:]}"


def _deny(sentence: str) -> str:
    bare = sentence.strip()
    if len(bare.split()) < SHORTEST or bare.endswith(","):
        return sentence
    return sentence.replace(bare, f"It is not true that {lower_first(bare)}", 1)
