"""Tables of the experiments with stages and kernels of their own."""

from bench_report.markdown import Table
from bench_report.rows import field, key_text, number_text


def number(row, path):
    value = field(row, path) if row is not None else None
    return number_text(float(value)) if isinstance(value, (int, float)) else ""


def pivot(rows, line, column, value, head, note):
    """Lines by one field of rows, columns by another."""
    columns = list(dict.fromkeys(field(row, column) for row in rows if field(row, column) is not None))
    found = {}
    for row in rows:
        if field(row, column) is not None and field(row, value) is not None:
            key = key_text(row["cell"]) if line == "cell" else field(row, line)
            found.setdefault(key, {})[field(row, column)] = row
    table = Table(head, *(number_text(each) for each in columns))
    for key, members in found.items():
        table.add(number_text(key), *(number(members.get(each), value) for each in columns))
    return f"{note}\n\n{table.text()}"


def launch_cost(rows):
    lengths = [row for row in rows if "kernel_us" in row["cell"]]
    first = pivot(lengths, "cell.kernel_us", "variant.style", "data.overhead_share", "kernel, us", "share of an iteration that is not the kernel.")
    table = Table("part", "variant", "us", "95 % interval")
    for row in rows:
        if "kernel_us" not in row["cell"]:
            table.add(key_text(row["cell"]), key_text(row["variant"]), number(row, "median"), f"[{number(row, 'low')}, {number(row, 'high')}]")
    return f"{first}\n\n{table.text()}"


def dispatch(rows):
    table = Table("queue, meanwhile, by", "way", "unit", "p50", "p99", "p99.9", "most")
    for row in rows:
        table.add(", ".join(str(row["cell"].get(name)) for name in ("queue", "meanwhile", "by")), row["variant"].get("way"), row["unit"],
                  *(number(row, f"data.{name}") for name in ("p50", "p99", "p999", "most")))
    return "quantiles of up to 20,000 times each.\n\n" + table.text()


def empty_stages(rows):
    return _by_cells(rows, "variant.scheduler", "data.us_per_bounce", "scheduler", "microseconds a bounce, by paths, bounces and words of state.")


def _by_cells(rows, line, value, head, note):
    """As pivot, with a column for each cell."""
    cells = list(dict.fromkeys(key_text(row["cell"]) for row in rows))
    found = {}
    for row in rows:
        found.setdefault(field(row, line), {})[key_text(row["cell"])] = row
    table = Table(head, *cells)
    for key, members in found.items():
        table.add(key, *(number(members.get(cell), value) for cell in cells))
    return f"{note}\n\n{table.text()}"


def imbalance(rows):
    """For each dial how far static shares, launches and resident warps are from the bound."""
    schedulers = list(dict.fromkeys(row["variant"].get("scheduler") for row in rows))
    table = Table("spread, amount, order", "bound, ms", *schedulers)
    cells = {}
    for row in rows:
        cells.setdefault(tuple(str(number_text(row["cell"].get(name))) for name in ("distribution", "amount", "order")), {})[row["variant"].get("scheduler")] = row
    for key, found in cells.items():
        bound = next(iter(found.values()))
        table.add(", ".join(key), number(bound, "data.bound_ms"), *(number(found.get(name), "data.share_of_bound") for name in schedulers))
    return "the bound by the time taken: 1 is as good as can be.\n\n" + table.text()


def replay(rows):
    return pivot(rows, "variant.scheduler", "cell.order", "median", "scheduler", "milliseconds.") + "\n\n" + pivot(
        rows, "variant.scheduler", "cell.order", "data.share_of_bound", "scheduler", "The bound by the time:")


def contention(rows):
    workers = "blocks" if any("blocks" in row["cell"] for row in rows) else "threads"
    table = Table("policy", "batch", *(f"{workers} {n}" for n in _workers(rows, workers)))
    found = {}
    for row in rows:
        found.setdefault((row["variant"].get("policy"), row["cell"].get("batch")), {})[row["cell"].get(workers)] = row
    for (policy, batch), members in found.items():
        table.add(policy, batch, *(f"{number(members.get(n), 'median')} ({number(members.get(n), 'data.ticks_per_grab')})" if n in members else "" for n in _workers(rows, workers)))
    return "million grabs a second (cycles from asking to having).\n\n" + table.text()


