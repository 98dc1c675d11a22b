"""Continuous integration: workflow files, job plans, runs in the sandbox, and their logs and annotations."""
