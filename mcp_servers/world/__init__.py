"""The tools that belong to no vendor."""
