"""What runs a panel: a session, its delivery, its ears, the driver and the watch."""
