"""`python -m gpusci`, the same as the `gpusci` command."""

from gpusci.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
