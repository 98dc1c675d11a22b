"""`python -m world`: the `firm` command."""

from world.cli import main

main()