def _workers(rows, name):
    return sorted({row["cell"][name] for row in rows if name in row["cell"]})


def transfer(rows):
    copies = [row for row in rows if "direction" in row["cell"]]
    hidden = Table("bytes", "share hidden", "copy, us", "kernel, us", "both, us")
    for row in rows:
        if "direction" not in row["cell"]:
            hidden.add(number_text(row["variant"].get("bytes", 0)), number(row, "median"), *(number(row, f"data.{name}") for name in ("copy_us", "kernel_us", "both_us")))
    return pivot(copies, "cell", "variant.way", "median", "copy", "GB/s.") + "\n\n" + hidden.text()


def starvation(rows):
    table = Table("first workload", "second", "beside", "p50, us", "p99, us", "most, us", "requests", "unserved", "rate of the first (chunks/ms or frames/s)")
    for row in rows:
        table.add(row["cell"].get("first workload"), row["cell"].get("second workload"), row["variant"].get("beside"), *(number(row, f"data.{name}") for name in ("p50", "p99", "most", "requests", "unserved", "rate")))
    return "a small kernel, tone mapping or copies every millisecond.\n\n" + table.text()


def power(rows):
    energy, waiting = Table("scheduler", "J/Mray", "W", "Mrays/s"), Table("kernel that waits", "W", "95 % interval", "looks a ms")
    for row in rows:
        if "kernel" in row["variant"]:
            waiting.add(row["variant"].get("kernel"), number(row, "median"), f"[{number(row, 'low')}, {number(row, 'high')}]", number(row, "data.looks_per_ms"))
        else:
            energy.add(row["variant"].get("scheduler"), number(row, "median"), number(row, "data.watts"), number(row, "data.mrays_per_s"))
    return f"energy of rendering, and power while nothing is to be done.\n\n{energy.text()}\n\n{waiting.text()}"


def roofline(rows):
    shares = ("fp32", "l2_bytes", "dram_bytes", "l2_fetches", "dram_fetches")
    ceilings, stages = Table("ceiling", "most", "unit"), Table("scene", "stage", "ms", *shares)
    for row in rows:
        if "ceiling" in row["cell"]:
            ceilings.add(row["cell"]["ceiling"], number(row, "median"), row["unit"])
        else:
            stages.add(row["cell"].get("scene"), row["variant"].get("stage"), number(row, "data.ms"), *(number(row, f"data.{name}") for name in shares))
    return f"shares of the ceilings.\n\n{ceilings.text()}\n\n{stages.text()}"


def fusion(rows):
    table = Table("cell", "stages", "ms", "most registers", "launches a bounce", "list bytes a ray", "Mrays/s")
    for row in rows:
        table.add(key_text(row["cell"]), row["variant"].get("fusion"), number(row, "median"),
                  *(number(row, f"data.{name}") for name in ("most_registers", "launches_per_bounce", "list_bytes_per_ray", "mrays_per_s")))
    return "stages of a bounce in kernels of their own, or together.\n\n" + table.text()


KERNEL_TABLES = (
    ("launch-cost", "What does a launch cost?", launch_cost),
    ("dispatch-latency", "How long does work take to get to a warp?", dispatch),
    ("empty-stages", "What does a scheduler cost by itself?", empty_stages),
    ("imbalance", "What does balance gain on synthetic work?", imbalance),
    ("replay", "Do costs alone explain the ranking?", replay),
    ("contention", "What does taking work cost?", contention),
    ("transfer", "What do copies cost, and what hides?", transfer),
    ("starvation", "What happens to a second workload?", starvation),
    ("power", "What does it cost in energy?", power),
    ("roofline", "What limits the stages?", roofline),
    ("fusion", "Does fusing stages pay?", fusion),
)
