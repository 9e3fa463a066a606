"""Runs one case: its commands in a copy of its folder, and everything its case.json says of the outcome."""

import json
import os
import re
import shlex
import shutil

from . import process
from .expectations import check_entry
from .picture import PictureError, read_pfm

CASE_KEYS = {"case", "about", "source", "runs", "needs", "note"}
RUN_KEYS = {"do", "scene", "size", "spp", "max_depth", "env", "camera", "camera_in_file", "args", "fails", "message",
            "make", "setup", "ends_within_s", "warns", "triangles", "bounds", "bounds_tol", "materials", "expect",
            "same_as", "needs", "note", "what"}
SINGLE_PRECISION = 2.0 ** -23
SAME_TOLERANCE = 1e-5
OUTPUTS = {"o.exr", "o.pfm"}


class Settings:
    """The program, what every render is given besides, a wall limit per command, and whether pictures are kept."""

    def __init__(self, program, render_args=(), limit_s=600.0, keep=False):
        self.program, self.render_args, self.limit_s, self.keep = program, list(render_args), limit_s, keep


class Fault(Exception):
    """Why a run cannot be judged further."""


def read_case(folder):
    """The case in a folder: (case, list of faults in the case file itself)."""
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        case = json.load(file)
    faults = [f"unknown key in case.json: {key}" for key in sorted(set(case) - CASE_KEYS)]
    return case, faults


def title(run):
    """What a run is, for its line in the report."""
    words = [run.get("do", "?"), str(run.get("scene", "?"))]
    if "size" in run:
        words.append("x".join(str(n) for n in run["size"]))
    if run.get("args"):
        words.append(run["args"])
    return " ".join(words) + (" (refused)" if run.get("fails") else "")


class CaseRunner:
    """Runs the runs of one case in `folder`, a copy that may be written to."""

    def __init__(self, settings, folder):
        self.settings, self.folder = settings, folder
        self.pictures = {}

    def check(self, run):
        """Returns what is wrong with one run, as a list of sentences."""
        unknown = sorted(set(run) - RUN_KEYS)
        if unknown:
            return [f"unknown key in run: {', '.join(unknown)}"]
        if run.get("do") not in ("info", "render"):
            return [f"unknown thing to do: {run.get('do')}"]
        try:
            for key in ("make", "setup"):
                self._prepare(run.get(key))
            if run.get("fails"):
                return self._check_refusal(run)
            return self._check_info(run) if run["do"] == "info" else self._check_render(run)
        except (Fault, PictureError) as fault:
            return [str(fault)]

    def _prepare(self, command):
        if command:
            done = process.run(command, self.folder, self.settings.limit_s)
            if done.status != 0:
                raise Fault(f"preparing with '{command}' ended with {done.status}: {done.last_words()}")

    def _execute(self, run, command):
        limit_s = run.get("ends_within_s")
        # Processor time is what one core would take; the wall limit only catches a program that waits.
        done = process.run(command, self.folder, self.settings.limit_s if limit_s is None else 10 * limit_s + 30)
        if done.timed_out:
            raise Fault(f"still running after {done.wall_s:.0f} s")
        if done.crashed():
            raise Fault(f"crashed with status {done.status}: {done.last_words()}")
        if limit_s is not None and not done.cpu_s <= limit_s:
            raise Fault(f"took {done.cpu_s:.1f} s of processor time, expected at most {limit_s:g} s")
        return done

    def _run_clean(self, run, command, outputs):
        """Runs a command that must succeed and leave nothing but `outputs` behind."""
        before = set(os.listdir(self.folder))
        done = self._execute(run, command)
        if done.status != 0:
            raise Fault(f"exit status {done.status}, expected 0: {done.last_words()}")
        left = sorted(set(os.listdir(self.folder)) - before - set(outputs))
        if left:
            raise Fault(f"left files behind: {', '.join(left)}")
        return done

    def _render_command(self, run, camera):
        command = [self.settings.program, "render", run["scene"]]
        args = shlex.split(run.get("args") or "")
        if not {"-o", "--output"} & set(args):
            command += ["-o", "o.exr"]
        if "size" in run:
            command += ["--size", "x".join(str(n) for n in run["size"])]
        for key, option in (("spp", "--spp"), ("max_depth", "--max-depth"), ("env", "--env")):
            if run.get(key) is not None:
                command += [option, str(run[key])]
        if camera is not None and not run.get("camera_in_file"):
            vectors = (camera["eye"], camera["target"], camera.get("up", [0, 1, 0]))
            command += ["--camera", "/".join([",".join(_number(v) for v in vector) for vector in vectors]
                                             + [_number(camera["vfov"])])]
        return command + args + self.settings.render_args

    def _check_refusal(self, run):
        camera = _cameras(run)[0]
        command = (self._render_command(run, camera) if run["do"] == "render"
                   else [self.settings.program, "info", run["scene"]] + shlex.split(run.get("args") or ""))
        _remove_outputs(self.folder)
        before = set(os.listdir(self.folder))
        done = self._execute(run, command)
        faults = [] if 1 <= done.status <= 127 else [f"exit status {done.status}, expected a refusal (1 to 127)"]
        left = sorted(set(os.listdir(self.folder)) - before)
        if left:
            faults.append(f"left files behind: {', '.join(left)}")
        faults += [f"no message matches '{pattern}': {done.last_words()}" for pattern in run.get("message", [])
                   if not re.search(pattern, done.output, re.IGNORECASE)]
        return faults + _check_warnings(run, done.output)

    def _check_info(self, run):
        command = [self.settings.program, "info", run["scene"]] + shlex.split(run.get("args") or "")
        done = self._run_clean(run, command, ())
        values = dict(re.findall(r"^\s*([\w ]+?)\s*:\s*(.*?)\s*$", done.output, re.MULTILINE))
        faults = [fault for key in ("triangles", "materials") if key in run
                  for fault in _check_count(key, run[key], values)]
        if "bounds" in run:
            faults += _check_scene_bounds(run, values)
        if "expect" in run or "same_as" in run:
            faults.append("expect and same_as are for renders")
        return faults + _check_warnings(run, done.output)

    def _check_render(self, run):
        cameras = _cameras(run)
        results = [self._picture(run, camera) for camera in cameras]
        pictures = [picture for picture, _ in results]
        faults = [f"{entry.get('what', 'picture')}: {fault}" for entry in run.get("expect", [])
                  for fault in check_entry(entry, pictures, cameras)]
        faults += _check_warnings(run, "\n".join(output for _, output in results))
        faults += [f"{key} is for info" for key in ("triangles", "materials", "bounds") if key in run]
        if "same_as" in run:
            other = {**run, "scene": run["same_as"]}
            for camera, picture in zip(cameras, pictures):
                faults += _check_same(picture, self._picture(other, camera)[0], run["same_as"])
        return faults

    def _picture(self, run, camera):
        """Renders a scene, once for the same command; returns the picture and what was printed."""
        command = self._render_command(run, camera)
        key = tuple(command)
        if key not in self.pictures:
            _remove_outputs(self.folder)
            done = self._run_clean(run, command, OUTPUTS)
            if not os.path.exists(os.path.join(self.folder, "o.exr")):
                raise Fault(f"wrote no picture: {done.last_words()}")
            picture, size = self._read_back(), run.get("size")
            if size and [picture.width, picture.height] != list(size):
                raise Fault(f"the picture has {picture.width}x{picture.height} pixels, expected {size[0]}x{size[1]}")
            self.pictures[key] = (picture, done.output)
        return self.pictures[key]


    def _read_back(self):
        convert = [self.settings.program, "convert", "o.exr", "o.pfm"]
        done = process.run(convert, self.folder, self.settings.limit_s)
        if done.status != 0:
            raise Fault(f"the picture cannot be read back: {done.last_words()}")
        if self.settings.keep:
            kept = os.path.join(self.folder, f"picture-{len(self.pictures):02}.exr")
            shutil.copyfile(os.path.join(self.folder, "o.exr"), kept)
        return read_pfm(os.path.join(self.folder, "o.pfm"))


