"""The graph of a heap snapshot: nodes, edges, dominators."""
