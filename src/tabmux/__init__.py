"""tmux for browsers: one daemon, many browsers, many agents."""

__version__ = "0.1.0"
