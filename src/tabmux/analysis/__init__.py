"""Analysis: traces, heap snapshots, styles and source maps, without I/O to a browser."""
