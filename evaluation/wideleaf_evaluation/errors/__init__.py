"""Error classes of answers, as DataFrame QA counts them."""
