"""python -m tabmux."""

from tabmux.cli.main import main

if __name__ == "__main__":
    main()
