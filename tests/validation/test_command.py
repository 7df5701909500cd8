"""`python -m validation` as a whole, on a made-up subpackage."""

import json
import types

import numpy as np
import pytest
import scipy.special

import validation.__main__ as command
from gpusci.core.device import current_device
from validation import Case, args, log, real, record, ulp
from validation.sample import Library, SpecError, Suite


def suite(exp2=scipy.special.exp2):
    module = types.SimpleNamespace(__name__="made.up", exp2=exp2, exp10=scipy.special.exp10)
    cases = [Case("exp2", args(real(-3, 3)), ulp(f=2, d=2), bench=args(real(-3, 3)), n=2),
             Case("exp10", args(log(0.1, 2)), ulp(f=8, d=8), n=2)]
    return Suite("madeup", cases, Library(module), scipy.special)


def slightly_off(x):
    return np.asarray(scipy.special.exp2(x) * (1 + 9e-7)).astype(np.asarray(x).dtype)[()]


@pytest.fixture
def madeup(monkeypatch, tmp_path):
    """The command, seeing one subpackage; `use(f)` replaces its exp2."""
    current = {"suite": suite()}

    def load(name):
        if name != "madeup":
            raise SpecError(f"{name} has no _spec.py")
        return current["suite"]

    monkeypatch.setattr(command, "load_suite", load)
    monkeypatch.setattr(command, "suite_names", lambda: ["madeup"])
    monkeypatch.setattr(command, "record_path", lambda name: tmp_path / "accuracy.json")
    return lambda f: current.update(suite=suite(f))


def test_a_good_run_writes_json_html_and_counts(madeup, tmp_path, capsys):
    assert command.main(["--report", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "4 passed, 0 failed" in text and "madeup.exp2/0/f" in text and "SciPy" in text
    data = json.loads((tmp_path / "out" / "validation.json").read_text())
    assert len(data["subpackages"]["madeup"]) == 4 and data["meta"]["seed"] == 0
    assert "madeup" in (tmp_path / "out" / "validation.html").read_text()


def test_a_wrong_function_fails_with_a_line_that_replays(madeup, capsys):
    madeup(slightly_off)
    assert command.main(["madeup", "-k", "^exp2$", "--no-timing"]) == 1
    text = capsys.readouterr().out
    assert "fail: value" in text and "0 passed, 2 failed" in text and "exp10" not in text
    assert command.main(["madeup", "--replay", "exp2/0/f/plain/0"]) == 1
    assert "fail: value" in capsys.readouterr().out
    madeup(scipy.special.exp2)
    assert command.main(["madeup", "--replay", "exp2/0/f/plain/0"]) == 0


def test_compare_lists_what_got_worse(madeup, tmp_path, capsys):
    assert command.main(["--report", str(tmp_path), "--no-timing"]) == 0
    old = str(tmp_path / "validation.json")
    assert command.main(["--compare", old, "--no-timing"]) == 0
    madeup(slightly_off)
    assert command.main(["--compare", old, "--no-timing"]) == 1
    assert "worse: madeup.exp2/0/f: passed, now fail: value" in capsys.readouterr().out


def test_accept_writes_a_record_that_then_binds(madeup, tmp_path, capsys):
    assert command.main(["--accept", "--no-timing"]) == 0
    known, kind = json.loads((tmp_path / "accuracy.json").read_text()), record.kind_of(current_device())
    assert list(known) == [kind]
    assert set(known[kind]) == {"exp2/0/f", "exp2/0/d", "exp10/0/f", "exp10/0/d"}
    known[kind]["exp10/0/f"]["max"] = 0.0
    (tmp_path / "accuracy.json").write_text(json.dumps(known))
    assert command.main(["--no-timing"]) == 0           # below 4 eps the record does not bind


def test_wrong_commands_exit_2(madeup, capsys):
    assert command.main(["nosuch"]) == 2
    assert command.main(["madeup", "--replay", "exp3/0/f/plain/0"]) == 2
    assert command.main(["--replay", "exp2/0/f/plain/0"]) == 2
    assert "error: " in capsys.readouterr().err
