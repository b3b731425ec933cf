"""Join scopes: tables after the steps so far, and the conditions and joins asked of them."""
