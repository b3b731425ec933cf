"""The contract of a crafted function: its signature, the columns it reads, who allows it."""
