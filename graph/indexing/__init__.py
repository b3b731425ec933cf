"""The index from outside: built, searched, described, and runs tried dry."""
