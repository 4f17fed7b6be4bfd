"""Enters rows of a CSV file into a form, by the tool that tabmux derives from the form.

    python examples/data_entry.py https://shop.example/customers/new customers.csv

The columns of the file are the arguments of the page's tool. A form that says what is wrong
raises `ValidationError`; the row is reported, and the others are entered.
"""

from __future__ import annotations

import asyncio
import csv
import sys

import tabmux
from tabmux.exceptions import ValidationError


def read_rows(file: str) -> list[dict[str, str]]:
    """Return the rows of a file by the names of its columns."""
    with open(file, encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


async def enter(url: str, customers: list[dict[str, str]]) -> list[str]:
    """Enter every row, and return a line for each."""
    report = []
    async with tabmux.session(headless=True) as tab:
        for customer in customers:
            await tab.goto(url)
            # The form is the tool that takes what the columns say.
            tools = (await tab.list_page_tools()).tools
            form = next(t for t in tools if customer.keys() <= t.arguments["properties"].keys())
            try:
                await tab.tools[form.name](**customer)
            except ValidationError as error:
                report.append(f"refused: {customer['name']}: {error.message.splitlines()[0]}")
            else:
                report.append(f"entered: {customer['name']}")
    return report


if __name__ == "__main__":
    sys.stdout.write("\n".join(asyncio.run(enter(sys.argv[1], read_rows(sys.argv[2])))) + "\n")
