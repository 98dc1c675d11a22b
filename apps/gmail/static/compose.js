// The compose windows.
