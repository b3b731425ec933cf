"""The command line as ``python -m wideleaf``."""

import sys

from wideleaf.graph.shell.entry import main

sys.exit(main())
