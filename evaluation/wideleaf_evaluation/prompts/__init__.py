"""The prompts of the models that judge errors, write questions and screen them."""

PROMPTS = __name__
