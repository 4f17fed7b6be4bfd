"""Command line and stdio relay: start fast, and import no server code."""
