"""Evaluation: question sets answered, scored and reported."""
