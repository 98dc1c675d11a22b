"""What scenario authors use: scripts, events, stages, coworkers, personnel changes and faults."""
