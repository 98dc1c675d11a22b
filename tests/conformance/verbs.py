"""GET, POST and the like of a client of one app's REST door, each a request as a person."""

from abc import ABC, abstractmethod
from typing import Any

import httpx2


class Verbs(ABC):
    """A client that says how a request of somebody's is made."""

    @abstractmethod
    def request(self, method: str, path: str, **more: Any) -> httpx2.Response:
        """One request."""

    def get(self, path: str, **more: Any) -> httpx2.Response:
        """GET."""
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx2.Response:
        """POST."""
        return self.request("POST", path, **more)

    def put(self, path: str, **more: Any) -> httpx2.Response:
        """PUT."""
        return self.request("PUT", path, **more)

    def patch(self, path: str, **more: Any) -> httpx2.Response:
        """PATCH."""
        return self.request("PATCH", path, **more)

    def delete(self, path: str, **more: Any) -> httpx2.Response:
        """DELETE."""
        return self.request("DELETE", path, **more)
