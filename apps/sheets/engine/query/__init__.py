"""The QUERY function's language (developers.google.com/chart/interactive/docs/querylanguage)."""
