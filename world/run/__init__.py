"""What runs a world: its actor, the host of many worlds, episodes, runs and their folders."""
