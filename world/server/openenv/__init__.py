"""OpenEnv's wire contract on the control plane: HTTP and WebSocket, for trainers that speak it already."""
