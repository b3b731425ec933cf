"""Wide tables of twelve fields, six to build on and six that are locked, made from a seed."""
