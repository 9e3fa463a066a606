"""Markdown of figures."""

import html
import re

from bench_report.compare import Ratio, comparable


class Table:
    """Lines under heads; without lines it says so."""

    def __init__(self, *heads):
        self.heads, self.lines = heads, []

    def add(self, *cells):
        self.lines.append(["" if cell is None else str(cell).replace("|", "\\|") for cell in cells])

    def text(self):
        if not self.lines:
            return "(nothing to compare)"
        lines = [list(map(str, self.heads)), ["---"] * len(self.heads), *self.lines]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(sentence):
    """A sentence of the page without its marks."""
    return html.unescape(re.sub(r"<[^>]+>", "", sentence))


def signed_ratio(row, base):
    """How many times as good as `base`, with its interval: bold for a win, cursive for a loss."""
    if row is None or base is None:
        return ""
    if row is base:
        return "1"
    if not (comparable(row) and comparable(base)):
        ratio = row["median"] / base["median"] if row.get("better") == "more" else base["median"] / row["median"]
        return f"{ratio:.2f} (few runs)"
    ratio = Ratio(row, base)
    text = f"{ratio.value:.2f} [{ratio.low:.2f}, {ratio.high:.2f}]"
    return {"faster": f"**{text}**", "slower": f"*{text}*"}.get(ratio.verdict, text)
