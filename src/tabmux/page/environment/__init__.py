"""What a page is told of its surroundings, and what sites keep in the browser."""
