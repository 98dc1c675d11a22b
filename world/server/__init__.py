"""The process edge: the agents' plane, the control plane, and the sockets they listen on."""
