"""Emoji by their names: `:wave:`, `wave::skin-tone-3` and `👋🏽` are one."""

import re

_DRESS = re.compile("[\U0001f3fb-\U0001f3ff\ufe0e\ufe0f]")  # colours of skin, and how a sign is drawn
OBSCENE = frozenset("middle_finger fu reversed_hand_with_middle_finger_extended \U0001f595".split())


def bare_emoji(written: str) -> str:
    """Return the bare name of an emoji, without colons and skin tone."""
    return _DRESS.sub("", written.strip().strip(":").partition("::")[0]).lower()
