"""Queries: ibis tables in words of a dialect of SQL, and the databases that answer them."""
