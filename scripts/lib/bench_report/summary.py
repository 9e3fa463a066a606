"""What the rows say, in sentences."""

from bench_report.compare import RESIDENT, Ratio, by_cell, comparison_sentence, ratios
from bench_report.plots import Line, split
from bench_report.rows import field, key_text, number_text

MAX_CELL_SENTENCES = 12


def sentences(experiment, rows, plots):
    """HTML sentences about an experiment's results."""
    special = {"noise": noise_sentences, "crossover": crossover_sentences, "configuration": tuner_sentences}.get(experiment, lambda rows: [])
    rows = [row for row in rows if "search" not in row["cell"]]  # what a tuner tries on its way is in the table
    found = special(rows) + scheduler_sentences(rows) + relative_sentences(rows, plots)
    return found or best_sentences(rows)


def scheduler_sentences(rows):
    """Resident warps against launches, wins and losses alike. Cells whose variants are schedulers alone count."""
    if not any(set(row["variant"]) == {"scheduler"} for row in rows):
        return []
    found = []
    for first in RESIDENT:
        for second in ("launch", "best launch-based"):
            text = comparison_sentence(first, "the best launch-based scheduler" if second != "launch" else second, ratios(rows, first, second))
            if text:
                found.append(text)
    return found


def relative_sentences(rows, plots):
    """What a speed-up plot shows, for plots whose series are no schedulers compared above."""
    found = []
    for plot in plots:
        if not plot.get("relative_to") or plot.get("series") == "variant.scheduler" and all(set(row["variant"]) == {"scheduler"} for row in rows):
            continue
        by_series = {}
        for title, members in split(plot, rows):
            for name, points in Line.ratios(plot, members).items():
                for x, ratio in points:
                    where = ", ".join(filter(None, (title, f"{plot['x'].rsplit('.', 1)[-1].replace('_', ' ')} {number_text(x)}")))
                    by_series.setdefault(name, {})[where] = ratio
        found += [comparison_sentence(name, plot["relative_to"], cells) for name, cells in by_series.items()]
    return found


def best_sentences(rows):
    """For each cell the best variant and the worst."""
    found = []
    cells = by_cell(rows)
    for cell, members in cells.items():
        if len({row["unit"] for row in members}) > 1:
            continue
        more = members[0].get("better") == "more"
        ordered = sorted(members, key=lambda row: row["median"], reverse=more)
        best, worst = ordered[0], ordered[-1]
        text = f"{cell}: " if cell else ""
        text += f"<b>{key_text(best['variant'])}</b> {number_text(float(best['median']))} {best['unit']}"
        if best is not worst:
            ratio = Ratio(best, worst)
            text += f", {ratio} times as good as {key_text(worst['variant'])}, the worst of {len(members)} ({number_text(float(worst['median']))} {worst['unit']})"
        found.append(text + ".")
        if len(found) == MAX_CELL_SENTENCES and len(cells) > MAX_CELL_SENTENCES:
            found.append(f"{len(cells) - MAX_CELL_SENTENCES} more cells are in the table.")
            break
    return found


def noise_sentences(rows):
    pairs = [row for row in rows if row["unit"] == "ratio"]
    if not pairs:
        return []
    apart = [row for row in pairs if row["data"]["differs"]]
    largest = max(pairs, key=lambda row: max(row["data"]["high"] - 1, 1 - row["data"]["low"]))
    reach = max(largest["data"]["high"] - 1, 1 - largest["data"]["low"])
    names = "" if not apart else " (" + ", ".join(str(field(row, "cell.scheduler")) for row in apart) + ")"
    return [f"Measured against itself, a scheduler seems to differ in {len(apart)} of {len(pairs)} pairs{names}; at 95 % confidence "
            f"{0.05 * len(pairs):.1f} are expected. The intervals reach as far as {100 * reach:.1f} % from 1: smaller differences elsewhere are noise."]


def tuner_sentences(rows):
    """What the tuner chose, and what it gained."""
    found = []
    for row in rows:
        if row["unit"] != "ratio":
            continue
        low, high, chosen = (row["data"][name] for name in ("low", "high", "chosen"))
        name = f"<b>{row['cell'].get('scheduler')}</b> on {row['cell'].get('scene')}"
        if chosen == "default":
            found.append(f"{name}: nothing that the tuner tried beats the defaults beyond doubt.")
        else:
            found.append(f"{name}: the tuner chose {chosen}, {row['median']:.2f}x [{low:.2f}, {high:.2f}] <span class=win>faster</span> than the defaults.")
    return found + best_sentences([row for row in rows if "tuner" not in row["cell"]])


def crossover_sentences(rows):
    """From how many paths on the best launch-based scheduler is not slower than each resident one."""
    sizes = {key_text(row["cell"]): field(row, "cell.paths") for row in rows}
    found = []
    for name in RESIDENT:
        by_paths = sorted((sizes[cell], ratio) for cell, ratio in ratios(rows, name, "best launch-based").items() if sizes.get(cell))
        if not by_paths:
            continue
        behind = [paths for paths, ratio in by_paths if ratio.verdict != "faster"]
        ahead = [paths for paths, ratio in by_paths if ratio.verdict == "faster"]
        if not ahead:
            text = f"is at none of {len(by_paths)} sizes from {number_text(by_paths[0][0])} to {number_text(by_paths[-1][0])} paths faster than the best launch-based scheduler"
        elif not behind:
            text = f"is faster than the best launch-based scheduler at every size, {number_text(by_paths[0][0])} to {number_text(by_paths[-1][0])} paths"
        elif min(behind) > max(ahead):
            text = f"is faster than the best launch-based scheduler up to {number_text(max(ahead))} paths; from {number_text(min(behind))} on that one has caught up"
        else:
            text = (f"is faster than the best launch-based scheduler with {', '.join(number_text(p) for p in ahead)} paths, "
                    f"and not with {', '.join(number_text(p) for p in behind)}")
        found.append(f"<b>{name}</b> {text}.")
    return found
