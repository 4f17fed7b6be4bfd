"""May this URL, file or header pass? Pure decisions, made before anything happens."""

from tabmux.policy.files import FilePolicy
from tabmux.policy.headers import Redaction, redacted
from tabmux.policy.policy import Policy
from tabmux.policy.urls import OPEN_SCHEMES, UrlPolicy

__all__ = ["OPEN_SCHEMES", "FilePolicy", "Policy", "Redaction", "UrlPolicy", "redacted"]
