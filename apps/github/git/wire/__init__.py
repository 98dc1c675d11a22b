"""Git's wire protocol: packet lines, fetch and push requests and responses, packs. Knows bytes and a Repo, no HTTP."""
