"""Questions of a first hour with everyday tables, locked."""
