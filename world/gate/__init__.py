"""The validity gate: what a scenario's grader must prove before its scores may be quoted."""
