"""Tool surfaces over the chat service."""
