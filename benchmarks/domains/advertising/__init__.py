"""Customers of a mail-order retailer: exposures, responses, survey answers and sales."""
