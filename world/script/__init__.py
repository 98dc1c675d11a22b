"""Everything that scenario authors use: scripts, events, stages, coworkers, personnel changes and faults."""
