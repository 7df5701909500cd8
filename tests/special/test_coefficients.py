"""The generated headers are what their scripts write."""

import subprocess
import sys
from pathlib import Path

import pytest

import gpusci

SCRIPTS = sorted((Path(gpusci.__file__).parent / "special" / "kernels").glob("derive*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_headers_are_current(script):
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
