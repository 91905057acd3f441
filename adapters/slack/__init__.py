"""Slack: the chat platform, and the surface on which people start and steer panels there."""
