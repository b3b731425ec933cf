"""The agronomy twin: a made-up table of crop trials, in the manner of TSO, appendix A.2."""
