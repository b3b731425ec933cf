"""What this machine can lock, tried rather than believed."""
