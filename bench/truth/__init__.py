"""Truth: what tabmux shows of real pages and does to them, judged from outside."""
