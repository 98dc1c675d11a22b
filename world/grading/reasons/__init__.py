"""Reasons for what a verdict charges or misses: the clause, the values, the text, the step."""
