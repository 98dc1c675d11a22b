"""The picker's table of emoji: name, character, group; and the way from `:name:` to a character."""

from pathlib import Path

ALIASES = {
    "+1": "thumbsup",
    "-1": "thumbsdown",
    "like": "thumbsup",
    "satisfied": "laughing",
    "person_shrugging": "shrug",
    "person_facepalming": "facepalm",
    "thinking": "thinking_face",
    "robot": "robot_face",
    "unicorn": "unicorn_face",
    "yellow_circle": "large_yellow_circle",
    "green_circle": "large_green_circle",
    "check": "heavy_check_mark",
    "fist_raised": "fist",
    "punch": "facepunch",
    "hugs": "hugging_face",
    "information": "information_source",
}


def _read(text: str) -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    group = ""
    for line in text.splitlines():
        if line.startswith("# "):
            group = line[2:]
        else:
            groups.setdefault(group, []).extend(
                (name, char) for name, _, char in (e.rpartition(":") for e in line.split())
            )
    return groups


PICKER = _read((Path(__file__).parent / "emoji.txt").read_text(encoding="utf-8"))
BY_NAME = {name: char for entries in PICKER.values() for name, char in entries}


def picture(name: str) -> str | None:
    """The character of an emoji name without colons; None for one we do not know (a custom emoji)."""
    plain = name.split("::", 1)[0]
    return BY_NAME.get(ALIASES.get(plain, plain))
