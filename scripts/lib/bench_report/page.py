"""Puts sentences, drawings and tables into one page that needs no network."""

import html
import io
import itertools
import re

from bench_report.compare import LEAST_RUNS
from bench_report.plots import draw
from bench_report.rows import key_text, number_text
from bench_report.style import plt
from bench_report.summary import sentences

STYLE = """
:root { --ink: #1d2430; --soft: #5d6878; --line: #dfe3e8; --paper: #ffffff; --wash: #f5f7f9; --accent: #08519c; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--wash); font: 15px/1.55 system-ui, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 1240px; margin: 0 auto; padding: 0 28px; }
header { padding-top: 34px; padding-bottom: 8px; }
h1 { font-size: 27px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 0 0 6px; } h3 { font-size: 15px; margin: 22px 0 6px; } h3 a, li a { color: var(--accent); text-decoration: none; } #summary h3 { margin: 12px 0 2px; }
p { margin: 6px 0; max-width: 105ch; } .soft { color: var(--soft); }
nav { margin: 14px 0; display: flex; flex-wrap: wrap; gap: 6px; }
nav a { padding: 2px 10px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--accent); text-decoration: none; font-size: 13px; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 20px 24px; margin: 16px 0; }
ul { margin: 6px 0; padding-left: 20px; } li { margin: 3px 0; max-width: 110ch; }
.win { color: #1d6b34; font-weight: 600; } .loss { color: #b02a30; font-weight: 600; }
figure { margin: 18px 0 6px; overflow-x: auto; } figure svg { max-width: 100%; height: auto; display: block; }
figcaption { font-weight: 600; font-size: 14px; margin-bottom: 4px; } figcaption small { font-weight: 400; color: var(--soft); }
figure.empty::after { content: "This plot is empty: that is a fault of the report."; color: #b02a30; font-weight: 600; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; } th, td { padding: 3px 12px 3px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; } .scroll { overflow-x: auto; max-height: 520px; overflow-y: auto; }
details { margin-top: 12px; } summary { cursor: pointer; color: var(--accent); font-size: 14px; }
.failure { border-left: 5px solid #b02a30; } footer { padding-bottom: 40px; color: var(--soft); font-size: 13px; }
"""

SUMMARY_SENTENCES = {"scenes": 10, "crossover": 5}  # of an experiment's sentences; 3 of others

# Counts scripts' errors and plots in which nothing is drawn, where a test can read them and a reader can see them.
SCRIPT = """
document.body.dataset.errors = 0;
window.addEventListener("error", () => { document.body.dataset.errors++; });
window.addEventListener("load", () => {
  let empty = 0, drawn = 0;
  for (const figure of document.querySelectorAll("figure.plot")) {
    let closed = [];
    for (let parent = figure.parentElement; parent; parent = parent.parentElement)
      if (parent.tagName === "DETAILS" && !parent.open) { parent.open = true; closed.push(parent); }
    const seen = [...figure.querySelectorAll('[id^="mark"]')].some(mark => {
      const box = mark.getBoundingClientRect();
      return box.width + box.height > 0.5;
    });
    for (const details of closed) details.open = false;
    figure.classList.toggle("empty", !seen);
    if (seen) drawn++; else empty++;
  }
  document.body.dataset.empty = empty;
  document.body.dataset.drawn = drawn;
});
"""


def text(value):
    return html.escape(str(value))


def svg_of(figure, name):
    """A figure as SVG whose ids are its own, since all of the page's drawings share one space of names."""
    plt.rcParams["svg.hashsalt"] = name
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg"):]
    prefix = re.sub(r"[^a-z0-9]+", "-", name)
    svg = re.sub(r'\bid="(?!mark)([^"]+)"', rf'id="{prefix}.\1"', svg)
    number = itertools.count()
    svg = re.sub(r'\bid="(mark[^"]*)"', lambda match: f'id="{match[1]}.{prefix}.{next(number)}"', svg)
    svg = re.sub(r'url\(#([^)]+)\)', rf'url(#{prefix}.\1)', svg)
    return re.sub(r'href="#([^"]+)"', rf'href="#{prefix}.\1"', svg)


def table(heads, lines, numbers=()):
    out = ["<table><thead><tr>"]
    out += [f'<th{" class=number" if i in numbers else ""}>{text(head)}</th>' for i, head in enumerate(heads)]
    out.append("</tr></thead><tbody>")
    for line in lines:
        out.append("<tr>" + "".join(f'<td{" class=number" if i in numbers else ""}>{cell}</td>' for i, cell in enumerate(line)) + "</tr>")
    return "".join(out) + "</tbody></table>"


def result_table(rows):
    lines = []
    for row in rows:
        several = row["repeats"] > 1
        remarks = [] if row["complete"] else ["fewer runs than planned"]
        remarks += [f"{row[name]} runs {name}" for name in ("redone", "throttled") if row.get(name)]
        lines.append([text(key_text(row["cell"])), text(key_text(row["variant"])), number_text(float(row["median"])),
                      f"[{number_text(float(row['low']))}, {number_text(float(row['high']))}]" if several else "", text(row["unit"]), row["repeats"],
                      text("; ".join(remarks))])
    heads = ["cell", "variant", "median", "95 % interval", "unit", "runs", ""]
    return table(heads, lines, numbers=(2, 3, 5))


