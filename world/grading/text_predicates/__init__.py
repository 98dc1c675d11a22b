"""Predicates of a rubric on the words of a text: mentions, claims, quotes, statements, and length."""
