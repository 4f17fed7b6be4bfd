"""Release: everything that is published, made from the tree and checked."""
