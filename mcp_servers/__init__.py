"""Tool surfaces: the names agents know an app's operations by, and the launchers that serve them."""
