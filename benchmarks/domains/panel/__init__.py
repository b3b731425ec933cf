"""People of a household panel survey interviewed once a year in eight waves."""
