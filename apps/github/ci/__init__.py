"""What runs a repository's own checks: workflow files, plans of jobs, runs in the sandbox, and what is shown of them."""
