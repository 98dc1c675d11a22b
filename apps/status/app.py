"""The app object of the status pages."""

from world.operation import App

app = App("status", "Status")
app.fault_codes = {"error": "unavailable", "ratelimit": "too_many_requests"}
