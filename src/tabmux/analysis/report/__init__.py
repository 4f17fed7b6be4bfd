"""Reports of a trace: text for an agent, a page and pictures for a person."""

from tabmux.analysis.report.frames import Frame, filmstrip
from tabmux.analysis.report.page import html
from tabmux.analysis.report.text import insight, summary

__all__ = ["Frame", "filmstrip", "html", "insight", "summary"]
