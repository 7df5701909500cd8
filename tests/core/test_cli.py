"""The `gpusci` command."""

import subprocess
import sys

import pytest

import gpusci
from gpusci import cli
from gpusci.core import compiler, warm
from gpusci.core.kernel import BlockKernel


def test_info_prints_devices_libraries_and_subpackages(capsys):
    assert cli.main(["info"]) == 0
    text = capsys.readouterr().out
    assert gpusci.__version__ in text and "host" in text and "numpy" in text and "kernel cache" in text
    assert all(name in text for name in warm.subpackage.names())


def test_show_prints_source_times_and_registers(capsys):
    assert cli.main(["show", "exp"]) == 0
    text = capsys.readouterr().out
    assert "functors.h" in text and "GPUSCI_ENTRY" in text and "registers" in text and "host: " in text


def test_show_takes_a_signature_and_names_near_rows(capsys):
    row = next(r for r in warm.load_rows() if r.first and isinstance(r.first[0], str) and len(r.first[0].split()) > 1
               and not isinstance(r, BlockKernel))
    assert cli.main(["show", row.name, row.first[0]]) == 0
    assert cli.main(["show", "arctn"]) == 2
    assert "arctan" in capsys.readouterr().err


def test_warm_compiles_into_the_cache_and_reports_failures(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("GPUSCI_CACHE_DIR", str(tmp_path / "cache"))
    rows = [r for r in warm.load_rows() if not isinstance(r, BlockKernel)][:2]
    monkeypatch.setattr(warm, "load_rows", lambda names=(): rows)
    assert cli.main(["warm", "--device", "host"]) == 0
    assert "0 failed" in capsys.readouterr().out
    made = sum(len(warm.row_jobs(row, "host")) for row in rows)
    assert len(list((tmp_path / "cache" / "host").rglob("*.so"))) == made

    def fails(source, **kwargs):
        raise compiler.CompileError("kernel x in y.h does not compile")

    monkeypatch.setattr(compiler, "compile_host", fails)
    assert cli.main(["warm", "--device", "host"]) == 1
    assert "y.h does not compile" in capsys.readouterr().out


def test_warm_compiles_what_calls_will_ask_for():
    row = warm.find_row("ndimage.spline_chunks")            # all but float32 results repeat SciPy's roundings
    assert row.first == ("f f 1", "f d 1", "d d 2")
    exact = compiler.cuda_options(True)
    assert [job.options for job in warm.row_jobs(row, "cuda")] == [(), exact, exact]
    assert {job.options for job in warm.row_jobs(row, "host")} == {()}


def test_warm_refuses_an_unknown_subpackage(capsys):
    assert cli.main(["warm", "nosuch"]) == 2
    assert "nosuch" in capsys.readouterr().err


def test_no_command_is_a_usage_error():
    with pytest.raises(SystemExit) as caught:
        cli.main([])
    assert caught.value.code == 2


def test_python_m_gpusci_is_the_same_command():
    done = subprocess.run([sys.executable, "-m", "gpusci", "validate", "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: gpusci validate")
