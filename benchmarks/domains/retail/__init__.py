"""Shops of a grocery chain over one fiscal year, with sales by week and department."""
