"""What Join needs: keys, whether cells bear a key out, and joins to the nearest."""
