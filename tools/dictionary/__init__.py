"""What the user said of columns: corrections and data dictionaries."""
