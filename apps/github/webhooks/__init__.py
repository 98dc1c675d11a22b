"""Webhooks: payloads of events, and the stored deliveries."""
