"""Whole conversations, as the command line prints them. `python -m tests.dialogs` writes them anew."""
