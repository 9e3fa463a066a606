"""Reads rows.jsonl and finds things in rows."""

import gzip
import json
import lzma
import os


class RowError(Exception):
    """A file that cannot be read as rows; the text says which line."""


class Rows:
    """The rows of one or more sessions.

    environments  rows of kind "environment"
    experiments   name -> its latest row of kind "experiment", in order of appearance
    results       name -> result rows; of several of one name only the last
    notes         rows of kinds "skipped", "left_out" and "failure"
    """

    def __init__(self):
        self.environments, self.experiments, self.results, self.notes = [], {}, {}, []
        self.num_samples = 0

    def add(self, row):
        kind = row["kind"]
        if kind == "environment":
            self.environments.append(row)
        elif kind == "experiment":
            self.experiments[row["experiment"]] = row
        elif kind == "result":
            key = json.dumps([row["cell"], row["variant"]])
            self.results.setdefault(row["experiment"], {})[key] = row
        elif kind in ("skipped", "left_out", "failure"):
            self.notes.append(row)
        elif kind == "sample":
            self.num_samples += 1

    def of(self, experiment):
        return list(self.results.get(experiment, {}).values())


def rows_file(path):
    """The file of rows that a path names: itself, or the one in a folder."""
    if not os.path.isdir(path):
        return path
    for name in ("rows.jsonl", "rows.jsonl.gz", "rows.jsonl.xz"):
        if os.path.exists(os.path.join(path, name)):
            return os.path.join(path, name)
    raise RowError(f"{path} holds no rows.jsonl")


def read_rows(path):
    """Rows of a file or folder. A last line that was cut off is left out."""
    path = rows_file(path)
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(path)[1], open)
    rows = Rows()
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    break
                try:
                    rows.add(json.loads(line))
                except (ValueError, KeyError, TypeError) as error:
                    raise RowError(f"{path}:{number}: this line is no row ({error})") from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise RowError(f"cannot read {path}: {error}") from error
    return rows


def field(row, path, default=None):
    """A member by its path, such as "cell.sigma" or "data.p99"."""
    value = row
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return default
        value = value[name]
    return value


def key_text(key):
    """A cell or variant as people read it: "cornell, 1920x1080, depth 16"."""
    plain = {"scene", "film", "scheduler", "distribution", "configuration"}
    return ", ".join(str(value) if name in plain else f"{name.replace('_', ' ')} {number_text(value)}" for name, value in (key or {}).items())


def number_text(value):
    """A number in four digits, thousands apart."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4g}" if abs(value) < 1e5 else f"{value:,.0f}"


def flat(row):
    """A result row as a flat dictionary for a table: keys, figures, and numbers of `data`."""
    out = {"experiment": row["experiment"]}
    for part in ("cell", "variant"):
        out.update({f"{part}.{name}": value for name, value in (row[part] or {}).items()})
    for name in ("unit", "better", "median", "low", "high", "p95", "p99", "repeats", "complete", "stopped_by", "image", "redone", "throttled"):
        if name in row:
            out[name] = row[name]
    for group in ("device", "data"):
        out.update(_numbers(row.get(group) or {}, group))
    return out


def _numbers(value, path):
    found = {}
    for name, member in value.items():
        if isinstance(member, dict):
            found.update(_numbers(member, f"{path}.{name}"))
        elif isinstance(member, (int, float, str)):
            found[f"{path}.{name}"] = member
    return found
