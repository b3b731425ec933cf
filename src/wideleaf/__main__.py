"""The command line as ``python -m wideleaf``."""

import sys

from wideleaf.graph.shell.shell import main

sys.exit(main())