def environment_section(rows):
    lines = []
    for number, row in enumerate(rows.environments, 1):
        if len(rows.environments) > 1:
            lines.append([f"<b>session {number}</b>", ""])
        for name in ("date", "device", "build", "flags", "commit", "version", "command", "backend", "seed"):
            if row.get(name) not in (None, ""):
                lines.append([name, text(row[name])])
        for name, value in {**(row.get("machine") or {}), **{f"nvml {k}": v for k, v in (row.get("nvml") or {}).items()}}.items():
            lines.append([text(name.replace("_", " ")), text(value)])
        if row.get("no_telemetry"):
            lines.append(["telemetry", "none: " + text(row["no_telemetry"])])
        plan = {**row["plan"], "scenes": [scene["name"] for scene in row["plan"]["scenes"]]}
        for name, value in plan.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            lines.append([f"plan: {text(name).replace('_', ' ')}", text(shown)])
    states = [row["device"] for name in rows.results for row in rows.of(name) if row.get("device")]
    if states:
        for name, unit in (("sm_mhz", "MHz"), ("memory_mhz", "MHz"), ("temperature_c", "°C"), ("power_w", "W")):
            values = [state[name] for state in states]
            lines.append([f"measured {name.rsplit('_', 1)[0]}", f"{min(values):g} to {max(values):g} {unit}"])
    return f'<section id=environment><h2>Environment</h2><div class=scroll>{table(["what", "value"], lines)}</div></section>'


def notes_section(rows):
    failures = [row for row in rows.notes if row["kind"] == "failure"]
    out = []
    if failures:
        items = "".join(f"<li>{text(row['experiment'])}, {text(key_text(row['cell']))}, {text(key_text(row['variant']))}: {text(row['what'])}</li>"
                        for row in failures)
        out.append(f'<section class=failure><h2>Failures</h2><p>These are faults of the program; do not trust times beside them.</p><ul>{items}</ul></section>')
    return "".join(out)


def left_out_list(rows, experiment):
    items = [row for row in rows.notes if row["experiment"] == experiment and row["kind"] != "failure"]
    if not items:
        return ""
    lines = "".join(f"<li>{text(', '.join(filter(None, (key_text(row.get('cell')), key_text(row.get('variant'))))) or 'all of it')}: {text(row['reason'])}</li>"
                    for row in items)
    return f"<details{' open' if len(items) < 4 else ''}><summary>{len(items)} left out</summary><ul>{lines}</ul></details>"


def too_few(rows):
    """Says how many results are not compared."""
    few = sum(1 < len(row["values"]) < LEAST_RUNS for row in rows)
    return [f"{few} results have fewer than {LEAST_RUNS} runs and are not compared with others."] if few else []


class Page:
    """Builds the page, and keeps its figures for --figures."""

    def __init__(self, rows):
        self.rows, self.figures = rows, []

    def html(self):
        sections = [self._experiment_section(name) for name in self.rows.experiments]
        env = self.rows.environments[0] if self.rows.environments else {}
        links = "".join(f'<a href="#{text(name)}">{text(name)}</a>' for name in self.rows.experiments)
        failures = notes_section(self.rows)
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>warpath bench: {text(env.get("device", ""))}</title><style>{STYLE}</style></head>
<body>
<header><h1>Load balancing in warpath</h1>
<p class=soft>{text(env.get("device", "unknown device"))} · {text(env.get("date", ""))} · commit {text(env.get("commit", "unknown"))} ·
{self.rows.num_samples:,} timed runs</p><nav>{links}<a href="#environment">environment</a></nav></header>
<main>
{failures}
{self._summary_section()}
{"".join(sections)}
{environment_section(self.rows)}
</main>
<footer>Medians with bootstrap 95 % intervals; a difference is one whose interval of the ratio does not contain 1. Rows and protocol: docs/experiments.md.</footer>
<script>{SCRIPT}</script>
</body></html>
"""

    def _summary_section(self):
        out = []
        for name in self.rows.experiments:
            found = sentences(name, self.rows.of(name), self.rows.experiments[name].get("plots", [])) if self.rows.of(name) else []
            if found:
                items = "".join(f"<li>{sentence}</li>" for sentence in found[:SUMMARY_SENTENCES.get(name, 3)])
                out.append(f'<h3><a href="#{text(name)}">{text(name)}</a></h3><ul>{items}</ul>')
        return f'<section id=summary><h2>Summary</h2>{"".join(out) or "<p>Nothing was measured.</p>"}</section>'

    def _experiment_section(self, name):
        row, results = self.rows.experiments[name], self.rows.of(name)
        out = [f'<section id="{text(name)}"><h2>{text(name)}</h2><p><b>Hypothesis.</b> {text(row["hypothesis"])}</p>'
               f'<p class=soft><b>What would refute it.</b> {text(row["refutation"])}</p>']
        if results:
            found = sentences(name, results, row.get("plots", [])) + too_few(results)
            out.append("<h3>What the rows say</h3><ul>" + "".join(f"<li>{sentence}</li>" for sentence in found) + "</ul>")
            for number, plot in enumerate(row.get("plots", []), 1):
                out += [self._figure(figure) for figure in draw(name, number, plot, results)]
            out.append(f"<details><summary>All {len(results)} results</summary><div class=scroll>{result_table(results)}</div></details>")
        return "".join(out) + left_out_list(self.rows, name) + "</section>"

    def _figure(self, figure):
        svg = svg_of(figure.figure, figure.name)
        self.figures.append(figure)
        note = f" <small>{text(figure.note)}</small>" if figure.note else ""
        return f'<figure class=plot id="figure-{text(figure.name)}"><figcaption>{text(figure.title)}.{note}</figcaption>{svg}</figure>'
