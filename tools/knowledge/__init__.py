"""Knowledge: the condition graph, what `Get` asks of tables, triples and temporal facts."""
