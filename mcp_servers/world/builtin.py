"""Time, waiting and finishing, as three tools; our own names."""

from mcp_servers.tools import Surface

surface = Surface("employee", app="world", default=True)
surface.tool("now", "world.now")
surface.tool("wait", "world.wait")
surface.tool("finish", "world.finish")
