"""Starts commands and watches over them."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time


class Outcome:
    """How a command ended: exit status (negative: the signal), what it printed, processor and wall seconds."""

    def __init__(self, status, output, cpu_s, wall_s, timed_out):
        self.status, self.output = status, output
        self.cpu_s, self.wall_s, self.timed_out = cpu_s, wall_s, timed_out

    def crashed(self):
        """Ended by a signal (itself or through a shell), or stopped by a sanitizer."""
        return (self.status < 0 or self.status >= 128
                or re.search(r"Sanitizer: |:\d+:\d+: runtime error: ", self.output) is not None)

    def last_words(self):
        """The last line that says something, for a report."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return lines[-1][:300] if lines else "nothing printed"


def run(command, folder, limit_s):
    """Runs a command (a list, or a line for the shell) in a folder; ends it with all its children after limit_s."""
    with tempfile.TemporaryFile() as printed:
        started = time.monotonic()
        child = subprocess.Popen(command, cwd=folder, shell=isinstance(command, str), stdin=subprocess.DEVNULL,
                                 stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
        late = threading.Event()
        timer = threading.Timer(limit_s, _end_group, (child.pid, late))
        timer.start()
        _, wait_status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(wait_status)
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    return Outcome(child.returncode, output, usage.ru_utime + usage.ru_stime, time.monotonic() - started, late.is_set())


def _end_group(pid, late):
    late.set()
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
