"""Tools of DevTools: console, network, scripts, styles, emulation."""
