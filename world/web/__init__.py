"""Parts that the app UIs share: page declarations, the form door, the shell, live updates, design tokens."""

from world.web.pages import Pages
from world.web.routes import build_missing_route, page_routes
from world.web.site import site_routes
from world.web.view import View

__all__ = ["Pages", "View", "build_missing_route", "page_routes", "site_routes"]
