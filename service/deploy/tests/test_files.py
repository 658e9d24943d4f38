"""The deployment files agree with the service, and the tools of their formats accept them."""

import json
import re
import shutil
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
import yaml

from engine_py import __version__
from engine_py.lab.commands import LAB
from service.app import create_app
from service.config import VARIABLES, Config, default_of
from service.openapi import build_openapi
from service.reply import KINDS
from service.tests.processes import CLIENT, ROOT, SMALL, Server, eventually, started
from service.tests.validated import EXAMPLE, PROBLEM, samples_of

DEPLOY = ROOT / "service/deploy"
DOCKERFILE = (ROOT / "service/Dockerfile").read_text()
GATEWAY = (DEPLOY / "nginx/gateway.conf").read_text()


def compose() -> dict[str, Any]:
    services: dict[str, Any]
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return services


def objects() -> dict[str, Any]:
    """Return the Kubernetes objects by kind; of the two Ingresses, the one for all routes."""
    files = (DEPLOY / "kubernetes").glob("*.yaml")
    return {each["kind"]: each for file in files for each in reversed(documents(file))}


def documents(file: Path) -> list[Any]:
    return list(yaml.safe_load_all(file.read_text()))


def ingresses() -> list[Any]:
    """Return the Ingress for all routes, and the one for routes of long computations."""
    return documents(DEPLOY / "kubernetes/ingress.yaml")


def paths_of(ingress: Any) -> dict[str, str]:
    """Return the paths of an Ingress with their types."""
    [rule] = ingress["spec"]["rules"]
    return {path["path"]: path["pathType"] for path in rule["http"]["paths"]}


