"""The language of searches in the drive (`q` of files.list).

developers.google.com/workspace/drive/api/guides/search-files,
developers.google.com/workspace/drive/api/guides/ref-search-terms. `grammar.read(text)` gives a tree,
`compiler.compile_search(call, tree)` a condition over `drive_file f` with bound values.
"""
