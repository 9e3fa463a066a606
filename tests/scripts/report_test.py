"""scripts/report: sentences, tables and plots of made-up rows, and the page in a real browser where there is one."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SCRIPT = os.path.join(ROOT, "scripts", "report")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

ENVIRONMENT = {"kind": "environment", "format": 1, "date": "today", "version": "0", "build": "a build", "flags": "-O3", "commit": "abc", "command": "c",
               "machine": {"processor": "a processor", "cores": 2}, "backend": "cpu", "device": "a <device>", "nvml": None, "no_telemetry": "none here",
               "confidence": 0.95, "seed": 0, "plan": {"scenes": [{"name": "box"}], "film": ["8x4"], "budget": 300}}


def result(experiment, cell, variant, median, unit="ms", spread=0.001, better="less", **data):
    values = [median * (1 + spread * (i - 4.5) / 4.5) for i in range(10)]
    return {"kind": "result", "experiment": experiment, "cell": cell, "variant": variant, "unit": unit, "better": better, "median": median,
            "low": median * (1 - spread), "high": median * (1 + spread), "p95": median, "p99": median, "repeats": 10, "complete": True,
            "stopped_by": "interval", "values": values, "data": data}


def experiment(name, *plots):
    return {"kind": "experiment", "experiment": name, "hypothesis": f"{name} < holds", "refutation": "it does not", "plots": list(plots)}


def made_up_rows():
    """Every kind of plot, wins, losses, draws, and what was left out."""
    rows = [ENVIRONMENT, experiment("noise", {"kind": "interval", "title": "A/A", "x": "cell.scheduler", "y": "median"})]
    for name, ratio in (("launch", 1.001), ("persistent", 1.03)):
        rows.append({**result("noise", {"scheduler": name}, {"copy": "a / b"}, ratio, "ratio", low=ratio - 0.01, high=ratio + 0.01, confidence=0.95,
                              differs=ratio > 1.01), "values": [ratio], "repeats": 1})
    rows.append(experiment(
        "scenes", {"kind": "bar", "title": "Time", "x": "variant.scheduler", "y": "median", "facet": "cell"},
        {"kind": "stack", "title": "Shares", "x": "variant.scheduler", "y": "data.shares", "facet": "cell"},
        {"kind": "steps", "title": "Active", "y": "data.busy", "series": "variant.scheduler", "facet": "cell"},
        {"kind": "cdf", "title": "Busy", "y": "data.busy_time", "series": "variant.scheduler", "facet": "cell", "log_x": True}))
    for depth, persistent in ((4, 1.25), (16, 0.8), (64, 1.0)):  # slower, faster, the same
        for name, ms in (("launch", 1.0), ("persistent", persistent), ("graph", 1.5)):
            rows.append(result("scenes", {"scene": "box", "depth": depth}, {"scheduler": name}, ms,
                               shares={"useful": 0.75, "tail": 0.25}, busy={"time_ms": [0, 1, 2], "share": [1, 0.5, 0]},
                               busy_time={"p": [0, 0.5, 1], "value": [0.5, 1, 2 * ms]}))
    rows.append(experiment("crossover", {"kind": "line", "title": "Speed-up", "x": "cell.paths", "y": "median", "series": "variant.scheduler",
                                         "relative_to": "launch", "log_x": True},
                           {"kind": "line", "title": "Time", "x": "cell.paths", "y": "median", "series": "variant.scheduler", "bound": "data.bound",
                            "log_x": True, "log_y": True}))
    for paths, persistent in ((1024, 0.5), (4096, 0.7), (16384, 1.1)):
        for name, ms in (("launch", 1.0), ("persistent", persistent)):
            rows.append(result("crossover", {"paths": paths}, {"scheduler": name}, ms, bound=0.4))
    rows.append(experiment("contention", {"kind": "heat", "title": "Grabs", "x": "variant.batch", "y": "variant.blocks", "value": "median"},
                           {"kind": "heat", "title": "Grabs by threads, which no row has", "x": "variant.batch", "y": "variant.threads", "value": "median"}))
    rows += [result("contention", {}, {"batch": b, "blocks": k}, 1.0 * b + k, "Mgrabs/s", better="more") for b in (1, 4) for k in (1, 2)]
    rows += [experiment("power", {"kind": "bar", "title": "Energy", "x": "variant.scheduler", "y": "median"}),
             {"kind": "skipped", "experiment": "power", "reason": "there is no <NVML>"},
             {"kind": "left_out", "experiment": "scenes", "cell": {"scene": "hall"}, "variant": {"scheduler": "graph"}, "reason": "no room"}]
    return rows


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, rows, end=""):
        with open(self.path("rows.jsonl"), "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in rows) + end)

    def report(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, self.folder.name, "--no-install", *arguments], capture_output=True, text=True, check=False, timeout=240)

    def page(self, rows):
        self.write(rows)
        run = self.report("--csv", self.path("results.csv"), "--figures", self.path("figures"))
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(self.path("report.html"), encoding="utf-8") as file:
            return file.read()

    def test_the_page_says_wins_losses_and_draws_and_needs_no_network(self):
        page = self.page(made_up_rows())
        text = re.sub(r"<svg.*?</svg>|<style>.*?</style>|<script>.*?</script>|<[^>]+>", "", page, flags=re.DOTALL)
        self.assertIn("persistent against launch: faster in 1 of 3 cells, at most 1.25x [1.25, 1.25] on box, depth 16; slower in 1 of 3 cells, at worst 0.80x", text)
        self.assertIn("no different in 1 of 3 cells", text)
        self.assertIn("up to 4,096 paths; from 16,384 on that one has caught up", text)
        self.assertIn("differ in 1 of 2 pairs (persistent)", text)
        self.assertIn("there is no &lt;NVML&gt;", page)
        self.assertIn("a &lt;device&gt;", page)
        self.assertIn("hall, graph: no room", text)
        self.assertNotRegex(page, r'(src|href)="(https?:)?//', "the page loads something")
        self.assertEqual(page.count('class=plot'), 8)
        with open(self.path("results.csv"), encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(lines), 2 + 9 + 6 + 4)
        self.assertEqual(lines[2]["variant.scheduler"], "launch")
        self.assertEqual(lines[2]["data.shares.useful"], "0.75")
        figures = os.listdir(self.path("figures"))
        self.assertEqual(len([name for name in figures if name.endswith(".svg")]), 8)
        self.assertEqual(len([name for name in figures if name.endswith(".png")]), 8)
        self.assertGreater(min(os.path.getsize(self.path(f"figures/{name}")) for name in figures), 2000)
        self.check_in_browser(8)

    def test_answers_are_tables_of_the_rows(self):
        self.write(made_up_rows())
        self.assertEqual(self.report("--answers", self.path("answers.md")).returncode, 0)
        with open(self.path("answers.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| box, depth 4 | launch | 1 | *0.80 [0.80, 0.80]* |", text)
        self.assertIn("| box, depth 16 | launch | 1 | **1.25 [1.25, 1.25]** |", text)
        self.assertIn("| depth 64 | 1.00 (0, 0 of 1) |", text)
        self.assertIn("| depth 4 | launch | 75.0 | 0.0 | 0.0 | 0.0 | 25.0 | 0.0 |", text)
        self.assertIn("| 16,384 | launch | 1 |", text)
        self.assertIn("`power`: no results (there is no <NVML>).", text)
        self.assertIn("`starvation`: no results.", text)

    def check_in_browser(self, num_plots):
        """Script errors and empty plots, as the page itself counts them once a browser has laid it out."""
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if browser is None:
            self.skipTest("no chromium is installed: the page was not looked at in a browser")
        run = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.path('browser')}", "--dump-dom",
                              "file://" + self.path("report.html")], capture_output=True, text=True, check=False, timeout=120)
        body = re.search(r"<body[^>]*>", run.stdout)
        self.assertIsNotNone(body, run.stderr)
        self.assertIn('data-errors="0"', body[0])
        self.assertIn('data-empty="0"', body[0])
        self.assertIn(f'data-drawn="{num_plots}"', body[0])

    def test_an_empty_plot_is_seen(self):
        """The browser's count is worth something only if it finds an empty plot."""
        page = self.page([row for row in made_up_rows() if row["kind"] == "environment" or row["experiment"] == "contention"])
        with open(self.path("report.html"), "w", encoding="utf-8") as file:
            file.write(page.replace('id="mark', 'id="nothing'))
        with self.assertRaises((AssertionError, unittest.SkipTest)) as caught:
            self.check_in_browser(1)
        if isinstance(caught.exception, unittest.SkipTest):
            raise caught.exception

    def test_every_panel_of_curves_has_its_own_first_ones(self):
        curve = {"p": [0, 1], "value": [1, 2]}
        rows = [ENVIRONMENT, experiment("latency", {"kind": "cdf", "title": "Latency", "y": "data.latency", "series": "variant.way", "facet": "cell"})]
        rows += [result("latency", {"queue": "one"}, {"way": f"way {i}"}, 1.0, latency=curve) for i in range(9)]
        rows.append(result("latency", {"queue": "two"}, {"way": "another"}, 1.0, latency=curve))
        page = self.page(rows)
        self.assertIn('id="mark-another.', page)
        self.assertIn('id="mark-way 0.', page)
        self.assertNotIn('id="mark-way 8.', page)
        self.assertIn("Not drawn in every panel, to keep it readable: way 8.", page)

    def test_failures_stand_first_and_a_row_that_was_cut_off_is_left_out(self):
        self.write([ENVIRONMENT, {"kind": "failure", "experiment": "scenes", "cell": {"scene": "box"}, "variant": {"scheduler": "graph"},
                                  "what": "it rendered another image"}], '{"kind": "resu')
        self.assertEqual(self.report("-o", self.path("other.html")).returncode, 0)
        with open(self.path("other.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertLess(page.index("it rendered another image"), page.index("<h2>Summary"))

    def test_what_is_no_rows_is_refused_in_a_sentence(self):
        for rows, end in (([], ""), ([], "text\n"), ([ENVIRONMENT], "[1]\n"), ([{"kind": "sample"}], "")):
            self.write(rows, end)
            run = self.report()
            self.assertEqual(run.returncode, 1, (rows, end))
            self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
            self.assertFalse(os.path.exists(self.path("report.html")))
        os.remove(self.path("rows.jsonl"))
        self.assertIn("rows.jsonl", self.report().stderr)


def can_draw():
    run = subprocess.run([sys.executable, SCRIPT, os.devnull, "--no-install"], capture_output=True, text=True, check=False, timeout=120)
    return "there is no matplotlib" not in run.stderr


if __name__ == "__main__":
    if not can_draw():
        print("skipped: there is no matplotlib here")
        sys.exit(77)
    unittest.main()
