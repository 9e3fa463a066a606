"""scripts/run-cases from end to end, with a stand-in for the program: its scene files say how it behaves."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

RUN_CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "run-cases")

STAND_IN = r'''#!%s -IS
import json, os, signal, struct, sys, time
arguments = sys.argv[1:]
if arguments[0] == "convert":
    sent = json.load(open(arguments[1]))
    width, height = sent["size"]
    with open(arguments[2], "wb") as file:
        file.write(b"PF\n%%d %%d\n-1.0\n" %% (width, height) + struct.pack("<3f", *sent["rgb"]) * (width * height))
    sys.exit(0)
scene = json.load(open(arguments[1]))
print(scene.get("print", ""), file=sys.stderr)
if arguments[0] == "info":
    print(scene["info"])
if "--size" in arguments and "0x0" in arguments:
    sys.exit("--size: 0x0 holds no pixel")
if scene.get("leave"):
    open(scene["leave"], "w").close()
if scene.get("kill"):
    os.kill(os.getpid(), signal.SIGSEGV)
until = time.process_time() + scene.get("burn_s", 0)
while time.process_time() < until:
    pass
if scene.get("status"):
    sys.exit(scene["status"])
if arguments[0] == "render" and not scene.get("lazy"):
    size = [int(n) for n in arguments[arguments.index("--size") + 1].split("x")]
    rgb = scene["by_args"].get(" ".join(arguments), scene["rgb"]) if "by_args" in scene else scene["rgb"]
    json.dump({"size": size, "rgb": rgb}, open(arguments[arguments.index("-o") + 1], "w"))
''' % sys.executable

CAMERA = {"eye": [0, 0.5, 3], "target": [0, 0, 0], "up": [0, 1, 0], "vfov": 45}
RENDER = {"do": "render", "scene": "scene", "size": [4, 3], "spp": 1}
RED = [{"rgb": [1, 0, 0], "tol": 0.01, "what": "red"}]


class RunCasesTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.program = os.path.join(scratch.name, "warpath")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(self.program, stat.S_IRWXU)
        self.cases = os.path.join(scratch.name, "case folder")
        os.makedirs(os.path.join(self.cases, "01-one"))

    def result(self, *runs, options=(), case=None, **scenes):
        """Exit status and output of run-cases on one case of these runs and scene files."""
        folder = os.path.join(self.cases, "01-one")
        for name, scene in scenes.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                json.dump(scene, file)
        with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
            json.dump({"case": "01-one", "runs": runs, **(case or {})}, file)
        done = subprocess.run([sys.executable, RUN_CASES, self.cases, "--program", self.program, *options],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def assert_passes(self, *runs, **scenes):
        status, output = self.result(*runs, **scenes)
        self.assertEqual(status, 0, output)
        self.assertTrue(output.endswith(f"{len(runs)} passed, 0 failed\n"), output)

    def assert_fails(self, message, *runs, **scenes):
        status, output = self.result(*runs, **scenes)
        self.assertEqual(status, 1, output)
        self.assertRegex(output, message)

    def test_a_picture_as_expected_passes_and_another_fails_with_the_value(self):
        self.assert_passes({**RENDER, "expect": RED}, scene={"rgb": [1, 0, 0]})
        self.assert_fails(r"red: mean of .* is \(0, 0, 1\), expected \(1, 0, 0\)", {**RENDER, "expect": RED},
                          scene={"rgb": [0, 0, 1]})

    def test_every_option_of_a_run_reaches_the_program(self):
        given = ("render scene -o o.exr --size 4x3 --spp 1 --max-depth 5 --env sky --camera 0,0.5,3/0,0,0/0,1,0/45 "
                 "--seed 7 --backend cpu --scheduler launch --pool 64")
        run = {**RENDER, "max_depth": 5, "env": "sky", "camera": CAMERA, "args": "--seed 7", "expect": RED}
        options = ("--backend", "cpu", "--scheduler", "launch", "--extra", "--pool 64")
        status, output = self.result(run, options=options, scene={"rgb": [0, 0, 0], "by_args": {given: [1, 0, 0]}})
        self.assertEqual(status, 0, output)

    def test_null_and_camera_in_file_give_no_option(self):
        run = {**RENDER, "max_depth": None, "env": None, "camera": CAMERA, "camera_in_file": True, "expect": RED}
        given = "render scene -o o.exr --size 4x3 --spp 1"
        self.assert_passes(run, scene={"rgb": [0, 0, 0], "by_args": {given: [1, 0, 0]}})

    def test_info_is_compared_with_counts_bounds_and_warnings(self):
        info = {"do": "info", "scene": "scene", "triangles": [7, 8], "materials": 3, "warns": ["NOWHERE"],
                "bounds": [[0, -1, 0.1], [1, 2, 3]]}
        text = "triangles: 8\nmaterials: 3\nbounds: 0 -1 0.100000001 1 2 3\nwarning: no material nowhere"
        self.assert_passes(info, scene={"info": text})
        for right, wrong in (("triangles: 8", "triangles: 9"), ("materials: 3", ""), ("0.100000001", "0.100001"),
                             ("warning: no", "note: no")):
            self.assert_fails("FAIL", info, scene={"info": text.replace(right, wrong)})
        self.assert_passes({**info, "bounds_tol": 0.01}, scene={"info": text.replace("0.100000001", "0.105")})

    def test_a_refusal_needs_a_status_a_message_and_nothing_left_behind(self):
        run = {"do": "render", "scene": "scene", "fails": True, "message": ["Buffer ?view", "7"]}
        refused = {"status": 2, "print": "error: bufferView 7 is past its end"}
        self.assert_passes(run, scene=refused)
        self.assert_fails("no message matches '7'", run, scene={**refused, "print": "error: bufferView"})
        self.assert_fails("left files behind: o.exr.part", run, scene={**refused, "leave": "o.exr.part"})
        self.assert_fails("exit status 0", run, scene={"lazy": True, "print": "bufferView 7"})
        self.assert_fails("crashed with status -11", run, scene={**refused, "kill": True})
        self.assert_fails("crashed with status 200", run, scene={**refused, "status": 200})

    def test_arguments_as_written_are_refused(self):
        run = {"do": "render", "scene": "scene", "args": "--size 0x0", "fails": True, "message": ["size"]}
        self.assert_passes(run, scene={})

    def test_a_render_that_fails_or_leaves_no_picture_or_too_much_is_a_failure(self):
        run = {**RENDER, "expect": RED}
        self.assert_fails("exit status 3, expected 0: gone", run, scene={"status": 3, "print": "gone"})
        self.assert_fails("wrote no picture", run, scene={"lazy": True})
        self.assert_fails("left files behind: junk", run, scene={"rgb": [1, 0, 0], "leave": "junk"})

    def test_same_as_compares_with_the_other_scene(self):
        run = {**RENDER, "same_as": "other"}
        scene = {"rgb": [1, 0, 0]}
        self.assert_passes(run, scene=scene, other={"rgb": [1, 0, 0.000005]})
        self.assert_fails("differs from other's picture by 0.5", run, scene=scene, other={"rgb": [1, 0, 0.5]})

    def test_each_camera_of_a_list_gives_a_picture(self):
        turned = {**CAMERA, "eye": [1, 0, 0]}
        run = {**RENDER, "camera": [CAMERA, turned], "expect": [{"cycle": [[0, 1, 0], [1, 0, 0]], "tol": 0.01}]}
        given = "render scene -o o.exr --size 4x3 --spp 1 --camera 1,0,0/0,0,0/0,1,0/45"
        self.assert_passes(run, scene={"rgb": [1, 0, 0], "by_args": {given: [0, 1, 0]}})

    def test_preparation_runs_in_a_copy_of_the_folder(self):
        run = {**RENDER, "scene": "made", "make": "cp scene made", "expect": RED}
        self.assert_passes(run, scene={"rgb": [1, 0, 0]})
        self.assertFalse(os.path.exists(os.path.join(self.cases, "01-one", "made")))
        self.assert_fails("preparing with 'false'", {**run, "make": "false"}, scene={"rgb": [1, 0, 0]})

    def test_time_beyond_the_limit_is_a_failure(self):
        run = {**RENDER, "ends_within_s": 0.5, "expect": RED}
        self.assert_passes(run, scene={"rgb": [1, 0, 0]})
        self.assert_fails("of processor time", run, scene={"rgb": [1, 0, 0], "burn_s": 0.7})

    def test_unknown_keys_are_failures_and_never_passed_over(self):
        scene = {"rgb": [1, 0, 0]}
        self.assert_fails("unknown key in run: colour", {**RENDER, "colour": 1}, scene=scene)
        self.assert_fails("unknown key in expect: median", {**RENDER, "expect": [{"median": 1}]}, scene=scene)
        self.assert_fails("unknown thing to do: paint", {**RENDER, "do": "paint"}, scene=scene)
        self.assert_fails("unknown key in case.json: skip", {**RENDER, "expect": RED}, scene=scene, case={"skip": True})

    def test_only_selects_and_an_empty_selection_is_an_error(self):
        runs = ({**RENDER, "expect": RED}, {**RENDER, "scene": "other", "expect": RED})
        scenes = {"scene": {"rgb": [1, 0, 0]}, "other": {"rgb": [0, 0, 0]}}
        status, output = self.result(*runs, options=("--only", "01-one/scene"), **scenes)
        self.assertEqual((status, output.count("PASS")), (0, 1), output)
        self.assertEqual(self.result(*runs, options=("--only", "99"), **scenes)[0], 2)


if __name__ == "__main__":
    unittest.main()
