"""The composition root and the life of the process."""
