"""The figures that docs/load-balancing.md quotes, as Markdown tables made of the rows. Every table says which experiment its rows are from; an experiment without
results says so."""

from bench_report.answers_of_kernels import KERNEL_TABLES
from bench_report.compare import RESIDENT, Ratio, best_launch_based, by_cell, geometric_mean
from bench_report.markdown import Table, plain, signed_ratio
from bench_report.rows import field, number_text
from bench_report.summary import crossover_sentences, noise_sentences

PARTS = ("useful", "divergence", "fetch", "idle", "tail", "launch")


def answers(rows):
    """All tables, in the order of the page's questions."""
    env = rows.environments[0]
    samples = f"{rows.num_samples:,} timed runs, {sum(len(rows.of(name)) for name in rows.results):,} results"
    failures = sum(row["kind"] == "failure" for row in rows.notes)
    out = [f"Device: {env.get('device', 'unknown')}; commit {env.get('commit', 'unknown')}; {env.get('date', '')}; {samples}, {failures} failures."]
    for experiment, title, make in (*RENDER_TABLES, *KERNEL_TABLES):
        results = rows.of(experiment)
        out.append(f"\n### {title}\n\n`{experiment}`: " + (make(results) if results else missing(rows, experiment)))
    return "\n".join(out) + "\n"


def missing(rows, experiment):
    reasons = {row["reason"] for row in rows.notes if row["experiment"] == experiment and row["kind"] != "failure"}
    return "no results" + (f" ({'; '.join(sorted(reasons))})." if reasons else ".")


def named_by_scheduler(members):
    return {row["variant"]["scheduler"]: row for row in members if set(row["variant"]) == {"scheduler"}}


def noise(rows):
    return plain(" ".join(noise_sentences(rows)) or "no pairs.")


def scenes(rows):
    """One line for each cell: the best by launches, and how much faster the others are than that."""
    shown = [name for name in RESIDENT if any(row["variant"].get("scheduler") == name for row in rows)]
    table = Table("cell", "best by launches", "ms", *shown)
    for cell, members in by_cell(rows).items():
        named = named_by_scheduler(members)
        best = best_launch_based(named)
        if best is not None:
            table.add(cell, best["variant"]["scheduler"], number_text(float(best["median"])), *(signed_ratio(named.get(name), best) for name in shown))
    return "times as fast as the best scheduler by launches; bold where the 95 % interval says faster, *cursive* where it says slower.\n\n" + table.text()


def means_over_scenes(rows):
    """Geometric means over scenes, by film and depth, with how often each won and lost."""
    groups = {}
    for members in by_cell(rows).values():
        named, cell = named_by_scheduler(members), members[0]["cell"]
        best = best_launch_based(named)
        for name in RESIDENT:
            if best is not None and name in named:
                group = ", ".join(f"{key} {number_text(value)}" if key != "film" else value for key, value in cell.items() if key != "scene")
                groups.setdefault(group, {}).setdefault(name, []).append(Ratio(named[name], best))
    shown = [name for name in RESIDENT if any(name in group for group in groups.values())]
    table = Table("frame", *shown)
    for group, found in groups.items():
        table.add(group, *(mean_text(found.get(name)) for name in shown))
    return "geometric mean over scenes of the best time by launches by the scheduler's (won, lost).\n\n" + table.text()


def mean_text(ratios):
    if not ratios:
        return ""
    verdicts = [ratio.verdict for ratio in ratios]
    return f"{geometric_mean([ratio.value for ratio in ratios]):.2f} ({verdicts.count('faster')}, {verdicts.count('slower')} of {len(ratios)})"


def shares(rows):
    """Where the time went, as means over scenes."""
    groups = {}
    for row in rows:
        parts, name = field(row, "data.shares"), row["variant"].get("scheduler")
        if parts and name:
            frame = ", ".join(f"{key} {number_text(value)}" if key != "film" else value for key, value in row["cell"].items() if key != "scene")
            groups.setdefault((frame, name), []).append(parts)
    table = Table("frame", "scheduler", *PARTS)
    for (frame, name), found in groups.items():
        table.add(frame, name, *(f"{100 * sum(parts.get(part, 0) for parts in found) / len(found):.1f}" for part in PARTS))
    return "per cent of frame time x places, means over scenes.\n\n" + table.text()


