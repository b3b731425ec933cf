"""The sandbox, this side of the wall: what is sent, what comes back, and how it is read."""
