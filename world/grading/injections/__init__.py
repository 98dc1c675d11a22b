"""Injected texts: what they order, and what in a run comes of obeying them."""
