"""`python -m gbrain` is the `gbrain` command."""

from gbrain.entry.main import main

main()
