"""Comparisons of result rows: ratios of medians with bootstrap intervals, and sentences made of them."""

import math
import zlib

import numpy

from bench_report.rows import key_text

NUM_RESAMPLES = 2000
LEAST_RUNS = 5  # fewer say too little of their spread for an interval
LAUNCH_BASED = ("launch", "launch-async", "graph", "graph-unrolled", "graph-while", "device-launch", "cooperative", "megakernel")
RESIDENT = ("persistent", "persistent-global", "resident", "hybrid", "megakernel-persistent")


class Ratio:
    """`first` by `second`, turned so that above 1 the first one is better; with its 95 % interval."""

    def __init__(self, first, second):
        better_is_more = first.get("better") == "more"
        above, below = (first, second) if better_is_more else (second, first)
        self.first, self.second = first, second
        self.value = above["median"] / below["median"]
        samples = resampled_medians(above) / resampled_medians(below)
        self.low, self.high = (float(x) for x in numpy.quantile(samples, (0.025, 0.975)))

    @property
    def verdict(self):
        return "faster" if self.low > 1 else "slower" if self.high < 1 else "no different"

    def __str__(self):
        return f"{self.value:.2f}x [{self.low:.2f}, {self.high:.2f}]"


def resampled_medians(row):
    """Medians of resamples of a row's values; kept in the row, since each row is compared with several others."""
    if "_medians" not in row:
        values = numpy.asarray(row["values"], dtype=float)
        random = numpy.random.default_rng(zlib.crc32(repr((row["cell"], row["variant"])).encode()))
        picks = random.integers(0, len(values), (NUM_RESAMPLES, len(values)))
        row["_medians"] = numpy.median(values[picks], axis=1)
    return row["_medians"]


def comparable(row):
    return len(row["values"]) >= LEAST_RUNS and row["median"] > 0 and min(row["values"]) > 0


def by_cell(rows):
    """Cell as text -> its rows, in order."""
    cells = {}
    for row in rows:
        if comparable(row):
            cells.setdefault(key_text(row["cell"]), []).append(row)
    return cells


def ratios(rows, first, second, key="scheduler"):
    """Cell -> Ratio of one value of a variant's key to another; `second` may be "best launch-based"."""
    found = {}
    for cell, members in by_cell(rows).items():
        named = {row["variant"].get(key): row for row in members if set(row["variant"]) == {key}}
        other = best_launch_based(named) if second == "best launch-based" else named.get(second)
        if first in named and other is not None and other is not named[first]:
            found[cell] = Ratio(named[first], other)
    return found


def best_launch_based(named):
    rows = [row for name, row in named.items() if name in LAUNCH_BASED]
    if not rows:
        return None
    return (max if rows[0].get("better") == "more" else min)(rows, key=lambda row: row["median"])


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def comparison_sentence(first, second, found):
    """One thing against another over all cells: wins, losses and draws alike."""
    if not found:
        return None
    wins = {cell: r for cell, r in found.items() if r.verdict == "faster"}
    losses = {cell: r for cell, r in found.items() if r.verdict == "slower"}
    draws = len(found) - len(wins) - len(losses)
    name, changing = f"<b>{first}</b>", second.startswith("the best")
    if len(found) == 1:
        cell, ratio = next(iter(found.items()))
        return f"{name} is {_verdict_text(ratio)} {second} on {_where(cell, ratio, changing)}."
    parts = []
    if wins:
        cell, ratio = max(wins.items(), key=lambda item: item[1].value)
        parts.append(f"<span class=win>faster</span> in {len(wins)} of {len(found)} cells, at most {ratio} on {_where(cell, ratio, changing)}")
    if losses:
        cell, ratio = min(losses.items(), key=lambda item: item[1].value)
        parts.append(f"<span class=loss>slower</span> in {len(losses)} of {len(found)} cells, at worst {ratio} on {_where(cell, ratio, changing)}")
    if draws:
        parts.append(f"no different in {draws} of {len(found)} cells")
    mean = geometric_mean([ratio.value for ratio in found.values()])
    return f"{name} against {second}: {'; '.join(parts)}; geometric mean {mean:.2f}x."


def _verdict_text(ratio):
    if ratio.verdict == "no different":
        return f"no different ({ratio}) from"
    if ratio.verdict == "faster":
        return f"{ratio} <span class=win>faster</span> than"
    return f"<span class=loss>slower</span> ({ratio}) than"


def _where(cell, ratio, changing):
    """The cell, and, where that differs from cell to cell, what was compared with."""
    return f"{cell} ({ratio.second['variant']['scheduler']})" if changing else cell
