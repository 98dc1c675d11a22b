"""Delivery of events to apps: over Socket Mode and to request URLs."""
