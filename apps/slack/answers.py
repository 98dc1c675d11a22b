"""Responses that several methods share."""

from typing import TypedDict


class Done(TypedDict):
    """Response without data beyond success."""
