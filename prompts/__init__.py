"""The prompts: Markdown templates with $blanks, beside the one function that fills them."""

from functools import cache
from importlib.resources import files
from string import Template


def render(name: str, /, package: str = __package__, **blanks: str) -> str:
    """Fill the template ``name.md``; a ``$`` inside a filled-in text means nothing.

    Args:
        name: The file's name without its ending.
        package: Where the file is.
        **blanks: The text of each of its blanks, all of them.

    Raises:
        FileNotFoundError: If there is no such template.
        ValueError: If a blank is missing, or one is given that the template does not have.
    """
    template = _template(name, package)
    wanted = set(template.get_identifiers())
    if wanted != blanks.keys():
        raise ValueError(
            f"prompt {name!r} was given the blanks {sorted(blanks)}; it has {sorted(wanted)}"
        )
    return template.substitute(blanks)


@cache
def _template(name: str, package: str) -> Template:
    return Template((files(package) / f"{name}.md").read_text(encoding="utf-8").strip())
