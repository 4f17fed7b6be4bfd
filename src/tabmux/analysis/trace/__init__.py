"""Performance traces: read a file once, and know what the insights need."""
