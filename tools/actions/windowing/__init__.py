"""What Window needs: its functions, the order of rows, and intervals."""
