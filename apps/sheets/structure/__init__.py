"""Rows, columns and what lies on ranges: how references, descriptions and stored rows follow when they move."""
