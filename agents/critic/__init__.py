"""The critic: doubts about a result that data, joins, shapes and words give rise to."""
