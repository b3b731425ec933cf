"""Public libraries: one row per library system, annual survey figures, holdings, services, staff."""
