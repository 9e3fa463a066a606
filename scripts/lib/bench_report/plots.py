"""Draws what an experiment asks for in its row's `plots`, from its result rows. Every drawn mark carries a gid that begins with "mark", so that a
reader of the page can tell a plot from an empty frame."""

import numpy

from bench_report.compare import Ratio, comparable
from bench_report.rows import field, key_text, number_text
from bench_report.style import PARTS, Looks, plt

MAX_CURVES = 8       # in one panel of cdf or steps
MAX_PANELS = 12      # in one figure
# Where there are too many curves, these come first.
FIRST_SHOWN = ("persistent", "launch", "launch-async", "megakernel", "graph", "hybrid", "resident", "cooperative")


class Figure:
    """A drawing and what is said of it."""

    def __init__(self, name, title, figure, note=""):
        self.name, self.title, self.figure, self.note = name, title, figure, note


def draw(experiment, number, plot, rows):
    """Figures of one plot; none where no row has its fields."""
    kind = KINDS.get(plot["kind"])
    if kind is None:
        raise ValueError(f"experiment {experiment} asks for a plot of the unknown kind '{plot['kind']}'")
    panels = [(title, members) for title, members in split(plot, rows) if kind.usable(plot, members)]
    figures = []
    for start in range(0, len(panels), MAX_PANELS):
        part = panels[start:start + MAX_PANELS]
        name = f"{experiment}-{number}" + (f"-{start // MAX_PANELS + 1}" if len(panels) > MAX_PANELS else "")
        figures.append(kind.figure(name, plot, part))
    return figures


def split(plot, rows):
    """Rows by panel: (title, rows)."""
    facet = plot.get("facet")
    if not facet:
        return [("", rows)]
    panels = {}
    for row in rows:
        value = key_text(row["cell"]) if facet == "cell" else field(row, facet)
        if value is not None:
            panels.setdefault(value, []).append(row)
    if facet == "cell":
        return list(panels.items())
    return [(f"{facet.rsplit('.', 1)[-1].replace('_', ' ')} {value}" if not isinstance(value, str) else value, members)
            for value, members in panels.items()]


LABEL_WIDTH, LABEL_HEIGHT = 1.65, 0.2  # of a legend, in inches


