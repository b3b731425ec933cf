"""Car model variants with equipment, options, road and bench test results, safety and sales."""
