"""What Predict does inside: rows, models and what is told of them."""
