"""Steps: an action resolved under the semantics of the run, run, kept and observed."""
