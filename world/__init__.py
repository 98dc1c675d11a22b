"""The kernel: worlds, time, operations and grading. Knows no vendor."""
