"""What a person sees of a row: its passages, without markup, and how each stretch of them is dressed."""
