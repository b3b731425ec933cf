"""The critic: findings against a result, from data, joins, shapes, literals and headers."""
