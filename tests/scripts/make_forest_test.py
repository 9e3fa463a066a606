"""scripts/make-forest: what it writes is a scene that warpath keeps shared."""

import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PROGRAM = os.environ.get("WARPATH_PROGRAM")


def make_forest(folder, *options):
    return subprocess.run([os.path.join(ROOT, "scripts", "make-forest"), folder, *options], capture_output=True, text=True)


class MakeForestTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def files(self, name):
        folder = os.path.join(self.folder, name)
        return {file: open(os.path.join(folder, file), encoding="ascii").read() for file in sorted(os.listdir(folder))}

    def test_the_same_options_give_the_same_bytes(self):
        for name in ("first", "second"):
            self.assertEqual(make_forest(os.path.join(self.folder, name), "--side", "30").returncode, 0)
        first = self.files("first")
        self.assertEqual(list(first), ["forest.json", "tree.mtl", "tree.obj"])
        self.assertEqual(first, self.files("second"))
        self.assertEqual(sum(line.startswith("f ") for line in first["tree.obj"].splitlines()), 1000)
        make_forest(os.path.join(self.folder, "other"), "--side", "30", "--seed", "2")
        self.assertNotEqual(first["tree.obj"], self.files("other")["tree.obj"])

    def test_a_size_that_no_scene_file_can_have_is_refused(self):
        for side in ("0", "1001", "x"):
            result = make_forest(self.folder, "--side", side)
            self.assertEqual(result.returncode, 2)
            self.assertIn("--side", result.stderr)

    @unittest.skipUnless(PROGRAM, "no program")
    def test_the_trees_share_their_triangles(self):
        make_forest(self.folder, "--side", "70")
        info = json.loads(subprocess.run([PROGRAM, "info", "--json", os.path.join(self.folder, "forest.json")],
                                         capture_output=True, text=True, check=True).stdout)
        self.assertEqual(info["instancing"]["shared_instances"], 4900)
        self.assertEqual(info["instancing"]["stored_triangles"], 1002)
        self.assertEqual(info["triangles"], 4900002)
        self.assertEqual(info["warnings"], [])


if __name__ == "__main__":
    unittest.main()