def test_every_image_is_pinned_by_its_digest_and_may_be_replaced() -> None:
    digest = r":[\w.-]+@sha256:[0-9a-f]{64}"
    assert re.search(rf"^ARG PYTHON_IMAGE=python{digest}$", DOCKERFILE, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {
        *("${PYTHON_IMAGE}", "tools", "node", "base", "scratch")
    }
    assert (
        compose()["service"]["build"]["args"]["PYTHON_IMAGE"] is None
    )  # the variable, if it is set
    for name, service in compose().items():
        if "build" not in service:
            assert re.fullmatch(rf"\$\{{\w+_IMAGE:-[\w/]+{digest}\}}", service["image"]), name


def test_compose_passes_every_variable_to_the_service() -> None:
    of_the_image = {"GRADIENT_HOST", "PORT", "GRADIENT_PROBES_PORT"}
    environment = compose()["service"]["environment"]
    assert environment.pop("GRADIENT_PROXIES") == 1  # nginx
    expected = VARIABLES.keys() - of_the_image - {"GRADIENT_PROXIES"}
    assert environment == dict.fromkeys(expected)


def test_every_service_is_hardened() -> None:
    for name, service in compose().items():
        assert service["init"] is service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name


def test_kubernetes_runs_it_as_the_user_of_the_image() -> None:
    pod = objects()["Deployment"]["spec"]["template"]["spec"]
    user, group = pod["securityContext"]["runAsUser"], pod["securityContext"]["runAsGroup"]
    assert f"USER {user}:{group}\n" in DOCKERFILE


def test_the_kustomization_lists_every_file() -> None:
    files = {file.name for file in (DEPLOY / "kubernetes").glob("*.yaml")}
    assert {*objects()["Kustomization"]["resources"], "kustomization.yaml"} == files


def test_the_ingress_accepts_what_the_service_accepts() -> None:
    """As the gateway does, it waits for a reply as long as a request may wait, and four minutes."""
    for ingress in ingresses():
        annotations = ingress["metadata"]["annotations"]
        bounds = {name.rpartition("/")[2]: value for name, value in annotations.items()}
        assert bounds["proxy-body-size"] == default_of("GRADIENT_MAX_BODY_BYTES")
        assert int(bounds["proxy-read-timeout"]) == 240 + int(default_of("GRADIENT_WAIT_SECONDS"))


def test_the_ingress_has_every_route_but_measurements() -> None:
    paths = paths_of(ingresses()[0])
    for rule in create_app(Config()).url_map.iter_rules():
        prefixes = ["/".join(rule.rule.split("/")[:2]), rule.rule]
        found = {paths.get(path) for path in prefixes} - {None}
        assert bool(found) == (rule.rule != "/metrics"), rule.rule


def test_the_grace_period_of_a_pod_covers_sleep_and_stop() -> None:
    pod = objects()["Deployment"]["spec"]["template"]["spec"]
    [container] = pod["containers"]
    sleep = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    stop = int(default_of("GRADIENT_STOP_SECONDS"))
    assert pod["terminationGracePeriodSeconds"] > sleep + stop


def test_the_gateways_own_problems_match_those_of_the_service() -> None:
    texts = re.findall(r"'(\{\"type\".*\})(?:\\n)?'", GATEWAY.replace("@BODY_BYTES@", "262144"))
    bodies = [json.loads(text) for text in texts]
    assert {body["code"] for body in bodies} == {
        "malformed_request",
        "not_found",
        "not_ready",
        "payload_too_large",
        "overloaded",
    }
    for body in bodies:
        PROBLEM.validate(body)
        assert (body["status"], body["title"]) == KINDS[body["code"]][:2]
        assert body["type"] == f"/problems/{body['code']}"


def test_the_composition_passes_every_setting_to_nginx() -> None:
    [command] = compose()["gateway"]["command"]
    settings = dict(re.findall(r"s,@(\w+)@,\$\{(?:\w+):-([^}]+)\},g", command))
    assert settings.keys() == set(re.findall("@([A-Z_]+)@", GATEWAY))
    assert settings["BODY_BYTES"] == default_of("GRADIENT_MAX_BODY_BYTES")
    assert settings["WAIT_SECONDS"] == default_of("GRADIENT_WAIT_SECONDS")
    assert settings["STOP_SECONDS"] == default_of("GRADIENT_STOP_SECONDS")


def test_nginx_treats_the_lab_and_many_points_as_long_computations() -> None:
    [routes] = re.findall(r'"~ /v1/\(([a-z|]+)\)\$"', GATEWAY)
    assert set(routes.split("|")) == {*LAB, "accuracy", "gradients", "sweep"}
    assert paths_of(ingresses()[1]) == {f"/v1/{route}": "Exact" for route in routes.split("|")}


def test_the_gateway_compresses_every_media_type_that_the_service_sends() -> None:
    [types] = re.findall(r"gzip_types ([^;]+);", GATEWAY)
    sent = set(re.findall(r'"([a-z]+/[a-z.+-]+)": \{', json.dumps(build_openapi()["components"])))
    assert {"application/json", "application/x-ndjson", "image/svg+xml"} < sent
    assert sent - {"text/html"} <= set(types.split())  # nginx always has that one


def test_alerts_and_the_dashboard_query_metrics_of_the_service() -> None:
    client = create_app(Config(log_requests=False)).test_client()
    client.post("/v1/gradient", json=EXAMPLE)
    measured = {name for name, _ in samples_of(client.get("/metrics").text)}
    measured |= {"up", "ALERTS"}  # Prometheus' own
    measured |= {"granian_workers_respawns_for_err"}  # of the main process
    [group] = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"]
    panels = json.loads((DEPLOY / "grafana/dashboard.json").read_text())["panels"]
    asked = [rule["expr"] for rule in group["rules"]]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    assert (len(group["rules"]), len(panels)) == (4, 12)
    for expression in asked:
        names = set(re.findall(r"[a-zA-Z_]\w+(?=\{|\[|\)$|$)", expression))
        assert names, expression
        assert names <= measured, expression
    codes = re.findall(r'code="(\w+)"', "".join(asked))
    assert set(codes) <= KINDS.keys()
    [source] = yaml.safe_load((DEPLOY / "grafana/datasource.yml").read_text())["datasources"]
    assert {panel["datasource"]["uid"] for panel in panels} == {source["uid"]}


def test_the_guide_starts_existing_services_and_profiles() -> None:
    shown = "\n".join(re.findall(r"```sh\n(.*?)```", (DEPLOY / "README.md").read_text(), re.DOTALL))
    profiles = {name for service in compose().values() for name in service.get("profiles", ())}
    assert set(re.findall(r"--profile (\w+)", shown)) <= profiles
    started = re.findall(
        r"--scale (\w+)=|compose run.*?\s(\w+)(?= +#| --engines)", shown, re.DOTALL
    )
    assert started
    assert {name for names in started for name in names if name} <= compose().keys()
    [folder] = re.findall(r"kubectl apply --kustomize (\S+)", shown)
    assert (ROOT / folder / "kustomization.yaml").is_file()


@pytest.mark.container
def test_kubectl_reads_the_objects() -> None:
    if not shutil.which("kubectl"):
        pytest.skip("found no kubectl")
    argv = ["kubectl", "kustomize", str(DEPLOY / "kubernetes")]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    kinds = {one["kind"] for one in yaml.safe_load_all(done.stdout)}
    assert kinds == objects().keys() - {"Kustomization"}
    assert f"image: gradient-service:{__version__}" in done.stdout


@pytest.mark.container
def test_prometheus_loads_the_alerts_and_has_data_for_each_panel(tmp_path: Path) -> None:
    """Debian's package `prometheus` has both programs."""
    if not shutil.which("prometheus"):
        pytest.skip("found no prometheus")
    rules = DEPLOY / "prometheus/alerts.yml"
    assert complaints("promtool", "check", "rules", str(rules)) == ""
    with socket.create_server((CLIENT, 0)) as free:
        address = f"{CLIENT}:{free.getsockname()[1]}"
    with started() as server:
        target = f"{CLIENT}:{server.port}"
        scraped = yaml.safe_load((DEPLOY / "prometheus/gradient.yml").read_text())
        scraped["global"] = {"scrape_interval": "1s"}
        scraped["rule_files"] = [str(rules)]
        scraped["scrape_configs"] = [
            {"job_name": job["job_name"], "static_configs": [{"targets": [target]}]}
            for job in scraped["scrape_configs"]
        ]
        (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(scraped))
        argv = ["prometheus", "--config.file=prometheus.yml", f"--web.listen-address={address}"]
        with subprocess.Popen(argv, cwd=tmp_path, stderr=subprocess.DEVNULL) as prometheus:
            try:
                assert eventually(lambda: has_figures(address, server))
            finally:
                prometheus.terminate()


def has_figures(prometheus: str, server: Server) -> bool:
    """Send requests, and return whether each panel now has data, except for the one of alerts."""
    server.post(SMALL)
    server.post(b"{}")
    panels = json.loads((DEPLOY / "grafana/dashboard.json").read_text())["panels"]
    asked = [one["expr"] for panel in panels for one in panel["targets"]]
    try:
        return all(map(partial(figures, prometheus), [one for one in asked if "ALERTS" not in one]))
    except OSError:  # it is not up yet
        return False


def figures(prometheus: str, expression: str) -> list[str]:
    """Query the data of a panel over ten seconds."""
    query = urlencode({"query": expression.replace("$__rate_interval", "10s")})
    with urlopen(f"http://{prometheus}/api/v1/query?{query}") as reply:
        found = json.load(reply)["data"]["result"]
    return [one["value"][1] for one in found if one["value"][1] != "NaN"]


def complaints(tool: str, *arguments: str) -> str:
    command = shutil.which(tool, path=str(Path(sys.executable).parent)) or tool
    done = subprocess.run(
        [command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.container
def test_shellcheck_finds_nothing_in_the_scripts() -> None:
    scripts = sorted(str(file) for file in [*(ROOT / ".ci").iterdir(), DEPLOY / "measure"])
    assert complaints("shellcheck", "-x", *scripts) == ""
