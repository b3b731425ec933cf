"""Charts: a frame as a Vega-Lite spec, in a form chosen by rule or asked for."""
