"""Models behind one gateway: clients, keys, replies, what was asked and what it cost."""
