"""What a rubric may ask of a text by its words: what it mentions, claims, quotes, states, and how long it is."""
