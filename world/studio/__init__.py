"""The studio: runs and live worlds for those who build, train or judge. On the control plane only."""
