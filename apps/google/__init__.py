"""Shared parts of the doors of Google's APIs: parsing by schema, responses, errors, batches, uploads, tokens.

No app: it exports none.
"""
