"""Settings: declared once here, read from a file, the environment and flags, in that order."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal

from tabmux.errors import Misuse
from tabmux.peer_flags import in_our_words, parse_switch, snake_case, switch_value
from tabmux.timings import Timings

ENVIRONMENT_PREFIX = "TABMUX_"
# Flags that are no settings, for those who mistype them.
_ABOUT_FLAGS = ("config", "help", "version")
_HIGHEST_PORT = 65_535
_HIGHEST_NUMBER = 1_000_000_000

# A table of the file: its keys and values.
SettingsTable = tuple[tuple[str, Any], ...]
Scope = Literal["daemon", "browser", "session", "rule"]


def setting(
    default: Any,
    text: str,
    *,
    choices: tuple[str, ...] = (),
    metavar: str = "",
    aliases: tuple[str, ...] = (),
    scope: Scope = "daemon",
    only_in_file: bool = False,
    is_path: bool = False,
    highest: int = _HIGHEST_NUMBER,
) -> Any:
    """Declare a setting.

    Args:
        default: Its value where nobody sets it; `Settings.<name>` is the same value.
        text: What help says of it.
        choices: The values it may have, if they are few.
        metavar: What stands for its value in help.
        aliases: What else its flag is called.
        scope: Whom it concerns. What a client says of the `browser` and the `session` is for its
            own session, a `rule` keeps agents from something and can be made narrower for a
            session, and what concerns the whole `daemon` is refused where the daemon differs.
        only_in_file: Whether it has no flag.
        is_path: Whether it names files or folders: relative ones are meant from where they are
            written, which is not where the daemon runs.
        highest: Up to where a number makes sense.
    """
    about: dict[str, Any] = {
        "help": text,
        "choices": choices,
        "metavar": metavar,
        "aliases": aliases,
    }
    about |= {"scope": scope, "only_in_file": only_in_file}
    return field(default=default, metadata={**about, "is_path": is_path, "highest": highest})


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, by flag, by environment variable or in the file."""

    stdio: bool = setting(
        False, "Serve MCP over standard input and output (tabmux serve).", scope="session"
    )
    http: bool = setting(False, "Serve MCP over HTTP (tabmux serve).")
    host: str = setting("127.0.0.1", "The address that the HTTP server listens on.")
    port: int = setting(3000, "The port that the HTTP server listens on.", highest=_HIGHEST_PORT)
    no_auth: bool = setting(False, "Ask no token of HTTP clients (loopback only).")
    allow_origin: tuple[str, ...] = setting(
        (),
        "A web page that may talk to the HTTP server with the token, such as https://claude.ai.",
        metavar="ORIGIN",
    )
    allow_host: tuple[str, ...] = setting(
        (),
        "A further name and port by which HTTP clients may call the server.",
        metavar="HOST[:PORT]",
    )
    browser_url: tuple[str, ...] = setting(
        (),
        "A running browser, such as http://127.0.0.1:9222.",
        metavar="[NAME=]URL[|COMMAND]",
        scope="browser",
    )
    ws_endpoint: tuple[str, ...] = setting(
        (), "The debugging socket of a running browser.", metavar="[NAME=]WS-URL", scope="browser"
    )
    ws_headers: tuple[str, ...] = setting(
        (),
        "Headers for a --ws-endpoint, as a JSON object; in the same order.",
        metavar="JSON",
        scope="browser",
    )
    launch: bool = setting(False, "Start a browser.", scope="browser")
    headless: bool = setting(False, "Start the browser without a window.", scope="browser")
    channel: str | None = setting(
        None,
        "Which installed browser to start.",
        choices=("stable", "beta", "dev", "canary", "chromium", "edge", "brave"),
        scope="browser",
    )
    executable_path: str | None = setting(
        None, "The program of the browser to start.", metavar="PATH", scope="browser", is_path=True
    )
    user_data_dir: str | None = setting(
        None,
        "The profile folder to start the browser on.",
        metavar="DIR",
        scope="browser",
        is_path=True,
    )
    profile: tuple[str, ...] = setting(
        (),
        "A named profile to start the browser on; each further one starts a further browser.",
        metavar="NAME",
        scope="browser",
    )
    auto_connect: bool = setting(
        False, "Join the Chrome of --channel that is running already.", scope="browser"
    )
    keep: bool = setting(
        False,
        "Leave the browser running when the server ends, to be found again.",
        scope="browser",
    )
    isolated: bool = setting(
        False, "Start the browser on a new profile that is deleted afterwards.", scope="browser"
    )
    viewport: str | None = setting(
        None, "The size of the pages that a session opens.", metavar="WxH", scope="session"
    )
    proxy_server: str | None = setting(
        None, "A proxy for the browser.", metavar="URL", scope="browser"
    )
    accept_insecure_certs: bool = setting(
        False,
        "Let the browser open sites whose certificate is not trusted; for test sites only.",
        scope="browser",
    )
    chrome_arg: tuple[str, ...] = setting(
        (), "A further argument for the browser's command line.", metavar="ARG", scope="browser"
    )
    cool_down: int = setting(
        int(Timings.cool_down), "Seconds before a browser that failed is tried again."
    )
    heartbeat: int = setting(
        int(Timings.heartbeat), "Seconds between two looks whether a browser is alive."
    )
    browser: tuple[Mapping[str, Any], ...] = setting(
        (),
        "Browsers with settings of their own; only in the file, as [[browser]] tables.",
        only_in_file=True,
        scope="browser",
    )
    grid: str | None = setting(
        None,
        "A Selenium Grid, whose browsers sessions get; such as https://hub:4444.",
        metavar="URL",
    )
    grid_options: tuple[tuple[str, Any], ...] = setting(
        (),
        "How the browsers of a grid are used; in the file, as the other keys of a [grid] table.",
        only_in_file=True,
    )
    cluster: str | None = setting(
        None,
        "A Redis or Valkey, by which several daemons behind one address share sessions; "
        "such as redis://host:6379/0.",
        metavar="URL",
    )
    cluster_address: str | None = setting(
        None,
        "Where other daemons of the cluster reach this one, if not at its own address.",
        metavar="URL",
    )
    tools: str = setting(
        "", "Groups of tools to add or leave out.", metavar="+GROUP,-GROUP", scope="session"
    )
    toolset: str = setting(
        "full", "Which tools clients are shown.", choices=("full", "focus", "slim"), scope="session"
    )
    slim: bool = setting(False, "The same as --toolset slim.", scope="session")
    follow_tabs: bool = setting(
        False, "In the focus toolset, move the focus when the user switches tabs.", scope="session"
    )
    destructive: str = setting(
        "allow",
        "What becomes of a page's own tools that destroy something.",
        choices=("allow", "confirm", "hide"),
    )
    secret: tuple[str | SettingsTable, ...] = setting(
        (),
        "A secret, kept in TABMUX_SECRET_NAME, that pages of an origin may be given by name; "
        "in the file also [[secret]] tables.",
        metavar="NAME=ORIGIN",
    )
    uid_style: str = setting(
        "short",
        "How uids are printed: a1_17, or u:a:1:17.",
        choices=("short", "long"),
        scope="session",
    )
    policy: str | None = setting(
        None,
        "A file that says what agents may do, by client and session.",
        metavar="FILE",
        is_path=True,
    )
    allow_path: tuple[str, ...] = setting(
        (),
        "A folder that tools may read and write.",
        metavar="DIR",
        aliases=("filesystem_root", "workspace"),
        is_path=True,
    )
    allow_scheme: tuple[str, ...] = setting(
        (), "A further URL scheme that pages may be sent to.", metavar="SCHEME"
    )
    allow_url: tuple[str, ...] = setting(
        (),
        "Pages may go only where such a pattern allows.",
        metavar="PATTERN",
        aliases=("allowed_url_pattern",),
        scope="rule",
    )
    deny_url: tuple[str, ...] = setting(
        (),
        "Pages may not go where such a pattern matches.",
        metavar="PATTERN",
        aliases=("blocked_url_pattern",),
        scope="rule",
    )
    no_javascript_evaluation: bool = setting(
        False, "Let agents run no scripts of their own.", scope="rule"
    )
    read_only: bool = setting(False, "Let agents go to pages and look, but not act.", scope="rule")
    redact_headers: tuple[str, ...] = setting(
        (),
        "A further header to hide from agents; off hides none.",
        metavar="NAME",
        scope="rule",
    )
    allow_clipboard: bool = setting(False, "Let agents read and write the clipboard.")
    reply_limit: int = setting(
        20_000,
        "Characters of a reply; what is cut is saved to a file. 0 for no limit.",
        scope="session",
    )
    no_fence: bool = setting(
        False, "Do not mark the text in replies that pages wrote.", scope="session"
    )
    structured: bool = setting(
        False,
        "Answer with data beside the text (structuredContent), for programs.",
        scope="session",
    )
    session_idle: int = setting(
        1800, "Seconds after which a session that nobody uses is closed, with its pages."
    )
    session_grace: int = setting(
        120, "Seconds after which a nameless session is closed whose client has hung up."
    )
    idle_exit: int = setting(
        600, "Seconds after which a daemon without sessions ends; 0 for never."
    )
    bridge: bool = setting(False, "Let the browser extension connect, paired or not yet.")
    bridge_port: int = setting(
        8765, "The port on loopback to which the extension connects.", highest=_HIGHEST_PORT
    )
    bridge_extension: tuple[str, ...] = setting(
        (), "The id of an extension of your own that may connect without a token.", metavar="ID"
    )
    bridge_insecure: bool = setting(
        False, "Let any local program act as an extension; for tests only."
    )
    ui_port: int = setting(
        0, "The port on loopback of a daemon's live view; 0 for any.", highest=_HIGHEST_PORT
    )
    human_command: str | None = setting(
        None,
        "A command to run when an agent asks for a person; TABMUX_REASON, TABMUX_SESSION_NAME and "
        "TABMUX_URL say why.",
        metavar="COMMAND",
    )
    human_webhook: str | None = setting(
        None,
        "A URL to which the request of an agent for a person is posted as JSON.",
        metavar="URL",
    )
    record: str = setting(
        "calls",
        "What is written down of every call: nothing, the calls, or also a picture of each action.",
        choices=("off", "calls", "pictures"),
        scope="session",
    )
    record_days: int = setting(7, "Days after which a recorded run is removed.", highest=36_500)
    record_megabytes: int = setting(
        500, "How large the record may grow; the oldest runs make room."
    )
    otel: str = setting(
        "off",
        "Tell OpenTelemetry of every call, and perhaps of its arguments (needs tabmux[otel]).",
        choices=("off", "calls", "arguments"),
    )
    log_file: str | None = setting(
        None, "Where to log, instead of standard error.", metavar="FILE", is_path=True
    )
    verbose: bool = setting(False, "Log more.", scope="session")
    sources: Mapping[str, str] = field(default_factory=dict, metadata={"internal": True})

    def source(self, name: str) -> str:
        """Say where a value came from: default, file, environment or flag."""
        return self.sources.get(name, "default")


