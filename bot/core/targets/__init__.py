"""What a panel may be pointed at, and the tools that look into it."""
