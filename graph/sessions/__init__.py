"""Sessions: questions and conversations from Python, waited for or streamed."""