def bounces(rows):
    schedulers = list(dict.fromkeys(row["variant"].get("scheduler") for row in rows if "bounce" in row["variant"]))
    table = Table("scene", "bounce", *schedulers)
    by_place = {}
    for row in rows:
        if "bounce" in row["variant"]:
            by_place.setdefault((row["cell"].get("scene"), row["variant"]["bounce"]), {})[row["variant"]["scheduler"]] = row
    for (scene, bounce), found in by_place.items():
        table.add(scene, bounce, *(number_text(float(found[name]["median"])) if name in found else "" for name in schedulers))
    return "Mrays/s of the rays that a depth limit adds to the one before it.\n\n" + table.text()


def crossover(rows):
    shown = [name for name in RESIDENT if any(row["variant"].get("scheduler") == name for row in rows)]
    table = Table("paths", "best by launches", "ms", "Mpaths/s", *shown)
    cells = {}
    for row in rows:
        if "paths" in row["cell"]:
            cells.setdefault(row["cell"]["paths"], []).append(row)
    for paths, members in sorted(cells.items()):
        named = named_by_scheduler(members)
        best = best_launch_based(named)
        if best is not None:
            table.add(f"{paths:,}", best["variant"]["scheduler"], number_text(float(best["median"])), number_text(field(best, "data.mpaths_per_s", 0.0)),
                      *(signed_ratio(named.get(name), best) for name in shown))
    return plain(" ".join(crossover_sentences(rows))) + "\n\n" + table.text()


def tuner(rows):
    table = Table("scheduler", "scene", "chosen", "default / tuned", "95 % interval")
    for row in rows:
        if row["unit"] == "ratio":
            low, high = field(row, "data.low", 1), field(row, "data.high", 1)
            table.add(row["cell"].get("scheduler"), row["cell"].get("scene"), field(row, "data.chosen"), f"{row['median']:.3f}", f"[{low:.3f}, {high:.3f}]")
    return "what the tuner chose, against the defaults.\n\n" + table.text()


def carve_outs(rows):
    """The fastest of each share of shared memory, whatever the launch's shape, and the same for the fastest shape."""
    table = Table("scheduler", "share of shared memory", "best ms", "at threads x blocks", "resident groups", "against the driver's share, same shape")
    members = [row for row in rows if "carve_out" in row["variant"]]
    drivers = {(row["cell"]["scheduler"], row["variant"]["shape"]): row for row in members if row["variant"]["carve_out"] == "driver's"}
    best = {}
    for row in members:
        key = (row["cell"]["scheduler"], str(row["variant"]["carve_out"]))
        if key not in best or row["median"] < best[key]["median"]:
            best[key] = row
    for (scheduler, share), row in best.items():
        shape = row["variant"]["shape"]
        table.add(scheduler, share, number_text(float(row["median"])), shape, field(row, "data.groups", ""), signed_ratio(row, drivers.get((scheduler, shape))))
    return ("preferred share in per cent.\n\n" + table.text()) if members else "no share of shared memory was measured."


def batching(rows):
    """Throughput and tail by samples in a frame, and progressive passes."""
    schedulers = list(dict.fromkeys(row["variant"].get("scheduler") for row in rows))
    table = Table("samples in a frame", "figure", *schedulers)
    frames, passes = {}, {}
    for row in rows:
        of_kind, size = (passes, row["cell"]["passes"]) if "passes" in row["cell"] else (frames, row["cell"]["spp"])
        of_kind.setdefault(size, {})[row["variant"]["scheduler"]] = row
    for spp, found in sorted(frames.items()):
        table.add(spp, "Mpaths/s", *(number_text(field(found[name], "data.mpaths_per_s", 0.0)) if name in found else "" for name in schedulers))
        table.add(spp, "ms, p50 / p95 / p99", *(" / ".join(number_text(float(found[name][q])) for q in ("median", "p95", "p99")) if name in found else "" for name in schedulers))
    for found in passes.values():
        table.add("1, in passes", "ms a pass", *(number_text(float(found[name]["median"])) if name in found else "" for name in schedulers))
    return "latency against throughput.\n\n" + table.text()


RENDER_TABLES = (
    ("noise", "What is a difference?", noise),
    ("scenes", "How much faster or slower are resident warps?", scenes),
    ("scenes", "The same over all scenes", means_over_scenes),
    ("scenes", "Where does the time go?", shares),
    ("bounces", "At which bounce do launches fall behind?", bounces),
    ("crossover", "How many paths does it take until launches catch up?", crossover),
    ("configuration", "Would a better configuration change the answer?", tuner),
    ("configuration", "What does the share of shared memory do?", carve_outs),
    ("batching", "Frames of few samples, and progressive passes", batching),
)
