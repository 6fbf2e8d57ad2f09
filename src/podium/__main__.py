"""`python -m podium` is the same as `podium`."""

from podium.cli import main

if __name__ == "__main__":
    main()
