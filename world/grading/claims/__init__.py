"""The claims grammar: sentences that say of a subject that it is in a state."""
