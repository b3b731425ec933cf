"""Retention: what a run's folder holds, who uses it now, and what may be taken away."""
