"""Views that apps show to people: what they are made of, what is entered, and which are open."""
