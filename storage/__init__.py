"""The database: SQLite or PostgreSQL behind the ports of `bot/core/store.py`, and the same in memory.

Read in this order: `tables.py` (what is kept), `store.py` (what may happen to it), `database.py` (how a transaction
reaches the disk). `opening.py` puts them together; `faults.py` says in words what a database can do wrong.
"""
