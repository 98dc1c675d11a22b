"""Rows as the JSON objects of the published API."""
