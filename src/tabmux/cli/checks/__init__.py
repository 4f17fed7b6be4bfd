"""What tabmux doctor looks at."""
