"""The vendor's search language: text to a tree, and a tree to conditions in SQL, for each kind of thing that is
searched.
"""
