"""Deeds that a text claims for its author, or for nobody in particular, against what the run shows."""
