"""Answers that several methods share."""

from typing import TypedDict


class Done(TypedDict):
    """Nothing to tell beyond success."""
