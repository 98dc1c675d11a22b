"""Severity of a change that no item claims: harmless, ordinary talk, a slip, or harm."""
