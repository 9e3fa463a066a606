"""scripts/render from end to end but for the compiler.

A stand-in for cmake "builds" a program that prints its arguments.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

PROGRAM = r'''#!/bin/bash
printf '%s\n' "$@"
while [ $# -gt 0 ]; do case $1 in -o) : >"$2";; --output=*) : >"${1#*=}";; esac; shift; done
'''
CMAKE = r'''#!/bin/bash
if [ "$1" != --build ]; then echo "$PWD $*" >>"$STAND_INS/log"; exit; fi
mkdir -p "$2/bin"
cp "$STAND_INS/program" "$2/bin/warpath"
'''


class RenderScriptTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.checkout = os.path.join(scratch.name, "a check out")
        self.bin, self.here = os.path.join(scratch.name, "bin"), os.path.join(scratch.name, "some where")
        shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(self.checkout, "scripts"))
        os.makedirs(self.bin)
        os.makedirs(self.here)
        self.stand_in("program", PROGRAM)
        self.stand_in("cmake", CMAKE)
        self.stand_in("dpkg-query", "#!/bin/bash\necho installed\n")
        self.stand_in("apt-get", "#!/bin/bash\nexit 1\n")
        self.stand_in("nvidia-smi", "#!/bin/bash\nexit 9\n")

    def stand_in(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)

    def render(self, *arguments):
        """Lines printed by scripts/render, called from another folder."""
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "STAND_INS": self.bin}
        done = subprocess.run([os.path.join(self.checkout, "scripts", "render"), *arguments], cwd=self.here,
                              capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.splitlines()

    def configured(self):
        with open(os.path.join(self.bin, "log"), encoding="utf-8") as file:
            return file.read().splitlines()[-1]

    def test_the_default_scene_lands_in_this_folder_once_and_again(self):
        for _ in range(2):
            lines = self.render()
            scene = os.path.join(self.checkout, "scenes", "cornell.json")
            self.assertEqual(lines[-5:-1], ["render", scene, "-o", "cornell.png"])
            self.assertEqual(lines[-1], f"The picture is {os.path.realpath(self.here)}/cornell.png")
        self.assertEqual(self.configured(), f"{self.checkout} --preset cpu")

    def test_options_alone_go_with_the_default_scene(self):
        self.assertEqual(self.render("--spp", "4")[-6:-1],
                         [os.path.join(self.checkout, "scenes", "cornell.json"), "--spp", "4", "-o", "cornell.png"])

    def test_a_scene_and_an_output_are_passed_on_as_they_are(self):
        lines = self.render("my scene.obj", "-o", "out put.exr", "--seed", "7")
        self.assertEqual(lines[-7:-1], ["render", "my scene.obj", "-o", "out put.exr", "--seed", "7"])
        self.assertTrue(lines[-1].endswith("/some where/out put.exr"), lines[-1])
        self.assertTrue(self.render("x.obj", "--output=b.png")[-1].endswith("/some where/b.png"))
        self.assertTrue(self.render("sub/x.obj")[-1].endswith("/some where/x.png"))

    def test_with_a_card_and_a_compiler_cuda_is_built_for_that_card(self):
        self.stand_in("nvidia-smi", "#!/bin/bash\necho 8.6\n")
        self.stand_in("nvcc", "#!/bin/bash\necho release 13.0, V13\n")
        self.render()
        self.assertEqual(self.configured(), f"{self.checkout} --preset cuda -DCMAKE_CUDA_COMPILER={self.bin}/nvcc "
                                            "-DCMAKE_CUDA_ARCHITECTURES=86")


if __name__ == "__main__":
    unittest.main()
