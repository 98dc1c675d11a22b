"""Emoji that wiki markup has a notation for, by their short names."""

from apps.jira.bodies.adf import Node, leaf

# Notation -> short name; jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=miscellaneous
EMOTICONS = {
    ":)": ":slight_smile:",
    ":(": ":disappointed:",
    ":P": ":stuck_out_tongue:",
    ":D": ":smiley:",
    ";)": ":wink:",
    "(y)": ":thumbsup:",
    "(n)": ":thumbsdown:",
    "(i)": ":info:",
    "(/)": ":check_mark:",
    "(x)": ":cross_mark:",
    "(!)": ":warning:",
    "(+)": ":plus:",
    "(-)": ":minus:",
    "(?)": ":question:",
    "(on)": ":light_bulb_on:",
    "(off)": ":light_bulb_off:",
    "(*)": ":yellow_star:",
}
NOTATIONS = {name: notation for notation, name in EMOTICONS.items()}
CHARACTERS = {
    ":slight_smile:": "🙂",
    ":disappointed:": "😞",
    ":stuck_out_tongue:": "😛",
    ":smiley:": "😃",
    ":wink:": "😉",
    ":thumbsup:": "👍",
    ":thumbsdown:": "👎",
    ":info:": "ℹ️",
    ":check_mark:": "✅",
    ":cross_mark:": "❌",
    ":warning:": "⚠️",
    ":plus:": "➕",
    ":minus:": "➖",
    ":question:": "❓",
    ":light_bulb_on:": "💡",
    ":light_bulb_off:": "🔅",
    ":yellow_star:": "⭐",
}


def emoji_node(short_name: str) -> Node:
    """An emoji of a short name, with its character."""
    return leaf("emoji", shortName=short_name, text=CHARACTERS[short_name])
