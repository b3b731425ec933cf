"""What Join needs: keys, keys that data suggest, and joins to the nearest."""
