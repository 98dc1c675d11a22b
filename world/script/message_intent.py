"""Intent of a message: it wants an answer, or none, since it thanks or only tells."""

import re

MOST_COURTEOUS = 12  # words of a message that is no more than a courtesy
MOST_TERSE = 3  # words of a message that may be a question without looking like one
_WORD = re.compile(r"[\w'-]+")
_LINK = re.compile(r"\w+://\S+")
_CALLED = re.compile(r"<[@#!][^>]*>|:[a-z0-9_+-]+:")
_COURTEOUS = frozenset(
    """
    thanks thank thx ty tnx cheers danke merci gracias appreciated appreciate perfect great understood noted noted, got
    ok okay kk ack acknowledged roger copy welcome
    """.split()
)
_CLOSING = frozenset("nothing answered explains settled solved".split())
_SENTENCE = re.compile(r"(?<=[.!;?])\s+|\n")
_REQUEST = re.compile(
    r"(?i)\b(?:please|pls|could|can you|would you|will you|let (?:me|us) know|tell (?:me|us)|send (?:me|us)|i need|we need"
    r"|need to know|asking|any (?:news|updates?)|wondering|bitte|merci de)\b"
)
_CONDITION = re.compile(r"(?i)\b(?:if|in case|should|when|once|unless|falls)\b")
_BEFORE = r"(?i)(?:[^\w\s]|@\S+\s|\b(?:and|also|so|then|hi|hey|hello|ok|but)\b|\s)*"  # a greeting, a name, a dash
_SOMETHING = r"(?:it|there|the|you|we|they|that|this|any\w*|all|both|i)\b"
_ASKED = re.compile(
    rf"{_BEFORE}(?:(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should)(?:n't)? {_SOMETHING}"
    rf"|(?:what|which|who|whom|whose|why|how|where|when) (?!{_SOMETHING})"
    r"|(?:check|confirm|give|say|explain|review|approve|verify|list|provide|share|clarify|help|look)\b)"
)


def _words(text: str) -> list[str]:
    return [word.casefold().strip("'") for word in _WORD.findall(_CALLED.sub(" ", _LINK.sub(" ", text)))]


def is_courtesy(text: str) -> bool:
    """Whether a message only thanks, confirms or takes note, so that nobody would answer it."""
    words = _words(text)
    if "?" in _LINK.sub(" ", text) or len(words) > MOST_COURTEOUS:
        return False
    return not words or not _COURTEOUS.isdisjoint(words)


def list_questions(text: str) -> list[str]:
    """List the sentences of a message that ask or request something, with a question mark or without.

    `please tell me if it changes` waits for nothing now.
    """
    return [sentence for sentence in _SENTENCE.split(_LINK.sub(" ", text)) if _is_question(sentence)]


def _is_question(sentence: str) -> bool:
    if "?" in sentence:
        return True
    asks = _REQUEST.search(sentence) or _ASKED.match(sentence)
    return asks is not None and _CONDITION.search(sentence) is None


def needs_no_reply(text: str) -> bool:
    """Whether a message gives thanks, says that nothing more is wanted, or tells something in a sentence, and asks for
    nothing.
    """
    words = _words(text)
    return not list_questions(text) and (len(words) > MOST_TERSE or not (_COURTEOUS | _CLOSING).isdisjoint(words))


def count_words(text: str) -> int:
    """Count the words of a message, without the people it calls and its links."""
    return len(_words(text))
