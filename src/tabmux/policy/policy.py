"""Policy: all that a user has decided about what agents may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tabmux.policy.file_policy import FilePolicy
from tabmux.policy.header_redaction import Redaction
from tabmux.policy.rule_source import RuleSource
from tabmux.policy.tool_limit import ToolLimit
from tabmux.policy.url_policy import UrlPolicy
from tabmux.settings import Settings


@dataclass(frozen=True)
class Policy:
    """The rules that every call goes by.

    Args:
        urls: Where pages may go.
        files: Which files may be read and written.
        headers: Which headers may be read.
        scripts: Whether agents may run scripts of their own in pages.
        read_only: Whether agents may only look.
        clipboard: Whether agents may read and write the clipboard.
        fence: Whether text that pages wrote is marked as such.
        reply_limit: How many characters a reply may have; 0 for any number.
        structured: Whether replies also hold data, for programs.
        tools: Rules of the policy file about tools, each of which must allow one.
        secrets: The names of the only secrets that may be used; None for all.
        downloads: Whether pages may download files.
        calls: How many calls a session may make; None for any number.
        minutes: How long a session may make calls, from its opening; None for ever.
        sources: Where the policy file says so, by its key; what the command line says is not there.
    """

    urls: UrlPolicy = field(default_factory=UrlPolicy)
    files: FilePolicy = field(default_factory=lambda: FilePolicy.of(()))
    headers: Redaction = field(default_factory=Redaction)
    scripts: bool = True
    read_only: bool = False
    clipboard: bool = False
    fence: bool = True
    reply_limit: int = 0
    structured: bool = False
    tools: tuple[ToolLimit, ...] = ()
    secrets: frozenset[str] | None = None
    downloads: bool = True
    calls: int | None = None
    minutes: float | None = None
    sources: Mapping[str, RuleSource] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> Policy:
        """Read the rules from the settings."""
        # A script can do everything that read-only is to prevent.
        scripts = not (settings.no_javascript_evaluation or settings.read_only)
        return cls(
            UrlPolicy.of(
                settings.allow_url, settings.deny_url, settings.allow_scheme, scripts=scripts
            ),
            FilePolicy.of(settings.allow_path, settings.policy),
            Redaction.of(settings.redact_headers),
            scripts,
            settings.read_only,
            settings.allow_clipboard,
            not settings.no_fence,
            settings.reply_limit,
            settings.structured,
        )

    def tool_limit_against(self, tool: str) -> ToolLimit | None:
        """Return the rule of the policy file that is against a tool, if one is."""
        return next((limit for limit in self.tools if not limit.allows(tool)), None)

    def lets_use(self, secret: str) -> bool:
        """Whether a secret of this name may be used."""
        return self.secrets is None or secret in self.secrets
