"""What model-written code may say: the allow-list over its syntax."""
