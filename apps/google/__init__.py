"""What the doors of Google's APIs share: reading by schema, answers, errors, batches, uploads, tokens. No app: it
exports none.
"""
