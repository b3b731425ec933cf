"""Reports: questions that say in which named values they want to be answered."""
