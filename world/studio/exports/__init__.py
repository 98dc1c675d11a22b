"""What is made of runs for training and analysis; docs/exports.md describes the formats."""
