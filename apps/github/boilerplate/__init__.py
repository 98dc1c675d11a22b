"""Licence texts and .gitignore templates that the service offers for new repositories."""
