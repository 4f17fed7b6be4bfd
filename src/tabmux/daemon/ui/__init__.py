"""The live view: people watch sessions and steer them, in a browser."""
