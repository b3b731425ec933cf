"""Scenes: tables after the steps so far, and the conditions and joins that a question asks of them."""
