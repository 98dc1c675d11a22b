"""Running of worlds: the actor, the host of many worlds, episodes, runs and their folders."""
