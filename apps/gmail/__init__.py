"""Mail: Gmail's messages, threads and labels."""
