"""What a text says that colleagues have said, decided or ordered, against what they wrote."""
