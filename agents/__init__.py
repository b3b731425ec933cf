"""Who thinks: the supervisor, the embedded planner, the models behind one gateway."""
