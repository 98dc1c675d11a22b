"""Pivot tables: computes the table of values from the vendor's definition and the source's rows."""
