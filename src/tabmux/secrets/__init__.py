"""Secrets: values that agents name and only tabmux knows."""
