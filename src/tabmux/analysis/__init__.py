"""Pure number-crunching: traces, heaps, styles."""
