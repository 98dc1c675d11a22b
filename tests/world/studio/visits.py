"""Visits to the studio's pages in this process."""

import asyncio
from pathlib import Path

import httpx

from world.run.home import Home
from world.studio.access import StudioAccess
from world.studio.studio_app import Studio, build_studio


def visit(home: Home, root: Path, *paths: str) -> list[httpx.Response]:
    """The answers of the studio's pages."""

    async def get() -> list[httpx.Response]:
        studio = Studio(home, root)
        guard = StudioAccess(build_studio(studio), "secret")
        headers = {"Authorization": "Bearer secret"}
        transport = httpx.ASGITransport(guard)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
                return [await http.get(path) for path in paths]
        finally:
            await studio.close()

    return asyncio.run(get())
