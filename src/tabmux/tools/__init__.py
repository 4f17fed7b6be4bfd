"""The tools, which know no wire."""
