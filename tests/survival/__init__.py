"""Processes killed, stopped and woken up, disks that fill, databases that are locked; and panels that survive it."""
