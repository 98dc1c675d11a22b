"""Projectors: event log -> rows, one module per app."""
