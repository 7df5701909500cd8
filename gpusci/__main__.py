"""`python -m gpusci`, the same as the `gpusci` command."""

from gpusci.cli import main

raise SystemExit(main())
