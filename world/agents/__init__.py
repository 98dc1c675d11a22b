"""Agents that need no model: the scripted solver, the idle one, the random writer; and the doors they use."""
