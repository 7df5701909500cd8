"""Record, JSON, HTML page, comparison with an older run."""

import copy
import json
import subprocess
import sys
import types

import numpy as np
import pytest
import scipy.ndimage
import scipy.special

from validation import Case, args, array, normwise, real, record, report, ulp
from validation.run import run_suite
from validation.sample import Library, Suite


@pytest.fixture(scope="module")
def data():
    case = Case("exp2", args(real(-3, 3)), ulp(f=2, d=2), bench=args(real(-3, 3)))
    s = Suite("special", [case], Library(scipy.special), scipy.special)
    rows = [report.summarise(row, s, "host", {}, "scipy.special") for row in run_suite(s, timing=True)]
    return {"meta": report.meta("host", 0, 1.0), "pattern": None, "subpackages": {"special": rows}}


def test_rows_have_numbers_and_a_line_that_reproduces_the_worst(data):
    row = data["subpackages"]["special"][0]
    assert row["verdict"] == "pass" and 0 < row["max"] <= 2 and row["p99"] <= row["max"]
    assert row["seconds"][0] > 0 and row["seconds"][1] > 0
    code = row["reproducer"].split('"')[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert np.isfinite(float(done.stdout))


def test_html_page_is_self_contained(data, tmp_path):
    pytest.importorskip("jinja2")
    report.write_html(tmp_path / "r.html", data)
    page = (tmp_path / "r.html").read_text()
    assert "exp2" in page and "src=" not in page and "http" not in page
    report.write_json(tmp_path / "r.json", data)
    assert report.regressions(json.loads((tmp_path / "r.json").read_text()), data) == []


@pytest.mark.parametrize("change, words", [
    (lambda r: r.update(verdict="fail: value", failures=[{"message": "bad"}]), "now fail: value"),
    (lambda r: r.update(max=40.0), "-> 40 eps"),
    (lambda r: r.update(seconds=(r["seconds"][0] * 5, r["seconds"][1])), "5.0 times slower"),
])
def test_regressions_are_found(data, change, words):
    new = copy.deepcopy(data)
    change(new["subpackages"]["special"][1])
    found = report.regressions(data, new)
    assert len(found) == 1 and words in found[0] and "exp2/0/d" in found[0]


def test_a_row_that_vanished_is_a_regression(data):
    new = copy.deepcopy(data)
    del new["subpackages"]["special"][0]
    assert "no longer" in report.regressions(data, new)[0]


def test_the_record_ratchets(data, tmp_path):
    path = tmp_path / "accuracy.json"
    rows = copy.deepcopy(data["subpackages"]["special"])
    rows[0]["max"] = 3.0
    record.save(path, record.load(path), "host", rows)
    known = record.load(path)
    assert record.limit(known, "host", "exp2/0/f") == 12.0
    assert record.limit(known, "cuda", "exp2/0/f") is None
    assert record.limit(known, "host", "exp2/0/d") == 4 * max(round(rows[1]["max"], 3), 1)


def test_host_kernels_have_a_record_apart():
    host = types.SimpleNamespace(kind="host", uses_numpy=True)
    kernels = types.SimpleNamespace(kind="host", uses_numpy=False)
    assert (record.kind_of(host), record.kind_of(kernels)) == ("host", "host kernels")
    known = {"host": {"f/0/d": {"max": 2.0}}}
    assert record.limit(known, "host kernels", "f/0/d") == 8.0  # until they have their own
    known["host kernels"] = {"f/0/d": {"max": 5.0}}
    assert record.limit(known, "host kernels", "f/0/d") == 20.0 and record.limit(known, "host", "f/0/d") == 8.0


def test_a_row_above_its_record_fails_below_its_ceiling():
    def sloppy(x, s):
        return (scipy.ndimage.gaussian_filter(x, s) * (1 + 30 * np.finfo(x.dtype).eps)).astype(x.dtype)

    import types
    case = Case("gaussian_filter", args(array(), 1.0), normwise(f=90, d=90))
    s = Suite("ndimage", [case], Library(types.SimpleNamespace(__name__="t", gaussian_filter=sloppy)), scipy.ndimage)
    row = run_suite(s)[0]
    assert row.failures == []
    good = report.summarise(row, s, "host", {"host": {row.key: {"max": 20.0}}}, "t")
    bad = report.summarise(row, s, "host", {"host": {row.key: {"max": 2.0}}}, "t")
    assert good["verdict"] == "pass" and bad["verdict"] == "fail: record"
