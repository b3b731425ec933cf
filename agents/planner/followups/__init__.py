"""Follow-ups: a message read as going on from an earlier answer, by its plan or by its rows."""
