"""The pipeline: what every call of a tool goes through."""
