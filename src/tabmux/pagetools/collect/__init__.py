"""Collection: what a document shows that tools can be made of."""
