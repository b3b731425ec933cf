"""Six more everyday tables and 66 questions, for development, asked after the first were met."""
