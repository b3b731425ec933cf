"""The state machine that answers, drawn with its actions in groups: as Mermaid text and as SVG."""
