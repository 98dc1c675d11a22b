"""Denials of harm in a text, against what others told by then."""
