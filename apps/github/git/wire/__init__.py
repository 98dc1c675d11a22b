"""Git's wire: packet lines, requests and answers of fetch and push, packs in and out. Knows bytes and a Repo, no HTTP."""