def copy_case(folder, parent):
    """A copy of a case's folder that may be written to."""
    copy = os.path.join(parent, os.path.basename(os.path.abspath(folder)))
    shutil.copytree(folder, copy, copy_function=shutil.copyfile, dirs_exist_ok=True)
    for root, folders, _ in os.walk(copy):
        for name in [root] + [os.path.join(root, f) for f in folders]:
            os.chmod(name, 0o755)
    return copy


def _cameras(run):
    camera = run.get("camera")
    return camera if isinstance(camera, list) else [camera]


def _number(value):
    return repr(float(value)) if isinstance(value, float) else str(value)


def _remove_outputs(folder):
    for name in OUTPUTS:
        try:
            os.remove(os.path.join(folder, name))
        except FileNotFoundError:
            pass


def _check_count(key, expected, values):
    if key not in values:
        return [f"info prints no line '{key}: ...'"]
    allowed = expected if isinstance(expected, list) else [expected]
    if values[key] in [str(n) for n in allowed]:
        return []
    return [f"{key}: {values[key]}, expected {' or '.join(str(n) for n in allowed)}"]


def _check_scene_bounds(run, values):
    if "bounds" not in values:
        return ["info prints no line 'bounds: ...'"]
    expected = [v for corner in run["bounds"] for v in corner]
    number = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf"
    measured = [float(v) for v in re.findall(number, values["bounds"])]
    tol = run.get("bounds_tol", SINGLE_PRECISION * max(abs(v) for v in expected))
    if len(measured) == 6 and all(abs(m - e) <= tol for m, e in zip(measured, expected)):
        return []
    return [f"bounds: {values['bounds']}, expected {' '.join(format(v, '.9g') for v in expected)} +- {tol:g}"]


def _check_warnings(run, output):
    warnings = [line for line in output.splitlines() if re.search(r"\bwarning\b", line, re.IGNORECASE)]
    return [f"no warning matches '{pattern}' ({len(warnings)} warnings)" for pattern in run.get("warns", [])
            if not any(re.search(pattern, line, re.IGNORECASE) for line in warnings)]


def _check_same(picture, other, scene):
    if (picture.width, picture.height) != (other.width, other.height):
        return [f"not of the size of {scene}'s picture"]
    worst = max(abs(a - b) if a == a and b == b else float("inf") for a, b in zip(picture.values, other.values))
    if worst <= SAME_TOLERANCE:
        return []
    return [f"differs from {scene}'s picture by {worst:.3g}, expected at most {SAME_TOLERANCE:g}"]
