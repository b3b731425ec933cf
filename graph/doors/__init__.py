"""Doors for others: LangGraph Studio, tools of other agents, the routes of a server."""
