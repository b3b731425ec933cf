"""Coverage: which words of a question its plan accounts for, and what is said of the others."""
