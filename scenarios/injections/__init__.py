"""Vectors of prompt injection: one file each. `docs/injection.md` says how to write one."""
