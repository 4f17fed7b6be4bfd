"""Policy: may this URL, file or header pass? Pure decisions, made before anything happens."""

from tabmux.policy.file_policy import FilePolicy
from tabmux.policy.header_redaction import Redaction
from tabmux.policy.policy import Policy
from tabmux.policy.url_policy import OPEN_SCHEMES, UrlPolicy

__all__ = ["OPEN_SCHEMES", "FilePolicy", "Policy", "Redaction", "UrlPolicy"]
