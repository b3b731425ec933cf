"""The chat page: a server over tables with a page of its own, for browsers."""
