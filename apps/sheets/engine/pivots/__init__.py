"""Pivot tables: a definition in the vendor's words and its source's rows, made into a table of values."""
