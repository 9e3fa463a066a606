"""scripts/measure-schedulers and `warpath bench schedulers`, on the CPU with films of a few pixels."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SCRIPT = os.path.join(ROOT, "scripts", "measure-schedulers")
PROGRAM = os.environ.get("WARPATH_PROGRAM", "")


def load_script():
    loader = importlib.machinery.SourceFileLoader("measure_schedulers", SCRIPT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure_schedulers", loader))
    loader.exec_module(module)
    return module


def entry(scheduler, median_ms, equals_first=True):
    return {"scheduler": scheduler, "median_ms": median_ms, "p95_ms": 2 * median_ms, "msamples_per_s": 1.0, "mrays_per_s": 2.0,
            "equals_first": equals_first, "aborted": 0}


def cell(view, *schedulers):
    return {"view": view, "width": 8, "height": 4, "spp": 1, "max_depth": 16, "schedulers": list(schedulers)}


class TableTest(unittest.TestCase):
    def setUp(self):
        self.script = load_script()
        self.document = {
            "environment": {"date": "today", "device": "a device", "commit": "abc", "build": "a build"},
            "settings": {"repeats": 3, "warm_up": 1},
            "cells": [cell("a", entry("launch", 6.0), entry("megakernel", 4.0), entry("persistent", 2.0)),
                      cell("b", entry("launch", 1.0), entry("megakernel", 3.0), entry("persistent", 2.0, False))],
            "left_out": [{"view": "c", "width": 8, "height": 4, "spp": 1, "max_depth": 64}]}

    def test_the_best_launch_based_scheduler_is_compared(self):
        first, second = self.document["cells"]
        self.assertEqual(self.script.best_launch_based(first), ("megakernel", 4.0))
        self.assertEqual(self.script.ratios(first), {"persistent": 2.0})
        self.assertEqual(self.script.ratios(second), {"persistent": 0.5})

    def test_means_are_geometric_over_the_views(self):
        self.assertIn("| 8x4, 1 spp, depth 16 | 2 | 1.000 |",
                      self.script.mean_table(self.document, ["launch", "megakernel", "persistent"]))

    def test_other_films_and_what_was_left_out_are_named(self):
        text = self.script.table_text(self.document, "a command")
        self.assertIn("2.000 (4.000) **other film**", text)
        self.assertIn("films: **1 differ**", text)
        self.assertIn("- c, 8x4, 1 spp, depth 64: no time was left", text)

    def test_a_frame_without_room_is_left_out_of_the_ratios(self):
        document = dict(self.document)
        document["cells"] = [cell("a", entry("launch", 6.0), {"scheduler": "persistent", "left_out": "no room"})]
        text = self.script.table_text(document, "a command")
        self.assertIn("- a, 8x4, 1 spp, depth 16, persistent: no room", text)


    def test_losses_stand_beside_the_best_launch_based_scheduler(self):
        figures = {"LaunchOverhead": 0.25, "TailShare": 0.5, "Imbalance": 0.125, "NodeEfficiency": 0.75, "TriangleEfficiency": 0.5,
                   "ShadeEfficiency": 1.0}
        kept, none_kept = entry("megakernel", 4.0), entry("persistent", 2.0)
        kept.update(figures=figures, counters={"GroupRuns": 7})
        none_kept.update(figures=figures, counters={"GroupRuns": 0})
        text = "\n".join(self.script.loss_table({"cells": [cell("a", entry("launch", 6.0), kept, none_kept)]}))
        self.assertIn("| a | 8x4, 1 spp, depth 16 | megakernel | 25.0% | 50.0% | 0.125 | 75.0% | 50.0% | 100.0% |", text)
        self.assertIn("| a | 8x4, 1 spp, depth 16 | persistent |  |  |  | 75.0% | 50.0% | 100.0% |", text)
        self.assertNotIn("| launch |", text)


@unittest.skipUnless(PROGRAM, "WARPATH_PROGRAM names no program")
class MeasureTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_script(self, *arguments):
        return subprocess.run([SCRIPT, "-o", self.path("table.md"), "--program", PROGRAM, "--backend", "cpu", "--repeats", "3",
                               "--warm-up", "1", "--commit", "abc", "--extra=--threads 2", *arguments],
                              capture_output=True, text=True, check=False)

    def bench(self, *arguments):
        return subprocess.run([PROGRAM, "bench", *arguments], capture_output=True, text=True, check=False)

    def document(self):
        with open(self.path("table.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_every_scheduler_is_timed_on_every_cell(self):
        views = self.path("views.json")
        with open(views, "w", encoding="utf-8") as file:
            json.dump({"views": [{"name": "other", "scene": "none.json"},
                                 {"name": "box", "scene": "cornell.json", "camera": "0,1,3.9/0,1,0/0,1,0/36"}]}, file)
        done = self.run_script(os.path.join(ROOT, "scenes"), "--views", views, "--only", "box", "--sizes", "24x16,9x7",
                               "--depths", "2,5", "--cells", "8x8:3:4", "--scene", os.path.join(ROOT, "scenes", "imbalance.json"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        document = self.document()
        self.assertEqual([scene["view"] for scene in document["scenes"]], ["box", "imbalance"])
        self.assertEqual(len(document["cells"]), 10)
        for found in document["cells"]:
            names = [one["scheduler"] for one in found["schedulers"]]
            self.assertIn("persistent", names)
            self.assertGreaterEqual(len(names), 7)
            for one in found["schedulers"]:
                self.assertEqual(len(one["times_ms"]), 3)
                self.assertTrue(one["equals_first"])
                self.assertEqual(one["counters"]["FinishedPaths"], found["width"] * found["height"] * found["spp"])
                self.assertLessEqual(one["min_ms"], one["median_ms"])
                self.assertLessEqual(one["median_ms"], one["p95_ms"])
        with open(self.path("table.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("films: all identical", text)
        self.assertIn("| 9x7, 1 spp, depth 5 | 2 |", text)

    def test_what_the_time_does_not_suffice_for_is_left_out(self):
        done = self.run_script("--sizes", "8x8", "--depths", "2", "--cells", "", "--limit", "1e-9")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.document()["cells"], [])
        self.assertEqual([cell["view"] for cell in self.document()["left_out"]], ["imbalance"])

    def test_lists_end_where_their_value_ends(self):
        scene = os.path.join(ROOT, "scenes", "cornell.json")
        done = self.bench("schedulers", "--backend", "cpu", "-o", self.path("table.json"), "--repeats", "1", "--depths", "2",
                          "--schedulers", "launch,persistent", "--sizes", "8x8", "--cells", "4x4:1:1", scene)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([len(cell["schedulers"]) for cell in self.document()["cells"]], [2, 2])

    def test_wrong_values_are_refused(self):
        scene, output = os.path.join(ROOT, "scenes", "cornell.json"), self.path("out.json")
        for words, part in ((["--schedulers", "fastest"], "some of launch"), (["--sizes", "8"], "WIDTHxHEIGHT"),
                            (["--cells", "8x8:1"], "WIDTHxHEIGHT:SPP:DEPTH"), (["--sizes", "0x8"], "--size 0x8"),
                            (["--views", self.path("none.json")], "none.json")):
            done = self.bench("schedulers", scene, "--backend", "cpu", "-o", output, *words)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn("error: ", done.stderr)
            self.assertIn(part, done.stderr)
        self.assertEqual(self.bench("schedulers", "--backend", "cpu", "-o", output).returncode, 2)

    def test_help_comes_from_the_program_beside(self):
        done = self.bench("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("schedulers", done.stdout)


if __name__ == "__main__":
    unittest.main()
