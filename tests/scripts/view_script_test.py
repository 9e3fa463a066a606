"""scripts/view from end to end but for the compiler and the window.

A stand-in for cmake "builds" a program that prints its arguments.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

CMAKE = r'''#!/bin/bash
if [ "$1" != --build ]; then echo "$CONFIGURED"; exit; fi
echo "$*" >>"$STAND_INS/log"
mkdir -p "$2/bin"
printf '#!/bin/bash\nprintf "%%s\\n" "$@"\nexit 3\n' >"$2/bin/warpath"
chmod +x "$2/bin/warpath"
'''


class ViewScriptTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.checkout, self.bin = os.path.join(scratch.name, "a check out"), os.path.join(scratch.name, "bin")
        shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(self.checkout, "scripts"))
        os.makedirs(self.bin)
        for name, text in (("cmake", CMAKE), ("dpkg-query", "#!/bin/bash\necho installed\n"), ("apt-get", "#!/bin/bash\nexit 1\n"),
                           ("nvidia-smi", "#!/bin/bash\nexit 9\n")):
            path = os.path.join(self.bin, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, stat.S_IRWXU)

    def view(self, *arguments, display=":7", configured="-- Viewer: Dear ImGui 1.86, GLFW 3.3.8"):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "STAND_INS": self.bin, "CONFIGURED": configured}
        environment.pop("WAYLAND_DISPLAY", None)
        environment["DISPLAY"] = display
        return subprocess.run([os.path.join(self.checkout, "scripts", "view"), *arguments], capture_output=True, text=True, check=False, env=environment)

    def built(self):
        log = os.path.join(self.bin, "log")
        if not os.path.exists(log):
            return ""
        with open(log, encoding="utf-8") as file:
            return file.read()

    def test_builds_the_viewer_and_opens_the_window_with_the_arguments(self):
        done = self.view("my scene.obj", "--scheduler", "launch")
        self.assertEqual(done.stdout.splitlines()[-4:], ["view", "my scene.obj", "--scheduler", "launch"])
        self.assertEqual(done.returncode, 3)  # the window's own
        self.assertIn("--target warpath_cli warpath_view", self.built())
        self.assertEqual(self.view().stdout.splitlines()[-1], "view")

    def test_says_what_the_viewer_needs_where_it_is_left_out(self):
        done = self.view(configured="-- Viewer: left out; it needs libglfw3-dev libimgui-dev (Debian's names)")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines(), ["error: the viewer cannot be built: it needs libglfw3-dev libimgui-dev (Debian's names); "
                                                    "install them and start this again"])
        self.assertEqual(self.built(), "")

    def test_builds_nothing_without_a_display(self):
        done = self.view(display="")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("no display", done.stderr)
        self.assertEqual(self.built(), "")


if __name__ == "__main__":
    unittest.main()
