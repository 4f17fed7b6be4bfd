"""The focus toolset: tools that change with the tab in focus."""
