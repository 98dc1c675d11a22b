"""Why a verdict charges or misses something, legibly: the clause, the values, the text, the step."""
