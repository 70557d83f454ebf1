"""The built client and the browser: what the tests need before the first page can be opened. Missing is a failure."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fullring.web import browser
from tests.shared import PROJECT

WEB = PROJECT / "client" / "web"
DIST = WEB / "dist"
MODULES = WEB / "node_modules"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def build() -> None:
    """The client as `make` builds it, where it isn't there or is older than its sources."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    tools = (MODULES / "dev.stamp").relative_to(PROJECT)
    with (Path(tempfile.gettempdir()) / "fullring-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", f"VENV={sys.prefix}", str(tools), "browser"]
        done = subprocess.run(command, cwd=PROJECT, env=inherited, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the browser client could not be built:\n{done.stdout}{done.stderr}"
    browser.read.cache_clear()


def chromium() -> str:
    """Where the browser is."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, f"none of {', '.join(BROWSERS)} is installed (on Debian: apt install chromium)"
    return found


def axe() -> str:
    """The script that finds what people with other senses would miss."""
    return (MODULES / "axe-core" / "axe.min.js").read_text("utf-8")
