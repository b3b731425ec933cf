"""Steps: an action resolved, run, kept and observed."""
