"""Reads what a panel is pointed at: files, folders, git ranges; and runs the personas' read-only tools.

Parsers of foreign formats and model-written patterns run only in a child process with limits
(`bounded`, `child`); the modules that the child loads import nothing of the core but `shown`.
"""
