"""Whether what a text states stands in something its author could read, and whether its readers may know it."""