def grid(panels, width, height, left=0.9, columns=3, labels=0):
    """A figure with a panel each, and its axes. All in inches; `left` is the room for what stands left of a panel, and `labels` the number of entries of the
    legend above. Margins are fixed, since finding them out by drawing takes most of the time of a report."""
    right, above, below = 0.25, 0.32, 0.5
    columns = min(columns, len(panels))
    lines = -(-len(panels) // columns)
    per_line = max(1, int(width * columns / LABEL_WIDTH))
    legend = 0.1 + LABEL_HEIGHT * -(-labels // per_line) if labels > 1 else 0
    size = (width * columns, height * lines + legend)
    figure = plt.figure(figsize=size)
    axes = []
    for index in range(len(panels)):
        line, column = divmod(index, columns)
        bottom = (lines - 1 - line) * height + below
        axes.append(figure.add_axes(((column * width + left) / size[0], bottom / size[1], (width - left - right) / size[0], (height - above - below) / size[1])))
    return figure, axes


def panel_size(panels):
    """One panel may be large."""
    return {1: (8.5, 4.0), 2: (6.0, 3.6)}.get(len(panels), (4.2, 2.9))


def series_names(plot, panels, usable):
    names = {}
    for _, rows in panels:
        for row in rows:
            if usable(row):
                names[series_of(plot, row)] = None
    return list(names)


def series_of(plot, row):
    if not plot.get("series"):
        return ""
    value = field(row, plot["series"])
    return value if isinstance(value, str) else number_text(value) if value is not None else ""


def label_axes(ax, plot, default_x="", default_y=""):
    ax.set_xlabel(plot.get("x_label", default_x))
    ax.set_ylabel(plot.get("y_label", default_y))


def shared_legend(figure, axes):
    """One legend for all panels, above them."""
    found = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            found.setdefault(label, handle)
    found.pop("", None)
    if len(found) > 1 or "bound" in found:
        figure.legend(found.values(), found.keys(), loc="upper center", ncols=max(1, int(figure.get_figwidth() / LABEL_WIDTH)))


class Line:
    """y over x; with `relative_to`, one series' median over the others'."""

    @staticmethod
    def value(plot, row):
        y = field(row, plot["y"])
        has_series = not plot.get("series") or field(row, plot["series"]) is not None
        return y if has_series and isinstance(y, (int, float)) and isinstance(field(row, plot["x"]), (int, float)) else None

    @staticmethod
    def usable(plot, rows):
        if plot.get("relative_to"):
            return any(Line.ratios(plot, rows).values())
        return any(Line.value(plot, row) is not None for row in rows)

    @staticmethod
    def ratios(plot, rows):
        """Series -> [(x, Ratio)] against the row of the same panel, x and other keys."""
        base = {Line._rest(plot, row): row for row in rows if series_of(plot, row) == plot["relative_to"] and comparable(row)}
        found = {}
        for row in rows:
            other, x = base.get(Line._rest(plot, row)), field(row, plot["x"])
            if other is not None and comparable(row) and isinstance(x, (int, float)):
                found.setdefault(series_of(plot, row), []).append((x, Ratio(row, other)))
        found.pop(plot["relative_to"], None)
        return found

    @staticmethod
    def _rest(plot, row):
        """What names a row beside its series."""
        part, _, name = plot["series"].partition(".")
        keys = {**{f"cell.{k}": v for k, v in row["cell"].items()}, **{f"variant.{k}": v for k, v in row["variant"].items()}}
        keys.pop(f"{part}.{name}", None)
        return tuple(sorted(keys.items(), key=str))

    @classmethod
    def figure(cls, name, plot, panels):
        names = series_names(plot, panels, lambda row: Line.value(plot, row) is not None)
        figure, axes = grid(panels, *panel_size(panels), labels=len(names) + bool(plot.get("bound")))
        looks = Looks(names)
        for ax, (title, rows) in zip(axes, panels):
            (cls._draw_ratios if plot.get("relative_to") else cls._draw_values)(ax, plot, rows, looks)
            if plot.get("bound"):
                cls._draw_bound(ax, plot, rows)
            if plot.get("log_x"):
                log_axis(ax.xaxis, [x for row in rows if isinstance(x := field(row, plot["x"]), (int, float))])
            if plot.get("log_y"):
                ax.set_yscale("log")
            ax.set_title(title)
            label_axes(ax, plot, plot["x"].rsplit(".", 1)[-1])
        shared_legend(figure, axes)
        note = f"Above 1: faster than {plot['relative_to']}. Bands are 95 % intervals." if plot.get("relative_to") else ""
        return Figure(name, plot["title"], figure, note)

    @staticmethod
    def _draw_values(ax, plot, rows, looks):
        series = {}
        for row in rows:
            if Line.value(plot, row) is not None:
                series.setdefault(series_of(plot, row), []).append(row)
        for name, members in series.items():
            members.sort(key=lambda row: field(row, plot["x"]))
            x, y = ([field(row, plot[axis]) for row in members] for axis in ("x", "y"))
            look = {"color": looks.colour(name), "gid": f"mark-{name}"}
            ax.plot(x, y, marker=looks.marker(name), label=name, **look)
            if plot["y"] == "median":
                ax.fill_between(x, [row["low"] for row in members], [row["high"] for row in members], color=looks.colour(name), alpha=0.15, linewidth=0)
        # A wide interval must not flatten the medians.
        if not plot.get("log_y") and series:
            ax.set_ylim(0, 1.25 * max(Line.value(plot, row) for members in series.values() for row in members) or 1)

    @staticmethod
    def _draw_ratios(ax, plot, rows, looks):
        ax.axhline(1, color="#555555", linewidth=0.9)
        for name, points in Line.ratios(plot, rows).items():
            points.sort(key=lambda point: point[0])
            x = [point[0] for point in points]
            ax.plot(x, [r.value for _, r in points], marker=looks.marker(name), color=looks.colour(name), label=name, gid=f"mark-{name}")
            ax.fill_between(x, [r.low for _, r in points], [r.high for _, r in points], color=looks.colour(name), alpha=0.15, linewidth=0)

    @staticmethod
    def _draw_bound(ax, plot, rows):
        points = {}
        for row in rows:
            x, bound = field(row, plot["x"]), field(row, plot["bound"])
            if isinstance(x, (int, float)) and isinstance(bound, (int, float)):
                points[x] = bound
        if points:
            ax.plot(sorted(points), [points[x] for x in sorted(points)], "k--", linewidth=1, label="bound", gid="mark-bound")


def log_axis(axis, values):
    """A logarithmic axis with the measured values as ticks, powers of two as people know them; linear near zero where zero is measured."""
    distinct = sorted(set(values))
    if not distinct or distinct[0] < 0:
        return
    base = 2 if all(value == 0 or float(value).is_integer() for value in distinct) else 10
    scale = axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale
    if distinct[0] == 0:
        scale("symlog", base=base, linthresh=min([value for value in distinct if value > 0], default=1))
    else:
        scale("log", base=base)
    step = max(1, -(-len(distinct) // 9))
    axis.set_ticks(distinct[::step], [short(value) for value in distinct[::step]])
    axis.set_ticks([], minor=True)


def short(value):
    """1024 as "1 K", 0.25 as it is."""
    for size, unit in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if value >= size and value % (size // 4) == 0:
            return f"{value / size:g} {unit}"
    return f"{value:g}"


class Bar:
    """y for each value of x, the best first."""

    @staticmethod
    def usable(plot, rows):
        return any(isinstance(field(row, plot["y"]), (int, float)) and field(row, plot["x"]) is not None for row in rows)

    @staticmethod
    def figure(name, plot, panels):
        panels = [(title, [row for row in rows if isinstance(field(row, plot["y"]), (int, float)) and field(row, plot["x"]) is not None]) for title, rows in panels]
        most = max(len(rows) for _, rows in panels)
        figure, axes = grid(panels, 4.4, 0.95 + 0.2 * most, left=1.5)
        for ax, (title, rows) in zip(axes, panels):
            less_is_better = plot["y"] == "median" and rows[0].get("better") != "more"
            rows.sort(key=lambda row: field(row, plot["y"]), reverse=less_is_better)
            names = [str(field(row, plot["x"])) for row in rows]
            looks = Looks(names)
            places, values = range(len(rows)), [field(row, plot["y"]) for row in rows]
            bars = ax.barh(places, values, color=[looks.colour(each) for each in names], height=0.72)
            for bar, each in zip(bars, names):
                bar.set_gid(f"mark-{each}")
            if plot["y"] == "median":
                errors = [[max(0, row["median"] - row["low"]) for row in rows], [max(0, row["high"] - row["median"]) for row in rows]]
                ax.errorbar(values, places, xerr=errors, fmt="none", ecolor="#222222", elinewidth=0.9, capsize=2)
            ax.set_yticks(places, names)
            ax.bar_label(bars, [number_text(float(value)) for value in values], padding=4, fontsize=7)
            ax.margins(x=0.18)
            ax.grid(axis="y", visible=False)
            ax.set_title(title)
            ax.set_xlabel(plot.get("y_label", plot["y"]))
        return Figure(name, plot["title"], figure)


class Heat:
    """A colour for each x and y."""

    @staticmethod
    def shown(plot, rows):
        return [row for row in rows if isinstance(field(row, plot["value"]), (int, float)) and
                field(row, plot["x"]) is not None and field(row, plot["y"]) is not None]

    @staticmethod
    def usable(plot, rows):
        return bool(Heat.shown(plot, rows))

    @staticmethod
    def figure(name, plot, panels):
        figure, axes = grid(panels, 4.6, 3.6)
        for ax, (title, rows) in zip(axes, panels):
            rows = Heat.shown(plot, rows)
            xs, ys = (sorted({field(row, plot[axis]) for row in rows}, key=lambda v: (isinstance(v, str), v)) for axis in ("x", "y"))
            table = numpy.full((len(ys), len(xs)), numpy.nan)
            for row in rows:
                table[ys.index(field(row, plot["y"])), xs.index(field(row, plot["x"]))] = field(row, plot["value"])
            less_is_better = plot["value"] == "median" and rows[0].get("better") != "more"
            image = ax.pcolormesh(table, cmap="viridis_r" if less_is_better else "viridis", edgecolors="white", linewidth=1, gid="mark-heat")
            Heat._write_values(ax, table, image, less_is_better)
            ax.set_xticks(numpy.arange(len(xs)) + 0.5, [tick_text(plot["x"], x) for x in xs])
            ax.set_yticks(numpy.arange(len(ys)) + 0.5, [tick_text(plot["y"], y) for y in ys])
            ax.grid(visible=False)
            ax.set_title(title)
            label_axes(ax, plot, plot["x"].rsplit(".", 1)[-1].replace("_", " "), plot["y"].rsplit(".", 1)[-1].replace("_", " "))
            unit = rows[0]["unit"] if plot["value"] == "median" else plot["value"].rsplit(".", 1)[-1]
            figure.colorbar(image, ax=ax, label=unit)
        return Figure(name, plot["title"], figure, "The best value of a panel is framed.")

    @staticmethod
    def _write_values(ax, table, image, less_is_better):
        if not numpy.isfinite(table).any():
            return
        best = numpy.unravel_index((numpy.nanargmin if less_is_better else numpy.nanargmax)(table), table.shape)
        ax.add_patch(plt.Rectangle((best[1], best[0]), 1, 1, fill=False, edgecolor="#d62728", linewidth=2))
        for (line, column), value in numpy.ndenumerate(table):
            if numpy.isfinite(value):
                r, g, b, _ = image.to_rgba(value)
                dark = 0.299 * r + 0.587 * g + 0.114 * b < 0.55
                ax.text(column + 0.5, line + 0.5, f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}", ha="center", va="center", fontsize=7, color="white" if dark else "black")


# Where 0 leaves the choice to the scheduler.
CHOSEN_BY_ZERO = ("batch", "blocks", "pool", "block_size", "refill_below")


def tick_text(path, value):
    if value == 0 and path.rsplit(".", 1)[-1] in CHOSEN_BY_ZERO:
        return "chosen"
    return short(value) if isinstance(value, (int, float)) else str(value)


class Stack:
    """For each value of x the parts of an object, as shares of their sum."""

    @staticmethod
    def parts(plot, row):
        parts = field(row, plot["y"])
        return parts if isinstance(parts, dict) and parts and sum(parts.values()) > 0 else None

    @staticmethod
    def usable(plot, rows):
        return any(Stack.parts(plot, row) for row in rows)

    @staticmethod
    def figure(name, plot, panels):
        most = max(sum(1 for row in rows if Stack.parts(plot, row)) for _, rows in panels)
        figure, axes = grid(panels, 4.4, 0.95 + 0.22 * most, left=1.5, labels=len(PARTS))
        for ax, (title, rows) in zip(axes, panels):
            rows = [row for row in rows if Stack.parts(plot, row)][::-1]
            names = [str(field(row, plot["x"])) for row in rows]
            all_parts = list(dict.fromkeys(part for row in rows for part in Stack.parts(plot, row)))
            looks = Looks(all_parts)
            left = numpy.zeros(len(rows))
            for part in all_parts:
                widths = numpy.array([Stack.parts(plot, row).get(part, 0) / sum(Stack.parts(plot, row).values()) for row in rows])
                bars = ax.barh(range(len(rows)), widths, left=left, height=0.74, label=part, color=PARTS.get(part) or looks.colour(part))
                for bar in bars:
                    bar.set_gid(f"mark-{part}")
                left += widths
            ax.set_yticks(range(len(rows)), names)
            ax.set_xlim(0, 1)
            ax.grid(visible=False)
            ax.set_title(title)
            ax.set_xlabel(plot.get("y_label", "share"))
        shared_legend(figure, axes)
        return Figure(name, plot["title"], figure)


class Curves:
    """Curves that lie in one member of a row each."""

    x, y, step = "", "", False

    @classmethod
    def curve(cls, plot, row):
        curve = field(row, plot["y"])
        good = isinstance(curve, dict) and len(curve.get(cls.x) or []) > 1 and len(curve[cls.x]) == len(curve.get(cls.y) or [])
        return curve if good else None

    @classmethod
    def usable(cls, plot, rows):
        return any(cls.curve(plot, row) for row in rows)

    @classmethod
    def figure(cls, name, plot, panels):
        names = series_names(plot, panels, lambda row: cls.curve(plot, row))
        shown = [cls._shown(plot, panel) for panel in panels]
        figure, axes = grid(panels, *panel_size(panels), labels=len(set().union(*shown)))
        looks = Looks(names)
        for ax, (title, rows), chosen in zip(axes, panels, shown):
            for row in rows:
                each, curve = series_of(plot, row), cls.curve(plot, row)
                if curve and each in chosen:
                    ax.plot(curve[cls.x], curve[cls.y], label=each, color=looks.colour(each), gid=f"mark-{each}", linewidth=1.1,
                            drawstyle="steps-post" if cls.step else "default")
            if plot.get("log_x"):
                ax.set_xscale("log")
            ax.set_ylim(0, 1.03)
            ax.set_title(title)
            label_axes(ax, plot, cls.x, cls.y)
        shared_legend(figure, axes)
        left_out = [each for each in names if any(each in series_names(plot, [panel], lambda row: cls.curve(plot, row)) and each not in chosen
                                                  for panel, chosen in zip(panels, shown))]
        return Figure(name, plot["title"], figure, f"Not drawn in every panel, to keep it readable: {', '.join(left_out)}." if left_out else "")

    @classmethod
    def _shown(cls, plot, panel):
        """The curves of a panel, or the first of them that readers look for."""
        names = series_names(plot, [panel], lambda row: cls.curve(plot, row))
        return sorted(names, key=lambda each: FIRST_SHOWN.index(each) if each in FIRST_SHOWN else len(FIRST_SHOWN))[:MAX_CURVES]


class Cdf(Curves):
    """Quantiles: the share of observations up to a value."""
    x, y = "value", "p"


class Steps(Curves):
    """The share of workers that are active over time."""
    x, y, step = "time_ms", "share", True


class Interval:
    """A point with its interval for each value of x, and a line at 1."""

    @staticmethod
    def ends(row):
        return field(row, "data.low", row["low"]), field(row, "data.high", row["high"])

    @staticmethod
    def usable(plot, rows):
        return any(row["unit"] == "ratio" for row in rows)

    @staticmethod
    def figure(name, plot, panels):
        panels = [(title, [row for row in rows if row["unit"] == "ratio"][::-1]) for title, rows in panels]
        figure, axes = grid(panels, 6.0, 1.0 + 0.24 * max(len(rows) for _, rows in panels), left=1.5)
        for ax, (title, rows) in zip(axes, panels):
            for place, row in enumerate(rows):
                low, high = Interval.ends(row)
                colour = "#2a7f3f" if low <= 1 <= high else "#c44e52"
                ax.plot([low, high], [place, place], color=colour, linewidth=2.2, gid="mark-interval", solid_capstyle="butt")
                ax.plot([field(row, plot["y"])], [place], "o", color=colour, gid="mark-point")
            ax.axvline(1, color="#555555", linewidth=0.9)
            ax.set_yticks(range(len(rows)), [str(field(row, plot["x"])) for row in rows])
            ax.set_title(title)
            ax.set_xlabel(plot.get("y_label", plot["y"]))
        return Figure(name, plot["title"], figure)


KINDS = {"line": Line, "bar": Bar, "heat": Heat, "stack": Stack, "cdf": Cdf, "steps": Steps, "interval": Interval}
