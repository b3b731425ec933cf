"""Roles that a model may take in place of rules: selector, describer, critic, writer."""
