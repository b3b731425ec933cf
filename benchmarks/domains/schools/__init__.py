"""School districts of one state over nine years: enrolment, tests, graduation and money."""
