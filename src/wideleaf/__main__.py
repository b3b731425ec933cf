"""The command line as ``python -m wideleaf``."""

import sys

from wideleaf.graph.cli import main

sys.exit(main())
