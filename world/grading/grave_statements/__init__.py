"""Grave matters that a text states and that nobody reported."""
