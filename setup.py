"""Names the packages: each folder of the repository, with the folders in it, is one of wideleaf."""

from setuptools import find_packages, setup

FOLDERS = ("agents", "graph", "prompts", "retrieval", "tools")

setup(
    packages=[
        "wideleaf",
        *(f"wideleaf.{folder}" for folder in FOLDERS),
        *(f"wideleaf.{folder}.{inner}" for folder in FOLDERS for inner in find_packages(folder)),
    ]
)
