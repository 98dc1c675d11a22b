"""Chores: one file each. `docs/chores.md` says how to write one."""
