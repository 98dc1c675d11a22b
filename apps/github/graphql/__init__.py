"""The GraphQL door: a schema of our own, an engine that resolves field by field for all objects at once, and the
resolvers.
"""
