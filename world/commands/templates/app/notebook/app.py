"""The app object: its name, title, and the codes that emulated failures answer with."""

from world.core.app import App

app = App("notebook", "Notebook", fault_codes={"error": "unavailable", "readonly": "unavailable"})
