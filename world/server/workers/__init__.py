"""`firm serve --workers N`: one world host per process behind one address."""
