"""Scenarios that ship with firmament: one folder each, with task.md, scenario.py, rubric.yaml and oracle.py."""
