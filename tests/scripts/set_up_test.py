"""What scripts/lib does on a machine: which packages it installs, and what it finds of CUDA.

Stand-ins play apt and the tools; PATH holds nothing else.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COREUTILS = ("bash", "env", "mktemp", "rm", "tail", "sed", "grep", "tr", "sort", "paste", "chmod", "cp", "cat")

DPKG_QUERY = 'case " $MISSING " in *" ${@: -1} "*) exit 1;; esac; echo installed'
APT_CACHE = 'case " $UNKNOWN " in *" ${@: -1} "*) ;; *) echo "${@: -1} | 1.0";; esac'


class SetUpTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.bin, self.log = scratch.name, os.path.join(scratch.name, "log")
        for name in COREUTILS:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        self.stand_in("id", "echo 0")

    def stand_in(self, name, script):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\n{script}\n")
        os.chmod(path, stat.S_IRWXU)

    def with_apt(self):
        self.stand_in("dpkg-query", DPKG_QUERY)
        self.stand_in("apt-cache", APT_CACHE)
        fails = "[ -z \"$APT_FAILS\" ] || { echo no network; exit 9; }"
        self.stand_in("apt-get", f'echo "apt-get $*" >>"{self.log}"\n{fails}')

    def shell(self, line, **variables):
        """Status, output, and the log of what the stand-ins did."""
        script = f'set -euo pipefail; root="{ROOT}"; for f in "$root"/scripts/lib/*.sh; do source "$f"; done; {line}'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False,
                              env={"PATH": self.bin, "APT_FAILS": "", "MISSING": "", "UNKNOWN": "", **variables})
        log = ""
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                log = file.read()
        return done.returncode, done.stdout + done.stderr, log

    def test_nothing_is_done_or_said_when_all_is_there(self):
        self.with_apt()
        self.assertEqual(self.shell("ensure_packages"), (0, "", ""))

    def test_what_is_missing_is_named_and_installed(self):
        self.with_apt()
        status, output, log = self.shell("ensure_packages", MISSING="libglm-dev libtbb-dev")
        self.assertEqual(status, 0, output)
        self.assertIn("libglm-dev libtbb-dev", output)
        self.assertEqual(log, "apt-get -y update\napt-get -y install --no-install-recommends libglm-dev libtbb-dev\n")

    def test_an_optional_package_that_apt_does_not_know_is_passed_over(self):
        self.with_apt()
        unknown = self.shell("ensure_packages", MISSING="libembree-dev", UNKNOWN="libembree-dev")
        self.assertEqual(unknown, (0, "", ""))
        _, _, log = self.shell("ensure_packages", MISSING="libembree-dev")
        self.assertIn("install --no-install-recommends libembree-dev", log)

    def test_a_failing_apt_ends_the_script_with_its_words_and_an_optional_one_does_not(self):
        self.with_apt()
        status, output, _ = self.shell("ensure_packages; echo reached", MISSING="cmake", APT_FAILS="1")
        self.assertNotEqual(status, 0)
        self.assertIn("no network", output)
        self.assertNotIn("reached", output)
        self.assertIn("reached", self.shell("ensure_packages; echo reached", MISSING="ccache", APT_FAILS="1")[1])

    def test_without_root_sudo_is_used_and_its_absence_explained(self):
        self.with_apt()
        self.stand_in("id", "echo 1000")
        status, output, _ = self.shell("ensure_packages", MISSING="cmake")
        self.assertNotEqual(status, 0)
        self.stand_in("sudo", f'echo sudo >>"{self.log}"; "$@"')
        status, output, log = self.shell("ensure_packages", MISSING="cmake")
        self.assertEqual(status, 0, output)
        self.assertTrue(log.startswith("sudo\napt-get -y update\nsudo\n"), log)

    def test_without_apt_it_says_what_is_needed_and_goes_on(self):
        status, output, _ = self.shell("ensure_packages; echo reached")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"(?s)apt, which this machine does not have.*libglm-dev")
        self.assertIn("reached", output)

    def test_an_nvcc_without_cxx20_counts_as_none(self):
        for release, found in (("11.8", False), ("12.0", True), ("13.0", True)):
            self.stand_in("nvcc", f'echo "Cuda compilation tools, release {release}, V{release}.1"')
            self.assertEqual(self.shell("find_nvcc >/dev/null")[0] == 0, found, release)
        self.assertNotEqual(self.shell("find_nvcc", WARPATH_CUDA="OFF")[0], 0)

    def test_each_kind_of_card_is_named_once(self):
        self.stand_in("nvidia-smi", r'printf "9.0\n8.6\n9.0\n"')
        self.assertEqual(self.shell("card_architectures")[:2], (0, "86;90\n"))
        self.stand_in("nvidia-smi", 'echo "NVIDIA-SMI has failed: no communication with the driver"; exit 9')
        self.assertNotEqual(self.shell("card_architectures")[0], 0)

    def test_thread_sanitized_programs_are_started_as_they_start_here(self):
        def launcher(compiles, starts_with):
            compiler = f'cat >/dev/null; cp "{self.bin}/built" "$5"' if compiles else "exit 1"
            self.stand_in("g++", compiler)
            self.stand_in("built", f'[ "${{UNSCATTERED:-no}}" = yes ] || [ "{starts_with}" = "" ]')
            able = starts_with in ("", "setarch -R")
            self.stand_in("setarch", 'shift; UNSCATTERED=yes "$@"' if able else "exit 1")
            return self.shell("thread_sanitizer_launcher")[:2]

        self.assertEqual(launcher(True, ""), (0, "\n"))
        self.assertEqual(launcher(True, "setarch -R"), (0, "setarch -R\n"))
        status, reason = launcher(True, "nothing")
        self.assertNotEqual(status, 0)
        self.assertIn("do not start", reason)
        status, reason = launcher(False, "")
        self.assertNotEqual(status, 0)
        self.assertIn("without it", reason)


if __name__ == "__main__":
    unittest.main()
