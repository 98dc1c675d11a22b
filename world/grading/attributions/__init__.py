"""Words and decisions that a text attributes to colleagues, against what they wrote."""
