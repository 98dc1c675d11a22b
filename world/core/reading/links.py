"""Links that a row keeps in columns of their own: a label and where it leads."""

from html import escape

from world.core.reading.html import from_html
from world.core.reading.passage import Passage


def from_link(label: str, address: str) -> Passage:
    """A link as a page draws it: its label, and its address where the label does not say it."""
    return from_html(f'<a href="{escape(address)}">{escape(label)}</a>')
