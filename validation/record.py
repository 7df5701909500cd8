"""The measured record, `accuracy.json` of a subpackage: what each function's error was when a person last looked.

The ceiling in `_spec.py` promises; the record ratchets. A run above 4 times the record (and above 4 eps) fails even where
the ceiling allows it, so that accuracy is never lost unseen.
"""

import json

SLACK = 4.0         # times the record
LEAST = 1.0         # eps: below this a change says nothing
KERNELS = "host kernels"        # without a record of their own they are held against the host's


def kind_of(device):
    """Under which key a device's errors are recorded. With GPUSCI_HOST_KERNELS the host runs a GPU's algorithms."""
    return KERNELS if device.kind == "host" and not device.uses_numpy else device.kind


def load(path):
    """{kind: {row key: {"max", "p99", "worst", "scipy"}}}; empty where there is no file."""
    return json.loads(path.read_text()) if path.exists() else {}


def limit(record, kind, key):
    """Error above which a row fails for its record, or None without one."""
    known = record.get(kind, record.get("host", {}) if kind == KERNELS else {}).get(key)
    return None if known is None else SLACK * max(known["max"], LEAST)


def save(path, record, kind, rows):
    """Replace the given rows' entries. Rows that failed keep the old ones."""
    entries = record.setdefault(kind, {})
    for row in rows:
        if row["measured"] and not row["failures"]:
            entries[row["key"]] = {"max": round(row["max"], 3), "p99": round(row["p99"], 3), "worst": row["reproducer"],
                                   "scipy": row["scipy_version"]}
    record[kind] = dict(sorted(entries.items()))
    path.write_text(json.dumps(dict(sorted(record.items())), indent=1, allow_nan=False) + "\n")     # NaN would bind nothing
