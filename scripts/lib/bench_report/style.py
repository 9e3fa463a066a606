"""How the drawings look: one colour and mark for a scheduler wherever it appears."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Launches in warm colours, resident warps in cool ones, the megakernels in greens.
COLOURS = {
    "launch": "#7f2704", "launch-async": "#d94801", "graph": "#f16913", "graph-unrolled": "#fd8d3c", "graph-while": "#fdae6b",
    "device-launch": "#c51b8a", "cooperative": "#dd3497", "persistent": "#08519c", "persistent-global": "#4292c6", "resident": "#54278f",
    "hybrid": "#807dba", "megakernel": "#006d2c", "megakernel-persistent": "#41ab5d", "auto": "#525252", "static": "#969696",
}
PARTS = {"useful": "#2a7f3f", "divergence": "#e3a72f", "fetch": "#8c564b", "idle": "#c44e52", "tail": "#8172b2", "launch": "#4c72b0"}
OTHERS = ("#1b6ca8", "#c8553d", "#588157", "#7b4f9d", "#b08900", "#3d8f8a", "#a23e6b", "#5f6b7a", "#8f5a2a", "#3a5a40", "#6a8caf", "#d08c60")
MARKERS = "osD^vP*Xh<>p"

plt.rcParams.update({
    "figure.max_open_warning": 0,
    "font.family": "sans-serif", "font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9, "legend.fontsize": 8, "xtick.labelsize": 8,
    "ytick.labelsize": 8, "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#888888", "axes.grid": True, "grid.color": "#e6e6e6",
    "grid.linewidth": 0.7, "axes.axisbelow": True, "lines.linewidth": 1.4, "lines.markersize": 4, "svg.fonttype": "path", "figure.dpi": 100,
    "legend.frameon": False, "axes.formatter.useoffset": False,
})


class Looks:
    """Colours and markers of the series of one drawing, in their order."""

    def __init__(self, names):
        free = [colour for colour in OTHERS]
        self._colours, self._markers = {}, {}
        for index, name in enumerate(names):
            self._colours[name] = COLOURS.get(name) or (free.pop(0) if free else f"C{index}")
            self._markers[name] = MARKERS[index % len(MARKERS)]

    def colour(self, name):
        return self._colours[name]

    def marker(self, name):
        return self._markers[name]
