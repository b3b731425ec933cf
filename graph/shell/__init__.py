"""The shell: its commands, and its flags, which are the fields of `graph/context.py`."""
