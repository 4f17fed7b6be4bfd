"""Logs in once, keeps the login in a file, and uses it in later runs.

    python examples/saved_login.py https://shop.example state.json

The password comes from the environment (SHOP_PASSWORD), not from the program.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tabmux.sync


def account(site: str, state: Path) -> str:
    """Return what the account page says, logging in only where it is needed."""
    with tabmux.sync.session(headless=True, flags=("--isolated",)) as tab:
        tab.goto(site)
        if state.exists():
            tab.restore_state(state)
        tab.goto(f"{site}/account")
        if "Log in" in (tab.snapshot().snapshot or ""):
            tab.fill('textbox "Email"', "ada@example.com")
            tab.fill('textbox "Password"', os.environ["SHOP_PASSWORD"])
            after = tab.click('button "Log in"', report="snapshot").snapshot or ""
            if "Log in" in after:
                raise SystemExit(f"The login was not taken:\n{after}")
            tab.save_state(state)
        return tab.read().text


if __name__ == "__main__":
    sys.stdout.write(account(sys.argv[1], Path(sys.argv[2])) + "\n")
