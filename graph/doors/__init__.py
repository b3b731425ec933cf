"""Doors for others: LangGraph Studio, tools of other agents, frames by id."""
