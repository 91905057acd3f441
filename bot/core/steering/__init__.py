"""What people say in a thread, and what it does."""
