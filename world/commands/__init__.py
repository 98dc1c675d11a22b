"""Subcommands of `firm`, one module each."""
