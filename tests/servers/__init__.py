"""Test servers of our own: platforms that run on 127.0.0.1 and are as strict as the real ones."""
