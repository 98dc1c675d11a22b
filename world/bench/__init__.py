"""Measurements. Every figure stands beside a reference measured in the same run."""
