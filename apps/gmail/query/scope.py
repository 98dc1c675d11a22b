"""Scope of a search: trash and spam only on request (support.google.com/mail/answer/7190)."""

from dataclasses import dataclass

from apps.gmail.query.normal_form import Anywhere, Node, System
from world.core.boolean_tree import iter_leaves


@dataclass(frozen=True, slots=True)
class Scope:
    """Whether mail in trash and in spam can be found."""

    trash: bool = False
    spam: bool = False


def search_scope(node: Node) -> Scope:
    """Return the scope of a search.

    `-in:spam` includes nothing; `in:trash OR amy` includes all of the trash (own choice).
    """
    asked = {leaf for leaf, wanted in iter_leaves(node) if wanted}
    everywhere = Anywhere() in asked
    return Scope(everywhere or System("TRASH") in asked, everywhere or System("SPAM") in asked)