def setting_fields() -> list[Field[Any]]:
    """Return the fields that a user can set."""
    return [f for f in fields(Settings) if not f.metadata.get("internal")]


def flag_fields() -> list[Field[Any]]:
    """Return the fields that have a flag."""
    return [f for f in setting_fields() if not f.metadata["only_in_file"]]


def with_types(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that were written down as JSON as they were; unknown ones are left out."""
    kinds = {each.name: str(each.type) for each in setting_fields()}
    return {
        name: tuple(value) if kinds[name].startswith("tuple") else value
        for name, value in values.items()
        if name in kinds
    }


def settings_of(*scopes: Scope) -> list[str]:
    """Name the settings of these scopes."""
    return [f.name for f in setting_fields() if f.metadata["scope"] in scopes]


def path_flags() -> set[str]:
    """Name the flags whose values are paths, aliases included."""
    found = [each for each in flag_fields() if each.metadata["is_path"]]
    aliases = [alias for each in found for alias in each.metadata["aliases"]]
    return {"config", *(each.name for each in found), *aliases}


def resolve_settings(
    flags: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> Settings:
    """Put the settings together; a flag beats the environment, which beats the file.

    Args:
        flags: What the command line says, by field name; `config` is the path of the file.
        environment: The environment variables; those of the process when absent.
    """
    given = {name: value for name, value in flags.items() if name != "config"}
    variables = os.environ if environment is None else environment
    layers = (
        ("file", _read_file(flags.get("config"))),
        ("environment", read_environment(variables)),
        ("flag", {name: value for name, value in given.items() if not _is_absent(value)}),
    )
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for origin, layer in layers:
        values |= layer
        sources |= dict.fromkeys(layer, origin)
    return Settings(**values, sources=sources)


def parse_flags(arguments: Sequence[str]) -> dict[str, Any]:
    """Read flags in either spelling, as --flag VALUE or --flag=VALUE; returns them by field.

    Those of chrome-devtools-mcp mean the same here, so that its configurations work.
    """
    found: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if (ours := in_our_words(word, rest)) is not None:
            rest = [*ours, *rest]
            continue
        flag, name, value = _flag(word, rest)
        each = _known_flags().get(name)
        if each is None:
            found[name] = _absolute_path(value)
        elif str(each.type).startswith("tuple"):
            found[name] = (*found.get(name, ()), *_convert(each, [value], flag))
        elif name == "tools" and name in found:
            found[name] = f"{found[name]},{value}"
        else:
            found[name] = _convert(each, value, flag)
    return found


def _known_flags() -> dict[str, Field[Any]]:
    return {each.name: each for each in flag_fields()}


def _flag(word: str, rest: list[str]) -> tuple[str, str, str]:
    """Return a flag as it is written, its name and its value, which may be taken from the rest."""
    known = _known_flags()
    usual = {alias: each.name for each in known.values() for alias in each.metadata["aliases"]}
    switches = {f"no_{name}": name for name, each in known.items() if str(each.type) == "bool"}
    flag, equals, value = word.partition("=")
    name = snake_case(flag)
    name = usual.get(name, name)
    if flag.startswith("--") and name not in known and name in switches:
        return flag, switches[name], "false"
    if not flag.startswith("--") or name not in (*known, "config"):
        raise Misuse(f"Unknown option {flag}.", hint=_nearest_flag(name, [*known, *usual]))
    if not equals and name in switches.values():
        return flag, name, switch_value(rest)
    if not equals and not rest:
        raise Misuse(f"{flag} needs a value.")
    return flag, name, value if equals else rest.pop(0)


def flag_words(flags: Mapping[str, Any]) -> list[str]:
    """Write flags as they stand on a command line, for another process to parse."""
    words: list[str] = []
    for name, value in flags.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif isinstance(value, tuple):
            words += [word for each in value for word in (flag, str(each))]
        elif not _is_absent(value):
            words += [flag, str(value)]
    return words


def read_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that environment variables make."""
    values = {}
    for each in setting_fields():
        variable = ENVIRONMENT_PREFIX + each.name.upper()
        if text := environment.get(variable):
            values[each.name] = _convert(each, text, variable)
    return values


def parse_viewport(text: str | None) -> tuple[int, int] | None:
    """Read the size of a window."""
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise Misuse(f"--viewport {text!r} is not of the form 1280x720.")
    return int(width), int(height)


def with_absolute_paths(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for a process that runs in another folder."""
    found = dict(environment)
    for each in setting_fields():
        variable = ENVIRONMENT_PREFIX + each.name.upper()
        if each.metadata["is_path"] and (text := environment.get(variable)):
            value = _convert(each, text, variable)
            found[variable] = value if isinstance(value, str) else "\n".join(value)
    return found


def _is_absent(value: Any) -> bool:
    return value is None or value is False or value == ()


def _read_file(path: str | os.PathLike[str] | None) -> dict[str, Any]:
    if path is None:
        return {}
    import tomllib

    try:
        with open(path, encoding="utf-8") as file:
            table = tomllib.loads(file.read())
    except (OSError, ValueError) as error:  # no TOML, or no UTF-8
        raise Misuse(f"Could not read the configuration {path}: {error}") from error
    except RecursionError as error:
        raise Misuse(f"The configuration {path} is nested too deeply.") from error
    known = {f.name: f for f in setting_fields()}
    folder = os.path.dirname(os.path.abspath(path))
    values = {}
    for key, value in _with_grid_options(table).items():
        name = key.replace("-", "_")
        if name not in known:
            raise Misuse(f"{path}: unknown key {key!r}.", hint=_nearest(name, list(known)))
        values[name] = _convert(known[name], value, f"{path}: {key}", folder)
    return values


def _with_grid_options(table: Mapping[str, Any]) -> dict[str, Any]:
    """Tell the address in a [grid] table from the rest, so that a flag can name another one."""
    found = dict(table)
    if isinstance(grid := found.get("grid"), dict):
        rest = dict(grid)
        found |= {"grid_options": rest, "grid": rest.pop("url", None)}
        if found["grid"] is None:
            del found["grid"]
    return found


def _convert(each: Field[Any], value: Any, source: str, folder: str = "") -> Any:
    """Give a value of the file, the environment or a flag the type of its setting.

    Args:
        each: The setting.
        value: What somebody wrote.
        source: Where, for errors.
        folder: What relative paths are meant from; the working folder when absent.
    """
    kind = str(each.type)
    try:
        if each.name == "browser":
            return tuple(_with_paths(dict(table), folder) for table in value)
        if each.name == "grid_options":
            return _table(value)
        if each.name == "secret" and not isinstance(value, str):
            return tuple(one if isinstance(one, str) else _table(one) for one in value)
        if kind.startswith("tuple"):
            texts = value.split("\n") if isinstance(value, str) else map(str, value)
            return tuple(_resolved(each, text, folder) for text in texts)
        if kind == "bool":
            return _parse_bool(value)
        if kind == "int":
            return _parse_number(each, value, source)
    except (TypeError, ValueError) as error:
        import reprlib

        raise Misuse(
            f"{source}: {reprlib.repr(value)} is not of the right kind ({kind})."
        ) from error
    text = str(value)
    choices = each.metadata["choices"]
    if choices and text not in choices:
        raise Misuse(f"{source}: {text!r} is none of {', '.join(choices)}.")
    return _resolved(each, text, folder)


def _with_paths(table: dict[str, Any], folder: str) -> dict[str, Any]:
    """Resolve the paths in a [[browser]] table."""
    known = {each.name: each for each in setting_fields()}
    for key, value in table.items():
        each = known.get(key.replace("-", "_"))
        if each is not None and isinstance(value, str):
            table[key] = _resolved(each, value, folder)
    return table


def _resolved(each: Field[Any], text: str, folder: str) -> str:
    # A program without a folder is one that PATH finds.
    is_command = each.name == "executable_path" and os.sep not in text
    if not each.metadata["is_path"] or not text or is_command:
        return text
    return _absolute_path(text, folder)


def _absolute_path(text: str, folder: str = "") -> str:
    return os.path.abspath(os.path.join(folder, os.path.expanduser(text)))


def _parse_number(each: Field[Any], value: Any, source: str) -> int:
    if isinstance(value, bool | float):
        raise TypeError(value)
    number, highest = int(value), each.metadata["highest"]
    if not 0 <= number <= highest:
        raise Misuse(f"{source}: {number} is not between 0 and {highest}.")
    return number


def _table(table: Mapping[str, Any]) -> SettingsTable:
    """Make a table comparable, as all settings are."""
    if not isinstance(table, Mapping):
        raise TypeError(table)
    return tuple(
        (key, tuple(value) if isinstance(value, list) else value)
        for key, value in sorted(table.items())
    )


def _parse_bool(value: Any) -> bool:
    return value if isinstance(value, bool) else parse_switch(str(value))


def _nearest(name: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, 1)
    return f"Did you mean {close[0]}?" if close else ""


def _nearest_flag(name: str, known: list[str]) -> str:
    hint = _nearest(name, [*known, *_ABOUT_FLAGS])
    return hint.replace("mean ", "mean --").replace("_", "-")
