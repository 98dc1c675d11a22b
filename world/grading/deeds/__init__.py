"""What a text says its author, or nobody in particular, has done, against what the run shows."""
