"""Tools that show a page: snapshot, picture, PDF, video."""
