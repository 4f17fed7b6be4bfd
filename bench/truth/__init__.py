"""Truth: what tabmux shows of real pages and does to them, judged by Chrome and by listeners of our own."""
