"""The supervisor: the model that steers."""
