"""A simulated smart meter trial: one row per household, readings by half hour, day, week, month."""
