"""Suites: many tasks, many attempts, every run isolated, one report."""
