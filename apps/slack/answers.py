"""Responses that several methods share."""

from typing import TypedDict


class EmptyAnswer(TypedDict):
    """Response without data beyond success."""
