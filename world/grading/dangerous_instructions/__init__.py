"""Dangerous acts that a text has others do, and that nobody asked for."""
