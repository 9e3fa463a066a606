"""`warpath bench` and `warpath tune`, on the CPU with films of a few pixels."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PROGRAM = os.environ.get("WARPATH_PROGRAM", "")
PLAN = {"backend": "cpu", "threads": 2, "scenes": [os.path.join(ROOT, "scenes", "triangle.obj")], "schedulers": ["launch", "persistent"],
        "film": ["8x4"], "spp": [1], "depth": [4], "experiments": ["noise", "scenes"], "repeats": 3, "max_repeats": 3, "warm_up": 1}


def read(path):
    with open(path, "rb") as file:
        return file.read()


class BenchTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, "results")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def plan(self, **changes):
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump({**PLAN, **changes}, file)
        return self.path("plan.json")

    def command(self, *arguments, commit="abc"):
        return [PROGRAM, "bench", "--plan", self.path("plan.json"), "--out", self.out, "--no-report", "--commit", commit, *arguments]

    def run_bench(self, *arguments, commit="abc"):
        return subprocess.run(self.command(*arguments, commit=commit), capture_output=True, text=True, check=False, timeout=120)

    def has_samples(self, num):
        file = os.path.join(self.out, "rows.jsonl")
        return os.path.exists(file) and read(file).count(b'"sample"') >= num

    def rows(self, kind=None):
        with open(os.path.join(self.out, "rows.jsonl"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        return [row for row in rows if kind in (None, row["kind"])]

    def test_what_runs_on_the_cpu_has_a_report(self):
        self.plan(experiments=["contention", "empty-stages", "imbalance"], options={"contention": {"grabs": 2000}, "imbalance": {"paths": 500}})
        run = subprocess.run([a for a in self.command("--budget", "60") if a != "--no-report"], capture_output=True, text=True, check=False, timeout=200)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("no report", run.stdout + run.stderr)
        page = read(os.path.join(self.out, "report.html"))
        for name in (b"contention", b"empty-stages", b"imbalance"):
            self.assertIn(name, page)

    def test_rows_hold_environment_samples_and_results(self):
        self.plan()
        run = self.run_bench()
        self.assertEqual(run.returncode, 0, run.stderr)
        environment = self.rows("environment")[0]
        self.assertEqual(environment["commit"], "abc")
        self.assertEqual(environment["plan"]["film"], ["8x4"])
        self.assertTrue(environment["machine"]["processor"])
        results = {row["variant"]["scheduler"]: row for row in self.rows("result") if row["experiment"] == "scenes"}
        self.assertEqual(sorted(results), ["launch", "persistent"])
        for row in results.values():
            self.assertEqual(len(row["values"]), 3)
            self.assertTrue(row["complete"])
            self.assertGreater(row["data"]["mrays_per_s"], 0)
            self.assertAlmostEqual(sum(row["data"]["shares"].values()), 1, delta=1e-4)
        self.assertEqual(results["launch"]["image"], results["persistent"]["image"])
        self.assertIn("scenes: scene=triangle film=8x4 spp=1 depth=4", run.stdout)
        self.assertEqual(len([row for row in self.rows("sample") if row["experiment"] == "scenes"]), 6)

    def test_noise_compares_a_scheduler_with_itself(self):
        self.plan(experiments=["noise"], repeats=12, max_repeats=12, film=["64x36"])
        self.assertEqual(self.run_bench().returncode, 0)
        ratios = [row for row in self.rows("result") if row["unit"] == "ratio"]
        self.assertEqual(len(ratios), 2)
        for row in ratios:
            self.assertLess(row["data"]["low"], row["data"]["high"])
            self.assertEqual(row["data"]["differs"], not row["data"]["low"] <= 1 <= row["data"]["high"])
        # Each of the two is right in 19 of 20 runs of this test; that both are wrong in one direction each would be a fault.
        self.assertFalse(all(row["data"]["low"] > 1.25 or row["data"]["high"] < 0.8 for row in ratios), ratios)

    def test_killed_in_the_middle_and_gone_on_with(self):
        self.plan(film=["64x64"], spp=[16], repeats=6, max_repeats=6, experiments=["scenes"], scenes=[os.path.join(ROOT, "scenes", "cornell.json")])
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 60
        while time.time() < end and process.poll() is None and not self.has_samples(3):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = len(self.rows("sample"))  # every line is whole
        self.assertGreaterEqual(kept, 3)

        again = self.run_bench()
        self.assertEqual(again.returncode, 2)
        self.assertIn("--resume", again.stderr)
        run = self.run_bench("--resume")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(self.rows("environment")), 2)
        self.assertEqual([len(row["values"]) for row in self.rows("result")], [6, 6])
        self.assertEqual(len(self.rows("sample")), 12, "runs from before the kill were not counted")
        self.run_bench("--resume")
        self.assertEqual(len(self.rows("sample")), 12, "what was complete ran again")

    def test_rows_of_another_plan_are_not_mixed(self):
        self.plan()
        self.assertEqual(self.run_bench().returncode, 0)
        self.plan(depth=[5])
        run = self.run_bench("--resume")
        self.assertEqual(run.returncode, 2)
        self.assertIn("another plan", run.stderr)
        self.plan()
        self.assertIn("another commit", self.run_bench("--resume", commit="def").stderr)

    def test_ctrl_c_keeps_rows(self):
        self.plan(film=["64x64"], spp=[64], repeats=50, max_repeats=50, experiments=["scenes"], scenes=[os.path.join(ROOT, "scenes", "cornell.json")])
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.time() + 60
        while time.time() < end and not self.has_samples(1):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertGreaterEqual(len(self.rows("sample")), 1)

    def test_wrong_plans_and_names_are_refused(self):
        for changes, text in (({"film": ["big"]}, "/film/0"), ({"schedulers": ["fast"]}, "/schedulers/0"), ({"speed": 1}, "/speed")):
            self.plan(**changes)
            run = self.run_bench()
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(text, run.stderr)
            self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
        self.plan()
        run = self.run_bench("--experiment", "magic")
        self.assertEqual(run.returncode, 2)
        self.assertIn("scenes", run.stderr)
        self.plan(scenes=["none.json"])
        run = self.run_bench()
        self.assertEqual(run.returncode, 1)
        self.assertIn("none.json", run.stderr)

    def test_what_makes_no_sense_here_says_so(self):
        self.plan(experiments=["power"])
        run = self.run_bench()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("power skipped", run.stdout)
        self.assertEqual(self.rows("skipped")[0]["experiment"], "power")

    def test_a_budget_that_is_too_small_is_kept_and_said(self):
        self.plan(film=["64x64"], experiments=["scenes", "crossover"], budget=1)
        start = time.time()
        run = self.run_bench()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(time.time() - start, 20)
        self.assertTrue(self.rows("done"))

    def test_the_list_names_hypotheses(self):
        run = subprocess.run([PROGRAM, "bench", "--list"], capture_output=True, text=True, check=True)
        for name in ("scenes", "crossover", "noise", "refuted by"):
            self.assertIn(name, run.stdout)


class TuneTest(unittest.TestCase):
    def test_a_profile_is_kept_and_used_and_the_image_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_DATA_HOME": folder}
            scene = os.path.join(ROOT, "scenes", "triangle.obj")

            def warpath(*arguments):
                return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=folder, timeout=120)

            short = warpath("tune", scene, "--backend", "cpu", "--threads", "2", "--size", "8x8", "--spp", "1", "--budget", "1", "--profiles", "elsewhere")
            self.assertEqual(short.returncode, 0, short.stderr)
            tune = warpath("tune", scene, "--backend", "cpu", "--threads", "2", "--size", "32x32", "--spp", "4", "--budget", "3", "--out", "rows")
            self.assertEqual(tune.returncode, 0, tune.stderr)
            self.assertIn("defaults:", tune.stdout)
            files = os.listdir(os.path.join(folder, "warpath", "profiles"))
            self.assertEqual(len(files), 1)
            with open(os.path.join(folder, "warpath", "profiles", files[0]), encoding="utf-8") as file:
                profile = json.load(file)
            self.assertEqual(profile["key"]["scheduler"], "megakernel-persistent")
            with open(os.path.join(folder, "rows", "rows.jsonl"), encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            self.assertTrue(any(row["kind"] == "result" and "search" in row["cell"] for row in rows))
            self.assertFalse(any(row["kind"] == "failure" for row in rows))

            for name, profile in (("with.pfm", []), ("without.pfm", ["--profile", "none"])):
                run = warpath("render", scene, "-o", name, "--backend", "cpu", "--threads", "2", "--size", "32x32", "--spp", "4", *profile)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual("profile" in run.stderr, not profile, run.stderr)
            self.assertEqual(read(os.path.join(folder, "with.pfm")), read(os.path.join(folder, "without.pfm")))


if __name__ == "__main__":
    unittest.main()
