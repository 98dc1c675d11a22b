"""Environments of training frameworks over the public client. Each imports its framework, which you install beside it."""
