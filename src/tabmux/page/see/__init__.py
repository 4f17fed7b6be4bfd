"""Views of a page: snapshots, screenshots, video."""
