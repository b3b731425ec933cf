"""Words of a question and of a header, for retrieval and planner alike: stems, numbers, slots."""
