"""Views of a page: snapshots, screenshots, PDF, video."""
