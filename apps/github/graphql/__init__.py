"""The GraphQL door: the served schema, an engine that resolves a field for all objects at once, and the resolvers."""
