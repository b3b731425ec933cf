"""Knowledge: graphs of facts, and what is asked of them."""
