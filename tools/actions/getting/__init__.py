"""What Get needs: its arguments, and what resolving decides of them."""
