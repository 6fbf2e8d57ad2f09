"""`python -m bench [NAME ...]` runs the named benchmarks, or all of them."""

import sys
from importlib import import_module
from pkgutil import iter_modules

import bench


def main() -> None:
    known = [module.name for module in iter_modules(bench.__path__) if not module.name.startswith("_")]
    asked = sys.argv[1:] or known
    if unknown := [name for name in asked if name not in known]:
        sys.exit(f"No benchmark is named {', '.join(unknown)}. There are: {', '.join(known) or 'none yet'}.")
    for name in asked:
        print(f"== {name}")
        import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
