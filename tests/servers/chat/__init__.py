"""A chat platform as a process of its own, with its own log; confirmations are late or lost, and it is read back."""
