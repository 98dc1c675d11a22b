"""Tool surfaces over the code host."""
