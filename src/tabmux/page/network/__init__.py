"""The network of a page: requests, archives, interception."""
