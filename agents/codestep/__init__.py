"""CodeSTEP: a question as steps and a program of named functions, read, never run."""
