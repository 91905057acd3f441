"""What holds for every test: this machine alone, no settings but the test's own, the same examples at every run."""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import tests.isolation.sitecustomize  # noqa: F401  # blocks the network in this process

OURS = ("PANELIST_", "SLACK_", "DISCORD_", "ANTHROPIC_", "OPENAI_", "DATABASE_URL", "GIT_", "XDG_")
"""How the names of variables begin that no test may inherit."""
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
FORBIDS_SKIPS = "CI_FORBIDS_BROWSER_SKIPS"


def _clean_environment() -> Path:
    """Take away what this machine's user has set; returns the new home folder."""
    home = Path(tempfile.mkdtemp(prefix="panelist-tests-"))
    for name in list(os.environ):
        if name.startswith(OURS) or name.casefold() in PROXIES:
            del os.environ[name]
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    isolation = Path(__file__).parent / "isolation"
    os.environ |= {
        "HOME": str(home),
        "USER": "tester",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
        "XDG_RUNTIME_DIR": str(runtime),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "file",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(isolation), os.environ.get("PYTHONPATH")))),
    }
    return home


HOME = _clean_environment()
settings.register_profile(
    "same-every-time", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("same-every-time")


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI has installed a browser, a browser test that is skipped has failed."""
    report = yield
    if report.skipped and os.environ.get(FORBIDS_SKIPS) and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, although a browser is installed: {report.longrepr}"
    return report
