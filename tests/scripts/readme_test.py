"""The README's commands run and its C++ compiles: the code blocks after a line `<!-- test -->`."""

import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PROGRAM = os.environ.get("WARPATH_PROGRAM", "")

# Stands in front of the program: the same command on a film of a few pixels.
SMALL = r'''#!%s -IS
import os, sys
words = sys.argv[1:]
if words[:1] == ["render"]:
    for option, value in (("--size", "24x16"), ("--spp", "2")):
        if option in words:
            words[words.index(option) + 1] = value
        else:
            words += [option, value]
os.execv(%r, [%r] + words)
'''


def tested_blocks(language):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return re.findall(rf"<!-- test -->\n```{language}\n(.*?)```", file.read(), re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.symlink(os.path.join(ROOT, "scenes"), os.path.join(self.folder, "scenes"))

    @unittest.skipUnless(PROGRAM, "WARPATH_PROGRAM names no program")
    def test_commands_run(self):
        shim = os.path.join(self.folder, "warpath")
        with open(shim, "w", encoding="utf-8") as file:
            file.write(SMALL % (sys.executable, PROGRAM, PROGRAM))
        os.chmod(shim, stat.S_IRWXU)
        blocks = tested_blocks("sh")
        self.assertGreaterEqual(len(blocks), 2)
        for block in blocks:
            done = subprocess.run(["bash", "-euxc", block], cwd=self.folder, capture_output=True, text=True,
                                  check=False, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(PROGRAM, "WARPATH_PROGRAM names no program")
    def test_options_and_schedulers_are_described(self):
        def words(pattern, *command):
            printed = subprocess.run([PROGRAM, *command], capture_output=True, text=True, check=True).stdout
            return set(re.findall(pattern, printed, re.MULTILINE))
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            described = set(re.findall(r"`([\w-]+)(?: [A-Z/x]+)?`", file.read()))
        options = words(r"(--[\w-]+)", "render", "--help") - {"--help"}
        self.assertGreater(len(options), 15)
        self.assertEqual(options - described, set())
        schedulers = words(r"^scheduler: (\S+)", "info")
        self.assertGreaterEqual(len(schedulers), 2)
        self.assertEqual(schedulers - described, set())

    def test_code_compiles(self):
        blocks = tested_blocks("cpp")
        self.assertTrue(blocks)
        for block in blocks:
            command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Werror",
                       f"-I{ROOT}/include", "-x", "c++", "-"]
            done = subprocess.run(command, input=block, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_files_that_documents_link_to_exist(self):
        documents = ["README.md", "CHANGELOG.md"]
        documents += [f"docs/{name}" for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")]
        for document in documents:
            with open(os.path.join(ROOT, document), encoding="utf-8") as file:
                targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", file.read())
            for target in targets:
                path = os.path.join(ROOT, os.path.dirname(document), target)
                self.assertTrue(os.path.exists(path), f"{document} links to {target}")


if __name__ == "__main__":
    unittest.main()
